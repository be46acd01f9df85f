/** The XML of a descriptor: one root element with text elements. */
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import { elementsOf, readElementText, readXml } from '../../xml/index.ts';

export interface DescriptorElement {
  readonly name: string;
  /** Character data, references replaced. `undefined` when there are elements inside. */
  readonly text: string | undefined;
  readonly line: number;
}

export interface DescriptorXml {
  readonly root: string;
  readonly line: number;
  readonly children: readonly DescriptorElement[];
}

/** Returns the elements of a descriptor; what keeps it from being read is a problem with its line. */
export function readDescriptorXml(source: string): DescriptorXml | DatasourceProblem {
  // Asked of the plain text, so that no spelling of it gets by: a comment that holds the word is refused, too.
  const declaration = /<!(DOCTYPE|ENTITY)/i.exec(source);
  if (declaration !== null)
    return problemAt(lineAt(source, declaration.index), 'A document type declaration (<!DOCTYPE …>) is not allowed.');
  // The usual mistake is an ampersand in a password or URL; the parser's message would not say what to write.
  const reference = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/.exec(withoutCdata(source));
  if (reference !== null)
    return problemAt(
      lineAt(source, reference.index),
      'An ampersand that begins no known reference is written &amp; in XML.',
    );
  const root = readXml(source, MAX_ELEMENT_DEPTH);
  if ('refused' in root) {
    return root.refused === 'depth'
      ? problemAt(1, `The elements of this file are nested more than ${MAX_ELEMENT_DEPTH} deep.`)
      : problemAt(root.line, root.message);
  }
  const children = elementsOf(root).map((child) => ({
    name: child.name,
    text: elementsOf(child).length > 0 ? undefined : readElementText(child).text,
    line: child.line,
  }));
  return { root: root.name, line: root.line, children };
}

const MAX_MESSAGE_LENGTH = 300;

/** A descriptor has two levels; deeper XML has another format, or attacks the parser. */
const MAX_ELEMENT_DEPTH = 20;

/** Blanks out comments, CDATA and the like; every other character keeps its place. */
function withoutCdata(source: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { 0: opening, index } of source.matchAll(/<!\[CDATA\[|<!--/g)) {
    if (index < at) continue;
    const closing = opening === '<!--' ? '-->' : ']]>';
    const end = source.indexOf(closing, index + opening.length);
    // The parser reports a section that never ends.
    if (end < 0) break;
    kept.push(source.slice(at, index), ' '.repeat(end + closing.length - index));
    at = end + closing.length;
  }
  return kept.join('') + source.slice(at);
}

/** Returns the line of a place in a text, counted from 1. */
function lineAt(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}

function problemAt(line: number, message: string): DatasourceProblem {
  // The reader's words may repeat the file's.
  return { severity: 'error', message: message.slice(0, MAX_MESSAGE_LENGTH), line };
}
