/** A dataset of a draft, bound to the columns that the warehouse has. */
import type { ColumnInfo, ScalarType } from '../../../router/capabilities/warehouse.ts';
import { match } from '../../query-surface/index.ts';
import type { DraftDataset, DraftField } from './read-draft.ts';
import type { Bound } from './template.ts';

/** The type of a column or an expression, as the warehouse reports it. It does not report whether an expression may be null. */
export type TypedColumn = Pick<ColumnInfo, 'name' | 'type' | 'nativeType'> & Partial<Pick<ColumnInfo, 'nullable'>>;

export interface BoundField {
  readonly draft: DraftField;
  readonly expression: Bound;
  /** Known for a plain column; the warehouse gives the type of a computed field. */
  readonly type: { readonly type: ScalarType; readonly nativeType: string } | undefined;
  /** True for personal data: never leaves this folder. */
  readonly personal: boolean;
}

export interface BoundDataset {
  readonly draft: DraftDataset;
  readonly columns: readonly TypedColumn[];
  readonly fields: ReadonlyMap<string, BoundField>;
  /** Physical columns with personal data. */
  readonly personalColumns: ReadonlySet<string>;
}

/** Finds the column a name means: exactly, else regardless of letter case if that is unique. */
export function findColumn(name: string, columns: readonly TypedColumn[]): TypedColumn | undefined {
  const columnMatch = match(name, columns);
  return columnMatch.kind === 'one' ? columnMatch.item : undefined;
}
