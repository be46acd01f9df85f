/** The XML of a descriptor: one root element whose children hold text. Nothing in it can reach outside of it. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';

export interface XmlElement {
  readonly name: string;
  /** Character data, references replaced. `undefined` when there are elements inside. */
  readonly text: string | undefined;
  readonly line: number;
}

export interface XmlDocument {
  readonly root: string;
  readonly line: number;
  readonly children: readonly XmlElement[];
}

/** Reads a document; what keeps it from being read is a problem with its line. */
export function readXml(source: string): XmlDocument | DatasourceProblem {
  // No document type means no entities of its own, so nothing to expand and nothing to fetch. Asked of the plain text:
  // a comment that holds the word is refused too, and that is no loss.
  const lineAt = linesOf(source);
  const declaration = /<!(DOCTYPE|ENTITY)/i.exec(source);
  if (declaration !== null)
    return problemAt(lineAt(declaration.index), 'A document type declaration (<!DOCTYPE …>) is not allowed.');
  const reference = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/.exec(withoutCdata(source));
  if (reference !== null)
    return problemAt(lineAt(reference.index), 'An ampersand that begins no known reference is written &amp; in XML.');
  const validity = XMLValidator.validate(source);
  if (validity !== true) return problemAt(validity.err.line, `This is not well-formed XML: ${validity.err.msg}`);

  if (depthOf(source) > MAX_DEPTH)
    return problemAt(1, `The elements of this file are nested more than ${MAX_DEPTH} deep.`);
  let tree: unknown;
  try {
    tree = PARSER.parse(source);
  } catch (error) {
    // The parser has limits of its own, which the validator does not know.
    return problemAt(1, `This is not well-formed XML: ${error instanceof Error ? error.message : String(error)}`);
  }
  const [root] = nodesOf(tree).filter((node) => node.name !== undefined);
  if (root?.name === undefined) return problemAt(1, 'There is no element in this file.');
  return {
    root: root.name,
    line: lineAt(root.startIndex),
    children: root.children.flatMap(({ name, children, startIndex }) =>
      name === undefined ? [] : [{ name, text: textOf(children), line: lineAt(startIndex) }],
    ),
  };
}

const MAX_MESSAGE_LENGTH = 300;

/** A descriptor has two levels; who nests more has another format in mind, and one who nests thousands no good. */
const MAX_DEPTH = 20;

/** How deep the elements of a well-formed document are nested, at most; what is no markup may count, too. */
function depthOf(source: string): number {
  let deepest = 0;
  let depth = 0;
  for (const [tag] of withoutCdata(source).matchAll(/<\/?[^<>!?]+>?/g)) {
    if (tag.startsWith('</')) depth--;
    else if (!tag.endsWith('/>')) depth++;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** References are replaced here and not by the parser, which would also take those of HTML and leave unknown ones. */
const PARSER = new XMLParser({
  preserveOrder: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  cdataPropName: '#cdata',
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  captureMetaData: true,
});
const METADATA: unknown = XMLParser.getMetaDataSymbol();

/** A node as the parser gives it in document order: an element, or character data (`name` undefined). */
interface Node {
  readonly name: string | undefined;
  readonly children: readonly Node[];
  readonly text: string;
  readonly startIndex: number;
}

/** The parser's own tree is untyped; it is read in this one place. */
function nodesOf(tree: unknown): readonly Node[] {
  if (!Array.isArray(tree)) return [];
  return tree.flatMap((item: unknown): Node[] => {
    if (typeof item !== 'object' || item === null) return [];
    const [entry] = Object.entries(item);
    if (entry === undefined) return [];
    const [key, value]: [string, unknown] = entry;
    if (key === '#text') return [{ name: undefined, children: [], text: unescapeXml(String(value)), startIndex: 0 }];
    if (key === '#cdata') return [{ name: undefined, children: [], text: rawText(value), startIndex: 0 }];
    return [{ name: key, children: nodesOf(value), text: '', startIndex: startOf(item) }];
  });
}

function rawText(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value
    .map((item: unknown) => (typeof item === 'object' && item !== null && '#text' in item ? String(item['#text']) : ''))
    .join('');
}

function startOf(item: object): number {
  const found: unknown = typeof METADATA === 'symbol' ? Reflect.get(item, METADATA) : undefined;
  if (typeof found !== 'object' || found === null || !('startIndex' in found)) return 0;
  return typeof found.startIndex === 'number' ? found.startIndex : 0;
}

function textOf(children: readonly Node[]): string | undefined {
  return children.some((child) => child.name !== undefined) ? undefined : children.map((child) => child.text).join('');
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** XML 1.0, 4.1 and 4.6: character references and the five predefined entities. */
function unescapeXml(text: string): string {
  return text.replace(/&(#x?[0-9a-fA-F]+|\w+);/g, (reference: string, name: string) => {
    if (!name.startsWith('#')) return NAMED[name] ?? reference;
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** The same text with what is no markup blanked out, every other character at its old place. */
function withoutCdata(source: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { 0: opening, index } of source.matchAll(/<!\[CDATA\[|<!--/g)) {
    if (index < at) continue;
    const closing = opening === '<!--' ? '-->' : ']]>';
    const end = source.indexOf(closing, index + opening.length);
    // One that never ends is for the validator to tell.
    if (end < 0) break;
    kept.push(source.slice(at, index), ' '.repeat(end + closing.length - index));
    at = end + closing.length;
  }
  return kept.join('') + source.slice(at);
}

/** Tells the line of any place in a text, counted from 1. */
function linesOf(source: string): (index: number) => number {
  const breaks: number[] = [];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) breaks.push(at);
  return (index) => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((breaks[middle] ?? index) < index) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

function problemAt(line: number, message: string): DatasourceProblem {
  // The parser's words may repeat the file's.
  return { severity: 'error', message: message.slice(0, MAX_MESSAGE_LENGTH), line };
}
