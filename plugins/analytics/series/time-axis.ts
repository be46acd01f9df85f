/** A time axis: its periods as whole numbers one step apart, its grain, and what the next periods are called. */
import { type ParsedPeriod, parsePeriod, writeDay } from './period.ts';

export interface TimeAxis {
  /** In words: `month`, `3 months`, `business day`, `hour`, `position`; `irregular` where there is no common step. */
  readonly grain: string;
  /** Whole steps from the first period of the axis, by row; `undefined` for a row without a period. */
  readonly positions: readonly (number | undefined)[];
  /** Name of the period at a position; `undefined` where the axis cannot tell it. */
  readonly labelAt: (position: number) => string | undefined;
  /** Lengths in points that a season may have, ascending; `undefined` where the axis tells none. */
  readonly seasons: readonly number[] | undefined;
  readonly isRegular: boolean;
}

const DAY_MS = 86_400_000;
/** More points than this for each one that is there, and a step is no grain but the accident of a few values. */
const MAX_SPREAD = 3;
/** Working days that must be there, and none of a weekend, for a week of five days. */
const MIN_BUSINESS_DAYS = 10;

/** A unit of time in which steps are counted, and the seasons of a series of that step. */
interface Unit {
  readonly name: string;
  readonly seasons: readonly number[];
}

const UNITS = {
  year: { name: 'year', seasons: [] },
  quarter: { name: 'quarter', seasons: [4] },
  month: { name: 'month', seasons: [12] },
  week: { name: 'week', seasons: [52] },
  day: { name: 'day', seasons: [7, 365] },
  businessDay: { name: 'business day', seasons: [5] },
  hour: { name: 'hour', seasons: [24, 168] },
  minute: { name: 'minute', seasons: [60, 1_440] },
  second: { name: 'second', seasons: [60, 3_600] },
} as const satisfies Record<string, Unit>;

/** Reads the axis of the rows of an answer; `undefined` where a text is not written as a period. */
export function readTimeAxis(texts: readonly (string | null)[]): TimeAxis | undefined {
  const parsed = texts.map((text) => (text === null ? null : parsePeriod(text)));
  if (parsed.includes(undefined)) return undefined;
  const periods = parsed.map((each) => each ?? undefined);
  const first = periods.find((each) => each !== undefined);
  if (first === undefined) return orderedAxis(texts.map(() => undefined));
  const kind = first.kind;
  if (periods.some((each) => each !== undefined && each.kind !== kind)) return undefined;
  const ordinals = periods.map((each) => each?.ordinal);
  switch (kind) {
    case 'year':
      return stepped(ordinals, first.write, UNITS.year);
    case 'quarter':
      return stepped(ordinals, first.write, UNITS.quarter);
    case 'month':
      return stepped(ordinals, first.write, UNITS.month);
    case 'week':
      return stepped(ordinals, first.write, UNITS.week);
    case 'day':
      return dayAxis(ordinals, writeDay);
    case 'time':
      return timeOfDayAxis(ordinals, first);
  }
}

/** An axis that only tells the order: the members of a level. */
export function orderedAxis(positions: readonly (number | undefined)[]): TimeAxis {
  return { grain: 'position', positions, labelAt: () => undefined, seasons: undefined, isRegular: true };
}

/** Steps of one unit: the largest that all distances are multiples of. */
function stepped(ordinals: readonly (number | undefined)[], write: (ordinal: number) => string, unit: Unit): TimeAxis {
  const distinct = distinctOf(ordinals);
  const start = distinct[0] ?? 0;
  const step = distinct.slice(1).reduce((divisor, ordinal) => greatestDivisor(divisor, ordinal - start), 0) || 1;
  const span = ((distinct.at(-1) ?? start) - start) / step + 1;
  const isRegular = span <= MAX_SPREAD * distinct.length;
  return {
    grain: isRegular ? grainName(unit, step) : 'irregular',
    positions: isRegular
      ? ordinals.map((ordinal) => (ordinal === undefined ? undefined : (ordinal - start) / step))
      : ordinals.map((ordinal) => (ordinal === undefined ? undefined : distinct.indexOf(ordinal))),
    labelAt: (position) => (isRegular ? write(start + position * step) : undefined),
    seasons: isRegular ? seasonsOf(unit, step) : undefined,
    isRegular,
  };
}

