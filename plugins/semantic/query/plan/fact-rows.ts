/** The source of a subquery's rows: the joined datasets, the path of the joins, and the datasets that only filter. */
import { InternalError, ValidationError } from '../../../../router/errors.ts';
import type { Path, RelationshipGraph } from '../../model/relationship-graph.ts';
import {
  chosen,
  describeJoinPath,
  type JoinPath,
  joinPathsOver,
  joinPathsTo,
  relationshipsOf,
  viasOf,
} from '../joins/join-paths.ts';
import { TreeBuilder } from '../joins/join-tree.ts';
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
  /** The names of each `via` that this subquery uses, by field reference. */
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
  readonly graph: RelationshipGraph;
  /** Lists the datasets that may be at the place of a field reference. */
  readonly datasetsAt: (place: ResolvedPlace) => readonly string[];
  /** Plans how the groups of a membership are computed. */
  readonly planOf: (among: ResolvedAmong) => Plan;
}

interface Chosen {
  readonly joinPath: JoinPath;
  readonly used: readonly string[];
}

/**
 * Returns the rows of `base` with the joins that `groups` and `filters` need.
 *
 * - A dataset that the base reaches (many to one) is joined.
 * - Groups that it does not reach are reached over the many side: through one dataset that reaches both, where all of these
 *   paths turn.
 * - A filter that it does not reach tests rows of that dataset, if it reaches the filter's field. Otherwise it selects rows
 *   of the base by a semi-join.
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
    const joinPath = errors.attempt(() => only(joinPathsTo(base, place.field.dataset, graph), place, request));
    if (joinPath !== undefined) straight.set(place, joinPath);
  }
  const beyond = groups.filter((group) => !isStraight(group));
  const bridge = beyond.length === 0 ? undefined : errors.attempt(() => bridgeOf(beyond, request));
  // Without the bridge, it is unknown whether a filter tests rows of the bridge.
  const isBridged = bridge !== undefined || beyond.length === 0;
  const joinPaths = new Map<ResolvedPlace, Chosen & { readonly isTurned: boolean }>();
  for (const filter of isBridged ? filters.filter((each) => !isStraight(each)) : []) {
    const turned = turnedJoinPaths(filter, bridge, request);
    const isTurned = turned.length > 0;
    const candidates = isTurned ? turned : joinPathsTo(base, filter.field.dataset, graph);
    const joinPath = errors.attempt(() => only(candidates, filter, request));
    if (joinPath !== undefined) joinPaths.set(filter, { ...joinPath, isTurned });
  }
  errors.throwAll();

  const builder = new TreeBuilder(base, bridge?.back ?? []);
  for (const path of reads) builder.fromBase(path);
  const viaUsed = new Map<ResolvedPlace, readonly string[]>();
  const groupNodes = groups.map((group) => {
    const choice = straight.get(group);
    if (choice === undefined) {
      const turned = bridge?.joinPaths.get(group);
      viaUsed.set(group, turned?.used ?? []);
      return builder.fromTurn(turned?.joinPath.path ?? []);
    }
    viaUsed.set(group, choice.used);
    return builder.fromBase(choice.joinPath.path);
  });

  const tested = new Map<ResolvedPlace, Node>();
  const selecting = new Map<ResolvedPlace, JoinPath>();
  for (const filter of filters) {
    const choice = straight.get(filter) ?? joinPaths.get(filter);
    if (choice === undefined) throw new InternalError('a filter was neither placed nor refused');
    const { joinPath, used } = choice;
    viaUsed.set(filter, used);
    if (straight.has(filter)) tested.set(filter, builder.fromBase(joinPath.path));
    else if (joinPaths.get(filter)?.isTurned === true) tested.set(filter, builder.fromTurn(joinPath.path));
    else selecting.set(filter, joinPath);
  }
  const where = placedConditions(conditions, { ...request, tested, selecting });
  return { tree: builder.tree(), groupNodes, fansOut: bridge !== undefined, where, viaUsed };
}

/** The dataset where groups beyond the base turn, and each group's path from there. */
interface Bridge {
  readonly turn: string;
  readonly back: Path;
  readonly joinPaths: ReadonlyMap<ResolvedGroup, Chosen>;
}

/**
 * Finds the bridge: all groups beyond the base turn at one dataset and come back along one path, so that each of its rows
 * joins one combination.
 */
