import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
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

/**
 * Returns the text of a descriptor with another address. Everything else stays as it is, with comments and the order of
 * the elements.
 */
export function withAddress(source: string, { jdbcUrl, username, password }: WarehouseAddress): string {
  let text = source;
  for (const [element, value] of Object.entries({ location: jdbcUrl, username, password })) {
    const written = value === undefined ? '' : `<${element}>${escapeXml(value)}</${element}>`;
    const present = new RegExp(`[ \\t]*<${element}>[^<]*</${element}>\\r?\\n?`);
    const old = present.exec(text)?.[0];
    if (old !== undefined) {
      const kept = old.replace(new RegExp(`<${element}>[^<]*</${element}>`), () => written);
      text = text.replace(present, () => (written === '' ? '' : kept));
    } else if (written !== '') text = text.replace('</dataSource>', () => `  ${written}\n</dataSource>`);
  }
  return text;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
