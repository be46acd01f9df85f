/**
 * Relative dates: which members of a time level a phrase such as `last_n_months` means, relative to today in UTC.
 *
 * A member is selected if its period begins on one of these days. Its period is read from the types of the levels
 * (`TimeYears` … `TimeDays`) and the keys, names or captions of the member and its ancestors: a year is four digits, a
 * quarter a digit from 1 to 4, a month a number or an English month name, a day a number. An ISO date contains all of
 * them. So the level may not be coarser than the phrase: `last_n_months` cannot select years.
 */
import type { Scalar } from '../../../../router/capabilities/scalar.ts';
import { RELATIVE_PERIODS, type RelativePeriod } from '../../../query-surface/index.ts';
import { monthIndexIn } from '../../format/calendar-names.ts';
import type { LevelType } from '../../schema/model.ts';

/** The units from the coarsest. */
const UNITS = ['year', 'half', 'quarter', 'month', 'day'] as const;
export type Unit = (typeof UNITS)[number];

const UNIT_OF: Partial<Readonly<Record<LevelType, Unit>>> = {
  TimeYears: 'year',
  TimeHalfYears: 'half',
  TimeQuarters: 'quarter',
  TimeMonths: 'month',
  TimeDays: 'day',
};

const MONTHS: Readonly<Record<Unit, number>> = { year: 12, half: 6, quarter: 3, month: 1, day: 0 };
const DAY_MS = 86_400_000;

/** Returns the unit of a level that relative periods can filter; `undefined` for other levels. */
export function periodUnit(type: LevelType): Unit | undefined {
  return UNIT_OF[type];
}

/** Returns whether periods of `unit` are fine enough for the phrase. */
export function isFineEnough(unit: Unit, value: RelativePeriod): boolean {
  const { days } = RELATIVE_PERIODS[value];
  return days.kind === 'before' || UNITS.indexOf(unit) >= UNITS.indexOf(days.unit);
}

/** Returns the first and the last instant (days at 0:00 UTC) on which a period of the window begins. */
export function windowOf(value: RelativePeriod, n: number, unit: Unit, nowMillis: number): readonly [number, number] {
  const today = Math.floor(nowMillis / DAY_MS) * DAY_MS;
  const begin = (of: Unit, before: number) => startOf(today, of, before);
  const { days } = RELATIVE_PERIODS[value];
  switch (days.kind) {
    case 'last':
      return [begin(days.unit, n - 1), today];
    case 'to_date':
      return [begin(days.unit, 0), today];
    case 'before':
      return [begin(unit, n), begin(unit, 0) - DAY_MS];
  }
}

/** Returns the first day of the period of `today`, or of the one `before` periods earlier. */
function startOf(today: number, unit: Unit, before: number): number {
  if (unit === 'day') return today - before * DAY_MS;
  const date = new Date(today);
  const months = MONTHS[unit];
  const index = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const first = Math.floor(index / months) * months - before * months;
  return Date.UTC(Math.floor(first / 12), first % 12, 1);
}

/** The parts of a member that determine its period. */
export interface DatedMember {
  readonly level: { readonly type: LevelType };
  readonly key: Scalar;
  readonly name: string;
  readonly caption: string;
  readonly treeParent: DatedMember | undefined;
}

/** Returns the first day of a member's period, at 0:00 UTC; `undefined` if it cannot be read. */
export function beginningOf(member: DatedMember): number | undefined {
  let year: number | undefined;
  let month: number | undefined;
  let day: number | undefined;
  const memberUnit = periodUnit(member.level.type);
  for (let at: DatedMember | undefined = member; at !== undefined; at = at.treeParent) {
    const unit = periodUnit(at.level.type);
    if (unit === undefined) continue;
    const texts = textsOf(at);
    const date = texts.map(isoDate).find((instant) => instant !== undefined);
    if (date !== undefined) return memberUnit === undefined ? undefined : startOf(date, memberUnit, 0);
    switch (unit) {
      case 'year':
        year ??= number(texts, /(?<!\d)(\d{4})(?!\d)/);
        break;
      case 'half': {
        const half = number(texts, /(?<!\d)([12])(?!\d)/);
        if (half !== undefined) month ??= half * 6 - 6;
        break;
      }
      case 'quarter': {
        const quarter = number(texts, /(?:^|q|quarter|[^\d])\s*0?([1-4])(?!\d)/i);
        if (quarter !== undefined) month ??= quarter * 3 - 3;
        break;
      }
      case 'month':
        month ??= monthOf(texts);
        break;
      case 'day':
        day ??= number(texts, /(?<!\d)(0?[1-9]|[12]\d|3[01])(?!\d)/);
        break;
    }
  }
  if (year === undefined || memberUnit === undefined) return undefined;
  if (memberUnit !== 'year' && month === undefined) return undefined;
  if (memberUnit === 'day' && (day === undefined || !hasMonth(member))) return undefined;
  return Date.UTC(year, month ?? 0, memberUnit === 'day' ? day : 1);
}

/** Returns whether a member has a month among its ancestors. Only then is a day counted from the first of the month. */
function hasMonth(member: DatedMember): boolean {
  for (let at = member.treeParent; at !== undefined; at = at.treeParent) {
    if (periodUnit(at.level.type) === 'month') return true;
  }
  return false;
}

function textsOf({ key, name, caption }: DatedMember): readonly string[] {
  return [...(key === null ? [] : [String(key)]), name, caption];
}

function isoDate(text: string): number | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ])/.exec(text);
  return parts === null ? undefined : Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
}

function number(texts: readonly string[], pattern: RegExp): number | undefined {
  for (const text of texts) {
    const digits = pattern.exec(text.replace(/(?<!\d)\d{4}(?=\D+\d)/, ''))?.[1] ?? pattern.exec(text)?.[1];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}

/** Returns the index of a month (0 for January) from `3`, `03`, `2025-03`, `202503`, `March` or `Mar 2025`. */
function monthOf(texts: readonly string[]): number | undefined {
  for (const text of texts) {
    const digits = /^(?:\d{4}[-/. ]?)?(0?[1-9]|1[0-2])$/.exec(text.trim())?.[1];
    if (digits !== undefined) return Number(digits) - 1;
    const named = monthIndexIn(text);
    if (named !== undefined) return named;
  }
  return undefined;
}
