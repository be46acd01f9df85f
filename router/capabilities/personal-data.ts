import type { TableName, WarehouseAddress } from './warehouse.ts';

/**
 * A column that a model marks as personal data. Without a table, the mark applies to columns of that name in every table of the warehouse; without a
 * name, to every column of the table.
 */
export interface PersonalColumn {
  readonly table: TableName | undefined;
  readonly name: string | undefined;
}

/** The columns that one served datasource marks as personal data in its warehouse. */
export interface ServedMarks {
  readonly warehouse: WarehouseAddress;
  readonly personal: readonly PersonalColumn[];
  /** The tables and views in its model: their unmarked columns are not personal data. */
  readonly tables: readonly TableName[];
}
