/** A tree of XML elements, each with its line. */

export interface XmlAttribute {
  readonly value: string;
  /** Line at which the value begins. */
  readonly line: number;
}

export interface XmlElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: ReadonlyMap<string, XmlAttribute>;
  /** Elements and character data in their order, comments and processing instructions left out. */
  readonly content: readonly (XmlElement | XmlText)[];
}

export interface XmlText {
  readonly text: string;
  readonly line: number;
}

/** The reason why a text is refused as XML. */
export interface XmlRefusal {
  readonly refused: 'document type' | 'depth' | 'syntax';
  readonly line: number;
  readonly message: string;
}

export function isElement(node: XmlElement | XmlText): node is XmlElement {
  return 'name' in node;
}

export function elementsOf(parent: XmlElement, ...names: readonly string[]): readonly XmlElement[] {
  return parent.content.filter(isElement).filter(({ name }) => names.length === 0 || names.includes(name));
}

export function firstOf(parent: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  return elementsOf(parent, ...names)[0];
}

/**
 * Returns the character data of an element without its children's, as written; its line is that of the first visible
 * character.
 */
export function readElementText(element: XmlElement): XmlText {
  const texts = element.content.filter((node) => !isElement(node));
  const text = texts.map((node) => ('text' in node ? node.text : '')).join('');
  const first = texts.find((node) => 'text' in node && node.text.trim() !== '');
  if (first === undefined || !('text' in first)) return { text, line: element.line };
  const blank = /^\s*/.exec(first.text)?.[0] ?? '';
  return { text, line: first.line + (blank.match(/\n/g)?.length ?? 0) };
}
