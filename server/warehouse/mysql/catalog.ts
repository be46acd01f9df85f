import type { Catalog } from '../driver.ts';
import { namedSchema } from '../named-schema.ts';
import { scalarTypeOf } from './types.ts';

/**
 * A database is a schema here; there are no catalogs (`def` is the only one). The server shows a user only readable
 * tables.
 */
const SYSTEM = "('information_schema', 'mysql', 'performance_schema', 'sys')";

/**
 * Compares exactly: names in `information_schema` compare without letter case, but `Store` and `store` may be two
 * tables.
 */
const EXACT = (column: string): string => `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`;

export const mysqlCatalog: Catalog = {
  product: {
    sql: `SELECT CASE WHEN VERSION() LIKE '%MariaDB%' THEN 'MariaDB' ELSE 'MySQL' END, SUBSTRING_INDEX(VERSION(), '-', 1)`,
    parameters: [],
  },
  places: (schema) =>
    namedSchema(
      schema,
      `SELECT schema_name FROM information_schema.schemata WHERE schema_name NOT IN ${SYSTEM} ORDER BY schema_name`,
    ),
  tables: (schema) => ({
    sql: `SELECT table_schema, table_name, CASE WHEN table_type LIKE '%VIEW' THEN 'VIEW' ELSE 'TABLE' END
      FROM information_schema.tables
      WHERE table_schema NOT IN ${SYSTEM} AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
        AND (? IS NULL OR ${EXACT('table_schema')} = ?)
      ORDER BY ${EXACT('table_schema')}, ${EXACT('table_name')}`,
    parameters: [
      { type: 'text', value: schema ?? null },
      { type: 'text', value: schema ?? null },
    ],
  }),
  rowEstimates: (schema) => ({
    sql: `SELECT table_schema, table_name, table_rows
      FROM information_schema.tables
      WHERE table_schema NOT IN ${SYSTEM} AND table_rows IS NOT NULL AND (? IS NULL OR ${EXACT('table_schema')} = ?)`,
    parameters: [
      { type: 'text', value: schema ?? null },
      { type: 'text', value: schema ?? null },
    ],
  }),
  columns: ({ catalog, schema, name }) => ({
    sql: `SELECT column_name, column_type, column_type, is_nullable = 'YES'
      FROM information_schema.columns
      WHERE coalesce(?, 'def') = 'def'
        AND ${EXACT('table_schema')} = coalesce(?, DATABASE())
        AND (${EXACT('table_name')} = ? OR @@lower_case_table_names > 0 AND table_name = ?)
      ORDER BY ordinal_position`,
    parameters: [
      { type: 'text', value: catalog ?? null },
      { type: 'text', value: schema ?? null },
      { type: 'text', value: name },
      { type: 'text', value: name },
    ],
  }),
  columnsOf: (schema, names) => ({
    sql: `SELECT table_name, column_name, column_type, column_type, is_nullable = 'YES'
      FROM information_schema.columns
      WHERE ${EXACT('table_schema')} = ? AND ${EXACT('table_name')} IN (${names.map(() => '?').join(', ')})
      ORDER BY table_name, ordinal_position`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  columnStatistics: () => undefined,
  foreignKeys: (schema, names) => ({
    sql: `SELECT table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name
      FROM information_schema.key_column_usage
      WHERE referenced_table_name IS NOT NULL AND ${EXACT('table_schema')} = ?
        AND ${EXACT('table_name')} IN (${names.map(() => '?').join(', ')})
      ORDER BY table_name, constraint_name, ordinal_position`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  typeOf: scalarTypeOf,
};
