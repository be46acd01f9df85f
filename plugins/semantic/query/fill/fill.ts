/** Periods without facts, put into an answer: each combination of the other fields that appears gets all of them. */

import { DAY_MS, dateText, grainAt, momentText, readMoment } from '../../../../router/calendar.ts';
import type { ColumnarResult, Scalar } from '../../../../router/capabilities/warehouse.ts';
import { cooperativeSort } from '../../../../router/cooperative-sort.ts';
import { cooperativeYield } from '../../../../router/cooperative-yield.ts';
import { isGrainOf } from '../../../../router/date-grains.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { instantAt, wallClockAt } from '../../../../router/time-zone.ts';
import { periodAfter, periodStart } from '../../model/fiscal-year.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import { fiscalYearOf, type ResolvedGrain, tableOf } from '../grain/grain.ts';
import type { Fill, MetricColumn, Order, Plan } from '../plan.ts';

/** Most periods that are filled. */
const MAX_FILLED_PERIODS = 10_000;
/** Most rows of an answer that is filled. */
export const MAX_FILLED_ROWS = 100_000;

const ROWS_BETWEEN_YIELDS = 1_000;

/** A result whose missing periods are there. */
export interface Filled {
  readonly result: ColumnarResult;
  /** For each row whether it was put in. */
  readonly isFilled: readonly boolean[];
}

/** Rows of one combination of the other fields, by period. */
interface Series {
  /** Its first row, which has the values of the other fields; `undefined` where nothing was found at all. */
  readonly first: number | undefined;
  readonly byPeriod: Map<number | undefined, number>;
}

/** A row of the answer: of a series, in a period, found or not. */
interface Placed {
  readonly series: number;
  readonly period: number | undefined;
  readonly row: number | undefined;
}

/**
 * Fills a result whose rows come sorted by the other fields.
 *
 * @throws ValidationError where there would be too much of it
 */
