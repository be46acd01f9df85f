import { type Problem, ValidationError } from '../../../router/errors.ts';
import { MAX_PROBLEMS } from '../../../router/limits.ts';

/** Mistakes of one request, gathered so that all are told at once. */
export class ProblemCollector {
  readonly #found: Problem[] = [];
  #more = 0;
  /** Path of the request inside a body that wraps it. */
  readonly #root: string;

  constructor(root = '') {
    this.#root = root;
  }

  /**
   * @param available candidates; given as a function they are only looked for when the mistake is one of those told
   * @param withoutData said instead to who may not see members: given where the message or the candidates hold some
   */
  at(
    field: string,
    message: string,
    available?: readonly string[] | (() => readonly string[]),
    withoutData?: string,
  ): void {
    if (this.#found.length >= MAX_PROBLEMS) {
      this.#more++;
      return;
    }
    const candidates = typeof available === 'function' ? available() : available;
    this.#found.push({
      field: this.#root === '' ? field : `${this.#root}.${field}`,
      message,
      available: candidates,
      ...(withoutData === undefined ? {} : { withoutData }),
    });
  }

  throwIfAny(): void {
    const [first, ...others] = this.#found;
    if (first !== undefined) throw new ValidationError([first, ...others], this.#more);
  }
}
