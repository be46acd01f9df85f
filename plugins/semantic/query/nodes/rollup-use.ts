/**
 * Whether a roll-up may be read. `declared`: always, because the warehouse reports no versions of its data or the model says
 * so. `agrees`: for the version of the data in which it agrees with its dataset. `differs`: it does not agree. `unchecked`:
 * it was not compared yet, or cannot be.
 */
export type RollupUse = 'declared' | 'agrees' | 'differs' | 'unchecked';
