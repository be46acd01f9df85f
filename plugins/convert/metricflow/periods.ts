/** dbt's spans of time -> counts of grains. */
import { DATE_GRAIN_NAMES, isGrainOf } from '../../../router/date-grains.ts';
import { LeftOut } from './project.ts';

export interface Span {
  readonly count: number;
  readonly grain: string;
}

/**
 * Reads `7 days`, `1 month`, `1 retail_month`.
 *
 * @param own names of grains of the project's own that are counted in, too
 *
 * @throws LeftOut also for a span of another grain
 */
export function spanOf(text: string, what: string, own: readonly string[] = []): Span {
  const [, digits = '', unit = ''] = /^\s*(\d+)\s+(\w+)\s*$/.exec(text) ?? [];
  const count = Number(digits);
  if (digits === '' || count === 0) throw new LeftOut(`its ${what} ${text} is not understood`);
  return { count, grain: grainOf(unit, what, own) };
}

/**
 * Reads `month` and `months`.
 *
 * @throws LeftOut
 */
export function grainOf(unit: string, what: string, own: readonly string[] = []): string {
  const wanted = unit.toLowerCase();
  const known = [...DATE_GRAIN_NAMES.filter((one) => !isGrainOf(one, 'part')), ...own];
  const grain = known.find((one) => [one, `${one}s`].some((name) => name.toLowerCase() === wanted));
  if (grain !== undefined) return grain;
  throw new LeftOut(`its ${what} counts in ${unit}, which is not a grain of dates here`);
}
