import type { Catalog } from '../driver.ts';
import { namedSchema } from '../named-schema.ts';
import { scalarTypeOf } from './types.ts';

/** Only the database itself: an instance also has the databases `system` and `temp`. */
export const duckdbCatalog: Catalog = {
  product: { sql: "SELECT 'DuckDB', ltrim(version(), 'v')", parameters: [] },
  places: (schema) =>
    namedSchema(
      schema,
      `SELECT DISTINCT schema_name FROM duckdb_schemas()
      WHERE database_name = current_database() AND schema_name NOT IN ('information_schema', 'pg_catalog') ORDER BY schema_name`,
    ),
  tables: (schema) => ({
    sql: `SELECT schema_name, name, kind FROM (
        SELECT database_name, schema_name, table_name AS name, 'TABLE' AS kind, internal FROM duckdb_tables()
        UNION ALL
        SELECT database_name, schema_name, view_name, 'VIEW', internal FROM duckdb_views()
      )
      WHERE database_name = current_database() AND NOT internal AND ($1::VARCHAR IS NULL OR schema_name = $1::VARCHAR)
      ORDER BY schema_name, name`,
    parameters: [{ type: 'text', value: schema ?? null }],
  }),
  rowEstimates: (schema) => ({
    sql: `SELECT schema_name, table_name, estimated_size FROM duckdb_tables()
      WHERE database_name = current_database() AND NOT internal AND ($1::VARCHAR IS NULL OR schema_name = $1::VARCHAR)`,
    parameters: [{ type: 'text', value: schema ?? null }],
  }),
  // DuckDB ignores letter case in names, and so does this.
  columns: ({ catalog, schema, name }) => ({
    sql: `SELECT column_name, data_type, data_type, is_nullable FROM duckdb_columns()
      WHERE database_name = current_database() AND NOT internal
        AND lower(coalesce($1::VARCHAR, current_database())) = lower(database_name)
        AND lower(coalesce($2::VARCHAR, current_schema())) = lower(schema_name)
        AND lower(table_name) = lower($3::VARCHAR)
      ORDER BY column_index`,
    parameters: [
      { type: 'text', value: catalog ?? null },
      { type: 'text', value: schema ?? null },
      { type: 'text', value: name },
    ],
  }),
  columnsOf: (schema, names) => ({
    sql: `SELECT table_name, column_name, data_type, data_type, is_nullable FROM duckdb_columns()
      WHERE database_name = current_database() AND NOT internal AND schema_name = $1::VARCHAR
        AND table_name IN (${names.map((_, index) => `$${index + 2}::VARCHAR`).join(', ')})
      ORDER BY table_name, column_index`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  columnStatistics: () => undefined,
  // A key refers to a table of the same schema.
  foreignKeys: (schema, names) => ({
    sql: `SELECT table_name, constraint_index, unnest(constraint_column_names), schema_name, referenced_table,
        unnest(referenced_column_names)
      FROM duckdb_constraints()
      WHERE constraint_type = 'FOREIGN KEY' AND database_name = current_database() AND schema_name = $1::VARCHAR
        AND table_name IN (${names.map((_, index) => `$${index + 2}::VARCHAR`).join(', ')})`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  typeOf: scalarTypeOf,
};