export async function filledResult(plan: Plan, fill: Fill, result: ColumnarResult): Promise<Filled> {
  if (result.truncated || result.rowCount >= plan.limit) {
    throw ValidationError.at(
      fill.path,
      `The answer has more than ${plan.limit - 1} rows, too many to fill. Filter them.`,
    );
  }
  const grain = plan.groups[fill.group]?.grain;
  const dates = result.values[fill.group] ?? [];
  if (grain === undefined) return { result, isFilled: [] };
  const yieldTurn = cooperativeYield();
  const found: (number | undefined)[] = [];
  for (let row = 0; row < result.rowCount; row += 1) {
    if (row % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
    found.push(periodOf(dates[row] ?? null, grain));
  }
  const periods = periodsOf(found, fill, grain);
  const series = await seriesOf(plan, fill, result, found, yieldTurn);
  if (series.length * periods.length > MAX_FILLED_ROWS) {
    throw ValidationError.at(
      fill.path,
      `${periods.length} periods of ${series.length} groups are more than the ${MAX_FILLED_ROWS} rows that are filled. Filter them, or take a longer grain.`,
    );
  }
  const placed: Placed[] = [];
  for (const [index, { byPeriod }] of series.entries()) {
    await yieldTurn();
    for (const period of periods) placed.push({ series: index, period, row: byPeriod.get(period) });
    // What is no date at all stays where nulls are: last.
    if (byPeriod.has(undefined)) placed.push({ series: index, period: undefined, row: byPeriod.get(undefined) });
  }
  const order = await sorted(placed, plan, fill, result, series);
  const kept = fill.limit === undefined ? order : order.slice(0, fill.limit);
  const values = result.values.map((column, index): readonly Scalar[] => {
    const metric = plan.metrics[index - plan.groups.length];
    return kept.map(({ row, series: of, period }) => {
      if (row !== undefined) return column[row] ?? null;
      if (index === fill.group) return period === undefined ? null : cellOf(period, grain);
      if (index >= plan.groups.length) return metric !== undefined && fill.zero && isZeroWhenEmpty(metric) ? 0 : null;
      const first = series[of]?.first;
      return first === undefined ? null : (column[first] ?? null);
    });
  });
  return {
    result: { ...result, values, rowCount: kept.length, truncated: false },
    isFilled: kept.map(({ row }) => row === undefined),
  };
}

/**
 * Tells whether a metric of nothing is 0: counts and sums are, also those of a metric that is referred to and those that a
 * COALESCE makes 0; means and extremes are not.
 */
export function isZeroWhenEmpty({ metric, aggregation }: MetricColumn): boolean {
  const parts = metric.expression.filter((part) => typeof part !== 'string' || !isZeroOfNull(part));
  const [only, ...others] = parts;
  const isOne = others.length === 0 && typeof only === 'object' && only.kind === 'aggregate';
  const own = isOne ? only.aggregation : metric.aggregationKind;
  return ['sum', 'count', 'count_distinct'].includes(aggregation?.toLowerCase() ?? own);
}

/** Tells whether a part of an expression is what stands before or behind the call in `COALESCE(…, 0)`. */
function isZeroOfNull(part: string): boolean {
  return /^\s*COALESCE\s*\(\s*$/i.test(part) || /^\s*,\s*0(?:\.0*)?\s*\)\s*$/.test(part);
}

/** Lists all periods from the first to the last, of the data and of the filters. */
function periodsOf(found: readonly (number | undefined)[], fill: Fill, grain: ResolvedGrain): readonly number[] {
  const table = tableOf(grain);
  if (table !== undefined) return periodsOfTable(found, fill, table);
  let first = fill.range.from === undefined ? undefined : startAt(fill.range.from, grain);
  let last = fill.range.before === undefined ? undefined : startAt(fill.range.before - 1, grain);
  for (const period of found) {
    if (period === undefined) continue;
    if (first === undefined || period < first) first = period;
    if (last === undefined || period > last) last = period;
  }
  const periods: number[] = [];
  if (first === undefined || last === undefined) return periods;
  for (let period = first; period <= last; period = after(period, grain)) {
    if (periods.length === MAX_FILLED_PERIODS) {
      throw ValidationError.at(
        fill.path,
        `There are more than ${MAX_FILLED_PERIODS} periods to fill. Filter the dates, or take a longer grain.`,
      );
    }
    periods.push(period);
  }
  return periods;
}

/** Lists the periods of a table that begin from the first to the last. */
function periodsOfTable(
  found: readonly (number | undefined)[],
  { path, range: { from, before } }: Fill,
  { periods }: PeriodTable,
): readonly number[] {
  const known = found.filter((one) => one !== undefined).map((period) => period / DAY_MS);
  const isIn = new Set(known);
  const ends = known.reduce<{ readonly first: number; readonly last: number } | undefined>(
    (reach, day) => ({ first: Math.min(reach?.first ?? day, day), last: Math.max(reach?.last ?? day, day) }),
    undefined,
  );
  const first = from === undefined ? ends?.first : Math.floor(from / DAY_MS);
  const last = before === undefined ? ends?.last : Math.floor((before - 1) / DAY_MS);
  const filled = (periods?.all ?? []).filter((period) => {
    const isBetween =
      first !== undefined &&
      last !== undefined &&
      (from === undefined ? period.first >= first : period.last >= first) &&
      period.first <= last;
    return isBetween || isIn.has(period.first);
  });
  if (filled.length > MAX_FILLED_PERIODS) {
    throw ValidationError.at(path, `There are more than ${MAX_FILLED_PERIODS} periods to fill. Filter the dates.`);
  }
  return filled.map((period) => period.first * DAY_MS);
}

const CLOCK_MS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;

/**
 * Converts a period to a number that tells it apart and orders it: milliseconds of the clock at its beginning or, of
 * a clock in a zone, the instant, because clocks may show an hour twice.
 */
function periodOf(value: Scalar, grain: ResolvedGrain): number | undefined {
  if (value === null) return undefined;
  const moment = readMoment(String(value));
  if (moment === undefined) return undefined;
  return isGrainOf(grain.name, 'period') ? Math.floor(moment / DAY_MS) * DAY_MS : moment;
}

/** Returns the beginning of the period in which a clock shows `wall`, as a number that tells it apart. */
export function startAt(wall: number, grain: ResolvedGrain): number {
  const { name, zone, firstDay } = grain;
  const calendar = fiscalYearOf(grain);
  if (isGrainOf(name, 'period')) return periodStart(Math.floor(wall / DAY_MS), name, firstDay, calendar) * DAY_MS;
  const start = grainAt(wall, name, firstDay);
  return zone === undefined ? start : instantAt(zone, start);
}

function after(period: number, grain: ResolvedGrain): number {
  const { name, zone, firstDay } = grain;
  const calendar = fiscalYearOf(grain);
  if (isGrainOf(name, 'period')) return periodAfter(period / DAY_MS, name, 1, calendar) * DAY_MS;
  if (!isGrainOf(name, 'clock')) return Number.POSITIVE_INFINITY;
  const next = period + CLOCK_MS[name];
  if (zone === undefined) return next;
  // Clocks may have been turned by less than the period.
  const wall = wallClockAt(zone, next);
  const begun = next - (wall - grainAt(wall, name, firstDay));
  return begun > period ? begun : next;
}

function cellOf(period: number, { name }: ResolvedGrain): string {
  return isGrainOf(name, 'period') ? dateText(period / DAY_MS) : momentText(period);
}

async function seriesOf(
  { groups }: Plan,
  fill: Fill,
  { values, rowCount }: ColumnarResult,
  found: readonly (number | undefined)[],
  yieldTurn: () => Promise<void>,
): Promise<readonly Series[]> {
  const others = groups.flatMap((group, index) => (index === fill.group ? [] : [{ group, index }]));
  const series = new Map<string, Series>();
  for (let row = 0; row < rowCount; row += 1) {
    if (row % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
    const key = JSON.stringify(others.map(({ index }) => textOf(values[index]?.[row] ?? null)));
    let own = series.get(key);
    if (own === undefined) {
      own = { first: row, byPeriod: new Map() };
      series.set(key, own);
    }
    own.byPeriod.set(found[row], row);
  }
  // A date alone has its periods even where no row is.
  if (series.size === 0 && others.length === 0) return [{ first: undefined, byPeriod: new Map() }];
  return [...series.values()];
}

function textOf(value: Scalar): string | null {
  return value === null ? null : `${typeof value} ${value}`;
}

/**
 * Sorts rows as the request wants. The series come in the order of the other fields; where some of those sort before the
 * date, series that are equal in them stand together, so that the first of them is their place.
 */
async function sorted(
  placed: readonly Placed[],
  { order, groups }: Plan,
  { group }: Fill,
  { values }: ColumnarResult,
  series: readonly Series[],
): Promise<readonly Placed[]> {
  const at = order.findIndex(({ by, index }) => by === 'group' && index === group);
  const before = order.slice(0, at);
  const isDescending = order[at]?.direction === 'desc';
  const prefix = prefixesOf(before, values, series);
  const null_ = isDescending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (groups.length === 1 && !isDescending) return placed;
  return cooperativeSort(placed, (left, right) => {
    const first = (prefix[left.series] ?? 0) - (prefix[right.series] ?? 0);
    if (first !== 0) return first;
    const [a, b] = [left.period ?? null_, right.period ?? null_];
    if (a !== b) return isDescending ? (a < b ? 1 : -1) : a < b ? -1 : 1;
    return left.series - right.series;
  });
}

/** Finds for each series the first one that has its values of the fields that sort before the date. */
function prefixesOf(
  before: readonly Order[],
  values: ColumnarResult['values'],
  series: readonly Series[],
): readonly number[] {
  const places = new Map<string, number>();
  return series.map(({ first }, index) => {
    const key = JSON.stringify(before.map((each) => textOf(values[each.index]?.[first ?? 0] ?? null)));
    const place = places.get(key) ?? index;
    places.set(key, place);
    return place;
  });
}
