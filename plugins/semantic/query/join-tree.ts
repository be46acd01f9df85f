/** Where the rows of a block come from: which datasets are joined, over which path, and what only filters. */
import { ValidationError } from '../../../router/errors.ts';
import { everyOne } from './every-one.ts';
import { describePath, type Graph, type Path } from './paths.ts';
import type { Join, JoinTree, SemiJoin } from './plan.ts';
import type { ResolvedFilter, ResolvedGroup } from './resolved.ts';

export interface Rows {
  readonly tree: JoinTree;
  /** True where a row of the base may stand in the tree more than once. */
  readonly fansOut: boolean;
  readonly filters: readonly ResolvedFilter[];
  readonly semiJoins: readonly SemiJoin[];
}

/**
 * The rows of `base` with what `groups` and `filters` need. `purpose` names in messages what the rows are for, such as
 * `the metric net_sales`; `at` is its place in the request.
 *
 * - A dataset that the base reaches (many to one) is joined.
 * - Groups it does not reach are reached from the many side: through the one dataset that meets both (`spine`).
 * - A filter it does not reach tests the rows of the spine when there is one that reaches it; else it selects rows of
 *   the base by a semi-join.
 */
export function rowsOf(
  base: string,
  purpose: string,
  at: string,
  groups: readonly ResolvedGroup[],
  filters: readonly ResolvedFilter[],
  graph: Graph,
): Rows {
  const paths: Path[] = [];
  const beyond: ResolvedGroup[] = [];
  const ways = everyOne<ResolvedGroup | ResolvedFilter, { readonly path: Path | undefined }>(
    [...groups, ...filters],
    ({ field, path }) => ({ path: onlyPath(base, field.dataset, path, graph) }),
  );
  for (const [index, group] of groups.entries()) {
    const path = ways[index]?.path;
    if (path === undefined) beyond.push(group);
    else paths.push(path);
  }

  let spine: string | undefined;
  let reversed: Path = [];
  const [first] = beyond;
  if (first !== undefined) {
    const targets = [...new Set(beyond.map(({ field }) => field.dataset))];
    spine = meeting(base, targets, purpose, first.path, at, graph);
    reversed = onlyPath(spine, base, first.path, graph) ?? [];
    for (const { field, path } of beyond) paths.push(onlyPath(spine, field.dataset, path, graph) ?? []);
  }

  const tested: ResolvedFilter[] = [];
  const selecting: ResolvedFilter[] = [];
  for (const [index, filter] of filters.entries()) {
    const { dataset } = filter.field;
    const path = ways[groups.length + index]?.path;
    const spinePath = path ?? (spine === undefined ? undefined : onlyPath(spine, dataset, filter.path, graph));
    if (spinePath === undefined) selecting.push(filter);
    else {
      paths.push(spinePath);
      tested.push(filter);
    }
  }
  return {
    tree: treeOf(base, reversed, paths),
    fansOut: spine !== undefined,
    filters: tested,
    semiJoins: semiJoinsOf(base, selecting, purpose, at, graph),
  };
}

/** The one path between two datasets; `undefined` where there is none. Two or more are the caller's to decide. */
export function onlyPath(from: string, to: string, at: string, graph: Graph): Path | undefined {
  const [path, ...others] = graph.paths(from, to);
  if (path === undefined || others.length === 0) return path;
  const candidates = [path, ...others].map((one) => describePath(from, one));
  throw ValidationError.at(
    at,
    `${to} can be reached from ${from} in more than one way: ${candidates.join('; ')}. Use a field of a dataset that is reached in one way only.`,
    candidates,
  );
}

function meeting(
  base: string,
  targets: readonly string[],
  purpose: string,
  groupAt: string,
  at: string,
  graph: Graph,
): string {
  const [one, ...others] = graph.meetings([base, ...targets]);
  if (one !== undefined && others.length === 0) return one;
  const named = targets.join(' and ');
  if (one !== undefined) {
    const candidates = [one, ...others];
    throw ValidationError.at(
      groupAt,
      `${purpose} belongs to ${base}, which meets ${named} in more than one dataset: ${candidates.join(', ')}. Nothing says which is meant; add a metric or choose fields of one of them.`,
      candidates,
    );
  }
  const reachable = [base, ...graph.reachable(base)];
  throw ValidationError.at(
    groupAt === '' ? at : groupAt,
    `${purpose} belongs to ${base}, and no relationship leads to ${named}.`,
    reachable,
  );
}

