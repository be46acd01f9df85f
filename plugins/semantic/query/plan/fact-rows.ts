/** The source of a subquery's rows: the joined datasets, the path of the joins, and the datasets that only filter. */
import { InternalError, ValidationError } from '../../../../router/errors.ts';
import type { JoinGraph, Path } from '../../model/join-graph.ts';
import { TreeBuilder } from '../joins/join-tree.ts';
import { chosen, describeWay, relationshipsOf, viasOf, type Way, waysOver, waysTo } from '../joins/join-ways.ts';
import { placesOf } from '../nodes/conditions.ts';
import type { Among, JoinTree, Node, PlacedCondition, Plan, SemiJoin } from '../nodes/plan.ts';
import type { Condition, FieldInRole, ResolvedAmong, ResolvedGroup, ResolvedPlace } from '../nodes/resolved-query.ts';
import { collectErrors, ErrorCollector } from './collect-errors.ts';

export interface FactRows {
  readonly tree: JoinTree;
  readonly groupNodes: readonly Node[];
  /** True where a row of the base may be in the tree more than once. */
  readonly fansOut: boolean;
  readonly where: readonly PlacedCondition[];
  /** Names of `via` that this subquery goes along, by the place of the field reference. */
  readonly viaUsed: ReadonlyMap<ResolvedPlace, readonly string[]>;
}

export interface FactRowsRequest {
  readonly base: string;
  /** The use of the rows, such as `The metric net_sales`. */
  readonly purpose: string;
  readonly groups: readonly ResolvedGroup[];
  readonly conditions: readonly Condition[];
  /** Other datasets that the aggregates read. */
  readonly reads: readonly Path[];
  readonly graph: JoinGraph;
  /** Lists the datasets that may be at the place of a field reference. */
  readonly datasetsAt: (place: ResolvedPlace) => readonly string[];
  /** Plans how the groups of a membership are computed. */
  readonly planOf: (among: ResolvedAmong) => Plan;
}

interface Chosen {
  readonly way: Way;
  readonly used: readonly string[];
}

/**
 * Returns the rows of `base` with the joins that `groups` and `filters` need.
 *
 * - A dataset that the base reaches (many to one) is joined.
 * - Groups that it does not reach are reached from the many side: through the one dataset that meets both, where all of
 *   them turn.
 * - A filter that it does not reach tests the rows of a dataset that reaches it, if there is one. Otherwise it selects
 *   rows of the base by a semi-join.
 *
 * @throws ValidationError at each field reference that no path leads to, or several
 */
export function planFactRows(request: FactRowsRequest): FactRows {
  const { base, groups, conditions, reads, graph } = request;
  const filters = placesOf(conditions);
  const isStraight = ({ field: { dataset } }: FieldInRole) => dataset === base || graph.reachable(base).has(dataset);
  const errors = new ErrorCollector();
  const straight = new Map<ResolvedPlace, Chosen>();
  for (const place of [...groups, ...filters].filter(isStraight)) {
    const way = errors.attempt(() => only(waysTo(base, place.field.dataset, graph), place, request));
    if (way !== undefined) straight.set(place, way);
  }
  const beyond = groups.filter((group) => !isStraight(group));
  const bridge = beyond.length === 0 ? undefined : errors.attempt(() => bridgeOf(beyond, request));
  // Without the bridge it is ambiguous whether a filter tests its rows.
  const isBridged = bridge !== undefined || beyond.length === 0;
  const ways = new Map<ResolvedPlace, Chosen & { readonly isTurned: boolean }>();
  for (const filter of isBridged ? filters.filter((each) => !isStraight(each)) : []) {
    const turned = turnedWays(filter, bridge, request);
    const isTurned = turned.length > 0;
    const candidates = isTurned ? turned : waysTo(base, filter.field.dataset, graph);
    const way = errors.attempt(() => only(candidates, filter, request));
    if (way !== undefined) ways.set(filter, { ...way, isTurned });
  }
  errors.throwAll();

  const builder = new TreeBuilder(base, bridge?.back ?? []);
  for (const path of reads) builder.fromBase(path);
  const viaUsed = new Map<ResolvedPlace, readonly string[]>();
  const groupNodes = groups.map((group) => {
    const choice = straight.get(group);
    if (choice === undefined) {
      const turned = bridge?.ways.get(group);
      viaUsed.set(group, turned?.used ?? []);
      return builder.fromTurn(turned?.way.path ?? []);
    }
    viaUsed.set(group, choice.used);
    return builder.fromBase(choice.way.path);
  });

  const tested = new Map<ResolvedPlace, Node>();
  const selecting = new Map<ResolvedPlace, Way>();
  for (const filter of filters) {
    const choice = straight.get(filter) ?? ways.get(filter);
    if (choice === undefined) throw new InternalError('a filter was neither placed nor refused');
    const { way, used } = choice;
    viaUsed.set(filter, used);
    if (straight.has(filter)) tested.set(filter, builder.fromBase(way.path));
    else if (ways.get(filter)?.isTurned === true) tested.set(filter, builder.fromTurn(way.path));
    else selecting.set(filter, way);
  }
  const where = placedConditions(conditions, { ...request, tested, selecting });
  return { tree: builder.tree(), groupNodes, fansOut: bridge !== undefined, where, viaUsed };
}

