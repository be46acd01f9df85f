/** Binds the roll-ups of a model to the columns of their tables. */
import { isMomentType } from '../../../router/date-grains.ts';
import { nearestFirst } from '../../../router/nearest-names.ts';
import { canBeGrouped, EXTREME_TYPES, groupAlike, SUMMED_TYPES } from '../../query-surface/index.ts';
import { findColumn, type TypedColumn } from './bound-dataset.ts';
import { addsUp } from './exact-sums.ts';
import type { Dataset, Field, Metric, Model, Rollup, RollupField, RollupMetric } from './model.ts';
import type { Problems } from './problems.ts';
import type { Draft } from './read-draft.ts';
import { describePath, namesOf, type Path, RelationshipGraph } from './relationship-graph.ts';
import type { RollupData } from './rollups.ts';
import { readSource, type Source } from './source.ts';
import { type BoundAggregate, leavesOf } from './template.ts';

/** The name of a roll-up's table in SQL. */
const ALIAS = 'service_rollup';

/** The type of the first days of periods, in a table that is not written yet. */
const DAYS = { type: 'date', nativeType: 'DATE' } as const;

/** A roll-up that cannot be used; the message continues its name. */
class RollupError extends Error {}

/** Returns the table of a roll-up; `undefined` where the text is no name of a table. */
export function tableOfRollup({ table }: RollupData): Extract<Source, { kind: 'table' }> | undefined {
  const source = readSource(table, () => false);
  return source?.kind === 'table' ? source : undefined;
}

export interface RollupContext {
  readonly draft: { readonly facts: Pick<Draft['facts'], 'rollups'>; readonly place: Draft['place'] };
  readonly model: Model;
  /** Returns the columns of a roll-up's table; `undefined` where there is none. Absent without a warehouse. */
  readonly columnsOf?: ((rollup: RollupData) => readonly TypedColumn[] | undefined) | undefined;
  /** True where sums of decimals have the same digits in every order of rows. */
  readonly sumsDecimalsExactly: boolean;
  readonly problems: Problems;
  /** Called with each roll-up that is left out, and the reason. */
  readonly onLeftOut?: ((name: string, reason: string) => void) | undefined;
}

/**
 * Returns the roll-ups of a model. One that names something unknown, or that could change a figure, is left out with a
 * warning: answers then come from the dataset.
 */
export function bindRollups(context: RollupContext): readonly Rollup[] {
  const { draft, model, problems } = context;
  const graph = new RelationshipGraph(model);
  const taken = new Set(model.datasets.keys());
  return draft.facts.rollups.flatMap((data, index): readonly Rollup[] => {
    try {
      if (taken.has(data.name)) throw new RollupError('another roll-up or a dataset has its name');
      const rollup = bindRollup(data, graph, context);
      taken.add(data.name);
      return [rollup];
    } catch (error) {
      if (!(error instanceof RollupError)) throw error;
      context.onLeftOut?.(data.name, error.message);
      problems.warn(
        [...draft.place, 'custom_extensions'],
        `rollups[${index}], ${data.name}, is left out: ${error.message}.`,
      );
      return [];
    }
  });
}

