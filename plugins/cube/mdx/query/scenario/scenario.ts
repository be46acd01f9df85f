/** Ways in which a new value of a cell is spread to the leaf cells below it. Names and rules are the ones of UPDATE CUBE. */
export type Allocation = 'equal_allocation' | 'equal_increment' | 'weighted_allocation' | 'weighted_increment';

export const ALLOCATIONS: readonly Allocation[] = [
  'equal_allocation',
  'equal_increment',
  'weighted_allocation',
  'weighted_increment',
];

/** "If this cell held that value." */
export interface Change {
  /** Name (`Units`) or unique name (`[Measures].[Units]`) of a stored measure that is a sum. */
  readonly measure: string;
  /** Unique names of stored members, at most one of a hierarchy; other hierarchies are at their default members. */
  readonly members: readonly string[];
  readonly value: number;
  readonly allocation: Allocation;
}

/** Changes that hold for one query, in their order: a later one sees what the earlier ones have made of the cells. */
export interface Scenario {
  readonly changes: readonly Change[];
}