/** The dataset where groups beyond the base turn, and each group's path from there. */
interface Bridge {
  readonly turn: string;
  readonly back: Path;
  readonly ways: ReadonlyMap<ResolvedGroup, Chosen>;
}

/**
 * Finds the bridge: all groups beyond the base turn at one dataset and come back along one path, so that each row of
 * it joins one combination.
 */
function bridgeOf(beyond: readonly ResolvedGroup[], request: FactRowsRequest): Bridge {
  const { base, graph } = request;
  const targets = [...new Set(beyond.map(({ field }) => field.dataset))];
  const turns = graph.commonDatasets([base, ...targets]);
  const [first] = beyond;
  if (turns.length === 0 && first !== undefined) throw unreached(first, request);
  const waysFor = new Map(
    beyond.map((group) => [group, turns.flatMap((turn) => waysOver(turn, base, group.field.dataset, graph))]),
  );
  const choices = beyond.map((group) => ({ group, ...chosen(waysFor.get(group) ?? [], group.via) }));
  const bridgeKey = ({ turn, back }: Way) => JSON.stringify([turn, back.map(({ relationship }) => relationship)]);
  const bridges = choices.map(({ ways }) => new Set(ways.map(bridgeKey)));
  const isShared = (way: Way) => bridges.every((keys) => keys.has(bridgeKey(way)));
  const kept = choices.map((choice) => ({ ...choice, ways: choice.ways.filter(isShared) }));
  const ways = collectErrors(kept, ({ group, ways, used }): readonly [ResolvedGroup, Chosen] => {
    const [way, ...others] = ways;
    if (way !== undefined && others.length === 0) return [group, { way, used }];
    throw ambiguous(group, ways, waysFor.get(group) ?? [], request);
  });
  const [one] = ways;
  if (one === undefined) throw new InternalError('a bridge leads to no group');
  const [, { way }] = one;
  return { turn: way.turn, back: way.back, ways: new Map(ways) };
}

/** Returns the paths of a filter over the bridge of the groups; none where its `via` names other facts. */
function turnedWays(
  filter: ResolvedPlace,
  bridge: Bridge | undefined,
  { base, graph }: FactRowsRequest,
): readonly Way[] {
  if (bridge === undefined) return [];
  const { turn, back } = bridge;
  const ways = graph.paths(turn, filter.field.dataset).map((path): Way => ({ turn, back, path }));
  const elsewhere = chosen(waysTo(base, filter.field.dataset, graph), filter.via).used;
  const { used } = chosen(ways, filter.via);
  return elsewhere.length > used.length ? [] : ways;
}

/** Returns the one possible path. The caller must choose between two or more. */
function only(ways: readonly Way[], place: ResolvedPlace, request: FactRowsRequest): Chosen {
  if (ways.length === 0) throw unreached(place, request);
  const { ways: left, used } = chosen(ways, place.via);
  const [way, ...others] = left;
  if (way !== undefined && others.length === 0) return { way, used };
  throw ambiguous(place, left, ways, request);
}

function ambiguous(
  place: ResolvedPlace,
  left: readonly Way[],
  all: readonly Way[],
  { base, purpose }: FactRowsRequest,
) {
  const { dataset } = place.field;
  const ways = left.length === 0 ? all : left;
  const described = ways.map((way) => describeWay(base, way)).join('; ');
  const said = place.via.length === 0 ? '' : `, and "${place.via.join(', ')}" does not say which`;
  return ValidationError.at(
    [...place.path, 'via'],
    `${purpose} is of ${base}, and ${dataset} can be reached from there in more than one way${said}: ${described}. Name the relationship that is meant in "via".`,
    viasOf(ways, all),
  );
}