function bindRollup(data: RollupData, graph: RelationshipGraph, context: RollupContext): Rollup {
  const { model, columnsOf } = context;
  const base = found(model.datasets, data.dataset, 'the dataset', 'The model');
  const source = tableOfRollup(data);
  if (source === undefined) throw new RollupError(`${data.table} is no name of a table`);
  const columns = columnsOf?.(data);
  if (columnsOf !== undefined && columns === undefined) {
    throw new RollupError(`the warehouse has no table ${data.table}`);
  }
  const columnOf = (name: string): TypedColumn => {
    if (columns === undefined) return { name, type: 'other', nativeType: '' };
    const column = findColumn(name, columns);
    if (column !== undefined && isKnown(column)) return column;
    if (column !== undefined) throw new RollupError(`the warehouse reports no type of the column ${name}`);
    const available = nearestFirst(
      name,
      columns.map((one) => one.name),
    ).join(', ');
    throw new RollupError(`it names the column ${name}, which ${data.table} does not have. It has ${available}`);
  };
  const counted = (name: string | undefined): string | undefined => {
    if (name === undefined) return undefined;
    const column = columnOf(name);
    requireType(column, ['integer'], `the number of rows, ${name},`);
    return column.name;
  };
  const fields = data.fields.map((one) => bindField(one, { data, base, graph, model, columnOf }));
  const names = fields.map(({ field, path, grain }) => JSON.stringify([field.dataset, field.name, path, grain]));
  const repeated = fields.find((_, index) => names.indexOf(names[index] ?? '') !== index);
  if (repeated !== undefined) {
    throw new RollupError(`it names ${repeated.field.dataset}.${repeated.field.name} twice`);
  }
  return Object.freeze({
    name: data.name,
    dataset: base.name,
    table: { ...base, name: data.name, alias: ALIAS, source, fields: new Map(), rowFilter: undefined },
    fields,
    metrics: data.metrics.map((one) => bindMetric(one, base, graph, { context, columnOf, counted })),
    rows: counted(data.rows),
    isChecked: data.check,
  });
}

interface FieldParts {
  readonly data: RollupData;
  readonly base: Dataset;
  readonly graph: RelationshipGraph;
  readonly model: Model;
  readonly columnOf: (name: string) => TypedColumn;
}

function bindField(
  { field: reference, grain, via, column: named }: RollupData['fields'][number],
  { data, base, graph, model, columnOf }: FieldParts,
): RollupField {
  const field = fieldNamed(reference, model);
  const path = pathTo(field.dataset, via, base, graph);
  const column = columnOf(named ?? field.name);
  const stored = (type: Pick<Field, 'type' | 'nativeType' | 'isLocalTime'>): Field => ({
    ...field,
    dataset: data.name,
    expression: [{ kind: 'column', dataset: data.name, column: column.name }],
    ...type,
  });
  if (grain === undefined) {
    requireSame(column, field, reference);
    const type = typeOf(isKnown(column) ? column : field);
    return { field, path, grain, stored: stored({ ...type, isLocalTime: field.isLocalTime }) };
  }
  if (isKnown(field) && !isMomentType(field.type)) {
    throw new RollupError(`it names a grain of ${reference}, which has no dates`);
  }
  requireType(column, ['date'], `${column.name}, the ${grain} of ${reference},`);
  const days = isKnown(column) ? typeOf(column) : DAYS;
  return { field, path, grain, stored: stored({ ...days, isLocalTime: false }) };
}

function fieldNamed(reference: string, model: Model): Field {
  const fields = [...model.datasets.values()].flatMap((dataset) => [...dataset.fields.values()]);
  const byName = new Map(fields.map((field) => [`${field.dataset}.${field.name}`, field]));
  return found(byName, reference, 'the field', 'The model');
}

/** Returns the relationships from a dataset to the dataset of a field. */
function pathTo(dataset: string, via: readonly string[], base: Dataset, graph: RelationshipGraph): readonly string[] {
  const all: readonly Path[] = graph.directPaths(base.name, dataset);
  const meant = all.filter((path) => via.every((one) => namesOf(path).includes(one)));
  const [path, ...others] = meant;
  if (path !== undefined && others.length === 0) return namesOf(path);
  if (all.length === 0) throw new RollupError(`the rows of ${base.name} do not lead to one row of ${dataset} each`);
  const paths = all.map((one) => describePath(base.name, one)).join('; ');
  throw new RollupError(
    `${dataset} is reached from ${base.name} along several paths. Name relationships of one of them in "via": ${paths}`,
  );
}

