/** Ways from one dataset to others along relationships, each step towards at most one row. */
import type { Relationship, Step } from '../model/model.ts';

export type Path = readonly Step[];

/** Most ways that are told apart between two datasets. */
const MAX_PATHS = 100;
/** Most steps of a search for ways; only models of dozens of datasets in circles come near. */
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
      if (toIsUnique) add({ relationship: name, from, to, fromColumns, toColumns });
      if (fromIsUnique) {
        add({ relationship: name, from: to, to: from, fromColumns: toColumns, toColumns: fromColumns });
      }
    }
    this.#steps = steps;
    this.#datasets = [...model.datasets.keys()];
  }

  /** Every way from one dataset to another that visits none twice; one empty way from a dataset to itself. */
  paths(from: string, to: string): readonly Path[] {
    const key = JSON.stringify([from, to]);
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const found: Path[] = [];
    let searched = 0;
    const walk = (at: string, path: Path, visited: ReadonlySet<string>): void => {
      searched += 1;
      if (found.length >= MAX_PATHS || searched > MAX_SEARCH_STEPS) return;
      if (at === to) {
        found.push(path);
        return;
      }
      for (const step of this.#steps.get(at) ?? []) {
        if (!visited.has(step.to)) walk(step.to, [...path, step], new Set([...visited, step.to]));
      }
    };
    if (from === to || this.reachable(from).has(to)) walk(from, [], new Set([from]));
    this.#paths.set(key, found);
    return found;
  }

  /** Datasets of which each row of `from` has at most one row; not `from` itself. */
  reachable(from: string): ReadonlySet<string> {
    const known = this.#reachable.get(from);
    if (known !== undefined) return known;
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
   * The nearest datasets that reach all of `targets`: those from which no other such dataset is reached.
   * Exactly one, and it can stand between the targets; several, and nobody can say which is meant.
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

/** Returns the names of the relationships of a path. */
export function namesOf(path: Path): readonly string[] {
  return path.map(({ relationship }) => relationship);
}

/** `sales → stores (sales_to_stores) → regions (stores_to_regions)` */
export function describePath(from: string, path: Path): string {
  return [from, ...path.map(({ to, relationship }) => `${to} (${relationship})`)].join(' → ');
}
