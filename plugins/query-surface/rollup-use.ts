/** Tables with figures that were aggregated before, read in place of the rows that they aggregate. */

/**
 * The uses of such a table, the best first. `declared`: always, because the warehouse reports no versions of its data or the
 * model says so. `agrees`: for the version of the data in which it agrees with the rows. `unchecked`: it was not compared
 * yet, or cannot be. `differs`: it does not agree.
 */
export const ROLLUP_USES = ['declared', 'agrees', 'unchecked', 'differs'] as const;
export type RollupUse = (typeof ROLLUP_USES)[number];

/** Returns whether a table is read in place of the rows. */
export function isRead(use: RollupUse): boolean {
  return use === 'declared' || use === 'agrees';
}

/** Orders uses, the best first. */
export function compareUses(left: RollupUse, right: RollupUse): number {
  return ROLLUP_USES.indexOf(left) - ROLLUP_USES.indexOf(right);
}

/** Says that the rows are read, because no table has what a query needs. */
export function noRollupStep(base: string): string {
  return `${base} is read, because no aggregate table has all levels and measures of the query.`;
}

/**
 * Says which table is read in place of the rows, or why it is not.
 *
 * @param base the name of the rows
 * @param table the table, with its kind
 */
export function rollupStep(use: RollupUse, base: string, table: string): string {
  switch (use) {
    case 'declared':
      return `In place of ${base}, ${table} is read, as it is declared: it is as new as its last load.`;
    case 'agrees':
      return `In place of ${base}, ${table} is read, which agrees with ${base} in this version of the data.`;
    case 'differs':
      return `${base} is read, because ${table} differs from it: load it again.`;
    case 'unchecked':
      return `${base} is read, because ${table} has not been compared with it in this version of the data.`;
  }
}
