import { elementsOf, type XmlElement } from '../../../xml/index.ts';
import { AGGREGATOR_SPELLINGS, traitsOf } from '../aggregators.ts';
import type { Cube, Dimension, DimensionLink, Measure, MeasureGroup, Relation } from '../model.ts';
import { aliasesOf } from '../relation-leaves.ts';
import { calculatedMember, calculatedProperties, formatStringOf, namedSet } from '../shared-elements/calculated.ts';
import { described, warnOfClasses } from '../shared-elements/described.ts';
import { factCountOf } from '../shared-elements/fact-count.ts';
import { DATA_TYPES } from '../shared-elements/type-spellings.ts';
import { choice, flag, lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { aggregateTables } from './aggregate-tables.ts';
import { dimension, ownAppearance, usageAppearance } from './dimension.ts';
import { expressionOf } from './expression.ts';
import { relationIn } from './relation.ts';

/** The shared dimensions of a schema by name. */
export type SharedDimensions = ReadonlyMap<string, XmlElement>;

/** Reads a `<Cube>`; `undefined` if it has no facts. */
export function cube(element: XmlElement, shared: SharedDimensions, problems: Problems): Cube | undefined {
  const common = described(element, problems);
  const fact = relationIn(element, problems);
  if (fact === undefined) {
    problems.error(element, `The cube "${common.name}" needs a <Table>, <View> or <InlineTable> with its facts.`);
    return undefined;
  }
  if (fact.kind === 'join') {
    problems.error(fact, 'The facts of a cube are one <Table>, <View> or <InlineTable>, not a <Join>.');
    return undefined;
  }
  const dimensions: Dimension[] = [];
  const links: DimensionLink[] = [];
  for (const child of elementsOf(element, 'Dimension', 'DimensionUsage')) {
    const made =
      child.name === 'Dimension'
        ? readPrivateDimension(child, fact, problems)
        : readDimensionUsage(child, shared, fact, problems);
    if (made === undefined) continue;
    const madeLink = link(child, made, fact.alias, problems);
    dimensions.push(withUnmatched(made, madeLink, fact, child, problems));
    links.push(madeLink);
  }
  const measures = elementsOf(element, 'Measure').map((child) => measure(child, common.name, fact, problems));
  const calculatedMembers = elementsOf(element, 'CalculatedMember').map((child) => calculatedMember(child, problems));
  const { name } = common;
  const group: MeasureGroup = {
    name,
    fact,
    links,
    ignoreUnrelatedDimensions: false,
    declaredAggregates: aggregateTables(element, { name, dimensions, links, measures }, problems),
    line: element.line,
  };
  return {
    ...common,
    virtual: false,
    cache: flag(element, 'cache', true, problems),
    enabled: flag(element, 'enabled', true, problems),
    dimensions,
    measureGroups: [group],
    measures: [...measures, ...factCountOf(element, measures, calculatedMembers, common.name)],
    calculatedMembers,
    namedSets: elementsOf(element, 'NamedSet').map((child) => namedSet(child, problems)),
    defaultMeasure: text(element, 'defaultMeasure'),
    defaultCalculation: undefined,
  };
}

function readPrivateDimension(element: XmlElement, fact: Relation, problems: Problems): Dimension | undefined {
  return dimension(element, ownAppearance(element, fact, problems), problems);
}

function readDimensionUsage(
  usage: XmlElement,
  shared: SharedDimensions,
  fact: Relation,
  problems: Problems,
): Dimension | undefined {
  const source = required(usage, 'source', problems);
  const definition = shared.get(source);
  if (definition === undefined) {
    if (source !== '')
      problems.error(
        lineOf(usage, 'source'),
        `There is no shared dimension "${source}".${suggestion(source, [...shared.keys()])}`,
      );
    return undefined;
  }
  return dimension(definition, usageAppearance(usage, definition, fact, problems), problems);
}

function link(element: XmlElement, { name, hierarchies }: Dimension, fact: string, problems: Problems): DimensionLink {
  if (hierarchies.every(({ primaryKey }) => primaryKey === undefined)) return { kind: 'fact', dimension: name };
  const foreignKey = text(element, 'foreignKey');
  if (foreignKey === undefined)
    problems.error(
      element,
      `The dimension "${name}" has its own table, so it needs "foreignKey": the column of the facts that joins it.`,
    );
  const level = text(element, 'level');
  const levels = hierarchies.flatMap((hierarchy) => hierarchy.levels.map((candidate) => candidate.name));
  if (level !== undefined && !levels.includes(level))
    problems.error(
      lineOf(element, 'level'),
      `The dimension "${name}" has no level "${level}".${suggestion(level, levels)}`,
    );
  return {
    kind: 'key',
    dimension: name,
    column: { kind: 'column', table: fact, name: foreignKey ?? '', line: element.line },
    level,
    countsPerRow: level !== undefined,
  };
}

/** The annotation of a dimension for facts without a row in its table, and the value that makes them a member. */
const UNMATCHED_FACTS = 'service.unmatchedFacts';
const AS_MEMBER = 'member';

/** Returns the dimension with the facts of its member without a key, if its annotation asks for that member. */
function withUnmatched(
  dimension: Dimension,
  link: DimensionLink,
  fact: Relation,
  element: XmlElement,
  problems: Problems,
): Dimension {
  const choice = dimension.annotations.get(UNMATCHED_FACTS)?.trim();
  if (choice === undefined) return dimension;
  if (choice !== AS_MEMBER)
    problems.warn(element, `The annotation ${UNMATCHED_FACTS} is "${choice}", not "${AS_MEMBER}": it is not used.`);
  // Facts that join a level may join several rows.
  if (choice !== AS_MEMBER || link.kind !== 'key' || link.level !== undefined) return dimension;
  const { column } = link;
  const [first, ...others] = dimension.hierarchies.map((hierarchy) =>
    hierarchy.primaryKey === undefined ? hierarchy : { ...hierarchy, unmatched: { fact, column } },
  );
  return first === undefined ? dimension : { ...dimension, hierarchies: [first, ...others] };
}

function measure(element: XmlElement, group: string, fact: Relation, problems: Problems): Measure {
  warnOfClasses(element, problems);
  const [table = ''] = aliasesOf(fact);
  required(element, 'aggregator', problems);
  const aggregator = choice(element, 'aggregator', AGGREGATOR_SPELLINGS, 'sum', problems);
  const { needsColumn, defaultType } = traitsOf(aggregator);
  const expression = expressionOf(element, 'column', 'MeasureExpression', table, problems);
  if (expression === undefined && needsColumn)
    problems.error(element, 'A <Measure> needs "column" or a <MeasureExpression>.');
  const properties = calculatedProperties(element, problems);
  return {
    ...described(element, problems),
    group,
    aggregator,
    expression,
    type: choice(element, 'datatype', DATA_TYPES, defaultType, problems),
    formatString: formatStringOf(element, properties),
    properties,
    implied: false,
    isFactCount: false,
  };
}
