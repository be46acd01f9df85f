/** A dataset of a draft, bound to the columns of the warehouse. */
import type { ColumnInfo, ScalarType } from '../../../router/capabilities/warehouse.ts';
import { match } from '../../query-surface/index.ts';
import type { DraftDataset, DraftField } from './read-draft.ts';
import type { Bound } from './template.ts';

/** The type of a column or an expression, as the warehouse reports it; `nullable` is absent for an expression. */
export type TypedColumn = Pick<ColumnInfo, 'name' | 'type' | 'nativeType'> & Partial<Pick<ColumnInfo, 'nullable'>>;

export interface BoundField {
  readonly draft: DraftField;
  readonly expression: Bound;
  /** The type of a plain column; `undefined` for a computed field, whose type the warehouse reports. */
  readonly type: { readonly type: ScalarType; readonly nativeType: string } | undefined;
  /** True for personal data, which no other folder reads. */
  readonly personal: boolean;
}

export interface BoundDataset {
  readonly draft: DraftDataset;
  readonly columns: readonly TypedColumn[];
  readonly fields: ReadonlyMap<string, BoundField>;
  /** Physical columns with personal data. */
  readonly personalColumns: ReadonlySet<string>;
}

/** Finds a column by its exact name, else regardless of letter case if only one column matches. */
export function findColumn(name: string, columns: readonly TypedColumn[]): TypedColumn | undefined {
  const columnMatch = match(name, columns);
  return columnMatch.kind === 'one' ? columnMatch.item : undefined;
}
