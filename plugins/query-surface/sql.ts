/**
 * SQL as fragments: text and its parameters in one frozen value. A fragment is composed like text, in any order and as often
 * as needed; placeholders are numbered when the whole statement is printed, in the order of the text.
 *
 * Text in a template is SQL: names that a dialect quotes, and parts of other fragments. Only `bind` or `bindList` may insert
 * a caller's value.
 *
 * @example sql`SELECT ${columns} FROM ${table} WHERE ${column} = ${bind({ type: 'text', value })}`.print(dialect)
 */
import type { Dialect } from '../../router/capabilities/dialect.ts';
import type { Scalar, ScalarType } from '../../router/capabilities/scalar.ts';
import type { Parameter, Statement } from '../../router/capabilities/warehouse.ts';
import { InternalError } from '../../router/errors.ts';

/** A part of a fragment: SQL text without parameters, or another fragment. */
export type SqlPart = string | Sql;

/** Adds a parameter to the statement that is being printed. */
export interface ParameterBinder {
  /** Binds a parameter and returns its placeholder. */
  readonly placeholder: (parameter: Parameter) => string;
  /** Binds a parameter and returns its index in the statement, from 0. */
  readonly index: (parameter: Parameter) => number;
}

/** Writes text with parameters while a statement is printed; binds them in the order of their placeholders in the text. */
type Writer = (binder: ParameterBinder) => string;

/** A piece of SQL with its parameters. */
export class Sql {
  readonly #pieces: readonly (SqlPart | Writer)[];

  constructor(pieces: readonly (SqlPart | Writer)[]) {
    this.#pieces = Object.freeze(pieces);
    Object.freeze(this);
  }

  /** Refuses to be written into an ordinary template, which would lose the parameters. */
  [Symbol.toPrimitive](): never {
    throw new InternalError('a fragment of SQL was written into a text that is not a fragment');
  }

  /**
   * Prints a statement. Each piece is printed once, so that the time is linear in its length, however deep fragments are
   * nested.
   */
  print(dialect: Pick<Dialect, 'placeholder'>): Statement {
    const parameters: Parameter[] = [];
    const index = (parameter: Parameter) => parameters.push(parameter) - 1;
    const binder: ParameterBinder = {
      index,
      placeholder: (parameter) => dialect.placeholder(index(parameter), parameter.type),
    };
    const text: string[] = [];
    const open = [{ pieces: this.#pieces, at: 0 }];
    for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
      const piece = current.pieces[current.at];
      current.at += 1;
      if (piece === undefined) open.pop();
      else if (typeof piece === 'string') text.push(piece);
      else if (piece instanceof Sql) open.push({ pieces: piece.#pieces, at: 0 });
      else text.push(piece(binder));
    }
    return { sql: text.join(''), parameters };
  }
}

/** Composes a fragment of SQL text and other fragments. */
export function sql(texts: TemplateStringsArray, ...parts: readonly SqlPart[]): Sql {
  return new Sql(texts.flatMap((text, index): readonly SqlPart[] => [text, parts[index] ?? '']));
}

/** Joins parts with a separator between them. */
export function joinSql(parts: readonly SqlPart[], separator: string): Sql {
  return new Sql(parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part])));
}

/** Returns the placeholder of a parameter. */
export function bind(parameter: Parameter): Sql {
  return new Sql([({ placeholder }) => placeholder(parameter)]);
}

/** Returns the SQL of a value. Whole numbers are written out, so that long lists need no placeholders. */
export function bindUnlessWhole(type: ScalarType, value: Scalar): SqlPart {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  return type === 'integer' && isWhole ? String(value) : bind({ type, value });
}

/**
 * Returns tests; one of them is true where `expression` is one of the values. A list is bound as one parameter, or as
 * several where the engine limits the length of a list.
 */
export function bindList(
  values: readonly Scalar[],
  type: ScalarType,
  expression: string,
  dialect: Pick<Dialect, 'list' | 'name'>,
): readonly Sql[] {
  const list = dialect.list(type);
  if (list === undefined) throw new InternalError(`${dialect.name} has no lists of ${type}`);
  const text = list.text(values);
  if (text.length > list.maxLength && values.length > 1) {
    const middle = values.length >> 1;
    const halves = [values.slice(0, middle), values.slice(middle)];
    return halves.flatMap((half) => bindList(half, type, expression, dialect));
  }
  return [new Sql([({ index }) => list.contains(expression, index({ type: 'text', value: text, isList: true }))])];
}

/**
 * Returns a piece that a function of the dialect writes with placeholders as text.
 *
 * @param write binds its parameters in the order in which it writes their placeholders
 */
export function writeSql(write: (binder: ParameterBinder) => string): Sql {
  return new Sql([write]);
}
