import { type Problem, ValidationError } from '../../router/errors.ts';
import { MAX_PROBLEMS } from '../../router/limits.ts';
import { formatPath, type RequestPath } from '../../router/path.ts';

/** The candidates of a problem. A function is called only if the problem is reported. */
export type Candidates = readonly string[] | (() => readonly string[]);

/** Collects the mistakes of one request, so that the caller sees all of them at once. */
export class ProblemList {
  readonly #problems: Problem[] = [];
  #more = 0;

  /** Counts the problems that were found. */
  get count(): number {
    return this.#problems.length + this.#more;
  }

  /**
   * @param withoutData the message for callers that may not see values; set where the message or the candidates contain
   * values
   */
  add(path: RequestPath, message: string, available?: Candidates, withoutData?: string): void {
    if (this.#problems.length >= MAX_PROBLEMS) {
      this.#more++;
      return;
    }
    const candidates = typeof available === 'function' ? available() : available;
    this.#problems.push({ path, message, available: candidates, withoutData });
  }

  /** Adds problems of another check, except at places that have one already. */
  append(problems: readonly Problem[]): void {
    const places = new Set(this.#problems.map(({ path }) => formatPath(path)));
    const added = problems.filter(({ path }) => !places.has(formatPath(path)));
    const kept = added.slice(0, MAX_PROBLEMS - this.#problems.length);
    this.#problems.push(...kept);
    this.#more += added.length - kept.length;
  }

  /** @throws ValidationError with all problems, if there are any */
  throwAll(): void {
    const [first, ...others] = this.#problems;
    if (first !== undefined) throw new ValidationError([first, ...others], this.#more);
  }
}

/** Reports items that have the same key. */
export function refuseDuplicates<Item extends { readonly path: RequestPath }>(
  items: readonly Item[],
  key: (item: Item) => string,
  message: (key: string) => string,
  problems: ProblemList,
): void {
  const seen = new Set<string>();
  for (const item of items) {
    if (seen.has(key(item))) problems.add(item.path, message(key(item)));
    seen.add(key(item));
  }
}
