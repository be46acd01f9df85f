/** Converts dbt's spans of time to counts of grains. */
import { DATE_GRAIN_NAMES, isGrainOf } from '../../../router/date-grains.ts';
import { LeftOut } from './project.ts';

export interface Span {
  readonly count: number;
  readonly grain: string;
}

/**
 * Reads `7 days`, `1 month`, `1 retail_month`.
 *
 * @param customGrains names of the project's own grains, which may be units too
 *
 * @throws LeftOut also for a span of another grain
 */
export function spanOf(text: string, what: string, customGrains: readonly string[] = []): Span {
  const [, digits = '', unit = ''] = /^\s*(\d+)\s+(\w+)\s*$/.exec(text) ?? [];
  const count = Number(digits);
  if (digits === '' || count === 0) throw new LeftOut(`its ${what} ${text} is not understood`);
  return { count, grain: grainOf(unit, what, customGrains) };
}

/**
 * Reads `month` and `months`.
 *
 * @throws LeftOut
 */
export function grainOf(unit: string, what: string, customGrains: readonly string[] = []): string {
  const grainName = unit.toLowerCase();
  const grainNames = [...DATE_GRAIN_NAMES.filter((one) => !isGrainOf(one, 'part')), ...customGrains];
  const grain = grainNames.find((one) => [one, `${one}s`].some((name) => name.toLowerCase() === grainName));
  if (grain !== undefined) return grain;
  throw new LeftOut(`its ${what} counts in ${unit}, which is not a grain of dates here`);
}
