import { distance } from 'fastest-levenshtein';
import type { DatasourceProblem } from '../../../../router/capabilities/datasources.ts';

/** The mistakes in one schema, with lines. An `error` keeps the whole schema from being served. */
export class Problems {
  readonly #list: DatasourceProblem[] = [];
  readonly #reported = new Set<string>();

  error(at: { readonly line: number }, message: string): void {
    this.#add({ message, line: at.line, severity: 'error' });
  }

  warn(at: { readonly line: number }, message: string): void {
    this.#add({ message, line: at.line, severity: 'warning' });
  }

  /**
   * Adds a problem once. A shared dimension is read for every cube that uses it, but its problems are reported once.
   */
  #add(problem: DatasourceProblem): void {
    const problemKey = `${problem.line} ${problem.message}`;
    if (this.#reported.has(problemKey)) return;
    this.#reported.add(problemKey);
    this.#list.push(problem);
  }

  /** Returns the problems in the order of the document. */
  get all(): readonly DatasourceProblem[] {
    return this.#list.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
  }

  get fatal(): boolean {
    return this.#list.some(({ severity }) => severity === 'error');
  }
}

/**
 * Returns a text such as ` Did you mean "formatString"?`, or lists all legal names if none is similar. Returns an empty
 * text if there are none.
 */
export function suggestion(wrong: string, legal: readonly string[]): string {
  const folded = wrong.toLowerCase();
  const [nearest] = legal
    .map((name) => ({ name, far: distance(folded, name.toLowerCase()) }))
    .toSorted((left, right) => left.far - right.far);
  if (nearest === undefined) return '';
  if (nearest.far <= Math.max(2, wrong.length / 3)) return ` Did you mean "${nearest.name}"?`;
  return ` Legal here: ${legal.slice(0, MAX_SUGGESTED_NAMES).join(', ')}${legal.length > MAX_SUGGESTED_NAMES ? ', …' : ''}.`;
}

const MAX_SUGGESTED_NAMES = 20;
