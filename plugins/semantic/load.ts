/**
 * Loads a document into a model: reads its text, reads columns and types from the warehouse, binds, and tries every metric.
 */

import type { Datasource, DatasourceProblem } from '../../router/capabilities/datasources.ts';
import type { Dialect } from '../../router/capabilities/dialect.ts';
import type { ColumnInfo, Scalar, Statement, TableName, Warehouse } from '../../router/capabilities/warehouse.ts';
import { cooperativeYield } from '../../router/cooperative-yield.ts';
import { WarehouseError } from '../../router/errors.ts';
import { warnOfBrokenAnswers } from './certified-answers.ts';
import { type DocumentReader, inlineReader } from './document-reader.ts';
import { bindDataset, bindModel, type FieldTypes } from './model/bind.ts';
import { bindRollups, type RollupContext, tableOfRollup } from './model/bind-rollups.ts';
import type { BoundDataset, BoundField, TypedColumn } from './model/bound-dataset.ts';
import type { Metric, Model, Rollup } from './model/model.ts';
import { type ModelMarks, personalMarksOf } from './model/personal-marks.ts';
import type { Problems } from './model/problems.ts';
import { documentOf } from './model/read-document.ts';
import { type Draft, type DraftDataset, problemsOf, readDraft } from './model/read-draft.ts';
import { renderSource, sourceName } from './model/source.ts';
import { aggregatesOf, renderTemplate } from './model/template.ts';
import { render } from './query/render/statement.ts';
import { totalOf } from './total-statement.ts';

export interface Loaded {
  /** `undefined` where one of the problems has the severity `error`. */
  readonly model: Model | undefined;
  readonly problems: readonly DatasourceProblem[];
  /** The columns that the model marks as personal data in its warehouse; set where there is a model. */
  readonly marks?: ModelMarks;
  /** The roll-ups that are left out, each with the reason. */
  readonly leftOutRollups: ReadonlyMap<string, string>;
  /** The roll-ups that the product builds regularly. */
  readonly refreshedRollups: readonly RefreshedRollup[];
}

/** A roll-up that the product builds at an interval. */
export interface RefreshedRollup {
  readonly rollup: string;
  readonly everyMinutes: number;
}

/**
 * The tables of a model's roll-ups. `read`: each must exist, with columns that fit. `unread`: they are written from the model
 * later, so none needs to exist.
 */
export type RollupTables = 'read' | 'unread';

const NO_ROLLUPS: ReadonlyMap<string, string> = new Map();

/**
 * Loads the model of a document. `reader` reads its texts; without it, the calling thread reads them.
 *
 * Throws the warehouse's error if it cannot be reached. Every mistake in the document is returned as a problem, with the
 * element, its line and the reason.
 */
export async function loadModel(
  { schema }: Pick<Datasource, 'schema'>,
  text: string,
  warehouse: Warehouse,
  reader: DocumentReader = inlineReader,
  rollupTables: RollupTables = 'read',
): Promise<Loaded> {
  const yieldTurn = cooperativeYield();
  const yaml = await reader.yaml(text);
  await yieldTurn();
  const document = documentOf(yaml, schema);
  if ('problems' in document) return refused(document.problems);

  await yieldTurn();
  const problems = problemsOf(document);
  const draft = await readDraft(document, warehouse.dialect, problems, reader.sql);
  if (problems.fatal) return refused(problems.all);

  const bound: BoundDataset[] = [];
  const tables = draft.datasets.flatMap(({ source }) => (source.kind === 'table' ? [source.table] : []));
  const columnLists = await warehouse.columnsByName(tables);
  const columnsByTable = new Map(tables.map((table, index) => [table, columnLists[index]] as const));
  for (const dataset of draft.datasets) {
    const columns = await columnsOf(dataset, warehouse, columnsByTable, problems);
    if (columns !== undefined) bound.push(bindDataset(dataset, columns, problems));
  }
  if (problems.fatal) return refused(problems.all);

  const types = await computedTypes(bound, warehouse, problems);
  const comparable = bound.map((dataset) => withoutTextless(dataset, types, warehouse.dialect, problems));
  const model = await bindModel(draft, comparable, types, problems);
  if (problems.fatal) return refused(problems.all);
  const metrics = await usableMetrics(model, draft, warehouse, problems);
  const marks = await personalMarksOf(bound, warehouse.dialect.parserName, reader.sqlTexts);
  const withMetrics = { ...model, metrics };
  const leftOutRollups = new Map<string, string>();
  const rollups = await rollupsOf(withMetrics, draft, warehouse, {
    rollupTables,
    problems,
    onLeftOut: (name, reason) => leftOutRollups.set(name, reason),
  });
  const usable = Object.freeze({ ...withMetrics, rollups });
  warnOfBrokenAnswers(usable, draft.place, problems);
  const refreshedRollups = draft.facts.rollups.flatMap(({ name: rollup, refresh }) =>
    refresh === undefined ? [] : [{ rollup, everyMinutes: refresh.every }],
  );
  return { model: usable, problems: problems.all, marks, leftOutRollups, refreshedRollups };
}

