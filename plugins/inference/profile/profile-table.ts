/**
 * Profiles one table in a few statements: one that reads a small table whole, or one that counts and one that reads
 * some rows.
 */

import { DAY_MS } from '../../../router/calendar.ts';
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type {
  CatalogStatistics,
  ColumnInfo,
  Scalar,
  TableInfo,
  Warehouse,
} from '../../../router/capabilities/warehouse.ts';
import { TimeoutError } from '../../../router/errors.ts';
import { MAX_COLUMNS } from '../limits.ts';
import type { Column, Table } from '../schemas.ts';
import { type Ask, singleCell, statementRunner } from './ask.ts';
import { findDependencies } from './dependencies.ts';
import { distinctByEngine, distinctOfRows } from './distinct.ts';
import type { Effort } from './effort.ts';
import { findKeys } from './keys.ts';
import { jsonScalar, sampleValues } from './sample-rows.ts';
import { NOTHING, type Statistics, statisticsOfCatalog, statisticsOfEngine, statisticsOfRows } from './statistics.ts';
import { tableSql } from './table-sql.ts';

export interface ProfileRun {
  readonly warehouse: Warehouse;
  readonly effort: Effort;
  readonly signal: AbortSignal | undefined;
}

/** The catalogue's data on a table; read for all tables at once. */
export interface KnownTable {
  readonly columns: readonly ColumnInfo[];
  /** Rows of the table as the engine knows them. */
  readonly estimate: number | undefined;
  readonly statistics: ReadonlyMap<string, CatalogStatistics> | undefined;
}

/** A table of so many rows and cells is read whole, in the statement that would show values anyway. */
const READ_ROWS = 1_000;
const READ_CELLS = 50_000;

/**
 * Profiles one table. A small table is read whole. A table of up to `effort.fullScanRows` rows is counted whole where
 * the engine counts distinct values approximately; elsewhere the limit is `effort.sampleRows`. Of a larger table, the
 * statistics come from the catalogue or from about `effort.sampleRows` rows.
 */
export async function profileTable(
  { warehouse, effort, signal }: ProfileRun,
  table: TableInfo,
  { columns: all, estimate, statistics: catalog }: KnownTable,
): Promise<Table> {
  const { dialect } = warehouse;
  const columns = all.slice(0, MAX_COLUMNS);
  const name = tableSql(dialect, table);
  const readRows = Math.min(READ_ROWS, Math.floor(READ_CELLS / Math.max(1, columns.length)));
  const ask = statementRunner(warehouse, READ_ROWS + 1, signal);
  const isSmall = columns.every(isShown) && (estimate === undefined || estimate <= readRows);
  const read = await readFirstRows(ask, dialect, columns, name, isSmall ? readRows + 1 : effort.valueRows);
  const facts =
    read !== undefined && isSmall && read.rows <= readRows
      ? {
          statistics: statisticsOfRows(columns, read.rows, read.values),
          rowCount: read.rows,
          isWhole: true,
          isRandom: false,
          distinct: distinctOfRows(columns, read.rows, read.values),
        }
      : {
          ...(await countStatistics(
            ask,
            dialect,
            { table, name, columns, catalog },
            estimate ?? Number(singleCell(await ask(`SELECT COUNT(*) AS n FROM ${name}`), 'n')),
            effort,
          )),
          distinct: distinctByEngine(ask, dialect, name),
        };
  const profile = writeTable(table, columns, facts, read?.values ?? []);
  const keys = await findKeys(facts.distinct, profile, effort);
  const dependencies = await findDependencies(facts.distinct, profile, effort);
  return { ...profile, keys, ...(dependencies === undefined ? {} : { dependencies }) };
}

interface Facts {
  readonly statistics: Statistics;
  readonly rowCount: number;
  /**
   * `isWhole` is true where the statistics cover all rows. Otherwise `isRandom` is true where they cover rows from the whole
   * table.
   */
  readonly isWhole: boolean;
  readonly isRandom: boolean;
  /** True where counts already cover the whole table. */
  readonly isScaled?: boolean;
}

interface Counted {
  readonly table: TableInfo;
  readonly name: string;
  readonly columns: readonly ColumnInfo[];
  readonly catalog: KnownTable['statistics'];
}

async function countStatistics(
  ask: Ask,
  dialect: Dialect,
  { table, name, columns, catalog: known }: Counted,
  expected: number,
  effort: Effort,
): Promise<Facts> {
  const source = chooseSource(dialect, table, name, expected, effort);
  if (expected > effort.exactRows) {
    const statistics = statisticsOfCatalog(columns, expected, known);
    if (statistics !== undefined)
      return { statistics, rowCount: expected, isWhole: false, isRandom: true, isScaled: true };
  }
  // Approximate counts are off by a tenth or more. Few rows do not need them, and counts that are scaled up must be exact.
  const isExact = !source.isWhole || expected <= effort.exactRows;
  try {
    const statistics = await statisticsOfEngine(ask, dialect, columns, source.from, isExact);
    const rowCount = source.isWhole ? statistics.rows : Math.max(expected, statistics.rows);
    return { statistics, rowCount, isWhole: source.isWhole, isRandom: source.isRandom };
  } catch (error) {
    if (!(error instanceof TimeoutError) || !source.isWhole) throw error;
    // The engine's count was out of date, or the engine is slow.
    const statistics = await statisticsOfEngine(ask, dialect, columns, firstRows(dialect, name, effort), true);
    return { statistics, rowCount: Math.max(expected, statistics.rows), isWhole: false, isRandom: false };
  }
}