function unreached(place: ResolvedPlace, { base, purpose, datasetsAt }: FactRowsRequest) {
  return ValidationError.at(
    [...place.path, 'dataset'],
    `${purpose} belongs to ${base}, and no relationship leads to ${place.field.dataset}.`,
    datasetsAt(place),
  );
}

interface Placing extends FactRowsRequest {
  /** The places of the fields that the subquery's own tree reaches. */
  readonly tested: ReadonlyMap<ResolvedPlace, Node>;
  /** Paths to the fields that it does not reach. */
  readonly selecting: ReadonlyMap<ResolvedPlace, Way>;
}

/** A condition on rows of another dataset, and the paths to its fields. */
interface Selected {
  readonly ways: readonly Way[];
  readonly place: (nodes: readonly Node[]) => PlacedCondition;
}

/**
 * Places conditions that must all be true. Conditions that select by rows of another dataset along one path test one and the
 * same row; under OR each is tested on its own.
 */
function placedConditions(conditions: readonly Condition[], placing: Placing): readonly PlacedCondition[] {
  const place = (all: readonly Condition[]) => placedConditions(all, placing);
  const tests: PlacedCondition[] = [];
  const selected: Selected[] = [];
  const groups: PlacedCondition[] = [];
  for (const condition of conditions) {
    if (condition.kind === 'filter') {
      const { filter } = condition;
      put([filter], ([node]) => ({ kind: 'test', filter: { ...filter, node: requireNode(node) } }));
    } else if (condition.kind === 'among') {
      const { among } = condition;
      const plan = placing.planOf(among);
      put(among.places, (nodes) => ({ kind: 'among', among: amongAt(among, nodes, plan) }));
    } else {
      const { kind, of } = condition;
      groups.push({ kind, of: kind === 'all' ? place(of) : of.map((one) => ({ kind: 'all', of: place([one]) })) });
    }
  }
  const matches = semiJoinsOf(placing.base, selected).map((semiJoin): PlacedCondition => ({ kind: 'match', semiJoin }));
  return [...tests, ...matches, ...groups];

  function put(places: readonly ResolvedPlace[], make: Selected['place']): void {
    const nodes = places.flatMap((one) => placing.tested.get(one) ?? []);
    const ways = places.flatMap((one) => placing.selecting.get(one) ?? []);
    if (ways.length === 0) tests.push(make(nodes));
    else if (nodes.length === 0 && new Set(ways.map(bridgeKeyOf)).size === 1) selected.push({ ways, place: make });
    else throw apart(places, placing);
  }
}

function requireNode(node: Node | undefined): Node {
  if (node === undefined) throw new InternalError('a filter was neither placed nor refused');
  return node;
}

function amongAt({ places }: ResolvedAmong, nodes: readonly Node[], plan: Plan): Among {
  return {
    places: places.map(({ field, via, grain }, index) => ({ field, via, grain, node: requireNode(nodes[index]) })),
    plan,
  };
}

/** Refuses fields that are tested together and are not in one row. */
function apart(places: readonly ResolvedPlace[], { base, purpose }: FactRowsRequest) {
  const [first] = places;
  const names = [...new Set(places.map(({ field }) => field.dataset))].join(' and ');
  return ValidationError.at(
    first?.path ?? ['filters'],
    `${purpose} is of ${base}, whose rows do not lead to ${names} together. Name fields of one dataset, or in filters of their own.`,
  );
}

/**
 * Makes the semi-joins: conditions that meet the base in the same dataset along the same path test one and the same
 * row of it.
 */
function semiJoinsOf(base: string, selected: readonly Selected[]): readonly SemiJoin[] {
  const byBridge = new Map<string, Selected[]>();
  for (const each of selected) {
    const [way] = each.ways;
    const key = way === undefined ? '' : bridgeKeyOf(way);
    byBridge.set(key, [...(byBridge.get(key) ?? []), each]);
  }
  return [...byBridge.values()].flatMap((together) => {
    const way = together[0]?.ways[0];
    const last = way?.back.at(-1);
    if (way === undefined || last === undefined) return [];
    const builder = new TreeBuilder(way.turn, [], [base]);
    const link = builder.fromBase(way.back.slice(0, -1));
    const where = together.map(({ ways, place }) => place(ways.map(({ path }) => builder.fromBase(path))));
    return [{ tree: builder.tree(), link, columns: last.fromColumns, baseColumns: last.toColumns, where }];
  });
}

function bridgeKeyOf(way: Way): string {
  return JSON.stringify([way.turn, ...relationshipsOf({ ...way, path: [] })]);
}
