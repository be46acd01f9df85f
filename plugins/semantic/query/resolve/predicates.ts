/** Reads the test of a filter: its operator, and its values with the type of the comparison. */
import type { BoundLimits } from '../../../../router/capabilities/dialect.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import { type FilterOperator, hasArity, type OperatorOf } from '../../../../router/filter-operators.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';
import type { ProblemList } from '../../../query-surface/index.ts';
import { MAX_ALTERNATIVES } from '../../limits.ts';
import type { ValueType } from '../../model/model.ts';
import { incomparableReason, isOfColumn } from '../nodes/comparable-values.ts';
import type { LiteralValue } from '../nodes/literals.ts';
import type { Predicate } from '../nodes/resolved-query.ts';

/** The tests of operators, by the number of their values. */
const COMPARISONS = { EQ: '=', NEQ: '<>', LT: '<', LTE: '<=', GT: '>', GTE: '>=' } as const satisfies Record<
  OperatorOf<'one'>,
  string
>;
const LIST_TESTS = { IN: 'in' } as const satisfies Record<OperatorOf<'list'>, string>;
const RANGE_TESTS = { BETWEEN: 'between' } as const satisfies Record<OperatorOf<'two'>, string>;
const NULL_TESTS = { IS_NULL: 'null', IS_NOT_NULL: 'notNull' } as const satisfies Record<OperatorOf<'none'>, string>;

/** An operator that compares values with each other. */
type Comparing = Exclude<FilterOperator, OperatorOf<'period'>>;

/** The parts of a filter besides the field or metric that it tests. */
export interface RequestedPredicate {
  readonly op: Comparing;
  readonly value?: LiteralValue | undefined;
  readonly values?: readonly LiteralValue[] | undefined;
}

/** The operand that values are compared with. */
export interface Operand {
  /** Its name in messages. */
  readonly name: string;
  readonly type: ValueType;
  /** Reads a value as one of that type, or returns a description of the expected value. */
  readonly read: (value: LiteralValue) => Parameter | string;
  /** Candidates for a value that cannot be read, where they can be listed. */
  readonly available?: ((value: LiteralValue) => readonly string[]) | undefined;
}

export class TestReader {
  readonly #problems: ProblemList;
  readonly #holds: BoundLimits | undefined;

  /** @param holds the engine's limits on values; without them all values pass */
  constructor(problems: ProblemList, holds: BoundLimits | undefined) {
    this.#problems = problems;
    this.#holds = holds;
  }

  /**
   * Reads a test; an invalid part is a problem. Without an operand (its names were not found), only the shape is checked.
   */
  read(predicate: RequestedPredicate, operand: Operand | undefined, path: RequestPath): Predicate | undefined {
    const { op, value, values } = predicate;
    const refuse = (member: 'value' | 'values', message: string) => this.#problems.add([...path, member], message);
    if (hasArity(op, 'none')) {
      if (value !== undefined) refuse('value', `${op} takes no value.`);
      if (values !== undefined) refuse('values', `${op} takes no values.`);
      return { kind: NULL_TESTS[op] };
    }
    if (hasArity(op, 'list')) {
      const list = this.#list(predicate, path);
      if (list === undefined) return undefined;
      const literals = list.map((one, index) => this.#literal(one, operand, [...path, 'values', index]));
      if (literals.includes(undefined)) return undefined;
      const values = literals.filter((one) => one !== undefined);
      this.#refuseManyAlternatives(values, operand, path);
      return { kind: LIST_TESTS[op], values: values };
    }
    if (hasArity(op, 'two')) {
      const list = this.#list(predicate, path);
      if (list === undefined) return undefined;
      const [low, high] = list;
      if (low === undefined || high === undefined || list.length > 2) {
        refuse(
          'values',
          `${op} takes two values, the low one first; there ${list.length === 1 ? 'is' : 'are'} ${list.length}.`,
        );
        return undefined;
      }
      const lowest = this.#literal(low, operand, [...path, 'values', 0]);
      const highest = this.#literal(high, operand, [...path, 'values', 1]);
      if (lowest === undefined || highest === undefined) return undefined;
      return { kind: RANGE_TESTS[op], low: lowest, high: highest };
    }
    if (values !== undefined) refuse('values', `${op} takes one value, in "value".`);
    if (value === undefined) {
      if (values === undefined) refuse('value', `${op} needs a value.`);
      return undefined;
    }
    const parameter = this.#literal(value, operand, [...path, 'value']);
    return parameter === undefined ? undefined : { kind: 'compare', operator: COMPARISONS[op], value: parameter };
  }

  /** Refuses too many values that cannot be bound in a list: each of them is a separate comparison for every row. */
  #refuseManyAlternatives(values: readonly Parameter[], operand: Operand | undefined, path: RequestPath): void {
    if (operand === undefined || this.#holds?.convertsLists !== true) return;
    const alternatives = values.filter((value) => !isOfColumn(operand.type, value)).length;
    if (alternatives <= MAX_ALTERNATIVES) return;
    const message = `${operand.name} is compared with at most ${MAX_ALTERNATIVES} such values.`;
    this.#problems.add([...path, 'values'], message);
  }

  #list({ op, value, values }: RequestedPredicate, path: RequestPath): readonly LiteralValue[] | undefined {
    if (value !== undefined) this.#problems.add([...path, 'value'], `${op} takes a list, in "values".`);
    if (values === undefined && value === undefined) {
      this.#problems.add([...path, 'values'], `${op} needs values.`);
    }
    return values;
  }

  #literal(value: LiteralValue, operand: Operand | undefined, path: RequestPath): Parameter | undefined {
    if (operand === undefined) return undefined;
    const parameter = operand.read(value);
    const isRead = typeof parameter !== 'string';
    const expected = !isRead
      ? parameter
      : this.#holds === undefined
        ? undefined
        : incomparableReason(operand.type, parameter, this.#holds);
    if (isRead && expected === undefined) return parameter;
    const message = `${operand.name} is compared with ${expected}, not with "${short(String(value))}".`;
    const available = operand.available?.(value);
    this.#problems.add(path, message, available, available && message);
    return undefined;
  }
}
