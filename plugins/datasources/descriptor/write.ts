import { ELEMENTS, type ElementName } from './parse.ts';

/** The members of a descriptor as text, by element; an element that is absent is not written. */
export type DescriptorMembers = Readonly<Partial<Record<ElementName, string | undefined>>>;

/** Returns a descriptor's XML. `parseDescriptor` reads back what was given, to the character. */
export function writeDescriptor(members: DescriptorMembers): string {
  const lines = ELEMENTS.flatMap((element) => {
    const text = members[element];
    return text === undefined ? [] : [`  <${element}>${escapeXml(text)}</${element}>`];
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<dataSource>', ...lines, '</dataSource>', ''].join('\n');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
