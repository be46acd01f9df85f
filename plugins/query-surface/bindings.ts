import type { Dialect } from '../../router/capabilities/dialect.ts';
import type { Parameter, Scalar, ScalarType } from '../../router/capabilities/warehouse.ts';
import { InternalError } from '../../router/errors.ts';

/** Collects the values of a statement. They are bound in the order in which their placeholders stand in the text. */
export class Bindings {
  readonly #dialect: Dialect;
  readonly #parameters: Parameter[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Binds `parameter` and returns its placeholder. */
  bind(parameter: Parameter): string {
    this.#parameters.push(parameter);
    return this.#dialect.placeholder(this.#parameters.length - 1, parameter.type);
  }

  /** Returns SQL that stands for a value. Whole numbers are written out, so that long lists need no placeholders. */
  write(type: ScalarType, value: Scalar): string {
    const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
    return type === 'integer' && isWhole ? String(value) : this.bind({ type, value });
  }

  /**
   * Binds a list and returns tests of which one holds where `expression` is one of the values: one test for each text
   * that the list is bound in.
   */
  bindList(values: readonly Scalar[], type: ScalarType, expression: string): readonly string[] {
    const list = this.#dialect.list(type);
    if (list === undefined) throw new InternalError(`${this.#dialect.name} has no lists of ${type}`);
    const text = list.text(values);
    if (text.length > list.maxLength && values.length > 1) {
      const middle = values.length >> 1;
      const halves = [values.slice(0, middle), values.slice(middle)];
      return halves.flatMap((half) => this.bindList(half, type, expression));
    }
    this.#parameters.push({ type: 'text', value: text, isList: true });
    return [list.contains(expression, this.#parameters.length - 1)];
  }

  get parameters(): readonly Parameter[] {
    return this.#parameters;
  }
}
