/** Reads a time axis: its periods as whole numbers one step apart, its grain, and the names of the next periods. */
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { HOLD_MS, ROWS_BETWEEN_YIELDS } from '../limits.ts';
import { type ParsedPeriod, parsePeriod, writeDay } from './period.ts';

export interface TimeAxis {
  /** In words: `month`, `3 months`, `business day`, `hour`, `position`; `irregular` where there is no common step. */
  readonly grain: string;
  /** Whole steps from the first period of the axis, by row; `undefined` for a row without a period. */
  readonly positions: readonly (number | undefined)[];
  /** Returns the name of the period at a position; `undefined` where the axis has none. */
  readonly labelAt: (position: number) => string | undefined;
  /** Possible lengths of a season in points, ascending; `undefined` where the axis has none. */
  readonly seasons: readonly number[] | undefined;
  readonly isRegular: boolean;
}

const DAY_MS = 86_400_000;
/** The most points for each existing one. With more, a step is a coincidence of few values and not a grain. */
const MAX_SPREAD = 3;
/** The least working days, without any day of a weekend, for weeks of five days. */
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

/** An axis without its rows, with the position of each ordinal. */
interface Scale extends Omit<TimeAxis, 'positions'> {
  readonly positionOf: (ordinal: number) => number;
}

/**
 * Reads the axis of the rows of an answer; `undefined` where a text is not a period. Yields to the event loop now and then.
 */
