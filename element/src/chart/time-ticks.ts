import type { Formats } from '../formats.ts';
import type { Points } from './points.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Days that an axis spans from which its labels are years, months and days, and a share of a day for hours. */
const MIN_DAYS = { year: 1_500, month: 62, day: 2, hour: 1 / 12 } as const;
/** Steps between labels: hours or months, days, and years in months. */
const STEPS = [1, 2, 3, 4, 6, 12, 24];
const DAY_STEPS = [1, 2, 3, 5, 7, 10, 14, 21, 28];
const YEAR_STEPS = [12, 24, 60, 120, 300, 600, 1_200, 2_400, 6_000];

interface TimeTicks {
  readonly formatter: (time: number) => string | undefined;
  readonly customValues?: readonly number[];
}

/**
 * Returns the labels of a time axis: at named periods, else evenly apart by the time that the axis spans. ECharts would
 * begin each month anew, write a year at months of it, and count the months of centuries.
 */
export function timeTicks(
  { labels, isNamed }: Points,
  times: readonly number[],
  most: number,
  formats: Formats,
): TimeTicks {
  if (isNamed) {
    const least = Math.ceil(times.length / most);
    const apart = [...STEPS, 36, 60, 120].find((step) => step >= least) ?? least;
    return {
      customValues: times.filter((_, index) => index % apart === 0),
      formatter: (time) => labels[times.indexOf(time)],
    };
  }
  const formatter = tickFormatter(times, formats);
  const values = evenTimes(times[0] ?? 0, times.at(-1) ?? 0, most);
  return values === undefined ? { formatter } : { formatter, customValues: values };
}

function spanInDays(first: number, last: number): number {
  return (last - first) / DAY_MS;
}

/** Lists at most this many times of the axis, evenly apart, and at least two; undefined for spans of less than hours. */
function evenTimes(first: number, last: number, most: number): readonly number[] | undefined {
  const days = spanInDays(first, last);
  if (days < MIN_DAYS.hour) return undefined;
  const isOfMonths = days > MIN_DAYS.month;
  const isOfDays = days > MIN_DAYS.day;
  const unit = isOfDays ? DAY_MS : HOUR_MS;
  const indexOf = (time: number): number => {
    const date = new Date(time);
    return isOfMonths ? date.getUTCFullYear() * 12 + date.getUTCMonth() : Math.floor(time / unit);
  };
  // Date.UTC takes the years 0 to 99 for years of the 20th century.
  const timeOf = (index: number) => (isOfMonths ? new Date(0).setUTCFullYear(0, index, 1) : index * unit);
  const start = indexOf(first);
  const all = Array.from({ length: indexOf(last) - start + 1 }, (_, at) => start + at).filter(
    (index) => timeOf(index) >= first,
  );
  // Days are counted from the first one: no day of a month is rounder than others.
  const origin = isOfMonths || !isOfDays ? 0 : (all[0] ?? 0);
  const everyFew = (step: number) => all.filter((index) => (index - origin) % step === 0);
  const steps = days > MIN_DAYS.year ? YEAR_STEPS : isOfDays && !isOfMonths ? DAY_STEPS : STEPS;
  const step = steps.find((each) => everyFew(each).length <= most) ?? Math.ceil(all.length / most);
  const even = everyFew(step);
  return (even.length > 1 ? even : all.filter((_, at) => at % step === 0)).map(timeOf);
}

/** Returns a formatter for the labels of a time axis, by the time that the axis spans. */
function tickFormatter(times: readonly number[], formats: Formats): (time: number) => string {
  const days = spanInDays(times[0] ?? 0, times.at(-1) ?? 0);
  const write = (time: number, options: Intl.DateTimeFormatOptions) =>
    formats.date(new Date(time), { timeZone: 'UTC', ...options });
  return (time) => {
    const date = new Date(time);
    const newYear = date.getUTCMonth() === 0 && date.getUTCDate() === 1;
    if (days > MIN_DAYS.year) return write(time, { year: 'numeric' });
    if (days > MIN_DAYS.month)
      return newYear
        ? write(time, { year: 'numeric' })
        : write(time, { month: 'short', ...(date.getUTCDate() === 1 ? {} : { day: 'numeric' }) });
    // Midnight has its date, so that hours of two days differ.
    if (days > MIN_DAYS.day || time % DAY_MS === 0) return write(time, { month: 'short', day: 'numeric' });
    return write(time, { hour: 'numeric', minute: '2-digit' });
  };
}
