import type { TableName, WarehouseAddress } from './warehouse.ts';

/**
 * A column that a model marks as personal data. Without a table it is meant wherever a table of the warehouse has it;
 * without a name, every column of the table is.
 */
export interface PersonalColumn {
  readonly table: TableName | undefined;
  readonly name: string | undefined;
}

/** The columns that one served datasource marks as personal data in its warehouse. */
export interface ServedMarks {
  readonly warehouse: WarehouseAddress;
  readonly personal: readonly PersonalColumn[];
  /** The tables and views that its model names: their unmarked columns are not personal data. */
  readonly tables: readonly TableName[];
}
