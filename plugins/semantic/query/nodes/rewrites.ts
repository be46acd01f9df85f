/** Ways of writing a statement that change its speed and never its answer. Tests turn each of them off, or on everywhere. */
export interface Rewrites {
  /** Aggregates the rows of an offset by their own periods, and moves the periods afterwards; see `render/moved-groups.ts`. */
  readonly movesGroupsLast: boolean;
  /**
   * Groups the rows of a fact by its foreign keys before they are joined; see `plan/keys-first.ts`. By default only where
   * the data were measured and have few combinations of keys.
   */
  readonly groupsKeysFirst: 'never' | 'where it pays' | 'always';
  /**
   * Groups months, quarters and years as whole numbers; see `render/numbered-periods.ts`. Only where the dates were
   * measured, because infinite dates have no numbers, and by default only where the rows are many.
   */
  readonly numbersPeriods: 'never' | 'where it pays' | 'always';
  /**
   * Groups rows by the values of a distinct count first; see `render/counted-first.ts`. By default only in engines that sort all
   * rows otherwise, and only for counts.
   */
  readonly countsGroups: 'never' | 'where it pays' | 'always';
  /**
   * Reads roll-ups that the model declares; see `plan/rolled-up.ts`. By default only those that agree with their datasets,
   * or that cannot be compared with them.
   */
  readonly usesRollups: boolean;
}

export const DEFAULT_REWRITES: Rewrites = Object.freeze({
  movesGroupsLast: true,
  groupsKeysFirst: 'where it pays',
  numbersPeriods: 'where it pays',
  countsGroups: 'where it pays',
  usesRollups: true,
});
