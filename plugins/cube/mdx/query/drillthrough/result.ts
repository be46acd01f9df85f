import type { Scalar, ScalarType } from '../../../../../router/capabilities/scalar.ts';

export interface DrillthroughColumn {
  /** The requested column: `[Store].[Region]`, `[Measures].[Units]`, `[Store].[Name].[Size]`, `KEY([Store].[Name])`. */
  readonly name: string;
  /** The caption: `Region`. Several columns may have the same caption. */
  readonly caption: string;
  readonly type: ScalarType;
}

/** The facts behind a cell, one row for each. */
export interface DrillthroughResult {
  readonly columns: readonly DrillthroughColumn[];
  /** The values in the order of `columns`. */
  readonly rows: readonly (readonly Scalar[])[];
  /** True if there were more rows than `maxRows`. */
  readonly truncated: boolean;
}