function refused(problems: readonly DatasourceProblem[]): Loaded {
  return { model: undefined, problems, leftOutRollups: NO_ROLLUPS, refreshedRollups: [] };
}

/** Binds the roll-ups of a model to the columns of their tables. */
async function rollupsOf(
  model: Model,
  draft: Draft,
  warehouse: Warehouse,
  {
    rollupTables,
    ...reporting
  }: Pick<RollupContext, 'problems' | 'onLeftOut'> & { readonly rollupTables: RollupTables },
): Promise<readonly Rollup[]> {
  const { sumsDecimalsExactly } = warehouse.dialect;
  const context = { draft, model, sumsDecimalsExactly, ...reporting };
  if (rollupTables === 'unread') return bindRollups(context);
  const named = draft.facts.rollups.flatMap((data) => {
    const source = tableOfRollup(data);
    return source === undefined ? [] : [{ data, table: source.table }];
  });
  if (draft.facts.rollups.length === 0) return [];
  const columns = await warehouse.columnsByName(named.map(({ table }) => table));
  const byRollup = new Map(named.map(({ data }, index) => [data, columns[index]] as const));
  return bindRollups({ ...context, columnsOf: (data) => byRollup.get(data) });
}

async function columnsOf(
  { source, place }: DraftDataset,
  warehouse: Warehouse,
  columnsByTable: ReadonlyMap<TableName, readonly ColumnInfo[] | undefined>,
  problems: Problems,
): Promise<readonly TypedColumn[] | undefined> {
  const at = [...place, 'source'];
  const rows = `SELECT * FROM ${renderSource(source, warehouse.dialect)} AS dataset_rows`;
  if (source.kind === 'table') {
    const columns = columnsByTable.get(source.table);
    if (columns === undefined) problems.error(at, `the warehouse has no table ${sourceName(source)}.`);
    return columns === undefined ? undefined : typedByValues(warehouse, rows, columns);
  }
  const columns = await describe(warehouse, rows);
  if (columns === undefined) problems.error(at, 'the warehouse refuses its query.');
  return columns;
}

/** Returns the columns of a query without running it; `undefined` where the warehouse refuses the query. */
async function describe(
  warehouse: Warehouse,
  sql: string,
  times: ReadonlySet<string> = new Set(),
): Promise<readonly TypedColumn[] | undefined> {
  const statement: Statement = { sql: `${sql} ${warehouse.dialect.limit(0)}`, parameters: [] };
  return refusedAsUndefined(async () => {
    const { columns } = await warehouse.query(statement, { maxRows: 1 });
    return typedByValues(warehouse, sql, columns, times);
  });
}

/**
 * The rows that are read to find the type of a column where the engine has none. Most columns have values of one type, so a
 * few rows are enough.
 */
const TELLING_ROWS = 100;

/**
 * Types columns by their values where the engine has no type for them: SQLite types each value, and gives no type to
 * computed columns or to columns declared without one. Without a type, numbers would be compared as texts. A column of
 * texts is a date if the document marks it as a time and its values are in ISO 8601.
 *
 * @param times names of the columns that the document marks as a time
 */
async function typedByValues<Column extends TypedColumn>(
  warehouse: Warehouse,
  sql: string,
  columns: readonly Column[],
  times: ReadonlySet<string> = new Set(),
): Promise<readonly Column[]> {
  const { dialect } = warehouse;
  const typed: Column[] = [];
  for (const column of columns) {
    if (column.type !== 'other' || column.nativeType !== '') {
      typed.push(column);
      continue;
    }
    const name = dialect.identifier(column.name);
    const rows = `SELECT ${name} FROM (${sql}) AS typed_rows WHERE ${name} IS NOT NULL ${dialect.limit(TELLING_ROWS)}`;
    const sample = await warehouse.query({ sql: rows, parameters: [] }, { maxRows: TELLING_ROWS });
    const { type, nativeType } = sample.columns[0] ?? column;
    const isDays = type === 'text' && times.has(column.name) && (sample.values[0] ?? []).every(isDay);
    typed.push({ ...column, type: isDays ? 'date' : type, nativeType });
  }
  return typed;
}

function isDay(value: Scalar): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** Returns `undefined` where the warehouse refuses the statement. Other errors are thrown. */
async function refusedAsUndefined<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof WarehouseError) return undefined;
    throw error;
  }
}

