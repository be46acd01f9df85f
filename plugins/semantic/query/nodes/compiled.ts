/** Questions with their statements, ready to be run. */
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import type { Model } from '../../model/model.ts';
import type { Comparison } from './comparison.ts';
import type { Plan } from './plan.ts';

export interface CompiledQuestion {
  readonly plan: Plan;
  /** The model as the caller sees it. */
  readonly model: Model;
  /** The statement that is right whatever the data. */
  readonly statement: Statement;
  /** A faster one that gives the same for this version of the data; see `ReferentialIntegrity`. */
  readonly innerJoinVariant: { readonly statement: Statement; readonly version: string } | undefined;
  /** Rows after which the answer is cut and marked as cut; `undefined` where the request's own limit ends it. */
  readonly rowCap: number | undefined;
}

export interface Compiled extends CompiledQuestion {
  /** The same question about the times that values are compared with. */
  readonly comparisons: readonly CompiledComparison[];
}

export interface CompiledComparison extends CompiledQuestion {
  readonly comparison: Comparison;
  /** Compiles the question; if it has more groups than are read at once, only for the groups that the answer looks up. */
  readonly semiJoin: () => CompiledQuestion;
}
