/** Ways from the rows of a subquery to the dataset of a field, and which of them a request means by `via`. */

import { isDetour, type JoinGraph, namesOf, type Path } from '../../model/join-graph.ts';
import { VIA_SEPARATOR } from '../nodes/field-key.ts';

/** A path from `base`: straight on (`back` is empty), or back to a dataset that reaches both and from there on. */
export interface Way {
  /** The dataset at which the path turns; the base itself where it goes straight on. */
  readonly turn: string;
  /** From the turn to the base. */
  readonly back: Path;
  /** From the turn to the field's dataset. */
  readonly path: Path;
}

/** Returns every path from a base to a dataset: straight on where there is one, else over the nearest common datasets. */
export function waysTo(base: string, dataset: string, graph: JoinGraph): readonly Way[] {
  const straight = graph.paths(base, dataset).map((path): Way => ({ turn: base, back: [], path }));
  if (straight.length > 0) return straight;
  return graph.commonDatasets([base, dataset]).flatMap((turn) => waysOver(turn, base, dataset, graph));
}

/** Returns the paths that turn at one dataset. */
export function waysOver(turn: string, base: string, dataset: string, graph: JoinGraph): readonly Way[] {
  return graph
    .paths(turn, base)
    .flatMap((back) => graph.paths(turn, dataset).map((path): Way => ({ turn, back, path })));
}

/** Returns names of the relationships of a path, the turn's first. */
export function relationshipsOf({ back, path }: Way): readonly string[] {
  return [...new Set([...namesOf(back), ...namesOf(path)])];
}

export interface ViaSelection {
  /** The paths that the names leave. */
  readonly ways: readonly Way[];
  /** The names that occur on any of the paths; the other names belong to other facts. */
  readonly used: readonly string[];
}

/** Returns the paths that use every relationship of `via` that is on any of them; a path with no other relationship wins. */
export function chosen(ways: readonly Way[], via: readonly string[]): ViaSelection {
  const used = via.filter((name) => ways.some((way) => relationshipsOf(way).includes(name)));
  const along = ways.filter((way) => {
    const names = relationshipsOf(way);
    return used.every((name) => names.includes(name));
  });
  const exact = along.filter((way) => relationshipsOf(way).length === used.length);
  return { ways: along.length > 1 && exact.length === 1 ? exact : directWays(along), used };
}

/** Leaves out paths that have a direct one, and all but one of the paths along the same relationships. */
function directWays(ways: readonly Way[]): readonly Way[] {
  if (ways.length < 2) return ways;
  const straight = ways.filter((way) => !ways.some((other) => isLonger(way, other)));
  const nearest = new Map<string, Way>();
  for (const way of straight.toSorted((left, right) => left.back.length - right.back.length)) {
    const key = JSON.stringify(relationshipsOf(way).toSorted());
    if (!nearest.has(key)) nearest.set(key, way);
  }
  const kept = new Set(nearest.values());
  return straight.filter((way) => kept.has(way));
}

function isLonger(way: Way, other: Way): boolean {
  if (way.turn !== other.turn) return false;
  const parts = [
    [way.back, other.back],
    [way.path, other.path],
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
export function viasOf(ways: readonly Way[], all: readonly Way[] = ways): readonly string[] {
  const relationships = all.map(relationshipsOf);
  const vias = ways
    .map(relationshipsOf)
    .toSorted((left, right) => left.length - right.length)
    .map((names) => {
      const uniqueName = names.find((name) => relationships.filter((others) => others.includes(name)).length === 1);
      return uniqueName ?? names.join(VIA_SEPARATOR);
    });
  return [...new Set(vias)].filter((via) => via !== '');
}

/** Writes a path: `sales → stores (sales_store)`, `products ← sales (sale_product) → stores (sale_store)`. */
export function describeWay(base: string, { back, path }: Way): string {
  const steps = path.map(({ to, relationship }) => `→ ${to} (${relationship})`);
  const backwards = back.toReversed().map(({ from, relationship }) => `← ${from} (${relationship})`);
  return [base, ...backwards, ...steps].join(' ');
}
