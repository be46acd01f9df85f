/** Finds the paths from one dataset to others along relationships, where each step leads to at most one row. */
import type { Relationship, Step } from './model.ts';

export type Path = readonly Step[];

/** The most paths that are listed between two datasets. */
const MAX_PATHS = 100;
/** The most steps of a search for paths. Only models with dozens of datasets in circles come near it. */
const MAX_SEARCH_STEPS = 20_000;

export class RelationshipGraph {
  readonly #steps: ReadonlyMap<string, readonly Step[]>;
  readonly #datasets: readonly string[];
  readonly #paths = new Map<string, readonly Path[]>();
  readonly #reachable = new Map<string, ReadonlySet<string>>();

  constructor(model: {
    readonly relationships: readonly Relationship[];
    readonly datasets: ReadonlyMap<string, unknown>;
  }) {
    const steps = new Map<string, Step[]>();
    const add = (step: Step) => steps.set(step.from, [...(steps.get(step.from) ?? []), step]);
    for (const { name, from, to, fromColumns, toColumns, toIsUnique, fromIsUnique } of model.relationships) {
      const isBetweenKeys = toIsUnique && fromIsUnique;
      if (toIsUnique) add({ relationship: name, from, to, fromColumns, toColumns, isBetweenKeys });
      if (fromIsUnique) {
        const [fromOther, toOther] = [toColumns, fromColumns];
        add({ relationship: name, from: to, to: from, fromColumns: fromOther, toColumns: toOther, isBetweenKeys });
      }
    }
    this.#steps = steps;
    this.#datasets = [...model.datasets.keys()];
  }

  /**
   * Lists every path from one dataset to another that visits no dataset twice. The path from a dataset to itself is empty.
   */
  paths(from: string, to: string): readonly Path[] {
    const key = JSON.stringify([from, to]);
    const kept = this.#paths.get(key);
    if (kept !== undefined) return kept;
    const paths: Path[] = [];
    const waiting: { readonly at: string; readonly path: Path }[] = [];
    if (from === to || this.reachable(from).has(to)) waiting.push({ at: from, path: [] });
    // The shortest paths come first, so that the direct paths are listed even where there are too many paths.
    for (let searched = 0; searched < waiting.length; searched += 1) {
      const { at, path } = waiting[searched] ?? { at: to, path: [] };
      if (at === to) {
        if (paths.push(path) >= MAX_PATHS) break;
        continue;
      }
      for (const step of this.#steps.get(at) ?? []) {
        const isVisited = step.to === from || path.some((before) => before.to === step.to);
        if (!isVisited && waiting.length < MAX_SEARCH_STEPS) waiting.push({ at: step.to, path: [...path, step] });
      }
    }
    this.#paths.set(key, paths);
    return paths;
  }

  /** Lists the paths that a request without `via` may mean: the paths in `paths` that are not detours. */
  directPaths(from: string, to: string): readonly Path[] {
    return withoutDetours(this.paths(from, to));
  }

  /** Lists the datasets in which each row of `from` has at most one match; without `from` itself. */
  reachable(from: string): ReadonlySet<string> {
    const kept = this.#reachable.get(from);
    if (kept !== undefined) return kept;
    const seen = new Set<string>();
    const waiting = [from];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const { to } of this.#steps.get(at) ?? []) {
        if (to === from || seen.has(to)) continue;
        seen.add(to);
        waiting.push(to);
      }
    }
    this.#reachable.set(from, seen);
    return seen;
  }

  /**
   * Lists the nearest datasets that reach all of `targets`: datasets that reach no other such dataset. With exactly one,
   * the targets can meet there; with several, it is ambiguous where they meet.
   */
  commonDatasets(targets: readonly string[]): readonly string[] {
    const reaching = this.#datasets.filter((dataset) => {
      const reached = this.reachable(dataset);
      return targets.every((target) => target === dataset || reached.has(target));
    });
    return reaching.filter((dataset) => {
      const reached = this.reachable(dataset);
      return !reaching.some((other) => reached.has(other) && !this.reachable(other).has(dataset));
    });
  }
}

/** Leaves out paths that are detours of another path. */
function withoutDetours(paths: readonly Path[]): readonly Path[] {
  return paths.length < 2 ? paths : paths.filter((path) => !paths.some((direct) => isDetour(path, direct)));
}

/**
 * Returns whether a path is a detour of another one. A detour visits the datasets of the direct path in the same order, and
 * others between them. Each step of the direct path is also a step of the detour, or replaces several steps of which one
 * joins two keys. Where none of these joins two keys, the paths may mean different rows, and neither is a detour.
 */
export function isDetour(path: Path, direct: Path): boolean {
  if (path.length <= direct.length) return false;
  let at = 0;
  return direct.every(({ relationship, to }, index) => {
    const isLast = index === direct.length - 1;
    const end = isLast ? path.length - 1 : path.findIndex((step, place) => place >= at && step.to === to);
    const covered = path.slice(at, end + 1);
    at = end + 1;
    if (covered.at(-1)?.to !== to) return false;
    return covered.length === 1
      ? covered[0]?.relationship === relationship
      : covered.some(({ isBetweenKeys }) => isBetweenKeys === true);
  });
}

/** Returns the names of the relationships of a path. */
export function namesOf(path: Path): readonly string[] {
  return path.map(({ relationship }) => relationship);
}

/** Describes a path: `sales → stores (sales_to_stores) → regions (stores_to_regions)`. */
export function describePath(from: string, path: Path): string {
  return [from, ...path.map(({ to, relationship }) => `${to} (${relationship})`)].join(' → ');
}
