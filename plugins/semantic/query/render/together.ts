/**
 * Finds subqueries that differ only in the lengths of their windows, or in the distances of their offsets by a calendar's
 * table. Where each reference of a common table is computed anew, their rows are read in one pass: each row then has the
 * number of its window or offset, its `turn`.
 */
import { InternalError } from '../../../../router/errors.ts';
import type { ColumnLeaf } from '../../model/template.ts';
import { kindOfWindow } from '../nodes/aggregate-kinds.ts';
import type { AggregateRef, FactSubquery, PlacedSpread } from '../nodes/plan.ts';
import type { PairedSpread } from '../nodes/shown-days.ts';
import { isOfTable, type WindowQuery } from './windows/requested-windows.ts';

/** The place of a subquery's values among the values of several that are written together. */
export interface Turn {
  /** The number in the column `turn`. */
  readonly turn: number;
  /** For each aggregate of the subquery, its index among all aggregates. */
  readonly aggregates: readonly number[];
}

/** Subqueries that are written together. */
export interface Together {
  readonly subquery: FactSubquery;
  /** The windows; `undefined` for offsets. */
  readonly query: WindowQuery | undefined;
  /** The subqueries, by their index in the plan. */
  readonly turns: ReadonlyMap<number, Turn>;
}

/** Finds windows that are written together. */
export function windowsTogether(queries: ReadonlyMap<number, WindowQuery>): readonly Together[] {
  return alike(queries, rowsOfWindows).map((all) => {
    const { first: query, turns, subquery } = together(all, ({ subquery }) => subquery);
    const lengths = [...all.values()].map(({ window }) => window.length);
    return { subquery, query: { ...query, subquery, lengths }, turns };
  });
}

/** Finds offsets that are written together, among subqueries without windows. */
export function offsetsTogether(subqueries: ReadonlyMap<number, FactSubquery>): readonly Together[] {
  const paired = new Map([...subqueries].filter(([, one]) => pairedOf(one) !== undefined));
  return alike(paired, rowsOfOffset).map((all) => {
    const { turns, subquery } = together(all, (one) => one);
    const each = [...all.values()];
    const pairs = each.flatMap((one) => pairedOf(one)?.by.pairs ?? []);
    const spread = pairedOf(subquery);
    if (spread === undefined) return { subquery, query: undefined, turns };
    const isOne = each.every(({ where }) => textOf(where) === textOf(subquery.where));
    const placed: PlacedSpread = {
      ...spread,
      by: { ...spread.by, together: pairs },
      whereOfEach: isOne ? undefined : each.map(({ where }) => where),
    };
    return { subquery: { ...subquery, spread: placed, where: isOne ? subquery.where : [] }, query: undefined, turns };
  });
}

/** Returns the spread of a subquery by pairs that may be written with others. */
function pairedOf({ spread }: FactSubquery): (PlacedSpread & { readonly by: PairedSpread }) | undefined {
  if (spread === undefined || !('pairs' in spread.by) || spread.by.pairs.kind === 'to') return undefined;
  return { ...spread, by: spread.by };
}

/** Returns the values with equal keys, two or more of each. */
function alike<T>(all: ReadonlyMap<number, T>, keyOf: (one: T) => string): readonly ReadonlyMap<number, T>[] {
  const byKey = new Map<string, Map<number, T>>();
  for (const [index, one] of all) {
    const key = keyOf(one);
    byKey.set(key, (byKey.get(key) ?? new Map<number, T>()).set(index, one));
  }
  return [...byKey.values()].filter(({ size }) => size > 1);
}

function together<T>(all: ReadonlyMap<number, T>, subqueryOf: (one: T) => FactSubquery) {
  const each = [...all].map(([index, one]) => ({ index, one, subquery: subqueryOf(one) }));
  const [first] = each;
  if (first === undefined) throw new InternalError('no subqueries are written together');
  const aggregates = distinct(each.flatMap(({ subquery }) => subquery.aggregates));
  const turns = each.map(({ index, subquery }, turn): [number, Turn] => {
    return [index, { turn, aggregates: subquery.aggregates.map((one) => aggregates.places.get(textOf(one)) ?? 0) }];
  });
  const subqueries = each.map(({ subquery }) => subquery);
  const subquery = withAggregates(first.subquery, subqueries, aggregates.values);
  return { first: first.one, turns: new Map(turns), subquery };
}

function withAggregates(
  subquery: FactSubquery,
  together: readonly FactSubquery[],
  aggregates: readonly AggregateRef[],
): FactSubquery {
  const reads = distinct(together.flatMap((each) => each.reads)).values;
  const carried: readonly ColumnLeaf[] = distinct(together.flatMap((each) => each.distinct?.reads ?? [])).values;
  return {
    ...subquery,
    aggregates,
    reads,
    distinct: subquery.distinct && { ...subquery.distinct, reads: carried },
  };
}

/** Describes all that the rows of windows depend on, but for the lengths of the windows. */
function rowsOfWindows({ subquery, window, countsDistinct }: WindowQuery): string {
  const { base, tree, groups, groupNodes, windowed, where, scope, spread } = subquery;
  const [aggregate] = subquery.aggregates;
  const { length, ...ofWindow } = window;
  return textOf([
    { base, tree, groups, groupNodes, windowed, where, spread, key: subquery.distinct?.key },
    { ...scope, window: ofWindow, table: isOfTable(length) ? length.table : undefined },
    aggregate && kindOfWindow(aggregate),
    countsDistinct,
  ]);
}

/** Describes all that the rows of an offset depend on, but for its distance and the conditions that moved with it. */
function rowsOfOffset(subquery: FactSubquery): string {
  const { base, tree, groups, groupNodes, scope } = subquery;
  const { filters } = scope;
  const spread = pairedOf(subquery);
  const { pairs } = spread?.by ?? {};
  const days =
    pairs?.kind === 'back' ? { ...pairs, count: 0 } : pairs?.kind === 'before' ? { ...pairs, shift: {} } : pairs;
  return textOf([{ base, tree, groups, groupNodes, filters, node: spread?.node, place: spread?.by.place, days }]);
}

function distinct<T>(list: readonly T[]): {
  readonly values: readonly T[];
  readonly places: ReadonlyMap<string, number>;
} {
  const byText = new Map(list.map((each) => [textOf(each), each]));
  return { values: [...byText.values()], places: new Map([...byText.keys()].map((text, index) => [text, index])) };
}

/** Writes a part of a plan as text, without the places in the request that it comes from. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (name, inner: unknown) => {
    if (name === 'path') return undefined;
    if (typeof inner === 'bigint') return `${inner}n`;
    return inner instanceof Map || inner instanceof Set ? [...inner] : inner;
  });
}
