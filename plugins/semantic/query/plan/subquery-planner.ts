/** Turns the collected parts of one base dataset into a subquery of the plan. */

import { InternalError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { Path } from '../../model/relationship-graph.ts';
import {
  type AggregateScope,
  type Bound,
  type ColumnLeaf,
  type Conversion,
  isOfDays,
  leavesOf,
  leavesOfScope,
  type Offset,
  type Window,
} from '../../model/template.ts';
import { TreeBuilder } from '../joins/join-tree.ts';
import { placesOf } from '../nodes/conditions.ts';
import { isSameDate } from '../nodes/date-range.ts';
import { zoneOf } from '../nodes/grain.ts';
import type { AggregateRef, DatedRows, FactSubquery, MovedEnd, PlacedCondition, PlacedField } from '../nodes/plan.ts';
import type { Condition, ResolvedGroup } from '../nodes/resolved-query.ts';
import { collectErrors } from './collect-errors.ts';
import { conversionStep, isByDay } from './conversion-window.ts';
import { distinctRowKey, isRepeated } from './double-counting.ts';
import { placedSpread, type RowsPlanner } from './rows-planner.ts';
import { groupsOfDate } from './semi-additive.ts';
import { fieldOfDate, knownPeriods, windowConditions, windowDate } from './window-groups.ts';

/** The collected parts of a subquery: all that one pass over its base dataset computes. */
export interface Gathering {
  readonly base: string;
  readonly purpose: string;
  readonly at: RequestPath;
  readonly aggregates: AggregateRef[];
  readonly scope: AggregateScope;
  /** The kind of its windows' aggregates, see `kindOfWindow`; `undefined` without windows. */
  readonly windows: string | undefined;
}

/** Rows with a date; `fansOut` is true where they may have a row of the base several times. */
type WindowRows = DatedRows & { readonly fansOut: boolean };

/** The period of a day, which is its own first day. */
const DAYS: NamedPeriod = { period: 'day', calendar: undefined };

/** A condition that no row passes. */
const NOTHING: Bound = ['1 = 0'];

/** All rows of a group, and no others. */
export const WHOLE_GROUP: AggregateScope = Object.freeze({});

/** Plans the subqueries of a query over its rows. */
export class SubqueryPlanner {
  readonly #rows: RowsPlanner;

  constructor(rows: RowsPlanner) {
    this.#rows = rows;
  }

  /** Plans one subquery: plain, of windows, or of conversions. */
  plan(gathering: Gathering, bases: readonly string[]): FactSubquery {
    const { base, purpose, at, aggregates, scope } = gathering;
    if (scope.window !== undefined) return this.#windowed(gathering, scope.window, bases);
    if (scope.conversion !== undefined) return this.#converted(gathering, scope.conversion, bases);
    const carried = distinctLeaves(aggregates.flatMap(({ call }) => leavesOf(call.call)));
    const reads = distinctLeaves([...carried, ...leavesOfScope(scope)]);
    // Each row of the aggregate's dataset has one row in every other dataset that the aggregate reads, so these joins
    // change neither rows nor grain.
    const paths = reads.map(({ dataset }) => this.#rows.pathOfRead(base, dataset, at));
    const rows = this.#rows.planRows(base, purpose, paths, bases, undefined, scope.offset);
    return Object.freeze({
      base,
      tree: rows.tree,
      groups: rows.groups,
      groupNodes: rows.groupNodes,
      distinct: isRepeated(rows, base, this.#rows)
        ? { key: distinctRowKey(base, purpose, bases, this.#rows), reads: carried }
        : undefined,
      reads,
      scope: rows.isOfNoDay ? { ...scope, filters: [NOTHING] } : scope,
      periods: scope.taken && groupsOfDate(scope.taken, base, rows.groups, rows, this.#rows.model),
      spread: rows.spread,
      where: rows.where,
      aggregates,
    });
  }

  /** Plans the rows of windows. Rows that the filters on the date remove may still be in a window. */
  #windowed({ base, purpose, at, aggregates, scope }: Gathering, window: Window, bases: readonly string[]) {
    const { time } = this.#rows.query;
    const calendar = this.#rows.calendarOf(base, purpose);
    const { offset } = scope;
    const { groups, conditions, spread, isOfNoDay, moved } = this.#windowRequest(
      collectErrors(this.#rows.groups, (group) => calendar.place(group)),
      calendar.conditions(this.#rows.query.conditions),
      offset,
    );
    const carried = distinctLeaves(aggregates.flatMap(({ call }) => leavesOf(call.call)));
    const reads = distinctLeaves([...carried, ...leavesOfScope(scope)]);
    const paths = reads.map(({ dataset }) => this.#rows.pathOfRead(base, dataset, at));
    const date = windowDate(fieldOfDate(window.by, this.#rows.model), [...groups, ...placesOf(conditions)], at, time);
    const axis = groups.flatMap((group, index) => (isSameDate(group, date) ? [index] : []));
    const parts = windowConditions(conditions, date, time);
    const dated = (onto: readonly ResolvedGroup[], left: readonly Condition[], read: readonly Path[]): WindowRows => {
      const rows = this.#rows.planRows(base, purpose, read, bases, { groups: [...onto, date], conditions: left });
      const node = rows.groupNodes.at(-1);
      if (node === undefined) throw new InternalError('a date has no place among the rows of its metric');
      const { field, via, grain } = date;
      const by: PlacedField = { field, via, grain, node };
      const isDated: PlacedCondition = { kind: 'test', filter: { ...date, node, test: { kind: 'notNull' } } };
      const { tree, groupNodes, where, fansOut } = rows;
      const placed = { tree, groupNodes: groupNodes.slice(0, -1), by, where: [...where, isDated], fansOut };
      return { ...placed, spread: spread === undefined ? undefined : placedSpread(spread, onto, groupNodes) };
    };
    const onAxis = groups.filter((_, index) => axis.includes(index));
    const shown = dated(groups, [...conditions, ...knownPeriods(onAxis)], paths);
    const past = dated(groups, parts.past, paths);
    const ends = dated(onAxis, parts.dates, []);
    return Object.freeze({
      base,
      tree: past.tree,
      groups: groups.map(({ field, via, grain }) => ({ field, via, grain })),
      groupNodes: past.groupNodes,
      distinct: past.fansOut ? { key: distinctRowKey(base, purpose, bases, this.#rows), reads: carried } : undefined,
      reads,
      scope: isOfNoDay ? { ...scope, filters: [NOTHING] } : scope,
      windowed: { by: past.by, axis, shown, ends, firstDay: parts.firstDay, lastDay: parts.lastDay, moved },
      where: past.where,
      aggregates,
    });
  }

  /**
   * Returns the groups and conditions of windows, moved to an earlier time where the metric is offset, and the ends of the
   * windows.
   */
  #windowRequest(groups: readonly ResolvedGroup[], conditions: readonly Condition[], offset: Offset | undefined) {
    if (offset === undefined) return { groups, conditions, spread: undefined, isOfNoDay: false, moved: undefined };
    const movedRequest = this.#rows.offset(offset, groups, conditions);
    const { isOfNoDay = false } = movedRequest;
    const { spread } = movedRequest;
    const paired: MovedEnd | undefined =
      spread !== undefined && 'pairs' in spread ? { kind: 'pairs', pairs: spread.pairs } : undefined;
    if (offset.to === undefined) {
      const { shift } = offset;
      // Without a period in the answer, the filters have moved instead.
      const moved = paired ?? (shift.unit === 'period' ? undefined : ({ kind: 'back', shift } as const));
      return { ...movedRequest, isOfNoDay, moved };
    }
    const period = isOfDays(offset.to) ? DAYS : offset.to;
    const moved: MovedEnd = paired ?? { kind: 'to', period, day: movedRequest.day };
    // The window of a shown period ends with a first day, whether or not that day has facts.
    return movedRequest.spread === undefined
      ? { ...movedRequest, isOfNoDay, moved }
      : { groups, conditions, spread: undefined, isOfNoDay, moved };
  }

  /** Plans the rows of base events, and the rows of the events that they convert to. */
  #converted({ base, purpose, at, aggregates, scope }: Gathering, conversion: Conversion, bases: readonly string[]) {
    const { time } = this.#rows.query;
    const { dataset: from } = conversion.conversion;
    const carried = distinctLeaves(aggregates.flatMap(({ call }) => leavesOf(call.call)));
    const ofEvents = distinctLeaves([...carried, ...leavesOfScope(scope)]);
    const reads = distinctLeaves(conversion.base.filters.flatMap((each) => leavesOf(each)));
    const treeOf = (root: string, leaves: readonly ColumnLeaf[]) => {
      const tree = new TreeBuilder(root, []);
      for (const { dataset } of leaves) tree.fromBase(this.#rows.pathOfRead(root, dataset, at));
      return tree.tree();
    };
    const paths = reads.map(({ dataset }) => this.#rows.pathOfRead(base, dataset, at));
    const rows = this.#rows.planRows(base, purpose, paths, bases, undefined, scope.offset);
    const byDay = isByDay(conversion);
    const filters = scope.filters ?? [];
    const nothing = rows.isOfNoDay ? [NOTHING] : [];
    return Object.freeze({
      base,
      tree: rows.tree,
      groups: rows.groups,
      groupNodes: rows.groupNodes,
      distinct: undefined,
      reads,
      scope,
      converted: {
        key: distinctRowKey(base, purpose, bases, this.#rows),
        base: {
          ...conversion.base,
          filters: [...conversion.base.filters, ...nothing],
          tree: treeOf(base, reads),
          zone: zoneOf(fieldOfDate(conversion.base.by, this.#rows.model), time),
        },
        conversion: {
          ...conversion.conversion,
          filters,
          tree: treeOf(from, ofEvents),
          zone: zoneOf(fieldOfDate(conversion.conversion.by, this.#rows.model), time),
        },
        byDay,
        step: conversionStep(conversion, byDay),
      },
      spread: rows.spread,
      where: rows.where,
      aggregates,
    });
  }
}

function distinctLeaves(leaves: readonly ColumnLeaf[]): readonly ColumnLeaf[] {
  const byKey = new Map(leaves.map((leaf) => [JSON.stringify([leaf.dataset, leaf.column]), leaf]));
  return [...byKey.values()];
}
