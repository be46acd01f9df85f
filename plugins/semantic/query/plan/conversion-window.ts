/** The window between two events as a step that engines can add. */
import type { WindowGrain } from '../../model/metric-kinds.ts';
import type { Conversion } from '../../model/template.ts';
import type { Converted } from '../nodes/plan.ts';

const SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 } as const;
const DAYS = { day: 1, week: 7 } as const;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** Returns whether the two events are compared by their days. */
export function isByDay({ base, conversion }: Conversion): boolean {
  return base.by.type === 'date' || conversion.by.type === 'date';
}

/** Returns a window as a step that engines can add. For timestamps, a day is 24 hours. */
export function conversionStep({ window }: Conversion, byDay: boolean): Converted['step'] {
  if (window === undefined) return undefined;
  const { count, grain } = window;
  if (isMonths(grain)) return { count: count * MONTHS[grain], unit: 'month' };
  if (byDay) return { count: count * (isDays(grain) ? DAYS[grain] : 1), unit: 'day' };
  return { count: count * SECONDS[grain], unit: 'second' };
}

function isMonths(grain: WindowGrain): grain is keyof typeof MONTHS {
  return grain in MONTHS;
}

function isDays(grain: WindowGrain): grain is keyof typeof DAYS {
  return grain in DAYS;
}
