/** Queries with their statements, ready to run. */
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import type { Model } from '../../model/model.ts';
import type { Comparison } from './comparison.ts';
import type { Plan } from './plan.ts';

export interface CompiledQuery {
  readonly plan: Plan;
  /** The model as the caller sees it. */
  readonly model: Model;
  /** The statement that is correct for all data. */
  readonly statement: Statement;
  /**
   * A faster statement with the same result for this version of the data, with inner joins and rewrites; see
   * `ReferentialIntegrity` and `Rewrites`.
   */
  readonly innerJoinVariant: { readonly statement: Statement; readonly version: string } | undefined;
  /** Rows after which the answer is cut and marked as cut; `undefined` where the request's own limit ends it. */
  readonly rowCap: number | undefined;
}

export interface Compiled extends CompiledQuery {
  /** The same query about the times that values are compared with. */
  readonly comparisons: readonly CompiledComparison[];
}

export interface CompiledComparison extends CompiledQuery {
  readonly comparison: Comparison;
  /**
   * Compiles the query for the groups of the answer only; used where the whole base has more groups than are read at once.
   */
  readonly semiJoin: () => CompiledQuery;
}
