import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import { expressionsOf } from '../level-expressions.ts';
import { quoteName } from '../mdx-name.ts';
import type { ColumnExpression, Described, Dimension, Expression, Hierarchy, Level } from '../model.ts';
import { described, warnOfClasses } from '../shared-elements/described.ts';
import { DIMENSION_TYPES } from '../shared-elements/type-spellings.ts';
import { choice, flag, lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { type Attribute, attribute } from './attribute.ts';
import { levelOf } from './level.ts';
import type { PhysicalSchema } from './physical.ts';

/** A dimension as a cube sees it, with the attributes that links may name. */
export interface LinkedDimension {
  readonly dimension: Dimension;
  readonly attributes: readonly Attribute[];
}

export interface Appearance extends Described {
  readonly source: string | undefined;
}

/** Reads a `<Dimension>` with the attributes for links; `undefined` if it has no hierarchy. */
export function dimension(
  element: XmlElement,
  as: Appearance,
  physical: PhysicalSchema,
  problems: Problems,
): LinkedDimension | undefined {
  const table = text(element, 'table');
  const attributes = childrenOf(element, 'Attributes', 'Attribute').map((child) =>
    attribute(child, table, physical, problems),
  );
  const find = (at: XmlElement, name: string) => findAttribute(at, name, attributes, problems);
  const keyAttribute = text(element, 'key') === undefined ? undefined : find(element, 'key');
  const primaryKey = primaryKeyOf(element, keyAttribute, problems);

  const made: Hierarchy[] = [];
  const add = (written: XmlElement | undefined, name: string, levels: readonly Level[], of: Attribute | undefined) => {
    const [first, ...others] = levels;
    if (first === undefined) return;
    const at = { line: written?.line ?? first.line };
    const tables = levels.flatMap(expressionsOf).map((expression) => expression.table);
    const root = primaryKey?.table ?? table ?? first.key.table;
    const relation = physical.join(root, tables, at);
    if (relation === undefined) return;
    made.push({
      ...(written === undefined ? ofAttribute(of, at.line, name, problems) : ofElement(written, name, problems)),
      uniqueName: `${quoteName(as.name)}.${quoteName(name)}`,
      relation,
      primaryKey,
      levels: [first, ...others],
    });
  };

  for (const written of childrenOf(element, 'Hierarchies', 'Hierarchy')) {
    warnOfClasses(written, problems);
    const name = text(written, 'name') ?? as.name;
    const above: Expression[] = [];
    const levels = elementsOf(written, 'Level').flatMap((child): Level[] => {
      const attribute = find(child, 'attribute');
      const level =
        attribute === undefined ? undefined : levelOf(attribute, child, above, { physical, problems, find });
      above.push(...(attribute?.keys ?? []));
      return level === undefined ? [] : [level];
    });
    if (elementsOf(written, 'Level').length === 0) problems.error(written, `The hierarchy "${name}" needs a <Level>.`);
    add(written, name, levels, undefined);
  }
  for (const of of attributes) {
    if (!of.hasHierarchy || made.some((hierarchy) => hierarchy.name === of.name)) continue;
    const level = levelOf(of, undefined, [], { physical, problems, find });
    if (level !== undefined) add(undefined, of.name, [level], of);
    else if (of.keys.length > 1)
      problems.warn(
        of,
        `The key of "${of.name}" has several columns, so it has no hierarchy of its own. Write hasHierarchy="false".`,
      );
  }
  const [first, ...others] = made;
  if (first === undefined) {
    problems.error(element, `The dimension "${as.name}" has no hierarchy.`);
    return undefined;
  }
  return {
    attributes,
    dimension: {
      ...as,
      type: choice(element, 'type', DIMENSION_TYPES, 'standard', problems),
      highCardinality: flag(element, 'highCardinality', false, problems),
      hierarchies: [first, ...others],
    },
  };
}

type HierarchyFields = Omit<Hierarchy, 'uniqueName' | 'relation' | 'primaryKey' | 'levels'>;

function ofElement(element: XmlElement, name: string, problems: Problems): HierarchyFields {
  return {
    ...described(element, problems, name),
    hasAll: flag(element, 'hasAll', true, problems),
    allMemberName: text(element, 'allMemberName') ?? `All ${name}s`,
    allMemberCaption: text(element, 'allMemberCaption'),
    allLevelName: text(element, 'allLevelName') ?? '(All)',
    defaultMember: text(element, 'defaultMember'),
    ofAttribute: false,
  };
}

function ofAttribute(of: Attribute | undefined, line: number, name: string, problems: Problems): HierarchyFields {
  const read = (attribute: string) => (of === undefined ? undefined : text(of.element, attribute));
  return {
    name,
    caption: read('hierarchyCaption') ?? of?.caption,
    description: of?.description,
    visible: of === undefined ? true : flag(of.element, 'hierarchyVisible', of.visible, problems),
    annotations: of?.annotations ?? new Map(),
    line,
    hasAll: of === undefined ? true : flag(of.element, 'hierarchyHasAll', true, problems),
    allMemberName: read('hierarchyAllMemberName') ?? `All ${name}s`,
    allMemberCaption: read('hierarchyAllMemberCaption'),
    allLevelName: read('hierarchyAllLevelName') ?? '(All)',
    defaultMember: read('hierarchyDefaultMember'),
    ofAttribute: true,
  };
}

function primaryKeyOf(
  element: XmlElement,
  key: Attribute | undefined,
  problems: Problems,
): ColumnExpression | undefined {
  const [column, another] = key?.keys ?? [];
  if (column === undefined) return undefined;
  if (another !== undefined || column.kind !== 'column') {
    problems.error(element, 'The key attribute of a dimension has one column, which facts join.');
    return undefined;
  }
  return column;
}

function findAttribute(
  element: XmlElement,
  name: string,
  attributes: readonly Attribute[],
  problems: Problems,
): Attribute | undefined {
  const attributeName = required(element, name, problems);
  const attribute = attributes.find((candidate) => candidate.name === attributeName);
  if (attribute === undefined && attributeName !== '')
    problems.error(
      lineOf(element, name),
      `There is no attribute "${attributeName}" in this dimension.${suggestion(
        attributeName,
        attributes.map((candidate) => candidate.name),
      )}`,
    );
  return attribute;
}

/** Returns the elements in a wrapper such as `<Attributes>`. */
export function childrenOf(element: XmlElement, wrapper: string, name: string): readonly XmlElement[] {
  const list = firstOf(element, wrapper);
  return list === undefined ? [] : elementsOf(list, name);
}
