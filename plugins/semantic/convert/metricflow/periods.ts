/** dbt's spans of time -> counts of grains. */
import { DATE_GRAIN_NAMES, isGrainOf } from '../../../../router/date-grains.ts';
import { LeftOut } from './project.ts';

export interface Span {
  readonly count: number;
  readonly grain: string;
}

/**
 * Reads `7 days`, `1 month`.
 *
 * @throws LeftOut also for a span of a grain of the project's own
 */
export function spanOf(text: string, what: string): Span {
  const [, digits = '', unit = ''] = /^\s*(\d+)\s+(\w+)\s*$/.exec(text) ?? [];
  const count = Number(digits);
  if (digits === '' || count === 0) throw new LeftOut(`its ${what} ${text} is not understood`);
  return { count, grain: grainOf(unit, what) };
}

/**
 * Reads `month` and `months`.
 *
 * @throws LeftOut
 */
export function grainOf(unit: string, what: string): string {
  const wanted = unit.toLowerCase();
  const grain = DATE_GRAIN_NAMES.find((one) => !isGrainOf(one, 'part') && (one === wanted || `${one}s` === wanted));
  if (grain !== undefined) return grain;
  throw new LeftOut(`its ${what} counts in ${unit}, which is no grain of dates here`);
}
