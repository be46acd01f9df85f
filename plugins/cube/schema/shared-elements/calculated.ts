/** Reads calculated members, named sets and parameters, which both schema languages share. */

import { elementsOf, firstOf, readElementText, type XmlElement } from '../../../xml/index.ts';
import { quoteName } from '../mdx-name.ts';
import type { CalculatedMember, CalculatedProperty, Located, NamedSet, Parameter } from '../model.ts';
import { choice, flag, lineOf, required, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';
import { described, warnOfClasses } from './described.ts';
import { formatterOf } from './formatter-scripts.ts';
import { DATA_TYPES } from './type-spellings.ts';

/** Reads a `<CalculatedMember>`. */
export function calculatedMember(element: XmlElement, problems: Problems): CalculatedMember {
  warnOfClasses(element, problems);
  const properties = calculatedProperties(element, problems);
  const formatElement = firstOf(element, 'FormatString');
  const solveOrder = literalOf(properties, 'SOLVE_ORDER');
  return {
    ...described(element, problems),
    hierarchy: hierarchyOf(element, problems),
    parent: text(element, 'parent'),
    ...formulaOf(element, problems),
    formatString:
      text(element, 'formatString') ??
      (formatElement === undefined ? undefined : readElementText(formatElement).text.trim()) ??
      literalOf(properties, 'FORMAT_STRING'),
    solveOrder: solveOrder !== undefined && /^\s*-?\d+\s*$/.test(solveOrder) ? Number(solveOrder) : undefined,
    properties,
    fromCube: undefined,
    implied: false,
  };
}

/** Returns the hierarchy of a calculated member. A dimension is a plain name, a hierarchy is MDX. */
function hierarchyOf(element: XmlElement, problems: Problems): string {
  const hierarchy = text(element, 'hierarchy');
  const dimension = text(element, 'dimension');
  if (hierarchy !== undefined && dimension !== undefined)
    problems.error(element, 'A calculated member has either "dimension" or "hierarchy", not both.');
  if (hierarchy !== undefined) return hierarchy.trim();
  if (dimension === undefined) {
    problems.error(element, 'A calculated member needs "dimension" (mostly dimension="Measures") or "hierarchy".');
    return '[Measures]';
  }
  return /^\s*\[/.test(dimension) ? dimension.trim() : quoteName(dimension);
}

/** Reads a `<NamedSet>`. */
export function namedSet(element: XmlElement, problems: Problems): NamedSet {
  return { ...described(element, problems), ...formulaOf(element, problems) };
}

function formulaOf(
  element: XmlElement,
  problems: Problems,
): { readonly formula: string; readonly formulaLine: number } {
  const attribute = text(element, 'formula');
  const [child, another] = elementsOf(element, 'Formula');
  if (another !== undefined || (attribute !== undefined && child !== undefined))
    problems.error(another ?? element, `<${element.name}> has more than one formula.`);
  const written: Located & { readonly text: string } =
    attribute === undefined
      ? child === undefined
        ? { text: '', line: element.line }
        : readElementText(child)
      : { text: attribute, line: lineOf(element, 'formula').line };
  const formula = written.text.trim();
  if (formula === '') problems.error(element, `<${element.name}> needs a formula.`);
  return { formula, formulaLine: written.line };
}

/** Reads the `<CalculatedMemberProperty>` elements of a member or measure. Its `<CellFormatter>` is also a property. */
export function calculatedProperties(element: XmlElement, problems: Problems): readonly CalculatedProperty[] {
  const formatter = formatterOf(element, 'CellFormatter', problems);
  const written = elementsOf(element, 'CalculatedMemberProperty').map((property): CalculatedProperty => {
    const value = property.attributes.get('value')?.value;
    const mdx = text(property, 'expression');
    if ((value === undefined) === (mdx === undefined))
      problems.error(property, 'A <CalculatedMemberProperty> has either "value" or "expression".');
    return {
      name: required(property, 'name', problems),
      caption: text(property, 'caption'),
      content: mdx === undefined ? { kind: 'value', value: value ?? '' } : { kind: 'expression', mdx },
      line: property.line,
    };
  });
  if (formatter === undefined) return written;
  const content = { kind: 'value', value: formatter.source } as const;
  return [...written, { name: CELL_FORMATTER_SCRIPT, caption: undefined, content, line: element.line }];
}

/** The name of the property with the script that formats cells. */
export const CELL_FORMATTER_SCRIPT = 'CELL_FORMATTER_SCRIPT';

/** Returns the literal value of a property. */
function literalOf(properties: readonly CalculatedProperty[], name: string): string | undefined {
  const content = properties.find((property) => property.name.toUpperCase() === name)?.content;
  return content?.kind === 'value' ? content.value : undefined;
}

/** Returns the format of a measure: its attribute, or else its property FORMAT_STRING. */
export function formatStringOf(element: XmlElement, properties: readonly CalculatedProperty[]): string | undefined {
  return text(element, 'formatString') ?? literalOf(properties, 'FORMAT_STRING');
}

/** Reads a `<Parameter>`. */
export function parameter(element: XmlElement, problems: Problems): Parameter {
  return {
    name: required(element, 'name', problems),
    description: text(element, 'description'),
    type: choice(element, 'type', { ...DATA_TYPES, Member: 'Member' as const }, 'String', problems),
    modifiable: flag(element, 'modifiable', true, problems),
    defaultValue: text(element, 'defaultValue'),
    line: element.line,
  };
}
