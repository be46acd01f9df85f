import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Parameter, Scalar, ScalarType } from '../../../../router/capabilities/warehouse.ts';

/** The values of one statement and where they stand in its text. */
export class Parameters {
  readonly #dialect: Dialect;
  readonly #values: Parameter[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  get values(): readonly Parameter[] {
    return this.#values;
  }

  /** Returns the SQL that stands for the value. Whole numbers are written out, so that long lists need no placeholders. */
  add(type: ScalarType, value: Scalar): string {
    if (type === 'integer' && (typeof value === 'bigint' || Number.isSafeInteger(value))) return String(value);
    this.#values.push({ type, value });
    return this.#dialect.placeholder(this.#values.length - 1, type);
  }
}
