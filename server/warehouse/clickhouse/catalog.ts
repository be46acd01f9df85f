import type { Catalog } from '../driver.ts';
import { namedSchema } from '../named-schema.ts';
import { scalarTypeOf } from './types.ts';

/**
 * A database is a schema here; there are no catalogs. The server shows a user only readable tables. `.inner` tables
 * belong to materialized views.
 */
export const clickhouseCatalog: Catalog = {
  product: { sql: "SELECT 'ClickHouse', version()", parameters: [] },
  places: (schema) =>
    namedSchema(
      schema,
      `SELECT name FROM system.databases
      WHERE name NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema') ORDER BY name`,
    ),
  tables: (schema) => ({
    sql: `SELECT database, name, multiIf(engine = 'View', 'VIEW', engine = 'MaterializedView', 'MATERIALIZED VIEW', 'TABLE')
      FROM system.tables
      WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema') AND NOT is_temporary
        AND NOT startsWith(name, '.inner') AND ({p0:Nullable(String)} IS NULL OR database = {p0:Nullable(String)})
      ORDER BY database, name`,
    parameters: [{ type: 'text', value: schema ?? null }],
  }),
  rowEstimates: (schema) => ({
    sql: `SELECT database, name, total_rows FROM system.tables
      WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema') AND NOT is_temporary
        AND total_rows IS NOT NULL AND ({p0:Nullable(String)} IS NULL OR database = {p0:Nullable(String)})`,
    parameters: [{ type: 'text', value: schema ?? null }],
  }),
  columns: ({ catalog, schema, name }) => ({
    sql: `SELECT name, type, type, match(type, '^(LowCardinality\\\\()?Nullable\\\\(')
      FROM system.columns
      WHERE {p0:Nullable(String)} IS NULL AND database = coalesce({p1:Nullable(String)}, currentDatabase())
        AND table = {p2:Nullable(String)}
      ORDER BY position`,
    parameters: [
      { type: 'text', value: catalog ?? null },
      { type: 'text', value: schema ?? null },
      { type: 'text', value: name },
    ],
  }),
  columnsOf: (schema, names) => ({
    sql: `SELECT table, name, type, type, match(type, '^(LowCardinality\\\\()?Nullable\\\\(')
      FROM system.columns
      WHERE database = {p0:Nullable(String)}
        AND table IN (${names.map((_, index) => `{p${index + 1}:Nullable(String)}`).join(', ')})
      ORDER BY table, position`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  columnStatistics: () => undefined,
  // There are no foreign keys.
  foreignKeys: () => undefined,
  typeOf: scalarTypeOf,
};