function writeTable(
  table: TableInfo,
  columns: readonly ColumnInfo[],
  { statistics, rowCount, isWhole, isRandom, isScaled = isWhole }: Facts,
  values: readonly (readonly Scalar[])[],
): Table {
  return {
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
        distinctApprox: isScaled
          ? Math.min(distinct, present)
          : Math.min(
              scaledDistinct(distinct, present, Math.round((rowCount * present) / Math.max(1, statistics.rows))),
              isRandom ? mostDistinct(column.type, least, greatest) : Number.POSITIVE_INFINITY,
            ),
        sampleValues: sampleValues(values[index] ?? []),
        ...(least === null ? {} : { min: jsonScalar(least) }),
        ...(greatest === null ? {} : { max: jsonScalar(greatest) }),
        nulls: statistics.rows - present,
      };
    }),
  };
}

function chooseSource(
  dialect: Dialect,
  { kind }: TableInfo,
  name: string,
  rows: number,
  effort: Effort,
): { readonly from: string; readonly isWhole: boolean; readonly isRandom: boolean } {
  const isCheap = dialect.approximateDistinct('1') !== undefined;
  if (rows <= (isCheap ? effort.fullScanRows : effort.sampleRows))
    return { from: name, isWhole: true, isRandom: false };
  const percent = Math.max(0.0001, Number(((100 * effort.sampleRows) / rows).toPrecision(3)));
  const sampled = kind === 'TABLE' ? dialect.sampled(name, percent) : undefined;
  return { from: sampled ?? firstRows(dialect, name, effort), isWhole: false, isRandom: sampled !== undefined };
}

function firstRows(dialect: Dialect, name: string, { sampleRows }: Effort): string {
  return `(SELECT * FROM ${name} ${dialect.limit(sampleRows)}) s`;
}

function isShown({ type }: ColumnInfo): boolean {
  return type !== 'binary' && type !== 'other';
}

/** Reads the first rows, column by column; of columns that are no values to show, none. `undefined` where all are such. */
async function readFirstRows(
  ask: Ask,
  dialect: Dialect,
  columns: readonly ColumnInfo[],
  name: string,
  limit: number,
): Promise<{ readonly rows: number; readonly values: readonly (readonly Scalar[])[] } | undefined> {
  const shown = columns.filter(isShown);
  if (shown.length === 0) return undefined;
  const selected = shown.map((column) => dialect.identifier(column.name)).join(', ');
  const { rowCount, values } = await ask(`SELECT ${selected} FROM ${name} ${dialect.limit(limit)}`);
  // By position: engines may write the names of the columns in another letter case.
  const byColumn = new Map(shown.map((column, position) => [column, values[position] ?? []] as const));
  return { rows: rowCount, values: columns.map((column) => byColumn.get(column) ?? []) };
}

/** A column may reach beyond the sample, which engines draw in blocks of rows: its width is taken so many times. */
const BEYOND_SAMPLE = 1.5;

/** Returns the number of whole numbers or days between the ends of a sample; values of other types have no such limit. */
function mostDistinct(type: ColumnInfo['type'], least: Scalar, greatest: Scalar): number {
  const ends = [least, greatest].map((value) => (type === 'date' ? Date.parse(String(value)) / DAY_MS : Number(value)));
  const [first = Number.NaN, last = Number.NaN] = type === 'integer' || type === 'date' ? ends : [];
  const most = Math.ceil((last - first + 1) * BEYOND_SAMPLE);
  return least === null || greatest === null || Number.isNaN(most) ? Number.POSITIVE_INFINITY : most;
}

/**
 * Estimates the distinct values of a whole column from a sample. A column that hardly repeats itself in the sample is
 * assumed to go on so; one that repeats itself often has shown its values. Between the two, the estimate is the geometric
 * mean of both bounds (the guaranteed-error estimator of Charikar et al., PODS 2000, without its count of singletons).
 */
function scaledDistinct(distinct: number, sampled: number, total: number): number {
  if (sampled === 0 || total <= sampled) return Math.min(distinct, total);
  if (distinct >= 0.95 * sampled) return Math.round((distinct / sampled) * total);
  if (distinct <= 0.1 * sampled) return distinct;
  return Math.min(total, Math.round(distinct * Math.sqrt(total / sampled)));
}
