/**
 * XML text -> a tree that knows its lines, for every surface that reads XML. Nothing in a text can reach outside of it or
 * grow by expansion.
 */
import { SaxesParser } from 'saxes';
import type { XmlAttribute, XmlElement, XmlRefusal, XmlText } from './xml-tree.ts';

/**
 * Returns the root element of a document, or why it cannot be read, in time linear in its length.
 * @param maxDepth elements inside each other at most; readers of the tree may recurse that deep
 */
export function readXml(source: string, maxDepth: number): XmlElement | XmlRefusal {
  const lineAt = lineFinder(source);
  const parser = new SaxesParser();
  const open: Building[] = [];
  let root: XmlElement | undefined;
  let attributes = new Map<string, XmlAttribute>();

  parser.on('doctype', () => {
    // Without a document type, there are no custom entities, so nothing is expanded or fetched.
    const line = lineAt(source.lastIndexOf('<!', parser.position));
    throw new Refused('document type', line, 'A document type declaration (<!DOCTYPE …>) is not allowed.');
  });
  parser.on('error', ({ message }) => {
    const reason = message.replace(/^(\d+:)*\s*/, '');
    // The parser reports an unclosed element at the end of the text; the error names its beginning.
    const unclosed = reason.startsWith('unclosed tag') ? open.at(-1) : undefined;
    throw new Refused('syntax', (unclosed ?? parser).line, `This is not well-formed XML: ${reason}`);
  });
  parser.on('attribute', ({ name, value }) => {
    // The parser is behind the closing quote; the value begins after the opening quote.
    const end = parser.position - 1;
    const start = source.lastIndexOf(source[end] ?? '"', end - 1);
    attributes.set(name, { value, line: lineAt(start) });
  });
  parser.on('opentagstart', ({ name }) => {
    if (open.length >= maxDepth)
      throw new Refused('depth', parser.line, `Elements are nested deeper than ${maxDepth}.`);
    attributes = new Map();
    const element = { name, attributes, line: lineAt(source.lastIndexOf('<', parser.position - 1)), content: [] };
    open.at(-1)?.content.push(element);
    open.push(element);
    root ??= element;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  const addText = (text: string) => {
    const parent = open.at(-1);
    if (parent === undefined) return;
    // The parser reports a text at its end, after its own line breaks.
    parent.content.push({ text, line: parser.line - (text.match(/\n/g)?.length ?? 0) });
  };
  parser.on('text', addText);
  parser.on('cdata', addText);

  try {
    parser.write(source).close();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error;
  }
  // Without a root the parser has already reported an error.
  return root ?? new Refused('syntax', 1, 'There is no element in this text.');
}

interface Building extends XmlElement {
  readonly content: (XmlElement | XmlText)[];
}

class Refused extends Error implements XmlRefusal {
  readonly refused: XmlRefusal['refused'];
  readonly line: number;

  constructor(refused: XmlRefusal['refused'], line: number, message: string) {
    super(message);
    this.refused = refused;
    this.line = line;
  }
}

/** Returns the line (1-based) of an offset. */
function lineFinder(source: string): (offset: number) => number {
  const ends: number[] = [];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) ends.push(at);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? offset) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