function bindMetric(
  { metric: name, column: named, rows }: RollupData['metrics'][number],
  base: Dataset,
  graph: RelationshipGraph,
  {
    context: { model, sumsDecimalsExactly },
    columnOf,
    counted,
  }: {
    readonly context: RollupContext;
    readonly columnOf: (name: string) => TypedColumn;
    readonly counted: (name: string | undefined) => string | undefined;
  },
): RollupMetric {
  const metric = found(model.metrics, name, 'the metric', 'The model');
  const call = onlyCallOf(metric);
  const read = new Set(leavesOf(call.call).map(({ dataset }) => dataset));
  const reached = graph.reachable(base.name);
  const isOfBase =
    read.size === 0
      ? (call.countedDataset ?? metric.countedDataset) === base.name
      : read.has(base.name) && [...read].every((one) => one === base.name || reached.has(one));
  if (!isOfBase) throw new RollupError(`the metric ${name} does not aggregate rows of ${base.name}`);
  if (call.scope?.filters !== undefined && rows === undefined) {
    throw new RollupError(`the metric ${name} has a filter: name in "rows" the column with the rows that it leaves`);
  }
  const column = columnOf(named ?? name);
  const { aggregation } = call;
  if (aggregation === 'sum' && !sumsDecimalsExactly && !call.counts && metric.argumentNumbers !== 'whole') {
    throw new RollupError(`the sum of decimals ${name} depends on the order of rows in this warehouse`);
  }
  if (aggregation === 'count') requireType(column, ['integer'], `${column.name}, the metric ${name},`);
  else if (aggregation === 'sum') requireType(column, SUMMED_TYPES, `${column.name}, the metric ${name},`);
  else requireExtreme(column, metric);
  return { metric: name, call, column: column.name, rows: counted(rows) };
}

/** Returns the one aggregate of a metric, whose values can be combined without a change of any digit. */
function onlyCallOf({ name, expression }: Metric): BoundAggregate {
  const [call, more] = expression;
  if (more !== undefined || typeof call !== 'object' || call.kind !== 'aggregate') {
    throw new RollupError(`the metric ${name} is not one aggregate. Name the metrics that it is made of`);
  }
  const { filters: _, ...others } = call.scope ?? {};
  if (Object.values(others).some((one) => one !== undefined)) {
    throw new RollupError(`the metric ${name} reads rows of other times, or of one date of each group`);
  }
  if (addsUp(call, call.aggregation)) return call;
  throw new RollupError(
    `the values of ${name} (${call.aggregation}) cannot be combined exactly: use counts, sums of whole numbers and decimals, MIN and MAX`,
  );
}

function requireExtreme(column: TypedColumn, { name, argumentType }: Metric): void {
  const isOfKnown = argumentType !== undefined && isKnown(argumentType);
  if (!isOfKnown && !isKnown(column)) return;
  if (argumentType === undefined || !EXTREME_TYPES.includes(argumentType.type)) {
    throw new RollupError(`the metric ${name} is an extreme of no column of numbers or dates`);
  }
  requireType(column, [argumentType.type], `${column.name}, the metric ${name},`);
}

function requireType(column: TypedColumn, types: readonly string[], what: string): void {
  if (!isKnown(column) || types.includes(column.type)) return;
  throw new RollupError(`${what} has the type ${column.nativeType}, which is not ${types.join(' or ')}`);
}

/** Requires that the values of a field are the same in a roll-up: equal where they were equal, in the same order. */
function requireSame(column: TypedColumn, field: Field, reference: string): void {
  if (!isKnown(field)) return;
  if (!canBeGrouped(field)) {
    throw new RollupError(`values of ${reference} (${field.nativeType}) cannot be grouped by a roll-up`);
  }
  if (!isKnown(column)) return;
  if (groupAlike(column, field)) return;
  throw new RollupError(
    `${column.name} has the type ${column.nativeType}, and ${reference} has ${field.nativeType}${isMomentType(field.type) ? '. For the periods of a date, name its "grain"' : ''}`,
  );
}

function typeOf({ type, nativeType }: TypedColumn): Pick<Field, 'type' | 'nativeType'> {
  return { type, nativeType };
}

/** Returns whether the type is known: without a warehouse, no type is. */
function isKnown({ type, nativeType }: Pick<TypedColumn, 'type' | 'nativeType'>): boolean {
  return type !== 'other' || nativeType !== '';
}

function found<Item>(items: ReadonlyMap<string, Item>, name: string, what: string, owner: string): Item {
  const item = items.get(name);
  if (item !== undefined) return item;
  const available = nearestFirst(name, [...items.keys()])
    .slice(0, 20)
    .join(', ');
  throw new RollupError(`it names ${what} ${name}. ${owner} has ${available}`);
}
