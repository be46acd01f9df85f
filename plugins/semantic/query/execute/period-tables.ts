/** Reads what the statement of a request depends on: its time zone, and the periods of the tables that it names. */

import { DAY_MS, readMoment } from '../../../../router/calendar.ts';
import type { Cache } from '../../../../router/capabilities/cache.ts';
import type { Scope } from '../../../../router/capabilities/identity.ts';
import type { ColumnarResult } from '../../../../router/capabilities/warehouse.ts';
import { ValidationError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { match, sql } from '../../../query-surface/index.ts';
import { groupOf, isMetricFilter } from '../../filter-schemas.ts';
import type { Model } from '../../model/model.ts';
import { keyCell, Periods, type PeriodTable, type TablePeriod } from '../../model/period-table.ts';
import { aggregatesOf, isOfDays, type Offset, type TableDays } from '../../model/template.ts';
import type { FieldItem, FilterNode, SemanticQueryRequest } from '../../schemas.ts';
import type { QuerySettings, Target } from '../nodes/query-target.ts';
import { RowsRenderer } from '../render/rows.ts';
import { applyAccessPolicy } from '../request/access-policy.ts';
import { execute } from './cached-statement.ts';
import { readZone } from './read-zone.ts';

/** The most periods of a table's grain. */
const MAX_TABLE_PERIODS = 50_000;

interface Reading {
  readonly cache: Cache;
  readonly settings: Pick<QuerySettings, 'cacheTtlMs'>;
  /** Signal of the caller: a cancelled request reads no more periods. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the target with the periods that a request names, as its caller may see them.
 *
 * @throws ValidationError where a table has too many of them
 */
export async function withTimeOf<QueryTarget extends Target>(
  request: SemanticQueryRequest,
  target: QueryTarget,
  scope: Scope,
  reading: Reading,
): Promise<QueryTarget> {
  await readZone(request, target);
  const { time } = target.model;
  const named = new Map(grainsNamed(request).toReversed());
  if (time.tables.length === 0) return target;
  const model = applyAccessPolicy(scope, target.model);
  const days = daysCounted(request, model);
  if (days.size === 0 && !time.tables.some(({ name }) => named.has(name))) return target;
  const tables = new Map<string, PeriodTable>();
  for (const table of model.time.tables) {
    const path = named.get(table.name);
    if (path === undefined) continue;
    const periods = await periodsOf(table, model, target, { ...reading, path });
    tables.set(table.name, Object.freeze({ ...table, periods }));
  }
  const read = time.tables.map((table) => tables.get(table.name) ?? table);
  const counted: PeriodTable[] = [];
  for (const [counts, path] of days.values()) {
    const readTable = tables.get(counts.name);
    const { name, dataset, date, key } = counts;
    const table = {
      name,
      dataset,
      date: date.name,
      key: key.name,
      label: undefined,
      keyType: key.type,
      periods: undefined,
    };
    const periods = readTable?.periods ?? (await periodsOf(table, model, target, { ...reading, path, days: counts }));
    counted.push(Object.freeze({ ...table, periods }));
  }
  return { ...target, model: Object.freeze({ ...target.model, time: { ...time, tables: read, counted } }) };
}

/** Returns the tables of periods that offset the request's metrics, by their names, with the places of these metrics. */
function daysCounted(
  { values = [], filters = [], sorts = [] }: SemanticQueryRequest,
  model: Model,
): ReadonlyMap<string, readonly [TableDays, RequestPath]> {
  const counted = new Map<string, readonly [TableDays, RequestPath]>();
  const ofMetric = (name: string | undefined, path: RequestPath) => {
    const metricMatch = name === undefined ? undefined : match(name, [...model.metrics.values()]);
    if (metricMatch?.kind !== 'one') return;
    for (const { scope } of aggregatesOf(metricMatch.item.expression)) {
      const days = scope?.offset === undefined ? undefined : daysOfOffset(scope.offset);
      if (days !== undefined && !counted.has(days.name)) counted.set(days.name, [days, path]);
    }
  };
  for (const [index, { metric }] of values.entries()) ofMetric(metric, ['values', index, 'metric']);
  for (const [index, { metric }] of sorts.entries()) ofMetric(metric, ['sorts', index, 'metric']);
  for (const [node, at] of filtersWithin(filters, ['filters'])) {
    if (isMetricFilter(node)) ofMetric(node.metric, [...at, 'metric']);
  }
  return counted;
}

/** Returns the days of the table that an offset counts periods of. */
function daysOfOffset(offset: Offset): TableDays | undefined {
  if (offset.to !== undefined) return isOfDays(offset.to) ? offset.to : undefined;
  return offset.shift.unit === 'period' ? offset.shift.table : undefined;
}

/** Lists the names of grains in a request, with their places. */
function grainsNamed({ rows = [], columns = [], values = [], filters = [] }: SemanticQueryRequest) {
  const named: (readonly [string, RequestPath])[] = [];
  const ofFields = (items: readonly FieldItem[], path: RequestPath) => {
    for (const [index, { grain }] of items.entries()) {
      if (grain !== undefined) named.push([grain, [...path, index, 'grain']]);
    }
  };
  for (const [index, { compare }] of values.entries()) {
    if (typeof compare?.to === 'object') named.push([compare.to.grain, ['values', index, 'compare', 'to', 'grain']]);
  }
  ofFields(rows, ['rows']);
  ofFields(columns, ['columns']);
  for (const [node, at] of filtersWithin(filters, ['filters'])) {
    if (isMetricFilter(node)) ofFields(node.per ?? [], [...at, 'per']);
    else if ('field' in node && node.grain !== undefined) named.push([node.grain, [...at, 'grain']]);
  }
  return named;
}

/** Yields filters with their places. Filters within a filter by a metric come after it. */
function* filtersWithin(
  nodes: readonly FilterNode[],
  path: RequestPath,
): Generator<readonly [FilterNode, RequestPath]> {
  for (const [index, node] of nodes.entries()) {
    const at = [...path, index];
    const group = groupOf(node);
    if (group !== undefined) yield* filtersWithin(group.of, [...at, group.kind]);
    else {
      yield [node, at];
      if (isMetricFilter(node)) yield* filtersWithin(node.filters ?? [], [...at, 'filters']);
    }
  }
}

async function periodsOf(
  table: PeriodTable,
  model: Model,
  { warehouse, keyPrefix }: Target,
  { cache, settings, signal, path, days }: Reading & { readonly path: RequestPath; readonly days?: TableDays },
): Promise<Periods> {
  const { dialect } = warehouse;
  const periods = new RowsRenderer(model, dialect).periodsOf(table, days);
  const statement = sql`${periods}\n${dialect.limit(MAX_TABLE_PERIODS + 1)}`.print(dialect);
  const maxRows = MAX_TABLE_PERIODS + 1;
  const reading = { warehouse, cache, keyPrefix, ttlMs: settings.cacheTtlMs, maxRows, signal };
  const { value } = await execute(statement, reading);
  if (value.rowCount > MAX_TABLE_PERIODS) {
    throw ValidationError.at(
      path,
      `${table.dataset} has more than ${MAX_TABLE_PERIODS} periods of ${table.name}. Take a longer grain.`,
    );
  }
  return new Periods(readPeriods(table, value));
}

function readPeriods({ keyType }: PeriodTable, { values, rowCount }: ColumnarResult): readonly TablePeriod[] {
  const [firsts = [], lasts = [], keys = [], labels = []] = values;
  const periods: TablePeriod[] = [];
  for (let row = 0; row < rowCount; row += 1) {
    const [first, last] = [readMoment(String(firsts[row])), readMoment(String(lasts[row]))];
    if (first === undefined || last === undefined) continue;
    const key = keyCell(keys[row] ?? null, keyType);
    const label = labels[row] ?? null;
    periods.push({ first: first / DAY_MS, last: last / DAY_MS, key, label: String(label ?? key) });
  }
  return periods;
}
