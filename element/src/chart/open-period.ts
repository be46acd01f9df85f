import type { Answer } from '../api/parse-answer.ts';
import type { Frame } from './frame.ts';

const DAY_MS = 86_400_000;

/** Returns the end of the period that begins at `start`; undefined for parts of dates and unknown grains. */
function endOfPeriod(start: number, grain: unknown): number | undefined {
  const date = new Date(start);
  const months = { month: 1, quarter: 3, year: 12 }[String(grain)];
  if (months !== undefined) return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate());
  const length = { hour: DAY_MS / 24, day: DAY_MS, week: 7 * DAY_MS }[String(grain)];
  return length === undefined ? undefined : start + length;
}

/** Returns the position of the last period where it was not complete when the warehouse computed the answer. */
export function findOpenPeriod({ columns, computedAt }: Answer, { roles, points }: Frame): number | undefined {
  const last = points.times?.[points.rows.length - 1];
  const end = last === undefined ? undefined : endOfPeriod(last, columns[roles.category ?? -1]?.grain);
  return end !== undefined && end > computedAt.getTime() && last !== undefined && last <= computedAt.getTime()
    ? points.rows.length - 1
    : undefined;
}