function semiJoinsOf(
  base: string,
  filters: readonly ResolvedFilter[],
  purpose: string,
  at: string,
  graph: Graph,
): readonly SemiJoin[] {
  // Filters that meet the base in the same dataset test one and the same row of it.
  const bySpine = new Map<string, ResolvedFilter[]>();
  for (const filter of filters) {
    const spine = meeting(base, [filter.field.dataset], purpose, filter.path, at, graph);
    bySpine.set(spine, [...(bySpine.get(spine) ?? []), filter]);
  }
  return [...bySpine].flatMap(([spine, selecting]) => {
    const [first] = selecting;
    const way = onlyPath(spine, base, first?.path ?? at, graph) ?? [];
    const last = way.at(-1);
    if (last === undefined) return [];
    const paths = selecting.map(({ field, path }) => onlyPath(spine, field.dataset, path, graph) ?? []);
    return [
      {
        tree: treeOf(spine, [], [way.slice(0, -1), ...paths]),
        link: last.from,
        columns: last.fromColumns,
        baseColumns: last.toColumns,
        filters: selecting,
      },
    ];
  });
}

/** Joins from `root`: back along `reversed` to the many side, and every path, each dataset once. */
export function treeOf(root: string, reversed: Path, paths: readonly Path[]): JoinTree {
  const bridge = reversed
    .toReversed()
    .map(({ relationship, from, to, fromColumns, toColumns }) =>
      joinOf(relationship, from, to, fromColumns, toColumns),
    );
  return withPaths({ root, bridge, joins: [] }, paths);
}

/** The tree with the datasets of further paths, each of which begins in it. */
export function withPaths({ root, bridge, joins }: JoinTree, paths: readonly Path[]): JoinTree {
  const known = new Set([root, ...[...bridge, ...joins].map(({ dataset }) => dataset)]);
  const further: Join[] = [];
  for (const { relationship, from, to, fromColumns, toColumns } of paths.flat()) {
    if (known.has(to)) continue;
    known.add(to);
    further.push(joinOf(relationship, to, from, toColumns, fromColumns));
  }
  return Object.freeze({ root, bridge, joins: [...joins, ...further] });
}

function joinOf(
  relationship: string,
  dataset: string,
  parent: string,
  columns: readonly string[],
  parentColumns: readonly string[],
): Join {
  return Object.freeze({ relationship, dataset, parent, columns, parentColumns, complete: false });
}

/** The tree with its joins marked that lose no row. Behind an outer join even a perfect key may meet nothing. */
export function marked(tree: JoinTree, isComplete: (join: Join) => boolean): JoinTree {
  const whole = new Set([tree.root]);
  const joins = tree.joins.map((join) => {
    if (!whole.has(join.parent) || !isComplete(join)) return join;
    whole.add(join.dataset);
    return Object.freeze({ ...join, complete: true });
  });
  return Object.freeze({ ...tree, joins });
}

/** The tree without joins that lead to none of `needed`. Each leads to one row at most, so that none is missed. */
export function withoutUnused(tree: JoinTree, needed: ReadonlySet<string>): JoinTree {
  const used = new Set(needed);
  const joins = tree.joins.toReversed().filter(({ dataset, parent }) => {
    if (used.has(dataset)) used.add(parent);
    return used.has(dataset);
  });
  return Object.freeze({ ...tree, joins: joins.toReversed() });
}

/** Datasets from which every one of `needed` is reached: the grain of an expression that reads several. */
export function lowestOf(needed: readonly string[], graph: Graph): string | undefined {
  return needed.find((dataset) => {
    const reached = graph.reachable(dataset);
    return needed.every((other) => other === dataset || reached.has(other));
  });
}
