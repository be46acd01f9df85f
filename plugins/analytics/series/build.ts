/** Turns the rows of an answer into series: one for each combination of the other fields and each metric. */
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { ValidationError } from '../../../router/errors.ts';
import { HOLD_MS, MAX_POINTS, MAX_SERIES, MAX_TOTAL_POINTS, ROWS_BETWEEN_YIELDS } from '../limits.ts';
import type { NoResultReason } from '../methods.ts';
import { fillGaps } from '../numeric/fill-gaps.ts';
import type { TimeAxis } from './time-axis.ts';

export type FieldValue = string | number | boolean | null;

/** One row of an answer, with what its series need. */
export interface SeriesRow {
  /** The other fields of the row by key. */
  readonly by: Readonly<Record<string, FieldValue>>;
  /** The key of the row's series, where `by` does not identify it, as for members with the same caption. */
  readonly key?: string;
  /** Values by metric; null where there is no number, or it is masked. */
  readonly values: readonly (number | null)[];
}

export interface Series {
  readonly by: Readonly<Record<string, FieldValue>>;
  /** Index of the metric. */
  readonly metric: number;
  /** The rows of the answer that the series contains, in the order of time. */
  readonly rows: readonly number[];
  /** Position of the first value on the axis. */
  readonly start: number;
  /** The values one step apart, from the first to the last existing value; gaps are filled by straight lines. */
  readonly values: Float64Array;
  /** The index in `rows` that a value belongs to; `undefined` for a value that was filled in. */
  readonly rowOf: readonly (number | undefined)[];
  /** Values that were filled in. */
  readonly gaps: number;
  /** Steps from the last value to the last period of the series, which have no value. */
  readonly missingAtEnd: number;
  /** The reason why the series cannot be analysed. */
  readonly reason: NoResultReason | undefined;
}

/**
 * Groups rows by their other fields, in order of first appearance; `metrics` is their number. Yields to the event loop now
 * and then.
 *
 * @throws ValidationError for more series, or more points, than one request may have
 */
export async function buildSeries(
  rows: readonly SeriesRow[],
  axis: TimeAxis,
  metrics: number,
): Promise<readonly Series[]> {
  const yieldTurn = cooperativeYield(HOLD_MS);
  const groups = new Map<string, number[]>();
  for (const [row, { by, key: seriesKey }] of rows.entries()) {
    if (row % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
    if (axis.positions[row] === undefined) continue;
    const key = seriesKey ?? JSON.stringify(Object.values(by));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  if (groups.size * metrics > MAX_SERIES) {
    throw ValidationError.at(
      ['query', 'rows'],
      `The query gives ${groups.size * metrics} series, one for each metric and combination of the other row fields; at most ${MAX_SERIES} are worked on at once. Leave a field out, or filter.`,
    );
  }
  const all: Series[] = [];
  let points = 0;
  for (const group of groups.values()) {
    const ordered = inOrderOfTime(group, axis);
    const by = rows[ordered[0] ?? 0]?.by ?? {};
    for (let metric = 0; metric < metrics; metric++) {
      await yieldTurn();
      const series = oneSeries(rows, axis, ordered, by, metric);
      points += series.values.length;
      if (points > MAX_TOTAL_POINTS) {
        throw ValidationError.at(
          ['query', 'rows'],
          `The series of the query have more than ${MAX_TOTAL_POINTS} points together, which is what is worked on at once. Filter, or take a coarser time axis.`,
        );
      }
      all.push(series);
    }
  }
  return all;
}

/**
 * Sorts rows by their positions; rows of the same position keep the order of the answer. It sorts numbers, which is the
 * fastest way.
 */
function inOrderOfTime(rows: readonly number[], axis: TimeAxis): readonly number[] {
  const size = (rows.at(-1) ?? 0) + 1;
  const keys = Float64Array.from(rows, (row) => position(axis, row) * size + row).sort();
  return Array.from(keys, (key) => key % size);
}

function oneSeries(
  rows: readonly SeriesRow[],
  axis: TimeAxis,
  ordered: readonly number[],
  by: Series['by'],
  metric: number,
): Series {
  const numeric = ordered.filter((row) => typeof rows[row]?.values[metric] === 'number');
  const first = numeric[0];
  const last = numeric.at(-1);
  const empty = {
    by,
    metric,
    rows: ordered,
    start: 0,
    values: new Float64Array(0),
    rowOf: [],
    gaps: 0,
    missingAtEnd: 0,
  };
  if (first === undefined || last === undefined) return { ...empty, reason: 'empty' };
  const start = position(axis, first);
  const length = position(axis, last) - start + 1;
  if (length > MAX_POINTS) return { ...empty, start, reason: 'too_long' };
  if (numeric.some((row, i) => i > 0 && position(axis, row) === position(axis, numeric[i - 1] ?? 0))) {
    return { ...empty, start, reason: 'duplicate_periods' };
  }
  const values = new Float64Array(length).fill(Number.NaN);
  const rowOf = Array.from({ length }, (): number | undefined => undefined);
  for (const row of numeric) {
    const index = position(axis, row) - start;
    values[index] = rows[row]?.values[metric] ?? Number.NaN;
    rowOf[index] = row;
  }
  const gaps = fillGaps(values);
  const reason = gaps > numeric.length ? 'too_many_gaps' : undefined;
  const missingAtEnd = position(axis, ordered.at(-1) ?? last) - position(axis, last);
  return { by, metric, rows: ordered, start, values, rowOf, gaps, missingAtEnd, reason };
}

function position(axis: TimeAxis, row: number): number {
  return axis.positions[row] ?? 0;
}
