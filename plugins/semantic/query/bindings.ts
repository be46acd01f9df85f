import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { Parameter } from '../../../router/capabilities/warehouse.ts';

/** Collects the values of a statement. They are bound in the order in which their placeholders stand in the text. */
export class Bindings {
  readonly #dialect: Dialect;
  readonly #parameters: Parameter[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The placeholder that stands for `parameter`. */
  bind(parameter: Parameter): string {
    this.#parameters.push(parameter);
    return this.#dialect.placeholder(this.#parameters.length - 1, parameter.type);
  }

  get parameters(): readonly Parameter[] {
    return this.#parameters;
  }
}
