/** Rows of an answer -> series: one for each combination of the other fields and each metric. */
import { MAX_POINTS } from '../limits.ts';
import type { NoResultReason } from '../methods.ts';
import { at } from '../numeric/statistics.ts';
import type { TimeAxis } from './time-axis.ts';

export type FieldValue = string | number | boolean | null;

/** One row of an answer, as its series see it. */
export interface SeriesRow {
  /** The other fields of the row by key. */
  readonly by: Readonly<Record<string, FieldValue>>;
  /** By metric; null where there is no number, or it is masked. */
  readonly values: readonly (number | null)[];
}

export interface Series {
  readonly by: Readonly<Record<string, FieldValue>>;
  /** Index of the metric. */
  readonly metric: number;
  /** Rows of the answer that the series has, in the order of time. */
  readonly rows: readonly number[];
  /** Where the first value stands on the axis. */
  readonly start: number;
  /** Values one step apart, from the first to the last that is there; gaps are filled by straight lines. */
  readonly values: Float64Array;
  /** Which of `rows` a value belongs to; `undefined` of one that was filled in. */
  readonly rowOf: readonly (number | undefined)[];
  /** Values that were filled in. */
  readonly gaps: number;
  /** Steps from the last value to the last period of the series, which have no value. */
  readonly missingAtEnd: number;
  /** Why the series cannot be worked on. */
  readonly reason: NoResultReason | undefined;
}

/** Groups rows by their other fields, in order of first appearance; `metrics` is their number. */
export function buildSeries(rows: readonly SeriesRow[], axis: TimeAxis, metrics: number): readonly Series[] {
  const groups = new Map<string, number[]>();
  rows.forEach(({ by }, row) => {
    if (axis.positions[row] === undefined) return;
    const key = JSON.stringify(Object.values(by));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  });
  return [...groups.values()].flatMap((group) => {
    const ordered = group.toSorted((left, right) => position(axis, left) - position(axis, right));
    const by = rows[ordered[0] ?? 0]?.by ?? {};
    return Array.from({ length: metrics }, (_, metric) => oneSeries(rows, axis, ordered, by, metric));
  });
}

function oneSeries(
  rows: readonly SeriesRow[],
  axis: TimeAxis,
  ordered: readonly number[],
  by: Series['by'],
  metric: number,
): Series {
  const known = ordered.filter((row) => typeof rows[row]?.values[metric] === 'number');
  const [first] = known;
  const last = known.at(-1);
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
  const values = new Float64Array(length).fill(Number.NaN);
  const rowOf = Array.from({ length }, (): number | undefined => undefined);
  for (const row of known) {
    const index = position(axis, row) - start;
    values[index] = rows[row]?.values[metric] ?? Number.NaN;
    rowOf[index] = row;
  }
  const gaps = fillGaps(values);
  const reason = gaps > known.length ? 'too_many_gaps' : undefined;
  const missingAtEnd = position(axis, ordered.at(-1) ?? last) - position(axis, last);
  return { by, metric, rows: ordered, start, values, rowOf, gaps, missingAtEnd, reason };
}

/** Fills missing values by the straight line between their neighbours; returns how many there were. */
function fillGaps(values: Float64Array): number {
  let filled = 0;
  let previous = 0;
  for (let i = 1; i < values.length; i++) {
    if (Number.isNaN(at(values, i))) continue;
    const [from, to] = [at(values, previous), at(values, i)];
    for (let k = previous + 1; k < i; k++) {
      values[k] = from + ((to - from) * (k - previous)) / (i - previous);
      filled += 1;
    }
    previous = i;
  }
  return filled;
}

function position(axis: TimeAxis, row: number): number {
  return axis.positions[row] ?? 0;
}
