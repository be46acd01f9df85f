/** Finds the paths from the rows of a subquery to the dataset of a field, and selects the paths that a `via` names. */

import { isDetour, namesOf, type Path, type RelationshipGraph } from '../../model/relationship-graph.ts';
import { VIA_SEPARATOR } from '../nodes/field-key.ts';

/**
 * A path from `base` to a field's dataset: direct (`back` is empty), or back to a dataset that reaches both and onward from
 * there.
 */
export interface JoinPath {
  /** The dataset at which the path turns; the base itself for a direct path. */
  readonly turn: string;
  /** From the turn to the base. */
  readonly back: Path;
  /** From the turn to the field's dataset. */
  readonly path: Path;
}

/**
 * Returns every path from a base to a dataset: the direct paths where there are any, else the paths over the nearest common
 * datasets.
 */
export function joinPathsTo(base: string, dataset: string, graph: RelationshipGraph): readonly JoinPath[] {
  const straight = graph.paths(base, dataset).map((path): JoinPath => ({ turn: base, back: [], path }));
  if (straight.length > 0) return straight;
  return graph.commonDatasets([base, dataset]).flatMap((turn) => joinPathsOver(turn, base, dataset, graph));
}

/** Returns the paths that turn at one dataset. */
export function joinPathsOver(
  turn: string,
  base: string,
  dataset: string,
  graph: RelationshipGraph,
): readonly JoinPath[] {
  return graph
    .paths(turn, base)
    .flatMap((back) => graph.paths(turn, dataset).map((path): JoinPath => ({ turn, back, path })));
}

/**
 * Returns the names of a path's relationships: first from the turn to the base, then from the turn to the field's dataset.
 */
export function relationshipsOf({ back, path }: JoinPath): readonly string[] {
  return [...new Set([...namesOf(back), ...namesOf(path)])];
}

export interface ViaSelection {
  /** The paths that the names select. */
  readonly joinPaths: readonly JoinPath[];
  /** The names that occur on any of the paths; the other names belong to other facts. */
  readonly used: readonly string[];
}

/**
 * Returns the paths that use every relationship of `via` that is on any of the paths. A path with no other relationship is
 * preferred.
 */
export function chosen(joinPaths: readonly JoinPath[], via: readonly string[]): ViaSelection {
  const used = via.filter((name) => joinPaths.some((joinPath) => relationshipsOf(joinPath).includes(name)));
  const along = joinPaths.filter((joinPath) => {
    const names = relationshipsOf(joinPath);
    return used.every((name) => names.includes(name));
  });
  const exact = along.filter((joinPath) => relationshipsOf(joinPath).length === used.length);
  return { joinPaths: along.length > 1 && exact.length === 1 ? exact : directJoinPaths(along), used };
}

/** Leaves out paths that are detours of another path, and keeps one of several paths along the same relationships. */
function directJoinPaths(joinPaths: readonly JoinPath[]): readonly JoinPath[] {
  if (joinPaths.length < 2) return joinPaths;
  const straight = joinPaths.filter((joinPath) => !joinPaths.some((other) => isLonger(joinPath, other)));
  const nearest = new Map<string, JoinPath>();
  for (const joinPath of straight.toSorted((left, right) => left.back.length - right.back.length)) {
    const key = JSON.stringify(relationshipsOf(joinPath).toSorted());
    if (!nearest.has(key)) nearest.set(key, joinPath);
  }
  const kept = new Set(nearest.values());
  return straight.filter((joinPath) => kept.has(joinPath));
}

function isLonger(joinPath: JoinPath, other: JoinPath): boolean {
  if (joinPath.turn !== other.turn) return false;
  const parts = [
    [joinPath.back, other.back],
    [joinPath.path, other.path],
  ] as const;
  const isSame = (one: Path, two: Path) => JSON.stringify(namesOf(one)) === JSON.stringify(namesOf(two));
  return (
    parts.every(([one, two]) => isSame(one, two) || isDetour(one, two)) &&
    parts.some(([one, two]) => isDetour(one, two))
  );
}

/**
 * Returns a `via` for each path that distinguishes it from all others: one relationship where that is enough. Shortest
 * first.
 */
export function viasOf(joinPaths: readonly JoinPath[], all: readonly JoinPath[] = joinPaths): readonly string[] {
  const relationships = all.map(relationshipsOf);
  const vias = joinPaths
    .map(relationshipsOf)
    .toSorted((left, right) => left.length - right.length)
    .map((names) => {
      const uniqueName = names.find((name) => relationships.filter((others) => others.includes(name)).length === 1);
      return uniqueName ?? names.join(VIA_SEPARATOR);
    });
  return [...new Set(vias)].filter((via) => via !== '');
}

/** Writes a path: `sales → stores (sales_store)`, `products ← sales (sale_product) → stores (sale_store)`. */
export function describeJoinPath(base: string, { back, path }: JoinPath): string {
  const steps = path.map(({ to, relationship }) => `→ ${to} (${relationship})`);
  const backwards = back.toReversed().map(({ from, relationship }) => `← ${from} (${relationship})`);
  return [base, ...backwards, ...steps].join(' ');
}
