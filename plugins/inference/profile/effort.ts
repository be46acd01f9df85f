/**
 * Decides how closely a table is profiled: each of a few tables may take a second, each of hundreds some
 * milliseconds.
 */

export interface Effort {
  /** Rows up to which a table is read whole for its statistics, on an engine that counts distinct values approximately. */
  readonly fullScanRows: number;
  /** Rows up to which distinct values are counted exactly. */
  readonly exactRows: number;
  /** Rows of the statistics where a table is not read whole. */
  readonly sampleRows: number;
  /** Rows that sample values are picked from. */
  readonly valueRows: number;
  /** Rows up to which keys are verified; in larger tables, a sample without repetition counts as unique. */
  readonly verifiedRows: number;
  /** Columns that may be a key each and are verified. */
  readonly verifiedKeys: number;
  /** Rows up to which columns are tried together as a key, and up to which dependencies are looked up. */
  readonly compositeRows: number;
  readonly dependencyRows: number;
}

/** Tables of a profile up to which each is profiled closely. */
const MAX_CLOSELY_PROFILED_TABLES = 60;

const CLOSE: Effort = {
  fullScanRows: 2_000_000,
  exactRows: 100_000,
  sampleRows: 100_000,
  valueRows: 500,
  verifiedRows: 2_000_000,
  verifiedKeys: 20,
  compositeRows: 500_000,
  dependencyRows: 1_000_000,
};

const QUICK: Effort = {
  fullScanRows: 20_000,
  exactRows: 2_000,
  sampleRows: 10_000,
  valueRows: 100,
  verifiedRows: 500_000,
  verifiedKeys: 4,
  compositeRows: 10_000,
  dependencyRows: 20_000,
};

export function chooseEffort(tables: number): Effort {
  return tables <= MAX_CLOSELY_PROFILED_TABLES ? CLOSE : QUICK;
}
