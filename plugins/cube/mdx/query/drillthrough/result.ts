import type { Scalar, ScalarType } from '../../../../../router/capabilities/scalar.ts';

export interface DrillthroughColumn {
  /** Requested column: `[Store].[Region]`, `[Measures].[Units]`, `[Store].[Name].[Size]`, `KEY([Store].[Name])`. */
  readonly name: string;
  /** Caption: `Region`. Two columns may have the same one. */
  readonly caption: string;
  readonly type: ScalarType;
}

/** The facts a cell is made of: a row for each. */
export interface DrillthroughResult {
  readonly columns: readonly DrillthroughColumn[];
  /** Values in the order of `columns`. */
  readonly rows: readonly (readonly Scalar[])[];
  /** There were more rows than `maxRows`. */
  readonly truncated: boolean;
}
