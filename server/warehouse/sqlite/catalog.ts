import type { Catalog } from '../driver.ts';
import { namedSchema } from '../named-schema.ts';
import { scalarTypeOf } from './types.ts';

/** One file is one schema, `main`. Virtual tables are tables; the tables behind them (`shadow`) and SQLite's own are left out. */
export const sqliteCatalog: Catalog = {
  product: { sql: "SELECT 'SQLite', sqlite_version()", parameters: [] },
  places: (schema) => namedSchema(schema, "SELECT 'main'"),
  tables: (schema) => ({
    sql: `SELECT schema, name, CASE type WHEN 'view' THEN 'VIEW' ELSE 'TABLE' END
      FROM pragma_table_list
      WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND coalesce(?, 'main') = 'main'
      ORDER BY name`,
    parameters: [{ type: 'text', value: schema ?? null }],
  }),
  // The greatest row number exceeds the count where rows were deleted, and ANALYZE is seldom run.
  rowEstimates: () => undefined,
  // hidden: 1 is a hidden column of a virtual table, 2 and 3 are generated ones. A key that is SQLite's own row number is never null.
  columns: ({ catalog, schema, name }) => ({
    sql: `SELECT name, type, type, "notnull" = 0 AND NOT (pk = 1 AND upper(type) = 'INTEGER')
      FROM pragma_table_xinfo(?)
      WHERE hidden <> 1 AND ? IS NULL AND coalesce(?, 'main') = 'main'
      ORDER BY cid`,
    parameters: [
      { type: 'text', value: name },
      { type: 'text', value: catalog ?? null },
      { type: 'text', value: schema?.toLowerCase() ?? null },
    ],
  }),
  columnsOf: (schema, names) => ({
    sql: `SELECT l.name, c.name, c.type, c.type, c."notnull" = 0 AND NOT (c.pk = 1 AND upper(c.type) = 'INTEGER')
      FROM pragma_table_list l JOIN pragma_table_xinfo(l.name) c
      WHERE l.schema = ? AND l.name IN (${names.map(() => '?').join(', ')}) AND c.hidden <> 1
      ORDER BY l.name, c.cid`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  columnStatistics: () => undefined,
  // A key without columns refers to the primary key of its table. Names keep the written letter case, and are compared with the table's names.
  foreignKeys: (schema, names) => ({
    sql: `SELECT l.name, f.id, own.name, l.schema, r.name, other.name
      FROM pragma_table_list l JOIN pragma_foreign_key_list(l.name) f
        JOIN pragma_table_list r ON r.schema = l.schema AND lower(r.name) = lower(f."table")
        JOIN pragma_table_xinfo(l.name) own ON lower(own.name) = lower(f."from")
        JOIN pragma_table_xinfo(r.name) other
          ON CASE WHEN f."to" IS NULL THEN other.pk = f.seq + 1 ELSE lower(other.name) = lower(f."to") END
      WHERE l.schema = ? AND l.name IN (${names.map(() => '?').join(', ')})
      ORDER BY l.name, f.id, f.seq`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  typeOf: scalarTypeOf,
};
