/** Ways from one dataset to others along relationships, each step towards at most one row. */
import type { Relationship, Step } from '../model/model.ts';

export type Path = readonly Step[];

/** More ways than this are not worth telling apart: two already are ambiguous. */
const ENOUGH = 6;

export class Graph {
  readonly #steps: ReadonlyMap<string, readonly Step[]>;
  readonly #datasets: readonly string[];

  constructor(model: {
    readonly relationships: readonly Relationship[];
    readonly datasets: ReadonlyMap<string, unknown>;
  }) {
    const steps = new Map<string, Step[]>();
    const add = (step: Step) => steps.set(step.from, [...(steps.get(step.from) ?? []), step]);
    for (const { name, from, to, fromColumns, toColumns, reachesOne, reachedByOne } of model.relationships) {
      if (reachesOne) add({ relationship: name, from, to, fromColumns, toColumns });
      if (reachedByOne) {
        add({ relationship: name, from: to, to: from, fromColumns: toColumns, toColumns: fromColumns });
      }
    }
    this.#steps = steps;
    this.#datasets = [...model.datasets.keys()];
  }

  /** Every way from one dataset to another that visits none twice; one empty way from a dataset to itself. */
  paths(from: string, to: string): readonly Path[] {
    const found: Path[] = [];
    const walk = (at: string, path: Path, visited: ReadonlySet<string>): void => {
      if (found.length >= ENOUGH) return;
      if (at === to) {
        found.push(path);
        return;
      }
      for (const step of this.#steps.get(at) ?? []) {
        if (!visited.has(step.to)) walk(step.to, [...path, step], new Set([...visited, step.to]));
      }
    };
    if (from === to || this.reachable(from).has(to)) walk(from, [], new Set([from]));
    return found;
  }

  /** Datasets of which each row of `from` has at most one row; not `from` itself. */
  reachable(from: string): ReadonlySet<string> {
    const seen = new Set<string>();
    const waiting = [from];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const { to } of this.#steps.get(at) ?? []) {
        if (to === from || seen.has(to)) continue;
        seen.add(to);
        waiting.push(to);
      }
    }
    return seen;
  }

  /**
   * The nearest datasets that reach all of `targets`: those from which no other such dataset is reached.
   * Exactly one, and it can stand between the targets; several, and nobody can say which is meant.
   */
  meetings(targets: readonly string[]): readonly string[] {
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

/** `sales → stores (sales_to_stores) → regions (stores_to_regions)` */
export function describePath(from: string, path: Path): string {
  return [from, ...path.map(({ to, relationship }) => `${to} (${relationship})`)].join(' → ');
}
