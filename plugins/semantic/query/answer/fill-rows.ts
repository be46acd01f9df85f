/** Adds periods without facts to an answer: each combination of the other fields in the answer gets all periods. */

import type { ColumnarResult, Scalar } from '../../../../router/capabilities/warehouse.ts';
import { cooperativeSort } from '../../../../router/cooperative-sort.ts';
import { cooperativeYield } from '../../../../router/cooperative-yield.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { isZeroWhenEmpty } from '../nodes/aggregate-kinds.ts';
import type { Fill, Order, Plan } from '../nodes/plan.ts';
import {
  type Combination,
  combinationAt,
  combinationsBetween,
  type DateGroup,
  dateGroupsOf,
} from './combinations-between.ts';
import { cellOf } from './periods-between.ts';

/** The most rows of a filled answer. */
export const MAX_FILLED_ROWS = 100_000;

const ROWS_BETWEEN_YIELDS = 1_000;

/** A result with its missing periods filled in. */
export interface Filled {
  readonly result: ColumnarResult;
  /** For each row whether it was added. */
  readonly isFilled: readonly boolean[];
}

/** Rows of one combination of the other fields, by the key of their period. */
interface Series {
  /** Its first row, which has the values of the other fields; `undefined` where the result has no rows. */
  readonly first: number | undefined;
  readonly byPeriods: Map<string, number>;
}

/**
 * A row of the filled answer: its series, its period of each grain, and its row in the result; `undefined` for an added
 * row.
 */
interface Placed {
  readonly series: number;
  readonly periods: Combination;
  readonly row: number | undefined;
}

/**
 * Fills a result with rows sorted by the other fields.
 *
 * @throws ValidationError where the result would be too large
 */
export async function filledResult(plan: Plan, fill: Fill, result: ColumnarResult): Promise<Filled> {
  if (result.truncated || result.rowCount >= plan.limit) {
    throw ValidationError.at(
      fill.path,
      `The answer has more than ${plan.limit - 1} rows, too many to fill. Filter them.`,
    );
  }
  const dates = dateGroupsOf(plan, fill);
  const yieldTurn = cooperativeYield();
  const combinations: Combination[] = [];
  for (let row = 0; row < result.rowCount; row += 1) {
    if (row % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
    combinations.push(combinationAt(dates, result, row));
  }
  const all = await combinationsBetween(dates, combinations, fill, yieldTurn);
  const series = await seriesOf(plan, fill, result, combinations, yieldTurn);
  if (series.length * all.length > MAX_FILLED_ROWS) {
    throw ValidationError.at(
      fill.path,
      `${all.length} periods of ${series.length} groups are more than the ${MAX_FILLED_ROWS} rows that are filled. Filter them, or take a longer grain.`,
    );
  }
  const placed: Placed[] = [];
  for (const [index, { byPeriods }] of series.entries()) {
    await yieldTurn();
    for (const periods of all) placed.push({ series: index, periods, row: byPeriods.get(String(periods)) });
    // Values that are not dates come last, like nulls.
    for (const row of byPeriods.values()) {
      const periods = combinations[row];
      if (periods?.includes(undefined)) placed.push({ series: index, periods, row });
    }
  }
  const order = await sorted(placed, plan, dates, result, series);
  const kept = fill.limit === undefined ? order : order.slice(0, fill.limit);
  const values = result.values.map((column, index): readonly Scalar[] => {
    const metric = plan.metrics[index - plan.groups.length];
    const at = dates.findIndex((date) => date.index === index);
    const grain = dates[at]?.grain;
    return kept.map(({ row, series: of, periods }) => {
      if (row !== undefined) return column[row] ?? null;
      const period = periods[at];
      if (grain !== undefined) return period === undefined ? null : cellOf(period, grain);
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

async function seriesOf(
  { groups }: Plan,
  { dates }: Fill,
  { values, rowCount }: ColumnarResult,
  combinations: readonly Combination[],
  yieldTurn: () => Promise<void>,
): Promise<readonly Series[]> {
  const others = groups.flatMap((_, index) => (dates.includes(index) ? [] : [index]));
  const textAt = (row: number) => (index: number) => typedText(values[index]?.[row] ?? null);
  const series = new Map<string, Series>();
  for (let row = 0; row < rowCount; row += 1) {
    if (row % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
    const key = JSON.stringify(others.map(textAt(row)));
    let rowsOfSeries = series.get(key);
    if (rowsOfSeries === undefined) {
      rowsOfSeries = { first: row, byPeriods: new Map() };
      series.set(key, rowsOfSeries);
    }
    const periods = combinations[row];
    const isKnown = periods?.includes(undefined) === false;
    rowsOfSeries.byPeriods.set(isKnown ? String(periods) : JSON.stringify(dates.map(textAt(row))), row);
  }
  // Without other fields, a date has its periods even if the result has no rows.
  if (series.size === 0 && others.length === 0) return [{ first: undefined, byPeriods: new Map() }];
  return [...series.values()];
}

function typedText(value: Scalar): string | null {
  return value === null ? null : `${typeof value} ${value}`;
}

/**
 * Sorts rows as the request asks. The series come in the order of the other fields. Where some of those fields sort before a
 * date, series that are equal in them stay together: the first of them decides their place.
 */
async function sorted(
  placed: readonly Placed[],
  { order, groups }: Plan,
  dates: readonly DateGroup[],
  { values }: ColumnarResult,
  series: readonly Series[],
): Promise<readonly Placed[]> {
  if (groups.length === 1 && order[0]?.direction !== 'desc') return placed;
  const others: Order[] = [];
  const steps = order.map((each) => {
    const at = dates.findIndex(({ index }) => each.by === 'group' && each.index === index);
    if (at >= 0) return byPeriod(at, each.direction === 'desc');
    others.push(each);
    const places = prefixesOf(others, values, series);
    return (left: Placed, right: Placed) => (places[left.series] ?? 0) - (places[right.series] ?? 0);
  });
  return cooperativeSort(placed, (left, right) => {
    for (const step of steps) {
      const difference = step(left, right);
      if (difference !== 0) return difference;
    }
    return left.series - right.series;
  });
}

/** Returns a comparator of rows by their periods of one grain, nulls last. */
function byPeriod(at: number, isDescending: boolean) {
  const none = isDescending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return (left: Placed, right: Placed) => {
    const [a, b] = [left.periods[at] ?? none, right.periods[at] ?? none];
    if (a === b) return 0;
    return a < b === isDescending ? 1 : -1;
  };
}

/** Returns for each series the first series with the same values of some fields. */
function prefixesOf(
  fields: readonly Order[],
  values: ColumnarResult['values'],
  series: readonly Series[],
): readonly number[] {
  const places = new Map<string, number>();
  return series.map(({ first }, index) => {
    const key = JSON.stringify(fields.map((each) => typedText(values[each.index]?.[first ?? 0] ?? null)));
    const place = places.get(key) ?? index;
    places.set(key, place);
    return place;
  });
}