function bridgeOf(beyond: readonly ResolvedGroup[], request: FactRowsRequest): Bridge {
  const { base, graph } = request;
  const targets = [...new Set(beyond.map(({ field }) => field.dataset))];
  const turns = graph.commonDatasets([base, ...targets]);
  const [first] = beyond;
  if (turns.length === 0 && first !== undefined) throw unreached(first, request);
  const joinPathsFor = new Map(
    beyond.map((group) => [group, turns.flatMap((turn) => joinPathsOver(turn, base, group.field.dataset, graph))]),
  );
  const choices = beyond.map((group) => ({ group, ...chosen(joinPathsFor.get(group) ?? [], group.via) }));
  const bridgeKey = ({ turn, back }: JoinPath) => JSON.stringify([turn, back.map(({ relationship }) => relationship)]);
  const bridges = choices.map(({ joinPaths }) => new Set(joinPaths.map(bridgeKey)));
  const isShared = (joinPath: JoinPath) => bridges.every((keys) => keys.has(bridgeKey(joinPath)));
  const kept = choices.map((choice) => ({ ...choice, joinPaths: choice.joinPaths.filter(isShared) }));
  const joinPaths = collectErrors(kept, ({ group, joinPaths, used }): readonly [ResolvedGroup, Chosen] => {
    const [joinPath, ...others] = joinPaths;
    if (joinPath !== undefined && others.length === 0) return [group, { joinPath, used }];
    throw ambiguous(group, joinPaths, joinPathsFor.get(group) ?? [], request);
  });
  const [one] = joinPaths;
  if (one === undefined) throw new InternalError('a bridge leads to no group');
  const [, { joinPath }] = one;
  return { turn: joinPath.turn, back: joinPath.back, joinPaths: new Map(joinPaths) };
}

/** Returns the paths of a filter over the bridge of the groups; none where its `via` names other facts. */
function turnedJoinPaths(
  filter: ResolvedPlace,
  bridge: Bridge | undefined,
  { base, graph }: FactRowsRequest,
): readonly JoinPath[] {
  if (bridge === undefined) return [];
  const { turn, back } = bridge;
  const joinPaths = graph.paths(turn, filter.field.dataset).map((path): JoinPath => ({ turn, back, path }));
  const elsewhere = chosen(joinPathsTo(base, filter.field.dataset, graph), filter.via).used;
  const { used } = chosen(joinPaths, filter.via);
  return elsewhere.length > used.length ? [] : joinPaths;
}

/** Returns the only possible path. Refuses a place with none or several. */
function only(joinPaths: readonly JoinPath[], place: ResolvedPlace, request: FactRowsRequest): Chosen {
  if (joinPaths.length === 0) throw unreached(place, request);
  const { joinPaths: left, used } = chosen(joinPaths, place.via);
  const [joinPath, ...others] = left;
  if (joinPath !== undefined && others.length === 0) return { joinPath, used };
  throw ambiguous(place, left, joinPaths, request);
}

function ambiguous(
  place: ResolvedPlace,
  left: readonly JoinPath[],
  all: readonly JoinPath[],
  { base, purpose }: FactRowsRequest,
) {
  const { dataset } = place.field;
  const joinPaths = left.length === 0 ? all : left;
  const described = joinPaths.map((joinPath) => describeJoinPath(base, joinPath)).join('; ');
  const unclearVia = place.via.length === 0 ? '' : `, and "${place.via.join(', ')}" does not select one of them`;
  return ValidationError.at(
    [...place.path, 'via'],
    `${purpose} is of ${base}, and ${dataset} can be reached from there along more than one path${unclearVia}: ${described}. Name the relationship that is meant in "via".`,
    viasOf(joinPaths, all),
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
  readonly selecting: ReadonlyMap<ResolvedPlace, JoinPath>;
}

/** A condition on rows of another dataset, and the paths to its fields. */
interface Selected {
  readonly joinPaths: readonly JoinPath[];
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
    const joinPaths = places.flatMap((one) => placing.selecting.get(one) ?? []);
    if (joinPaths.length === 0) tests.push(make(nodes));
    else if (nodes.length === 0 && new Set(joinPaths.map(bridgeKeyOf)).size === 1)
      selected.push({ joinPaths, place: make });
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
    `${purpose} is of ${base}, whose rows do not lead to ${names} together. Name fields of one dataset, or use separate filters.`,
  );
}

/**
 * Makes the semi-joins: conditions that meet the base in the same dataset along the same path test one and the same
 * row of it.
 */
function semiJoinsOf(base: string, selected: readonly Selected[]): readonly SemiJoin[] {
  const byBridge = new Map<string, Selected[]>();
  for (const each of selected) {
    const [joinPath] = each.joinPaths;
    const key = joinPath === undefined ? '' : bridgeKeyOf(joinPath);
    byBridge.set(key, [...(byBridge.get(key) ?? []), each]);
  }
  return [...byBridge.values()].flatMap((together) => {
    const joinPath = together[0]?.joinPaths[0];
    const last = joinPath?.back.at(-1);
    if (joinPath === undefined || last === undefined) return [];
    const builder = new TreeBuilder(joinPath.turn, [], [base]);
    const link = builder.fromBase(joinPath.back.slice(0, -1));
    const where = together.map(({ joinPaths, place }) => place(joinPaths.map(({ path }) => builder.fromBase(path))));
    return [{ tree: builder.tree(), link, columns: last.fromColumns, baseColumns: last.toColumns, where }];
  });
}

function bridgeKeyOf(joinPath: JoinPath): string {
  return JSON.stringify([joinPath.turn, ...relationshipsOf({ ...joinPath, path: [] })]);
}
