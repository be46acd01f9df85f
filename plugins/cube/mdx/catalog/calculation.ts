import type { Scalar } from '../../../../router/capabilities/scalar.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';

/** A value as expressions compute it. `null` is empty. */
export type Value = Scalar | Date;

/** How a calculated member gets its value. */
export interface Calculation {
  /** Cells at which several calculated members meet are computed by the one with the highest. */
  readonly solveOrder: number;
  evaluate(evaluator: Evaluator): Value;
  /** The format string at the current cell, or `undefined` when neither it nor its formula has one. */
  formatString(evaluator: Evaluator): string | undefined;
  /** A property such as `FORE_COLOR` or a member property, computed at the current cell. */
  property(name: string, evaluator: Evaluator): Value | undefined;
  /** Whether its formula contains a set that is non-empty by the query's measures. */
  readonly usesNonEmpty?: (() => boolean) | undefined;
  /** False for calculations the engine makes itself (visual totals, the members of a slicer set). */
  readonly declared: boolean;
}