/** Returns the types of computed fields. Queries all at once, and one by one if that is refused. */
async function computedTypes(
  bound: readonly BoundDataset[],
  warehouse: Warehouse,
  problems: Problems,
): Promise<FieldTypes> {
  const types = new Map<BoundField, TypedColumn>();
  for (const dataset of bound) {
    const computed = [...dataset.fields.values()].filter(({ type, personal }) => type === undefined && !personal);
    if (computed.length === 0) continue;
    const together = await describeFields(dataset, computed, warehouse);
    for (const [index, field] of computed.entries()) {
      const type = together?.[index] ?? (await describeFields(dataset, [field], warehouse))?.[0];
      if (type === undefined) problems.warn(field.draft.place, 'left out: the warehouse refuses its expression.');
      else types.set(field, type);
    }
  }
  return types;
}

/** Leaves out fields with values that the engine has no text of: they can be neither shown nor compared. */
function withoutTextless(dataset: BoundDataset, types: FieldTypes, dialect: Dialect, problems: Problems): BoundDataset {
  const fields = [...dataset.fields].filter(([, field]) => {
    const type = field.type ?? types.get(field);
    if (type === undefined || field.personal || dialect.valueText('x', type) !== undefined) return true;
    problems.warn(field.draft.place, `left out: values of ${type.nativeType} have no text.`);
    return false;
  });
  return fields.length === dataset.fields.size ? dataset : { ...dataset, fields: new Map(fields) };
}

function describeFields({ draft }: BoundDataset, fields: readonly BoundField[], warehouse: Warehouse) {
  const { dialect } = warehouse;
  const expressions = fields.map(({ expression }, index) => {
    return `${renderTemplate(expression, dialect, { column: ({ column }) => dialect.identifier(column) })} AS f${index}`;
  });
  return describe(
    warehouse,
    `SELECT ${expressions.join(', ')} FROM ${renderSource(draft.source, dialect)} AS dataset_rows`,
    new Set(fields.flatMap((field, index) => (field.draft.isTime ? [`f${index}`] : []))),
  );
}

/** The most metrics in one statement; engines need seconds to read more. */
const METRICS_AT_ONCE = 100;
/** The most scopes in one statement. Each is a subquery, and ClickHouse reads all subqueries for each of them. */
const SCOPES_AT_ONCE = 3;

/** Splits metrics into lists that fit into one statement each. */
function listsOf(metrics: readonly Metric[]): readonly (readonly Metric[])[] {
  const lists: Metric[][] = [];
  let scopes = new Set<string>();
  for (const metric of metrics) {
    const metricScopes = aggregatesOf(metric.expression).map(({ scope }) => JSON.stringify(scope ?? {}));
    const last = lists.at(-1);
    const together = new Set([...scopes, ...metricScopes]);
    if (last === undefined || last.length === METRICS_AT_ONCE || together.size > SCOPES_AT_ONCE) {
      lists.push([metric]);
      scopes = new Set(metricScopes);
    } else {
      last.push(metric);
      scopes = together;
    }
  }
  return lists;
}

/** Returns the metrics that the warehouse accepts. Tries many in one statement, and one by one if that is refused. */
async function usableMetrics(
  model: Model,
  draft: Draft,
  warehouse: Warehouse,
  problems: Problems,
): Promise<ReadonlyMap<string, Metric>> {
  const places = new Map(draft.metrics.map(({ name, place }) => [name, place]));
  const usable = new Map<string, Metric>();
  for (const some of listsOf([...model.metrics.values()])) {
    const areTaken = (await refusal(some, model, warehouse)) === undefined;
    for (const metric of some) {
      const reason = areTaken ? undefined : await refusal([metric], model, warehouse);
      if (reason === undefined) usable.set(metric.name, metric);
      else problems.warn(places.get(metric.name) ?? draft.place, `left out: ${reason}`);
    }
  }
  return usable;
}

/** Explains why these metrics cannot be computed; `undefined` where they can. The statement returns no rows. */
async function refusal(metrics: readonly Metric[], model: Model, warehouse: Warehouse): Promise<string | undefined> {
  const planned = totalOf(metrics, model);
  if ('refused' in planned) return planned.refused;
  try {
    await warehouse.query(render({ ...planned, limit: 0 }, model, warehouse.dialect), { maxRows: 1 });
    return undefined;
  } catch (error) {
    if (error instanceof WarehouseError) return 'the warehouse refuses its expression.';
    throw error;
  }
}

/** Warns of metrics that cannot be computed along the model's relationships, as loading does. */
export function warnOfUnplannable(model: Model, draft: Draft, problems: Problems): void {
  for (const metric of model.metrics.values()) {
    const planned = totalOf([metric], model);
    const place = draft.metrics.find(({ name }) => name === metric.name)?.place ?? draft.place;
    if ('refused' in planned) problems.warn(place, `left out: ${planned.refused}`);
  }
}