export async function readTimeAxis(texts: readonly (string | null)[]): Promise<TimeAxis | undefined> {
  const yieldTurn = cooperativeYield(HOLD_MS);
  const ordinals = new Map<string, number>();
  let first: ParsedPeriod | undefined;
  for (const [row, text] of texts.entries()) {
    if (row % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
    if (text === null || ordinals.has(text)) continue;
    const parsed = parsePeriod(text);
    first ??= parsed;
    if (parsed === undefined || parsed.kind !== first?.kind) return undefined;
    ordinals.set(text, parsed.ordinal);
  }
  if (first === undefined) return orderedAxis(texts.map(() => undefined));
  const sorted = Float64Array.from(ordinals.values()).sort();
  await yieldTurn();
  const distinct = sorted.filter((ordinal, i) => i === 0 || ordinal !== sorted[i - 1]);
  await yieldTurn();
  const { positionOf, ...scale } = makeScale(distinct, first);
  await yieldTurn();
  const positions = new Map<string, number>();
  for (const [text, ordinal] of ordinals) {
    if (positions.size % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
    positions.set(text, positionOf(ordinal));
  }
  return { ...scale, positions: texts.map((text) => (text === null ? undefined : positions.get(text))) };
}

/**
 * Makes an axis that only has an order, such as the members of a level with their `captions`. Captions that repeat after a
 * cycle (months without their years) name the next periods and suggest a season.
 */
export function orderedAxis(positions: readonly (number | undefined)[], captions: readonly string[] = []): TimeAxis {
  const cycle = new Set(captions).size;
  const isCyclic =
    cycle > 1 &&
    captions.length > cycle &&
    captions.every((caption, i) => i < cycle || caption === captions[i - cycle]);
  return {
    grain: 'position',
    positions,
    labelAt: (position) => (isCyclic ? captions[position % cycle] : undefined),
    seasons: isCyclic ? [cycle] : undefined,
    isRegular: true,
  };
}

/** Makes the scale of an axis; `distinct` are its ordinals, ascending. */
function makeScale(distinct: Float64Array, { kind, write }: ParsedPeriod): Scale {
  switch (kind) {
    case 'year':
      return stepped(distinct, write, UNITS.year);
    case 'quarter':
      return stepped(distinct, write, UNITS.quarter);
    case 'month':
      return stepped(distinct, write, UNITS.month);
    case 'week':
      return stepped(distinct, write, UNITS.week);
    case 'day':
      return dayScale(distinct, writeDay);
    case 'time':
      return timeOfDayScale(distinct, write);
  }
}

/** Makes a scale of one unit with the largest step that divides all distances. */
function stepped(distinct: Float64Array, write: (ordinal: number) => string, unit: Unit): Scale {
  const start = distinct[0] ?? 0;
  const step = distinct.reduce((divisor, ordinal) => greatestDivisor(divisor, ordinal - start), 0) || 1;
  const span = ((distinct.at(-1) ?? start) - start) / step + 1;
  if (span <= MAX_SPREAD * distinct.length) {
    return {
      grain: grainName(unit, step),
      positionOf: (ordinal) => (ordinal - start) / step,
      labelAt: (position) => write(start + position * step),
      seasons: findSeasons(unit, step),
      isRegular: true,
    };
  }
  return {
    grain: 'irregular',
    positionOf: (ordinal) => indexInSorted(ordinal, distinct),
    labelAt: () => undefined,
    seasons: undefined,
    isRegular: false,
  };
}

/** Counts an axis in another unit; `inUnit` and `fromUnit` convert its ordinals to that unit and back. */
function inOtherUnit(
  distinct: Float64Array,
  inUnit: (ordinal: number) => number,
  write: (counted: number) => string,
  unit: Unit,
): Scale {
  const scale = stepped(distinct.map(inUnit), write, unit);
  return { ...scale, positionOf: (ordinal) => scale.positionOf(inUnit(ordinal)) };
}

/**
 * Makes the scale of days. Days with the same place in their months are a scale of months; else it has weeks, days or
 * working days.
 */
function dayScale(distinct: Float64Array, write: (ordinal: number) => string): Scale {
  const [first] = distinct;
  if (first === undefined || distinct.length < 2) return stepped(distinct, write, UNITS.day);
  const dayOfMonth = new Date(first * DAY_MS).getUTCDate();
  const isSameDay = distinct.every((ordinal) => new Date(ordinal * DAY_MS).getUTCDate() === dayOfMonth);
  const isMonthEnd = distinct.every((ordinal) => new Date((ordinal + 1) * DAY_MS).getUTCDate() === 1);
  if (isSameDay || isMonthEnd) {
    const monthOf = (ordinal: number) => {
      const date = new Date(ordinal * DAY_MS);
      return 12 * date.getUTCFullYear() + date.getUTCMonth();
    };
    const dayOf = (month: number) =>
      Date.UTC(2_000, month - 24_000 + (isMonthEnd ? 1 : 0), isMonthEnd ? 0 : dayOfMonth) / DAY_MS;
    return inOtherUnit(distinct, monthOf, (month) => write(dayOf(month)), UNITS.month);
  }
  const isWorkingWeek =
    distinct.length >= MIN_BUSINESS_DAYS && distinct.every((ordinal) => weekday(ordinal) < WORKING_DAYS);
  const isDaily = distinct.some((ordinal, i) => i > 0 && ordinal - (distinct[i - 1] ?? 0) === 1);
  if (isWorkingWeek && isDaily) {
    return inOtherUnit(distinct, workingDay, (count) => write(fromWorkingDay(count)), UNITS.businessDay);
  }
  return stepped(distinct, write, UNITS.day);
}

function timeOfDayScale(distinct: Float64Array, write: (ordinal: number) => string): Scale {
  const start = distinct[0] ?? 0;
  const timeOfDay = modulo(start, DAY_MS);
  if (distinct.every((ordinal) => modulo(ordinal, DAY_MS) === timeOfDay)) {
    const dayOf = (ordinal: number) => Math.floor(ordinal / DAY_MS);
    const scale = dayScale(distinct.map(dayOf), (day) => write(day * DAY_MS + timeOfDay));
    return { ...scale, positionOf: (ordinal) => scale.positionOf(dayOf(ordinal)) };
  }
  const isCountedIn = (size: number) => distinct.every((ordinal) => (ordinal - start) % size === 0);
  const [unit, size] = isCountedIn(3_600_000)
    ? ([UNITS.hour, 3_600_000] as const)
    : isCountedIn(60_000)
      ? ([UNITS.minute, 60_000] as const)
      : ([UNITS.second, 1_000] as const);
  const counted = (ordinal: number) => Math.round((ordinal - start) / size);
  return inOtherUnit(distinct, counted, (count) => write(start + count * size), unit);
}

/** Returns the seasons that are whole multiples of a step: twelve months are four quarters. */
function findSeasons(unit: Unit, step: number): readonly number[] {
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

/** Returns the index of a number in a sorted list that contains it. */
function indexInSorted(number: number, sorted: Float64Array): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function greatestDivisor(left: number, right: number): number {
  let [a, b] = [Math.abs(left), Math.abs(right)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

const WORKING_DAYS = 5;
/** 1970-01-01 was a Thursday. */
const DAYS_FROM_MONDAY = 3;

/** Returns 0 for Mondays to 6 for Sundays. */
function weekday(ordinal: number): number {
  return modulo(ordinal + DAYS_FROM_MONDAY, 7);
}

/** Counts Mondays to Fridays since Monday, 1969-12-29. */
function workingDay(ordinal: number): number {
  return WORKING_DAYS * Math.floor((ordinal + DAYS_FROM_MONDAY) / 7) + weekday(ordinal);
}

function fromWorkingDay(count: number): number {
  return 7 * Math.floor(count / WORKING_DAYS) + modulo(count, WORKING_DAYS) - DAYS_FROM_MONDAY;
}

function modulo(number: number, divisor: number): number {
  return ((number % divisor) + divisor) % divisor;
}
