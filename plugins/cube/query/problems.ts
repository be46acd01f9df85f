import { type Problem, ValidationError } from '../../../router/errors.ts';

/** Mistakes of one request, gathered so that all are told at once. */
export class Mistakes {
  readonly #found: Problem[] = [];
  /** Path of the request inside a body that wraps it. */
  readonly #root: string;

  constructor(root = '') {
    this.#root = root;
  }

  at(field: string, message: string, available?: readonly string[]): void {
    this.#found.push({ field: this.#root === '' ? field : `${this.#root}.${field}`, message, available });
  }

  throwIfAny(): void {
    const [first, ...others] = this.#found;
    if (first !== undefined) throw new ValidationError([first, ...others]);
  }
}
