import type { Catalog } from '../driver.ts';
import { scalarTypeOf } from './types.ts';

/** The `information_schema` of the address's catalog; it shows readable tables, and materialized views as tables. */
export const trinoCatalog: Catalog = {
  product: { sql: "SELECT 'Trino', version()", parameters: [] },
  tables: (schema) => ({
    sql: `SELECT table_schema, table_name, CASE table_type WHEN 'VIEW' THEN 'VIEW' ELSE 'TABLE' END
      FROM information_schema.tables
      WHERE table_schema <> 'information_schema' AND (? IS NULL OR table_schema = ?)
      ORDER BY table_schema, table_name`,
    parameters: [
      { type: 'text', value: schema?.toLowerCase() ?? null },
      { type: 'text', value: schema?.toLowerCase() ?? null },
    ],
  }),
  // SHOW STATS reports them, one table per statement.
  rowEstimates: () => undefined,
  columns: ({ catalog, schema, name }) => ({
    sql: `SELECT column_name, data_type, data_type, is_nullable = 'YES'
      FROM information_schema.columns
      WHERE coalesce(?, current_catalog) = current_catalog AND table_schema = coalesce(?, current_schema) AND table_name = ?
      ORDER BY ordinal_position`,
    parameters: [
      { type: 'text', value: catalog?.toLowerCase() ?? null },
      { type: 'text', value: schema?.toLowerCase() ?? null },
      { type: 'text', value: name.toLowerCase() },
    ],
  }),
  columnsOf: (schema, names) => ({
    sql: `SELECT table_name, column_name, data_type, data_type, is_nullable = 'YES'
      FROM information_schema.columns
      WHERE table_schema = ? AND table_name IN (${names.map(() => '?').join(', ')})
      ORDER BY table_name, ordinal_position`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  columnStatistics: () => undefined,
  // There are no foreign keys.
  foreignKeys: () => undefined,
  typeOf: scalarTypeOf,
};
