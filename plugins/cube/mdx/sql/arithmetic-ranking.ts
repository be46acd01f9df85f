import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { type Sql, sql } from '../../../query-surface/index.ts';
import type * as model from '../../schema/model.ts';
import { MAX_ARITHMETIC_NUMBER } from '../limits.ts';
import { type MeasureArithmetic, measuresIn } from '../metadata/measure-arithmetic.ts';

/**
 * Ranks combinations by arithmetic of their measures. The engine computes the same arithmetic itself, and decides. Its
 * results may differ from the warehouse's by rounding. So each combination is returned that may be among the first by
 * either computation.
 *
 * A combination whose value the warehouse may compute otherwise than by rounding (a division by a number that may be 0,
 * a value that is no number, or a huge one) is returned always.
 */

/** Bounds the rounding of doubles, as a share of the numbers that a value was computed from. */
const ROUNDING = 1e-12;

/** The first combinations by a measure, or by arithmetic of measures. */
export interface Top {
  readonly by: MeasureArithmetic;
  readonly count: number;
  readonly direction: 'asc' | 'desc';
}

/**
 * Returns the statement of the combinations of `grouped` that may be among the first.
 *
 * @param columns the names of the columns of `grouped`
 * @param columnOf returns the name of the column of a measure
 */
export function rankedByArithmetic(
  dialect: Dialect,
  grouped: Sql,
  columns: readonly string[],
  columnOf: (measure: model.Measure) => string,
  { by, count, direction }: Top,
): Sql {
  const list = columns.join(', ');
  const one = dialect.literal('1', 'float');
  const names = new Map(measuresIn(by).map((measure, index) => [measure, `m${index}`]));
  const doubles = [...names].map(([measure, name]) => `${columnOf(measure)} * ${one} AS ${name}`);
  const value = new ArithmeticSql(dialect, (measure) => names.get(measure) ?? 'NULL');
  const isUsual = value.conditions(by).join(' AND ') || '1 = 1';
  const rounding = `${dialect.literal(String(ROUNDING), 'float')} * ${value.magnitude(by)}`;
  // The engine's value is between the two.
  const low = `CASE WHEN ${isUsual} THEN ${value.value(by)} - ${rounding} END AS low`;
  const high = `CASE WHEN ${isUsual} THEN ${value.value(by)} + ${rounding} END AS high`;
  const [sure, possible, bound, reaches] =
    direction === 'desc' ? ['low', 'high', 'MIN', '>='] : ['high', 'low', 'MAX', '<='];
  const numbers = sql`SELECT ${list}, ${doubles.join(', ')} FROM (${grouped}) AS grouped`;
  const values = sql`SELECT ${list}, ${low}, ${high} FROM (${numbers}) AS numbers WHERE NOT ${value.isEmpty(by)}`;
  const places = sql`SELECT ${list}, low, high, ROW_NUMBER() OVER (ORDER BY ${dialect.orderBy(sure, direction)}) AS place FROM (${values}) AS valued`;
  const edges = sql`SELECT ${list}, ${possible} AS possible, ${bound}(CASE WHEN place <= ${String(count)} THEN ${sure} END) OVER () AS edge FROM (${places}) AS placed`;
  return sql`SELECT ${list} FROM (${edges}) AS ranked WHERE possible IS NULL OR edge IS NULL OR possible ${reaches} edge`;
}

/** Writes parts of the arithmetic over the columns of measures, which are doubles. */
class ArithmeticSql {
  readonly #dialect: Dialect;
  readonly #column: (measure: model.Measure) => string;

  constructor(dialect: Dialect, column: (measure: model.Measure) => string) {
    this.#dialect = dialect;
    this.#column = column;
  }

  /** Writes the value, which is null where it is empty. It is valid where the `conditions` are met. */
  value(of: MeasureArithmetic): string {
    if (of.kind === 'number') return this.#number(of.value);
    if (of.kind === 'measure') return this.#column(of.measure);
    const [left, right] = [this.value(of.left), this.value(of.right)];
    switch (of.operator) {
      case '+':
      case '-':
        return `(${this.#orZero(of.left, left)} ${of.operator} ${this.#orZero(of.right, right)})`;
      case '*':
        return `(${left} * ${right})`;
      case '/':
        return `(${left} / ${this.#divisor(of.right)})`;
    }
  }

  /** Tests whether the value is empty. */
  isEmpty(of: MeasureArithmetic): string {
    if (of.kind === 'number') return '(1 = 0)';
    if (of.kind === 'measure') return `(${this.#column(of.measure)} IS NULL)`;
    const [left, right] = [this.isEmpty(of.left), this.isEmpty(of.right)];
    switch (of.operator) {
      case '+':
      case '-':
        return `(${left} AND ${right})`;
      case '*':
        return `(${left} OR ${right})`;
      case '/':
        return left;
    }
  }

  /** Writes a number of which the rounding of the value is a small share. */
  magnitude(of: MeasureArithmetic): string {
    if (of.kind === 'number') return this.#number(Math.abs(of.value));
    if (of.kind === 'measure') return `COALESCE(ABS(${this.#column(of.measure)}), ${this.#number(0)})`;
    const [left, right] = [this.magnitude(of.left), this.magnitude(of.right)];
    switch (of.operator) {
      case '+':
      case '-':
        return `(${left} + ${right})`;
      case '*':
        return `(${left} * ${right})`;
      case '/': {
        const divisor = `ABS(${this.#divisor(of.right)})`;
        return `(${left} / ${divisor} * (${right} / ${divisor}))`;
      }
    }
  }

  /** Writes the conditions under which the value is a number that differs from the engine's by rounding only. One that is null is not met. */
  conditions(of: MeasureArithmetic): readonly string[] {
    if (of.kind === 'number') return [];
    const most = this.#number(MAX_ARITHMETIC_NUMBER);
    if (of.kind === 'measure') {
      const column = this.#column(of.measure);
      return [`(${column} IS NULL OR ABS(${column}) <= ${most})`];
    }
    const both = [...this.conditions(of.left), ...this.conditions(of.right)];
    if (of.operator !== '/' || of.right.kind === 'number') return [...new Set(both)];
    const [divisor, smallest] = [this.value(of.right), this.#number(1 / MAX_ARITHMETIC_NUMBER)];
    const isFarFromZero = `ABS(${divisor}) >= ${smallest} AND ABS(${divisor}) > ${this.#number(2 * ROUNDING)} * ${this.magnitude(of.right)}`;
    return [...new Set(both), `(NOT ${this.isEmpty(of.right)} AND ${isFarFromZero})`];
  }

  /** Writes a divisor that is never 0: an engine may compute it where its condition is not met. */
  #divisor(of: MeasureArithmetic): string {
    return of.kind === 'number' ? this.#number(of.value) : `NULLIF(${this.value(of)}, ${this.#number(0)})`;
  }

  #orZero(of: MeasureArithmetic, value: string): string {
    return of.kind === 'number' ? value : `COALESCE(${value}, ${this.#number(0)})`;
  }

  #number(value: number): string {
    return this.#dialect.literal(String(value), 'float');
  }
}
