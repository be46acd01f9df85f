/** Ways from one dataset to others along relationships, each step towards at most one row. */
import type { Relationship, Step } from './model.ts';

export type Path = readonly Step[];

/** Limit on the listed paths between two datasets. */
const MAX_PATHS = 100;
/** Limit on the steps of a search for paths; only models of dozens of datasets in circles come near. */
const MAX_SEARCH_STEPS = 20_000;

export class JoinGraph {
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

  /** Lists every path from one dataset to another that visits none twice; one empty path from a dataset to itself. */
  paths(from: string, to: string): readonly Path[] {
    const key = JSON.stringify([from, to]);
    const kept = this.#paths.get(key);
    if (kept !== undefined) return kept;
    const paths: Path[] = [];
    const waiting: { readonly at: string; readonly path: Path }[] = [];
    if (from === to || this.reachable(from).has(to)) waiting.push({ at: from, path: [] });
    // The shortest paths come first: where there are too many, the direct ones are among the listed ones.
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

  /** Lists the paths that a request without `via` means: the paths in `paths` that are no detours. */
  directPaths(from: string, to: string): readonly Path[] {
    return withoutDetours(this.paths(from, to));
  }

  /** Lists the datasets of which each row of `from` has at most one row; not `from` itself. */
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
   * Lists the nearest datasets that reach all of `targets`: they reach no other dataset that does. If there is exactly one,
   * it can lie between the targets; if there are several, the meaning is ambiguous.
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

/** Leaves out the paths that are detours of another one. */
function withoutDetours(paths: readonly Path[]): readonly Path[] {
  return paths.length < 2 ? paths : paths.filter((path) => !paths.some((direct) => isDetour(path, direct)));
}

/**
 * Returns whether a path is a detour of another one. A detour visits the same datasets in the same order and others between
 * them; every step of the direct path is the same step, or replaces several steps of which one joins two keys. Where no step
 * joins two keys, the two paths may mean different things, and neither is a detour.
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
