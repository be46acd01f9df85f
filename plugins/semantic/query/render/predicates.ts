/** Writes the SQL of tests: an expression compared with bound values. */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../../router/errors.ts';
import { bind, bindList, joinSql, type SqlPart, sql } from '../../../query-surface/index.ts';
import { MAX_SINGLY_BOUND } from '../../limits.ts';
import type { ValueType } from '../../model/model.ts';
import { boundFor, castOf, isOfColumn, listedType } from '../nodes/comparable-values.ts';
import type { Predicate } from '../nodes/resolved-query.ts';

export class PredicateRenderer {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Writes a test of a field's values, which `expression` computes. */
  tested(field: ValueType, expression: string, test: Predicate): SqlPart {
    switch (test.kind) {
      case 'null':
        return `${expression} IS NULL`;
      case 'notNull':
        return `${expression} IS NOT NULL`;
      case 'compare':
        return sql`${this.#comparable(field, expression)} ${test.operator} ${this.#bound(field, test.value)}`;
      case 'within': {
        const value = this.#comparable(field, expression);
        return sql`(${value} >= ${this.#bound(field, test.from)} AND ${value} < ${this.#bound(field, test.before)})`;
      }
      case 'between': {
        const low = this.#bound(field, test.low);
        const high = this.#bound(field, test.high);
        return sql`${this.#comparable(field, expression)} BETWEEN ${low} AND ${high}`;
      }
      case 'in': {
        if (test.values.length === 0) return '1 = 0';
        const tests = this.#memberships(field, this.#comparable(field, expression), test.values);
        return tests.length === 1 ? joinSql(tests, '') : sql`(${joinSql(tests, ' OR ')})`;
      }
    }
  }

  /**
   * Writes tests; one of them is true where `expression` is one of the values. Each type of values has its own test,
   * because engines convert a list of several types to one type (a whole number beside a double loses digits). Many values
   * of one type are bound as one list.
   */
  #memberships(field: ValueType, expression: string, values: readonly Parameter[]): readonly SqlPart[] {
    const { holds } = this.#dialect;
    const isMany = values.length > MAX_SINGLY_BOUND;
    const byType = new Map<string, Parameter[]>();
    const others: Parameter[] = [];
    for (const value of values) {
      if (holds.convertsLists && !isOfColumn(field, value)) others.push(value);
      else {
        const type = listedType(value, holds);
        if (byType.get(type)?.push(value) === undefined) byType.set(type, [value]);
      }
    }
    const tests = [...byType.values()].flatMap((alike) => {
      const type = alike[0]?.type ?? 'other';
      // A cast depends only on the field and the type, so all of these values have one, or none has.
      const isCast = alike.some((value) => castOf(field, value) !== undefined);
      if (isMany && !isCast && this.#dialect.list(type) !== undefined) {
        const scalars = alike.map((value) => boundFor(field, value, holds).value);
        return bindList(scalars, type, expression, this.#dialect);
      }
      const listed = joinSql(
        alike.map((value) => this.#bound(field, value)),
        ', ',
      );
      return [sql`${expression} IN (${listed})`];
    });
    return [...tests, ...others.map((value) => sql`${expression} = ${this.#bound(field, value)}`)];
  }

  #bound(field: ValueType, value: Parameter): SqlPart {
    const cast = castOf(field, value);
    const placeholder = bind(boundFor(field, value, this.#dialect.holds));
    return cast === undefined ? placeholder : sql`CAST(${placeholder} AS ${cast})`;
  }

  /** Casts a type without its own literals (UUID, enumerations, JSON) to text, so that it is compared as text. */
  #comparable(field: ValueType, expression: string): string {
    const { type } = field;
    const byText = type === 'other' || type === 'json' || type === 'binary' || (type === 'text' && !isCharacter(field));
    return byText ? valueText(this.#dialect, expression, field) : expression;
  }
}

/** Writes the text of a field's value. Loading leaves out fields of types without one. */
export function valueText(dialect: Dialect, expression: string, field: ValueType): string {
  const text = dialect.valueText(expression, field);
  if (text === undefined) throw new InternalError(`Values of ${field.nativeType} have no text.`);
  return text;
}

/**
 * Returns whether the engine compares the field with any text unchanged. UUIDs and enumerations reach a caller as text too,
 * but engines refuse to compare them with text, or with text that is not one of their values.
 */
function isCharacter({ nativeType }: ValueType): boolean {
  const bare = nativeType.toLowerCase().replaceAll(/nullable\(|lowcardinality\(/g, '');
  return /^(n?var|n|bp|tiny|medium|long|"|national |character )?(char|character|text|string|clob|citext|name|unknown)/.test(
    bare,
  );
}
