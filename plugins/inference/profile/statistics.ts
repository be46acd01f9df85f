/** Reads the statistics of columns from three sources: rows, counts of the engine, the catalogue. */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { CatalogStatistics, ColumnInfo, Scalar, ScalarType } from '../../../router/capabilities/warehouse.ts';
import { type Ask, singleCell } from './ask.ts';

export interface Statistics {
  /** Rows that the statistics are of. */
  readonly rows: number;
  readonly columns: readonly ColumnStatistics[];
}

export interface ColumnStatistics {
  /** Values that are not null. */
  readonly present: number;
  readonly distinct: number;
  readonly least: Scalar;
  readonly greatest: Scalar;
}

export const NOTHING: ColumnStatistics = { present: 0, distinct: 0, least: null, greatest: null };

/** Columns of one statement; engines limit the length of a SELECT list. */
const COLUMNS_OF_A_STATEMENT = 250;

/** The types with values that every engine can count and compare. */
const COMPARABLE: ReadonlySet<ScalarType> = new Set([
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
const ORDERED: ReadonlySet<ScalarType> = new Set(['integer', 'decimal', 'float', 'date', 'timestamp', 'timestamptz']);

/** Counts rows that were read. `values[i]` are the cells of `columns[i]`. */
export function statisticsOfRows(
  columns: readonly ColumnInfo[],
  rows: number,
  values: readonly (readonly Scalar[])[],
): Statistics {
  return {
    rows,
    columns: columns.map(({ type }, index) => {
      const present = (values[index] ?? []).filter((value) => value !== null);
      const isComparable = COMPARABLE.has(type);
      return {
        present: present.length,
        distinct: isComparable ? new Set(present).size : 0,
        ...(ORDERED.has(type) ? findEnds(present) : { least: null, greatest: null }),
      };
    }),
  };
}

/** Has the engine count, in a statement for each 250 columns. */
export async function statisticsOfEngine(
  ask: Ask,
  dialect: Dialect,
  columns: readonly ColumnInfo[],
  from: string,
  isExact: boolean,
): Promise<Statistics> {
  let rows = 0;
  const counted: ColumnStatistics[] = [];
  for (let start = 0; start === 0 || start < columns.length; start += COLUMNS_OF_A_STATEMENT) {
    const part = columns.slice(start, start + COLUMNS_OF_A_STATEMENT);
    const measured = part.map((column, index) => measures(dialect, column, index, isExact));
    const selected = measured.flatMap((measure) => Object.values(measure).filter((each) => each !== undefined));
    const named = [`COUNT(*) AS n`, ...selected.map(({ sql, name }) => `${sql} AS ${name}`)];
    const answer = await ask(`SELECT ${named.join(', ')} FROM ${from}`);
    const valueIn = (measure: Measure | undefined): Scalar =>
      measure === undefined ? null : singleCell(answer, measure.name);
    rows = Number(singleCell(answer, 'n'));
    for (const { present, distinct, least, greatest } of measured) {
      counted.push({
        present: Number(valueIn(present)),
        distinct: Number(valueIn(distinct) ?? 0),
        least: valueIn(least),
        greatest: valueIn(greatest),
      });
    }
  }
  return { rows, columns: counted };
}

/** An aggregate of a statement, and the name of its column in the answer. */
interface Measure {
  readonly sql: string;
  readonly name: string;
}

/** Returns the aggregates of a column that the engine can compute. */
function measures(
  dialect: Dialect,
  { name, type }: ColumnInfo,
  index: number,
  isExact: boolean,
): Readonly<Record<keyof ColumnStatistics, Measure | undefined>> {
  const column = dialect.identifier(name);
  const approximate = isExact ? undefined : dialect.approximateDistinct(column);
  const [isComparable, isOrdered] = [COMPARABLE.has(type), ORDERED.has(type)];
  return {
    present: { sql: `COUNT(${column})`, name: `present${index}` },
    distinct: isComparable ? { sql: approximate ?? `COUNT(DISTINCT ${column})`, name: `distinct${index}` } : undefined,
    least: isOrdered ? { sql: `MIN(${column})`, name: `least${index}` } : undefined,
    greatest: isOrdered ? { sql: `MAX(${column})`, name: `greatest${index}` } : undefined,
  };
}

/** Reads the engine's catalogue; `undefined` where it lacks a column that can be counted. */
export function statisticsOfCatalog(
  columns: readonly ColumnInfo[],
  rows: number,
  catalog: ReadonlyMap<string, CatalogStatistics> | undefined,
): Statistics | undefined {
  if (catalog === undefined || columns.some(({ name, type }) => COMPARABLE.has(type) && !catalog.has(name)))
    return undefined;
  return {
    rows,
    columns: columns.map(({ name, type }) => {
      const entry = catalog.get(name);
      if (entry === undefined) return { ...NOTHING, present: rows };
      const present = Math.round(rows * (1 - entry.nullFraction));
      const ends = ORDERED.has(type) ? findEnds(entry.ends.map((text) => parseScalar(text, type))) : undefined;
      return {
        present,
        distinct: Math.min(present, Math.round(entry.distinct < 0 ? -entry.distinct * rows : entry.distinct)),
        least: ends?.least ?? null,
        greatest: ends?.greatest ?? null,
      };
    }),
  };
}

/** Reads a value of a catalogue, which writes its values as text. */
function parseScalar(text: string, type: ScalarType): Scalar {
  if (type === 'integer' || type === 'decimal' || type === 'float') return Number(text);
  return text.replace(' ', 'T');
}

function findEnds(present: readonly Scalar[]): Pick<ColumnStatistics, 'least' | 'greatest'> {
  let [least, greatest]: [Scalar, Scalar] = [null, null];
  for (const value of present) {
    if (least === null || isLess(value, least)) least = value;
    if (greatest === null || isLess(greatest, value)) greatest = value;
  }
  return { least, greatest };
}

/**
 * Compares two values. Numbers that do not fit a double come as text; dates and times are written so that their texts sort
 * in their order.
 */
function isLess(left: Scalar, right: Scalar): boolean {
  if (typeof left === 'string' && typeof right === 'string') {
    const [a, b] = [Number(left), Number(right)];
    return Number.isNaN(a) || Number.isNaN(b) ? left < right : a < b;
  }
  return Number(left) < Number(right);
}
