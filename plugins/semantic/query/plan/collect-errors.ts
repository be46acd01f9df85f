import { type Problem, ValidationError } from '../../../../router/errors.ts';
import { formatPath } from '../../../../router/path.ts';

/** Collects the mistakes of several attempts, one for each place, to report them together. */
export class ErrorCollector {
  readonly #problems: Problem[] = [];

  /** Returns the result of `make`; `undefined` where it throws a mistake, which is kept. */
  attempt<Made>(make: () => Made): Made | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      for (const problem of error.problems) {
        const place = formatPath(problem.path);
        if (!this.#problems.some(({ path }) => formatPath(path) === place)) this.#problems.push(problem);
      }
      return undefined;
    }
  }

  /** Returns the problems that were kept so far. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** @throws ValidationError with all that was kept */
  throwAll(): void {
    const [first, ...others] = this.#problems;
    if (first !== undefined) throw new ValidationError([first, ...others]);
  }
}

/**
 * Returns the result of `make` for each item.
 *
 * @throws ValidationError with the mistakes of all items, one for each place
 */
export function collectErrors<Item, Made>(items: readonly Item[], make: (item: Item) => Made): readonly Made[] {
  const errors = new ErrorCollector();
  const made = items.flatMap((item) => {
    const one = errors.attempt(() => ({ made: make(item) }));
    return one === undefined ? [] : [one.made];
  });
  errors.throwAll();
  return made;
}
