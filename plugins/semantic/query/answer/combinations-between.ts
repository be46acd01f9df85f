/** Lists the combinations of periods on the days of a range, where an answer has several grains of one date. */

import { DAY_MS, grainAt } from '../../../../router/calendar.ts';
import type { ColumnarResult } from '../../../../router/capabilities/warehouse.ts';
import { DATE_GRAINS, isGrainOf } from '../../../../router/date-grains.ts';
import { InternalError, ValidationError } from '../../../../router/errors.ts';
import { instantAt, wallClockAt } from '../../../../router/time-zone.ts';
import { fiscalMonth, periodStart } from '../../model/fiscal-year.ts';
import { startAt } from '../nodes/date-range.ts';
import { fiscalYearOf, type ResolvedGrain, tableOf } from '../nodes/grain.ts';
import type { Fill, Plan } from '../nodes/plan.ts';
import { MAX_FILLED_PERIODS, periodBehind, periodOf, periodsOf } from './periods-between.ts';

/** The most days, or hours and shorter periods, of a range with combinations. The SQL of windows has the same limit. */
const MAX_FILLED_DAYS = 100_000;

const DAYS_BETWEEN_YIELDS = 1_000;

/** A group of the filled date, at one of its grains. */
export interface DateGroup {
  /** Its index among the groups. */
  readonly index: number;
  readonly grain: ResolvedGrain;
}

/** A period of each grain, as numbers in the order of the groups; `undefined` for values that are no date. */
export type Combination = readonly (number | undefined)[];

/** Returns the groups of the filled date. A date without a grain is its day. */
export function dateGroupsOf({ groups }: Plan, { dates, group }: Fill): readonly DateGroup[] {
  const filled = groups[group]?.grain;
  if (filled === undefined) throw new InternalError('a date without a grain is filled');
  const day: ResolvedGrain = { ...filled, name: 'day', calendar: undefined, zone: undefined };
  return dates.map((index) => ({ index, grain: groups[index]?.grain ?? day }));
}

/** Returns the combination of a row. */
export function combinationAt(dates: readonly DateGroup[], { values }: ColumnarResult, row: number): Combination {
  return dates.map(({ index, grain }) => periodOf(values[index]?.[row] ?? null, grain));
}

/**
 * Lists all combinations between the ends of data and filters, and the combinations in the data.
 *
 * @throws ValidationError where there are too many
 */
export async function combinationsBetween(
  dates: readonly DateGroup[],
  combinationsInData: readonly Combination[],
  fill: Fill,
  yieldTurn: () => Promise<void>,
): Promise<readonly Combination[]> {
  const [first, ...more] = dates;
  if (first === undefined) throw new InternalError('no date is filled');
  if (more.length === 0) {
    const periods = combinationsInData.map(([period]) => period);
    return periodsOf(periods, fill, first.grain).map((period) => [period]);
  }
  const whole = combinationsInData.filter((one) => !one.includes(undefined));
  const combinations = new Map(whole.map((one) => [String(one), one]));
  const unit = finestUnit(dates, first.grain);
  const ends = endsOf(dates, whole, fill, unit);
  if (ends === undefined) return [];
  let count = 0;
  for (let at = ends.first; at <= ends.last; at = periodBehind(at, unit)) {
    if (count % DAYS_BETWEEN_YIELDS === 0) await yieldTurn();
    count += 1;
    if (count > MAX_FILLED_DAYS) {
      const units = `${unit.name}s`;
      throw tooMany(fill, `There are more than ${MAX_FILLED_DAYS} ${units} whose periods would be filled.`);
    }
    const one = dates.map(({ grain }) => periodAt(at, grain, unit));
    // A day that a table lacks is in no combination.
    if (!one.includes(undefined)) combinations.set(String(one), one);
    if (combinations.size > MAX_FILLED_PERIODS) {
      throw tooMany(fill, `There are more than ${MAX_FILLED_PERIODS} periods to fill.`);
    }
  }
  return [...combinations.values()];
}

function tooMany({ path }: Fill, message: string): ValidationError {
  return ValidationError.at(path, `${message} Filter the dates, or take a longer grain.`);
}

const CLOCKS_FROM_FINEST = ['second', 'minute', 'hour'] as const;

/** Returns the longest grain with periods that each lie in one combination. */
function finestUnit(dates: readonly DateGroup[], { calendar: _, ...grain }: ResolvedGrain): ResolvedGrain {
  const clock = CLOCKS_FROM_FINEST.find((name) => dates.some((date) => date.grain.name === name));
  const zone = dates.find((date) => date.grain.zone !== undefined)?.grain.zone;
  const needsTime = dates.some((date) => DATE_GRAINS[date.grain.name].needsTime);
  return { ...grain, zone, calendar: undefined, name: clock ?? (needsTime ? 'hour' : 'day') };
}

/** Returns the first and the last unit of the range, from the filters or from the data. */
function endsOf(dates: readonly DateGroup[], combinations: readonly Combination[], fill: Fill, unit: ResolvedGrain) {
  const { from, before } = fill.range;
  let first = from === undefined ? undefined : startAt(from, unit);
  let last = before === undefined ? undefined : startAt(before - 1, unit);
  for (const combination of combinations) {
    const periods = dates.flatMap(({ grain }, at) => {
      const period = combination[at];
      return period === undefined || isGrainOf(grain.name, 'part') ? [] : [{ grain, period }];
    });
    const begin = Math.max(...periods.map(({ grain, period }) => inUnits(period, grain, unit)));
    const end = Math.min(...periods.map(({ grain, period }) => inUnits(behind(period, grain), grain, unit))) - 1;
    if (from === undefined && (first === undefined || begin < first)) first = begin;
    if (before === undefined && (last === undefined || end > last)) last = end;
  }
  return first === undefined || last === undefined ? undefined : { first, last };
}

function behind(period: number, grain: ResolvedGrain): number {
  const table = tableOf(grain);
  if (table === undefined) return periodBehind(period, grain);
  const day = period / DAY_MS;
  return ((table.periods?.at(day)?.last ?? day) + 1) * DAY_MS;
}

/** Converts the beginning of a period to the beginning of its first unit. */
function inUnits(start: number, { name }: ResolvedGrain, unit: ResolvedGrain): number {
  const isInstant = isGrainOf(name, 'clock') || isGrainOf(unit.name, 'period') || unit.zone === undefined;
  return isInstant ? start : instantAt(unit.zone, start);
}

/** Returns the period of a grain in which a unit lies. */
function periodAt(at: number, grain: ResolvedGrain, unit: ResolvedGrain): number | undefined {
  const { name, firstDay } = grain;
  const wall = unit.zone === undefined || isGrainOf(unit.name, 'period') ? at : wallClockAt(unit.zone, at);
  const day = Math.floor(wall / DAY_MS);
  const fiscal = fiscalYearOf(grain);
  const table = tableOf(grain);
  if (table !== undefined) {
    const period = table.periods?.within(day, day).at(-1);
    return period && period.first * DAY_MS;
  }
  if (isGrainOf(name, 'period')) return periodStart(day, name, firstDay, fiscal) * DAY_MS;
  if (isGrainOf(name, 'clock')) return at - (wall - grainAt(wall, name, firstDay));
  if (fiscal === undefined) return grainAt(wall, name, firstDay);
  const month = ((fiscalMonth(day, fiscal) % 12) + 12) % 12;
  return name === 'quarter_of_year' ? Math.floor(month / 3) + 1 : month + 1;
}
