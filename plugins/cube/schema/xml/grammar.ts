import { elementsOf, isElement, type XmlElement } from '../../../xml/index.ts';
import { type Problems, suggestion } from './problems.ts';

/** The content that an element of a schema language allows. */
export interface ElementRule {
  readonly attributes: readonly string[];
  readonly elements: readonly string[];
  /** True if the element contains character data. */
  readonly text?: boolean;
}

/** The elements of one schema language by name. An element means the same in every place. */
export type Grammar = Readonly<Record<string, ElementRule>>;

/**
 * Reports every element, attribute and text that the language does not have. An unread element would change the meaning
 * of a cube, so it is an error. An unknown attribute is a warning, because other tools add attributes to schemas.
 */
export function checkGrammar(element: XmlElement, grammar: Grammar, problems: Problems): void {
  const rule = Object.hasOwn(grammar, element.name) ? grammar[element.name] : undefined;
  if (rule === undefined) return;
  for (const [name, { line }] of element.attributes) {
    if (rule.attributes.includes(name) || /^(?:xmlns|xml:|xsi:)/.test(name)) continue;
    problems.warn(
      { line },
      `<${element.name}> has no attribute "${name}"; it is ignored.${suggestion(name, rule.attributes)}`,
    );
  }
  for (const child of elementsOf(element)) {
    if (rule.elements.includes(child.name)) checkGrammar(child, grammar, problems);
    else
      problems.error(
        child,
        rule.elements.length === 0
          ? `<${element.name}> has no child elements, but there is <${child.name}>.`
          : `<${child.name}> is not allowed in <${element.name}>.${suggestion(child.name, rule.elements)}`,
      );
  }
  if (rule.text === true) return;
  for (const node of element.content)
    if (!isElement(node) && node.text.trim() !== '')
      problems.warn(node, `<${element.name}> has no text; "${shortened(node.text.trim())}" is ignored.`);
}

function shortened(text: string): string {
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}
