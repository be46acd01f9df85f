/** Finds the bases without rows that are 0 because the request fills with zero. */

import { DAY_MS, readMoment } from '../../../../router/calendar.ts';
import type { ColumnarResult } from '../../../../router/capabilities/warehouse.ts';
import { aggregatesOf } from '../../model/template.ts';
import { isZeroWhenEmpty } from '../nodes/aggregate-kinds.ts';
import type { Comparison } from '../nodes/comparison.ts';
import type { MetricColumn, Plan } from '../nodes/plan.ts';
import { periodAway, shifted } from '../nodes/shift.ts';

/** Returns whether a metric is 0 in a period without rows. A window reaches back to rows of other periods. */
export function isZeroBase(column: MetricColumn | undefined): boolean {
  if (column === undefined || !isZeroWhenEmpty(column)) return false;
  return aggregatesOf(column.metric.expression).every(({ scope }) => scope?.window === undefined);
}

/**
 * Returns whether the base of a row is a period that would be filled with zero: between the ends that the filters name, or
 * between the ends of the data.
 *
 * @param result the filled answer
 * @param base the result of the comparison's query
 */
export function zeroBasesOf(
  { fill }: Plan,
  result: ColumnarResult,
  base: ColumnarResult,
  { axis, shift }: Comparison,
): (row: number) => boolean {
  if (fill?.zero !== true || axis !== fill.group) return () => false;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { values, rowCount } of [result, base]) {
    for (let row = 0; row < rowCount; row += 1) {
      const day = dayAt(values, axis, row);
      if (day === undefined) continue;
      if (day < first) first = day;
      if (day > last) last = day;
    }
  }
  if (fill.range.from !== undefined) first = Number.NEGATIVE_INFINITY;
  if (fill.range.before !== undefined) last = Number.POSITIVE_INFINITY;
  return (row) => {
    const day = dayAt(result.values, axis, row);
    if (day === undefined) return false;
    const other = shift.unit === 'period' ? periodAway(day, shift)?.first : shifted(day * DAY_MS, shift) / DAY_MS;
    return other !== undefined && other >= first && other <= last;
  };
}

/** Returns the first day of a row's period. */
function dayAt(values: ColumnarResult['values'], axis: number, row: number): number | undefined {
  const moment = readMoment(String(values[axis]?.[row] ?? ''));
  return moment === undefined ? undefined : Math.floor(moment / DAY_MS);
}
