/**
 * Finds subqueries whose values a roll-up of the model has. A roll-up answers where its values can be combined without a
 * change of any digit, and where every field that groups or filters follows from its own fields. In every other case the
 * rows of the dataset are read.
 */
import { compareUses, type RollupUse } from '../../../query-surface/index.ts';
import type { Model, Rollup, RollupField, RollupMetric } from '../../model/model.ts';
import { sourceName } from '../../model/source.ts';
import type { Bound, BoundAggregate, ColumnLeaf } from '../../model/template.ts';
import { singleDatasetTree } from '../joins/join-tree.ts';
import { fiscalYearOf, type ResolvedGrain, tableOf, zoneOf } from '../nodes/grain.ts';
import { GRAINS_OF } from '../nodes/grains-of-periods.ts';
import type {
  AggregateRef,
  FactSubquery,
  JoinTree,
  Node,
  PlacedCondition,
  PlacedSpread,
  RolledUp,
} from '../nodes/plan.ts';
import type { FieldInRole, ResolvedFilter } from '../nodes/resolved-query.ts';
import { isLayered } from '../nodes/subquery-kinds.ts';

export interface RollupSettings {
  readonly useOf: (rollup: Rollup) => RollupUse;
  readonly failureOf?: ((rollup: Rollup) => string | undefined) | undefined;
  /** True where texts that are grouped by their collation may be written differently. */
  readonly hasCollations: boolean;
}

/**
 * Returns the subquery of the roll-up that can answer: of several, one that may be read, with the fewest fields.
 *
 * @param countsRows whether the number of rows of each group is needed too, for masking
 */
export function rolledUp(
  subquery: FactSubquery,
  countsRows: boolean,
  model: Model,
  { useOf, failureOf, hasCollations }: RollupSettings,
): RolledUp | undefined {
  const candidates = model.rollups.flatMap((rollup): readonly (RolledUp & { readonly fields: number })[] => {
    const answered = answeredBy(rollup, subquery, { countsRows, model, hasCollations });
    if (answered === undefined) return [];
    const { name, table, fields } = rollup;
    return [
      {
        rollup: name,
        table: sourceName(table.source),
        use: useOf(rollup),
        failure: failureOf?.(rollup),
        subquery: answered,
        fields: fields.length,
      },
    ];
  });
  const [best] = candidates.toSorted((left, right) => compareUses(left.use, right.use) || left.fields - right.fields);
  if (best === undefined) return undefined;
  const { fields: _, ...found } = best;
  return Object.freeze(found);
}

interface Answering {
  readonly countsRows: boolean;
  readonly model: Model;
  readonly hasCollations: boolean;
}

/** Returns a subquery of the roll-up's rows with the same values; `undefined` where it may have others. */
function answeredBy(rollup: Rollup, subquery: FactSubquery, answering: Answering): FactSubquery | undefined {
  const { base, tree, scope, distinct, groups, groupNodes, where, aggregates, spread } = subquery;
  const { filters = [], taken } = scope;
  if (rollup.dataset !== base || isLayered(subquery) || distinct !== undefined || taken !== undefined) return undefined;
  if (tree.bridge.length > 0 || aggregates.length === 0 || isRestricted(tree, answering.model)) return undefined;
  const calls = aggregates.map((one) => storedCall(one, rollup));
  if (calls.includes(undefined)) return undefined;
  const counted = filters.length === 0 ? rollup.rows : rowsOf(filters, rollup);
  if (counted === undefined && (answering.countsRows || filters.length > 0)) return undefined;
  const places = new StoredPlaces(rollup, tree, answering);
  const storedGroups = groups.map((group, index) => places.place(group, groupNodes[index]));
  const storedWhere = where.map((one) => places.condition(one));
  const storedSpread = spread === undefined ? undefined : places.spread(spread);
  if (storedGroups.includes(undefined) || storedWhere.includes(undefined)) return undefined;
  if (spread !== undefined && storedSpread === undefined) return undefined;
  const storedTree = places.tree;
  const countedBy = counted === undefined ? undefined : leafOf(rollup, counted);
  return Object.freeze({
    base,
    tree: storedTree,
    groups: storedGroups.filter((one) => one !== undefined),
    groupNodes: groups.map(() => storedTree.root),
    distinct: undefined,
    reads: [],
    // A group whose rows the filter leaves out is in no answer.
    scope: { ...scope, filters: filters.length === 0 || countedBy === undefined ? undefined : [[countedBy, ' > 0']] },
    spread: storedSpread,
    where: storedWhere.filter((one) => one !== undefined),
    aggregates: calls.filter((one) => one !== undefined),
    countedBy,
  });
}

/** Returns whether the caller may not see all rows: a roll-up has the values of all. */
export function isRestricted({ root, joins }: JoinTree, { datasets }: Model): boolean {
  return [root, ...joins.map(({ node }) => node)].some(({ dataset }) => datasets.get(dataset)?.rowFilter !== undefined);
}

/** Returns the column with the number of rows that the filters of a metric leave. */
function rowsOf(filters: readonly Bound[], { metrics }: Rollup): string | undefined {
  const key = JSON.stringify(filters);
  return metrics.find(({ call, rows }) => rows !== undefined && JSON.stringify(call.scope?.filters) === key)?.rows;
}

/** Returns the roll-up's metric with the values of a call. */
function metricOf({ call, aggregation }: AggregateRef, { metrics }: Rollup): RollupMetric | undefined {
  if (aggregation !== undefined && call.argument !== undefined && aggregation !== call.aggregation) return undefined;
  const key = callKey(call);
  return metrics.find((one) => callKey(one.call) === key);
}

