/** How a new value of a cell is spread to its leaf cells. Names and rules come from UPDATE CUBE. */
export type Allocation = 'equal_allocation' | 'equal_increment' | 'weighted_allocation' | 'weighted_increment';

export const ALLOCATIONS: readonly Allocation[] = [
  'equal_allocation',
  'equal_increment',
  'weighted_allocation',
  'weighted_increment',
];

/** A what-if change: a new value for a cell. */
export interface Change {
  /** The name (`Units`) or unique name (`[Measures].[Units]`) of a stored measure that is a sum. */
  readonly measure: string;
  /** Unique names of stored members, at most one of each hierarchy. Other hierarchies are at their default members. */
  readonly members: readonly string[];
  readonly value: number;
  readonly allocation: Allocation;
}

/** Changes for one query, in their order. A later change applies to the result of the earlier ones. */
export interface Scenario {
  readonly changes: readonly Change[];
}