/** Days that all stand at the same place of their months make months; else weeks, days or working days. */
function dayAxis(ordinals: readonly (number | undefined)[], write: (ordinal: number) => string): TimeAxis {
  const distinct = distinctOf(ordinals);
  const dates = distinct.map((ordinal) => new Date(ordinal * DAY_MS));
  const [first] = dates;
  if (first !== undefined && distinct.length > 1) {
    const isSameDay = dates.every((date) => date.getUTCDate() === first.getUTCDate());
    const isMonthEnd = dates.every((date) => new Date(date.getTime() + DAY_MS).getUTCDate() === 1);
    if (isSameDay || isMonthEnd) {
      const monthOf = (ordinal: number) => {
        const date = new Date(ordinal * DAY_MS);
        return 12 * date.getUTCFullYear() + date.getUTCMonth();
      };
      const dayOf = (month: number) =>
        Date.UTC(2_000, month - 24_000 + (isMonthEnd ? 1 : 0), isMonthEnd ? 0 : first.getUTCDate());
      const months = ordinals.map((ordinal) => (ordinal === undefined ? undefined : monthOf(ordinal)));
      return stepped(months, (month) => write(dayOf(month) / DAY_MS), UNITS.month);
    }
    const isWorkingWeek =
      distinct.length >= MIN_BUSINESS_DAYS && dates.every((date) => date.getUTCDay() !== 0 && date.getUTCDay() !== 6);
    const isDaily = distinct.some((ordinal, i) => i > 0 && ordinal - (distinct[i - 1] ?? 0) === 1);
    if (isWorkingWeek && isDaily) {
      return stepped(ordinals.map(workingDay), (ordinal) => write(fromWorkingDay(ordinal)), UNITS.businessDay);
    }
  }
  return stepped(ordinals, write, UNITS.day);
}

function timeOfDayAxis(ordinals: readonly (number | undefined)[], first: ParsedPeriod): TimeAxis {
  const distinct = distinctOf(ordinals);
  const offset = (((distinct[0] ?? 0) % DAY_MS) + DAY_MS) % DAY_MS;
  if (distinct.every((ordinal) => ((ordinal % DAY_MS) + DAY_MS) % DAY_MS === offset)) {
    const days = ordinals.map((ordinal) => (ordinal === undefined ? undefined : Math.floor(ordinal / DAY_MS)));
    return dayAxis(days, (day) => first.write(day * DAY_MS + offset));
  }
  const [unit, size] = distinct.every((ordinal) => (ordinal - (distinct[0] ?? 0)) % 3_600_000 === 0)
    ? ([UNITS.hour, 3_600_000] as const)
    : distinct.every((ordinal) => (ordinal - (distinct[0] ?? 0)) % 60_000 === 0)
      ? ([UNITS.minute, 60_000] as const)
      : ([UNITS.second, 1_000] as const);
  const start = distinct[0] ?? 0;
  const counted = ordinals.map((ordinal) => (ordinal === undefined ? undefined : Math.round((ordinal - start) / size)));
  return stepped(counted, (count) => first.write(start + count * size), unit);
}

/** Returns the seasons that a step of several units leaves whole: twelve months a year are four quarters. */
function seasonsOf(unit: Unit, step: number): readonly number[] {
  const week = unit.name === 'day' && step === 7 ? [52] : [];
  return [
    ...week,
    ...unit.seasons.flatMap((season) => (season % step === 0 && season / step > 1 ? [season / step] : [])),
  ];
}

function grainName({ name }: Unit, step: number): string {
  if (name === 'month' && step === 3) return 'quarter';
  if ((name === 'month' && step === 12) || (name === 'quarter' && step === 4)) return 'year';
  if (name === 'day' && step === 7) return 'week';
  return step === 1 ? name : `${step} ${name}s`;
}

function distinctOf(ordinals: readonly (number | undefined)[]): readonly number[] {
  return [...new Set(ordinals.flatMap((ordinal) => ordinal ?? []))].sort((left, right) => left - right);
}

function greatestDivisor(left: number, right: number): number {
  let [a, b] = [Math.abs(left), Math.abs(right)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/** Counts Mondays to Fridays since Monday, 1969-12-29. */
function workingDay(ordinal: number | undefined): number | undefined {
  if (ordinal === undefined) return undefined;
  const fromMonday = ordinal + 3;
  return 5 * Math.floor(fromMonday / 7) + (((fromMonday % 7) + 7) % 7);
}

function fromWorkingDay(count: number): number {
  return 7 * Math.floor(count / 5) + (((count % 5) + 5) % 5) - 3;
}
