import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import { AGGREGATOR_SPELLINGS, traitsOf } from '../aggregators.ts';
import type { Cube, Measure, MeasureGroup } from '../model.ts';
import type { LeafRelation } from '../relation-leaves.ts';
import { calculatedMember, calculatedProperties, formatStringOf, namedSet } from '../shared-elements/calculated.ts';
import { described, warnOfClasses } from '../shared-elements/described.ts';
import { factCountOf } from '../shared-elements/fact-count.ts';
import { DATA_TYPES } from '../shared-elements/type-spellings.ts';
import { choice, flag, lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { withAggregates } from './aggregate-groups.ts';
import { childrenOf, dimension, type LinkedDimension } from './dimension.ts';
import { links } from './link.ts';
import type { PhysicalSchema } from './physical.ts';

/** Reads a `<Cube>`. */
export function cube(
  element: XmlElement,
  shared: ReadonlyMap<string, XmlElement>,
  physical: PhysicalSchema,
  problems: Problems,
): Cube {
  const common = described(element, problems);
  const dimensions = childrenOf(element, 'Dimensions', 'Dimension').flatMap((child) => {
    const made = dimensionOf(child, shared, physical, problems);
    return made === undefined ? [] : [made];
  });
  const measureGroups: MeasureGroup[] = [];
  const measures: Measure[] = [];
  const aggregates: XmlElement[] = [];
  for (const child of childrenOf(element, 'MeasureGroups', 'MeasureGroup')) {
    // Aggregate tables add no facts.
    if (choice(child, 'type', GROUP_TYPES, 'fact', problems) === 'aggregate') {
      aggregates.push(child);
      continue;
    }
    const fact = physical.table(child, 'table');
    if (fact === undefined) continue;
    const name = text(child, 'name') ?? fact.alias;
    measureGroups.push({
      name,
      fact,
      links: links(child, fact, dimensions, problems),
      ignoreUnrelatedDimensions: flag(child, 'ignoreUnrelatedDimensions', false, problems),
      declaredAggregates: [],
      line: child.line,
    });
    measures.push(
      ...childrenOf(child, 'Measures', 'Measure').map((item) => measure(item, name, fact, physical, problems)),
    );
  }
  const calculatedMembers = [
    ...childrenOf(element, 'CalculatedMembers', 'CalculatedMember'),
    ...elementsOf(element, 'CalculatedMember'),
  ].map((child) => calculatedMember(child, problems));
  const [group, ...others] = measureGroups;
  if (group === undefined) problems.error(element, `The cube "${common.name}" needs a <MeasureGroup>.`);
  // A cube of several groups has facts of several kinds, like a virtual cube of Mondrian 3. Neither has a count of its
  // own.
  else if (others.length === 0) measures.push(...factCountOf(element, measures, calculatedMembers, group.name));
  return {
    ...common,
    virtual: false,
    cache: flag(element, 'cache', true, problems),
    enabled: flag(element, 'enabled', true, problems),
    dimensions: dimensions.map((linked) => linked.dimension),
    measureGroups: withAggregates(
      measureGroups,
      aggregates,
      { name: common.name, dimensions, measures, physical },
      problems,
    ),
    measures,
    calculatedMembers,
    namedSets: [...childrenOf(element, 'NamedSets', 'NamedSet'), ...elementsOf(element, 'NamedSet')].map((child) =>
      namedSet(child, problems),
    ),
    defaultMeasure: text(element, 'defaultMeasure'),
    defaultCalculation: undefined,
  };
}

const GROUP_TYPES = { fact: 'fact', aggregate: 'aggregate' } as const;

function dimensionOf(
  element: XmlElement,
  shared: ReadonlyMap<string, XmlElement>,
  physical: PhysicalSchema,
  problems: Problems,
): LinkedDimension | undefined {
  const source = text(element, 'source');
  if (source === undefined)
    return dimension(element, { ...described(element, problems), source: undefined }, physical, problems);
  const definition = shared.get(source);
  if (definition === undefined) {
    problems.error(
      lineOf(element, 'source'),
      `There is no shared dimension "${source}".${suggestion(source, [...shared.keys()])}`,
    );
    return undefined;
  }
  const description = described(element, problems, source);
  const theirs = described(definition, problems);
  return dimension(
    definition,
    {
      ...description,
      caption: description.caption ?? theirs.caption,
      description: description.description ?? theirs.description,
      annotations: new Map([...theirs.annotations, ...description.annotations]),
      source,
    },
    physical,
    problems,
  );
}

function measure(
  element: XmlElement,
  group: string,
  fact: LeafRelation,
  physical: PhysicalSchema,
  problems: Problems,
): Measure {
  warnOfClasses(element, problems);
  required(element, 'aggregator', problems);
  const aggregator = choice(element, 'aggregator', AGGREGATOR_SPELLINGS, 'sum', problems);
  const { needsColumn, defaultType } = traitsOf(aggregator);
  const list = firstOf(element, 'Arguments');
  const [argument, another] = list === undefined ? [] : elementsOf(list, 'Column');
  if (another !== undefined) problems.error(another, 'A measure aggregates one column.');
  const column = text(element, 'column') ?? (argument === undefined ? undefined : required(argument, 'name', problems));
  const table = text(element, 'table') ?? (argument === undefined ? undefined : text(argument, 'table')) ?? fact.alias;
  if (table !== fact.alias) problems.error(element, `A measure is of its measure group's table, "${fact.alias}".`);
  if (column === undefined && needsColumn)
    problems.error(element, 'A <Measure> needs "column" or <Arguments> with a <Column>.');
  const properties = calculatedProperties(element, problems);
  return {
    ...described(element, problems),
    group,
    aggregator,
    expression: column === undefined ? undefined : physical.column(table, column, argument ?? element),
    type: choice(element, 'datatype', DATA_TYPES, defaultType, problems),
    formatString: formatStringOf(element, properties),
    properties,
    implied: false,
    isFactCount: false,
  };
}
