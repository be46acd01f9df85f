import type { KAnonymity } from '../query-surface/index.ts';

/** Settings for descriptions of cubes and for answers. */
export interface CubeSettings {
  /** Maximum of rows of an answer if the request has no limit. */
  readonly maxRows: number;
  /** Milliseconds that answers are kept. */
  readonly cacheTtlMs: number;
  /** Milliseconds that sample members are kept. */
  readonly samplesTtlMs: number;
  /** Milliseconds that a query may take in total. */
  readonly timeoutMs: number;
  readonly kAnonymity: KAnonymity;
}
