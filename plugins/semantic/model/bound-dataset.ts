/** A dataset of a draft, bound to the columns that the warehouse has. */
import type { ColumnInfo, ScalarType } from '../../../router/capabilities/warehouse.ts';
import { match } from '../../query-surface/index.ts';
import type { DraftDataset, DraftField } from './read-draft.ts';
import type { Bound } from './template.ts';

/** What the warehouse told about a column or an expression. Of an expression it does not tell whether it may be null. */
export type TypedColumn = Pick<ColumnInfo, 'name' | 'type' | 'nativeType'> & Partial<Pick<ColumnInfo, 'nullable'>>;

export interface BoundField {
  readonly draft: DraftField;
  readonly expression: Bound;
  /** Known for a plain column; a computed field's type is asked of the warehouse. */
  readonly type: { readonly type: ScalarType; readonly nativeType: string } | undefined;
  /** True for personal data: never leaves this folder. */
  readonly personal: boolean;
}

export interface BoundDataset {
  readonly draft: DraftDataset;
  readonly columns: readonly TypedColumn[];
  readonly fields: ReadonlyMap<string, BoundField>;
  /** Physical columns that hold personal data. */
  readonly personalColumns: ReadonlySet<string>;
}

/** Finds the column a name means: exactly, else regardless of letter case if that is unique. */
export function findColumn(name: string, columns: readonly TypedColumn[]): TypedColumn | undefined {
  const found = match(name, columns);
  return found.kind === 'one' ? found.item : undefined;
}
