/** The profile of one table, in few statements: its columns, its counts, some rows. */

import { DAY_MS } from '../../../router/calendar.ts';
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { ColumnInfo, Scalar, TableInfo, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { TimeoutError } from '../../../router/errors.ts';
import { FULL_SCAN_ROWS, MAX_COLUMNS, SAMPLE_ROWS, STATEMENT_TIMEOUT_MS, VALUE_ROWS } from '../limits.ts';
import type { Column, Table } from '../schemas.ts';
import { dependenciesOf } from './dependencies.ts';
import { keysOf } from './keys.ts';
import { jsonScalar, sampleValues } from './sample.ts';
import { tableSql } from './sql.ts';

export interface ProfileRun {
  readonly warehouse: Warehouse;
  readonly signal: AbortSignal | undefined;
}

/** Columns that one statement counts; engines bound what a statement may select. */
const COLUMNS_OF_A_STATEMENT = 250;

/** The columns whose values can be counted and compared on every engine. */
const COMPARABLE: ReadonlySet<ColumnInfo['type']> = new Set([
  'text',
  'integer',
  'decimal',
  'float',
  'boolean',
  'date',
  'time',
  'timestamp',
  'timestamptz',
]);
const ORDERED: ReadonlySet<ColumnInfo['type']> = new Set([
  'integer',
  'decimal',
  'float',
  'date',
  'timestamp',
  'timestamptz',
]);

/**
 * Profiles one table. A table of up to `FULL_SCAN_ROWS` rows is read whole where the engine counts distinct values
 * approximately, one of `SAMPLE_ROWS` elsewhere; of a larger one, about `SAMPLE_ROWS` rows.
 *
 * @param estimate rows of the table as the engine knows them
 * @returns undefined when the table is gone
 */
export async function profileTable(
  { warehouse, signal }: ProfileRun,
  table: TableInfo,
  estimate: number | undefined,
): Promise<Table | undefined> {
  const found = await warehouse.columns(table, signal);
  if (found === undefined) return undefined;
  const columns = found.slice(0, MAX_COLUMNS);
  const name = tableSql(warehouse.dialect, table);
  const ask = async (sql: string): Promise<readonly (readonly Scalar[])[]> => {
    const options = { maxRows: VALUE_ROWS, signal, timeoutMs: STATEMENT_TIMEOUT_MS };
    return (await warehouse.query({ sql, parameters: [] }, options)).values;
  };

  const expected = estimate ?? Number((await ask(`SELECT COUNT(*) FROM ${name}`))[0]?.[0] ?? 0);
  const source = sourceOf(warehouse.dialect, table, name, expected);
  // Approximate counts are a tenth off and more, which few rows need not be, and what is scaled up must not be.
  const isExact = !source.isWhole || expected <= SAMPLE_ROWS;
  let statistics: Statistics;
  let isWhole = source.isWhole;
  try {
    statistics = await count(ask, warehouse.dialect, columns, source.from, isExact);
  } catch (error) {
    if (!(error instanceof TimeoutError) || !isWhole) throw error;
    // The engine's count was out of date, or the engine is slow.
    isWhole = false;
    statistics = await count(ask, warehouse.dialect, columns, prefixOf(warehouse.dialect, name), true);
  }
  const values = await someValues(ask, warehouse.dialect, columns, name);
  const rowCount = isWhole ? statistics.rows : Math.max(expected, statistics.rows);
  const profile: Table = {
    schema: table.schema ?? '',
    name: table.name,
    rowCount,
    ...(isWhole ? {} : { sampledRows: statistics.rows }),
    columns: columns.map((column, index): Column => {
      const { present, distinct, least, greatest } = statistics.columns[index] ?? NOTHING;
      return {
        name: column.name,
        type: column.nativeType,
        nullable: column.nullable,
        distinctApprox: isWhole
          ? Math.min(distinct, present)
          : Math.min(
              scaledDistinct(distinct, present, Math.round((rowCount * present) / Math.max(1, statistics.rows))),
              source.isRandom ? mostDistinct(column.type, least, greatest) : Number.POSITIVE_INFINITY,
            ),
        sampleValues: sampleValues(values[index] ?? []),
        ...(least === null ? {} : { min: jsonScalar(least) }),
        ...(greatest === null ? {} : { max: jsonScalar(greatest) }),
        nulls: statistics.rows - present,
      };
    }),
  };
  const keys = await keysOf(ask, warehouse.dialect, name, profile);
  const dependencies = await dependenciesOf(ask, warehouse.dialect, name, profile);
  return { ...profile, keys, ...(dependencies === undefined ? {} : { dependencies }) };
}

interface Statistics {
  readonly rows: number;
  readonly columns: readonly ColumnStatistics[];
}

interface ColumnStatistics {
  /** Values that are not null. */
  readonly present: number;
  readonly distinct: number;
  readonly least: Scalar;
  readonly greatest: Scalar;
}

const NOTHING: ColumnStatistics = { present: 0, distinct: 0, least: null, greatest: null };

function sourceOf(
  dialect: Dialect,
  { kind }: TableInfo,
  name: string,
  rows: number,
): { readonly from: string; readonly isWhole: boolean; readonly isRandom: boolean } {
  const isCheap = dialect.approximateDistinct('1') !== undefined;
  if (rows <= (isCheap ? FULL_SCAN_ROWS : SAMPLE_ROWS)) return { from: name, isWhole: true, isRandom: false };
  const percent = Math.max(0.0001, Number(((100 * SAMPLE_ROWS) / rows).toPrecision(3)));
  const sampled = kind === 'TABLE' ? dialect.sampled(name, percent) : undefined;
  return { from: sampled ?? prefixOf(dialect, name), isWhole: false, isRandom: sampled !== undefined };
}

function prefixOf(dialect: Dialect, name: string): string {
  return `(SELECT * FROM ${name} ${dialect.limit(SAMPLE_ROWS)}) s`;
}

async function count(
  ask: (sql: string) => Promise<readonly (readonly Scalar[])[]>,
  dialect: Dialect,
  columns: readonly ColumnInfo[],
  from: string,
  isExact: boolean,
): Promise<Statistics> {
  let rows = 0;
  const counted: ColumnStatistics[] = [];
  for (let start = 0; start === 0 || start < columns.length; start += COLUMNS_OF_A_STATEMENT) {
    const part = columns.slice(start, start + COLUMNS_OF_A_STATEMENT);
    const expressions = ['COUNT(*)'];
    const add = (expression: string): number => expressions.push(expression) - 1;
    const places = part.map(({ name, type }) => {
      const column = dialect.identifier(name);
      const isComparable = COMPARABLE.has(type);
      return {
        present: add(`COUNT(${column})`),
        distinct: isComparable
          ? add((isExact ? undefined : dialect.approximateDistinct(column)) ?? `COUNT(DISTINCT ${column})`)
          : undefined,
        least: ORDERED.has(type) ? add(`MIN(${column})`) : undefined,
        greatest: ORDERED.has(type) ? add(`MAX(${column})`) : undefined,
      };
    });
    const named = expressions.map((expression, index) => `${expression} AS c${index}`);
    const values = await ask(`SELECT ${named.join(', ')} FROM ${from}`);
    const at = (place: number | undefined): Scalar => (place === undefined ? null : (values[place]?.[0] ?? null));
    rows = Number(at(0));
    for (const { present, distinct, least, greatest } of places) {
      counted.push({
        present: Number(at(present)),
        distinct: Number(at(distinct) ?? 0),
        least: at(least),
        greatest: at(greatest),
      });
    }
  }
  return { rows, columns: counted };
}

/** Returns values of the first rows, column by column; of columns that are no values to show, none. */
async function someValues(
  ask: (sql: string) => Promise<readonly (readonly Scalar[])[]>,
  dialect: Dialect,
  columns: readonly ColumnInfo[],
  name: string,
): Promise<readonly (readonly Scalar[])[]> {
  const shown = columns.filter(({ type }) => type !== 'binary' && type !== 'other');
  if (shown.length === 0) return columns.map(() => []);
  const selected = shown.map((column) => dialect.identifier(column.name)).join(', ');
  const values = await ask(`SELECT ${selected} FROM ${name} ${dialect.limit(VALUE_ROWS)}`);
  return columns.map((column) => values[shown.indexOf(column)] ?? []);
}

/** A column may reach beyond the sample, which engines draw in blocks of rows: its width is taken so many times. */
const BEYOND_SAMPLE = 1.5;

/** Returns how many whole numbers or days there are between those of a sample; of other types there is no end to them. */
function mostDistinct(type: ColumnInfo['type'], least: Scalar, greatest: Scalar): number {
  const ends = [least, greatest].map((value) => (type === 'date' ? Date.parse(String(value)) / DAY_MS : Number(value)));
  const [first = Number.NaN, last = Number.NaN] = type === 'integer' || type === 'date' ? ends : [];
  const most = Math.ceil((last - first + 1) * BEYOND_SAMPLE);
  return least === null || greatest === null || Number.isNaN(most) ? Number.POSITIVE_INFINITY : most;
}

/**
 * Estimates the distinct values of a whole column from those of a sample: a column that hardly repeats itself in the
 * sample is taken to go on so, one that repeats itself often has shown its values; between the two the geometric mean
 * of both bounds (the guaranteed-error estimator of Charikar et al., PODS 2000, without its count of singletons).
 */
function scaledDistinct(distinct: number, sampled: number, total: number): number {
  if (sampled === 0 || total <= sampled) return Math.min(distinct, total);
  if (distinct >= 0.95 * sampled) return Math.round((distinct / sampled) * total);
  if (distinct <= 0.1 * sampled) return distinct;
  return Math.min(total, Math.round(distinct * Math.sqrt(total / sampled)));
}
