/**
 * The operators of a filter: the one list. Requests, their JSON Schemas, the filters of host pages and the element (by `npx
 * tsx scripts/element-lists.ts`) are made from it. A new operator does not compile until each place that gives it a meaning
 * has it (CONTRIBUTING.md).
 */

/**
 * Number of values that an operator compares with: none, one, two (low and high), or a list of any length. A relative period takes the name of a
 * period relative to today, and a number of periods.
 */
export type Arity = 'none' | 'one' | 'two' | 'list' | 'period';

export const FILTER_OPERATORS = {
  EQ: { arity: 'one' },
  NEQ: { arity: 'one' },
  LT: { arity: 'one' },
  LTE: { arity: 'one' },
  GT: { arity: 'one' },
  GTE: { arity: 'one' },
  IN: { arity: 'list' },
  BETWEEN: { arity: 'two' },
  IS_NULL: { arity: 'none' },
  IS_NOT_NULL: { arity: 'none' },
  RELATIVE: { arity: 'period' },
} as const satisfies Record<string, { readonly arity: Arity }>;

export type FilterOperator = keyof typeof FILTER_OPERATORS;

/** The operators of one arity. */
export type OperatorOf<A extends Arity> = {
  [Op in FilterOperator]: (typeof FILTER_OPERATORS)[Op]['arity'] extends A ? Op : never;
}[FilterOperator];

/** All names, in the order of messages. */
export const FILTER_OPERATOR_NAMES = Object.keys(FILTER_OPERATORS) as [FilterOperator, ...FilterOperator[]];

/** Returns the names of the operators of one arity. */
export function operatorsOf<A extends Arity>(arity: A): [OperatorOf<A>, ...OperatorOf<A>[]] {
  return FILTER_OPERATOR_NAMES.filter((op) => hasArity(op, arity)) as [OperatorOf<A>, ...OperatorOf<A>[]];
}

export function hasArity<A extends Arity>(op: FilterOperator, arity: A): op is OperatorOf<A> {
  return FILTER_OPERATORS[op].arity === arity;
}
