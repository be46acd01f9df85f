/**
 * The uses of a roll-up, the best first. `declared`: always, because the warehouse reports no versions of its data or the
 * model says so. `agrees`: for the version of the data in which it agrees with its dataset. `unchecked`: it was not compared
 * yet, or cannot be. `differs`: it does not agree.
 */
export const ROLLUP_USES = ['declared', 'agrees', 'unchecked', 'differs'] as const;
export type RollupUse = (typeof ROLLUP_USES)[number];
