import type { KAnonymity } from '../query-surface/index.ts';

/** Settings that decide how cubes are described and queries answered. */
export interface CubeSettings {
  /** Rows of an answer whose request names no limit. */
  readonly maxRows: number;
  /** How long answers are kept, milliseconds. */
  readonly cacheTtlMs: number;
  /** How long sample members are kept, milliseconds. */
  readonly samplesTtlMs: number;
  /** How long a query may take in all, milliseconds. */
  readonly timeoutMs: number;
  readonly kAnonymity: KAnonymity;
}
