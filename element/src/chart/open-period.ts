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

/** Returns whether a period that begins at `start` was not complete when the warehouse computed the answer. */
export function isOpenPeriod(
  { computedAt }: Pick<Answer, 'computedAt'>,
  start: number | undefined,
  grain: unknown,
): boolean {
  const end = start === undefined ? undefined : endOfPeriod(start, grain);
  return end !== undefined && end > computedAt.getTime() && start !== undefined && start <= computedAt.getTime();
}

/** Returns the position of the last period where it was not complete when the warehouse computed the answer. */
export function findOpenPeriod(answer: Answer, { roles, points }: Frame): number | undefined {
  const last = points.rows.length - 1;
  const grain = answer.columns[roles.category ?? -1]?.grain;
  return isOpenPeriod(answer, points.times?.[last], grain) ? last : undefined;
}