/**
 * Writes what a call computes of the rows of its dataset. The time to which it is moved is no part of it, nor is the counted
 * dataset: that is the dataset of the subquery, and only calls that a metric names by another metric have it written out.
 */
export function callKey({ aggregation, call, argument, scope }: BoundAggregate): string {
  return JSON.stringify([aggregation, call, argument, scope?.filters ?? []]);
}

/** Returns the call that combines the values of a roll-up. */
function storedCall(aggregate: AggregateRef, rollup: Rollup): AggregateRef | undefined {
  const metric = metricOf(aggregate, rollup);
  if (metric === undefined) return undefined;
  const { call } = aggregate;
  const leaf = leafOf(rollup, metric.column);
  const combined = call.aggregation === 'count' ? 'sum' : call.aggregation;
  return Object.freeze({
    call: { ...call, call: [`${combined.toUpperCase()}(`, leaf, ')'], argument: undefined },
    aggregation: undefined,
    sumsCounts: call.aggregation === 'count',
  });
}

function leafOf({ name }: Rollup, column: string): ColumnLeaf {
  return { kind: 'column', dataset: name, column };
}

/** Finds the columns of a roll-up that have the values of places. */
class StoredPlaces {
  /** The tree of the roll-up's table alone. */
  readonly tree: JoinTree;
  readonly #rollup: Rollup;
  readonly #tree: JoinTree;
  readonly #answering: Answering;

  constructor(rollup: Rollup, tree: JoinTree, answering: Answering) {
    this.tree = singleDatasetTree(rollup.name);
    this.#rollup = rollup;
    this.#tree = tree;
    this.#answering = answering;
  }

  /** Returns a group of rows as a group of the roll-up's rows. */
  place({ field, grain }: FieldInRole, node: Node | undefined): FieldInRole | undefined {
    return this.#stored({ field, grain, via: [] }, node, false);
  }

  condition(condition: PlacedCondition): PlacedCondition | undefined {
    switch (condition.kind) {
      case 'test': {
        const { filter } = condition;
        // A range of time tests the moment itself, not its period.
        const place = this.#stored(filter, filter.node, isOfMoment(filter));
        if (place === undefined) return undefined;
        const { field, grain } = place;
        return { kind: 'test', filter: { ...filter, field, grain, via: [], node: this.tree.root } };
      }
      case 'any':
      case 'all': {
        const of = condition.of.map((one) => this.condition(one));
        return of.includes(undefined) ? undefined : { ...condition, of: of.filter((one) => one !== undefined) };
      }
      case 'among':
      case 'match':
        return undefined;
    }
  }

  /** Returns the days that show rows, where they depend on nothing but the days of the rows. */
  spread({ by, node, whereOfEach }: PlacedSpread): PlacedSpread | undefined {
    if ('pairs' in by || whereOfEach !== undefined) return undefined;
    const place = this.#stored(by.place, node, false);
    if (place === undefined) return undefined;
    return { by: { ...by, place: { ...by.place, ...place } }, node: this.tree.root };
  }

  /** @param isOfMoment true where the field itself is meant, whatever its grain */
  #stored(place: FieldInRole, node: Node | undefined, isOfMoment: boolean): FieldInRole | undefined {
    const { field, grain } = place;
    const path = node === undefined ? undefined : pathOf(node, this.#tree);
    if (path === undefined || (field.type === 'text' && this.#answering.hasCollations)) return undefined;
    const stored = this.#rollup.fields.find(
      (one) =>
        one.field.dataset === field.dataset &&
        one.field.name === field.name &&
        JSON.stringify(one.path) === JSON.stringify(path) &&
        this.#follows(grain, isOfMoment, one),
    );
    if (stored === undefined) return undefined;
    const storedGrain = grain && stored.grain !== undefined ? { ...grain, zone: undefined } : grain;
    return { field: stored.stored, via: [], grain: storedGrain };
  }

  /** Returns whether a grain of a date, or the date itself, follows from the values of a roll-up's field. */
  #follows(wanted: ResolvedGrain | undefined, isOfMoment: boolean, { field, grain }: RollupField): boolean {
    if (tableOf(wanted) !== undefined) return false;
    if (grain === undefined) return true;
    // The day of a date is the date.
    const isDate = grain === 'day' && field.type === 'date';
    if (wanted === undefined || isOfMoment) return isDate;
    const { time } = this.#answering.model;
    if (wanted.zone !== zoneOf(field, time) || wanted.firstDay !== time.firstDay) return false;
    if (wanted.moved !== undefined && !(grain === 'day' && isOfDays(wanted.moved))) return false;
    if (fiscalYearOf(wanted) !== undefined && grain !== 'day') return false;
    return GRAINS_OF[grain].has(wanted.name);
  }
}

/** Returns whether days are moved to days at a fixed distance. */
export function isOfDays(moved: NonNullable<ResolvedGrain['moved']>): boolean {
  return moved.kind !== 'shown' && moved.shift.unit !== 'millisecond';
}

/** Returns whether a filter tests a moment itself, and not its period. */
export function isOfMoment({ grain, test }: ResolvedFilter): boolean {
  return grain === undefined || test.kind === 'within';
}

/** Returns the relationships from the root of a tree to a node. */
export function pathOf(node: Node, { root, joins }: JoinTree): readonly string[] | undefined {
  if (isSame(node, root)) return [];
  const join = joins.find((one) => isSame(one.node, node));
  const before = join && pathOf(join.parent, { root, joins, bridge: [] });
  return join && before && [...before, join.relationship];
}

function isSame(left: Node, right: Node): boolean {
  return left.dataset === right.dataset && left.role === right.role;
}
