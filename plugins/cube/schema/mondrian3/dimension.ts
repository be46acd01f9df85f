import { elementsOf, type XmlElement } from '../../../xml/index.ts';
import { quoteName } from '../mdx-name.ts';
import type { ColumnExpression, Described, Dimension, Hierarchy, Level, Relation } from '../model.ts';
import { aliasesOf, isSameTable } from '../relation-leaves.ts';
import { annotationsOf, described, warnOfClasses } from '../shared-elements/described.ts';
import { DIMENSION_TYPES } from '../shared-elements/type-spellings.ts';
import { choice, flag, lineOf, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { level } from './level.ts';
import { relationIn } from './relation.ts';

/** How a dimension appears in a cube: by itself, or as a usage of a shared dimension. */
export interface Appearance extends Described {
  readonly source: string | undefined;
  /** The cube's facts; `undefined` while a shared dimension is only checked. */
  readonly fact: Relation | undefined;
  readonly highCardinality: boolean | undefined;
}

/** Returns the appearance of a dimension at its definition, in a cube or in the schema. */
export function ownAppearance(element: XmlElement, fact: Relation | undefined, problems: Problems): Appearance {
  return { ...described(element, problems), source: undefined, fact, highCardinality: undefined };
}

/** Returns the appearance of a `<DimensionUsage>`. Omitted attributes come from the shared dimension. */
export function usageAppearance(
  usage: XmlElement,
  shared: XmlElement,
  fact: Relation | undefined,
  problems: Problems,
): Appearance {
  const source = text(shared, 'name');
  return {
    ...described(usage, problems, source),
    caption: text(usage, 'caption') ?? text(shared, 'caption'),
    description: text(usage, 'description') ?? text(shared, 'description'),
    annotations: new Map([...annotationsOf(shared, problems), ...annotationsOf(usage, problems)]),
    source,
    fact,
    highCardinality: flag(usage, 'highCardinality', undefined, problems),
  };
}

/** Reads a `<Dimension>` as it appears in a cube; `undefined` if it has no hierarchy. */
export function dimension(element: XmlElement, as: Appearance, problems: Problems): Dimension | undefined {
  const [first, ...others] = elementsOf(element, 'Hierarchy').flatMap((child) => {
    const made = hierarchy(child, as, text(element, 'name') ?? as.name, problems);
    return made === undefined ? [] : [made];
  });
  if (elementsOf(element, 'Hierarchy').length === 0)
    problems.error(element, `The dimension "${as.name}" needs a <Hierarchy>.`);
  if (first === undefined) return undefined;
  const { fact: _, highCardinality, ...rest } = as;
  return {
    ...rest,
    type: choice(element, 'type', DIMENSION_TYPES, 'standard', problems),
    highCardinality: highCardinality ?? flag(element, 'highCardinality', false, problems),
    hierarchies: [first, ...others],
  };
}

/**
 * Reads a hierarchy.
 *
 * @param defined the dimension's name at its definition
 */
function hierarchy(element: XmlElement, as: Appearance, defined: string, problems: Problems): Hierarchy | undefined {
  warnOfClasses(element, problems);
  const written = text(element, 'name');
  // A hierarchy with its dimension's name takes the name of the usage.
  const unnamed = written === undefined || written === defined;
  const name = unnamed ? as.name : written;
  const longName = unnamed ? as.name : `${as.name}.${name}`;
  const definedName = unnamed ? defined : `${defined}.${name}`;
  const relation = relationIn(element, problems) ?? as.fact;
  if (relation === undefined) return undefined;
  const degenerate = as.fact !== undefined && (relation === as.fact || isSameTable(relation, as.fact));

  const [first, ...others] = elementsOf(element, 'Level').map((child, index) =>
    level(child, relation, index === 0, problems),
  );
  if (first === undefined) {
    problems.error(element, `The hierarchy "${longName}" needs a <Level>.`);
    return undefined;
  }
  const levels: readonly [Level, ...Level[]] = [first, ...others];
  if (element.attributes.get('hasAll') === undefined)
    problems.warn(element, `The hierarchy "${longName}" has no "hasAll", so it has an all member.`);
  return {
    ...described(element, problems, name),
    name,
    uniqueName: quoteName(longName),
    hasAll: flag(element, 'hasAll', true, problems),
    // The all member of a usage takes the name of the usage.
    allMemberName: text(element, 'allMemberName')?.replaceAll(definedName, longName) ?? `All ${longName}s`,
    allMemberCaption: text(element, 'allMemberCaption'),
    allLevelName: text(element, 'allLevelName') ?? '(All)',
    defaultMember: text(element, 'defaultMember'),
    relation,
    primaryKey: degenerate ? undefined : primaryKey(element, relation, problems),
    levels,
    ofAttribute: false,
  };
}

function primaryKey(element: XmlElement, relation: Relation, problems: Problems): ColumnExpression | undefined {
  const aliases = aliasesOf(relation);
  const [sole = '', another] = aliases;
  const table = text(element, 'primaryKeyTable');
  const name = text(element, 'primaryKey');
  if (name === undefined)
    problems.error(element, 'A hierarchy with its own table needs "primaryKey", which facts join.');
  if (table !== undefined && !aliases.includes(table))
    problems.error(
      lineOf(element, 'primaryKeyTable'),
      `There is no table "${table}" in this hierarchy.${suggestion(table, aliases)}`,
    );
  if (table === undefined && another !== undefined)
    problems.error(element, 'This hierarchy joins several tables: "primaryKeyTable" must say which one has the key.');
  return name === undefined ? undefined : { kind: 'column', table: table ?? sole, name, line: element.line };
}
