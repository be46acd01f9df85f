import type { Catalog } from '../driver.ts';
import { namedSchema } from '../named-schema.ts';
import { scalarTypeOf } from './types.ts';

/**
 * `information_schema` has no materialized views and hides parts of `pg_catalog`. Partitions are left out: they are
 * read through their table.
 */
/** The column's type by `format_type`, and its base type for reading values. */
const TYPES = `format_type(a.atttypid, a.atttypmod),
        CASE WHEN t.typtype = 'e' OR t.typcategory = 'S' THEN 'text' WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod)
          ELSE format_type(a.atttypid, a.atttypmod) END,
        NOT (a.attnotnull OR t.typnotnull)`;

export const postgresqlCatalog: Catalog = {
  product: { sql: "SELECT 'PostgreSQL', split_part(current_setting('server_version'), ' ', 1)", parameters: [] },
  places: (schema) =>
    namedSchema(
      schema,
      `SELECT nspname FROM pg_catalog.pg_namespace
      WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%' AND has_schema_privilege(oid, 'USAGE') ORDER BY nspname`,
    ),
  tables: (schema) => ({
    sql: `SELECT n.nspname, c.relname,
        CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
        AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
        AND has_any_column_privilege(c.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE')
        AND ($1::text IS NULL OR n.nspname = $1::text)
      ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`,
    parameters: [{ type: 'text', value: schema ?? null }],
  }),
  // -1 means a table without statistics; the count of a partitioned table is the sum of its partitions.
  rowEstimates: (schema) => ({
    sql: `SELECT n.nspname, c.relname, CASE c.relkind WHEN 'p' THEN p.total ELSE c.reltuples::float8 END
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN LATERAL (
          SELECT sum(leaf.reltuples)::float8 AS total FROM pg_catalog.pg_partition_tree(c.oid) t
            JOIN pg_catalog.pg_class leaf ON leaf.oid = t.relid
          WHERE t.isleaf HAVING min(leaf.reltuples) >= 0
        ) p ON c.relkind = 'p'
      WHERE c.relkind IN ('r', 'p', 'm') AND NOT c.relispartition
        AND CASE c.relkind WHEN 'p' THEN p.total IS NOT NULL ELSE c.reltuples >= 0 END
        AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
        AND ($1::text IS NULL OR n.nspname = $1::text)`,
    parameters: [{ type: 'text', value: schema ?? null }],
  }),
  columns: ({ catalog, schema, name }) => ({
    sql: `SELECT a.attname, ${TYPES}
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND c.relname = $3::text
        AND coalesce($1::text, current_database()) = current_database()
        AND CASE WHEN $2::text IS NULL THEN pg_table_is_visible(c.oid) ELSE n.nspname = $2::text END
      ORDER BY a.attnum`,
    parameters: [
      { type: 'text', value: catalog ?? null },
      { type: 'text', value: schema ?? null },
      { type: 'text', value: name },
    ],
  }),
  columnsOf: (schema, names) => ({
    sql: `SELECT c.relname, a.attname, ${TYPES}
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND n.nspname = $1::text
        AND c.relname IN (${names.map((_, index) => `$${index + 2}::text`).join(', ')})
      ORDER BY c.relname, a.attnum`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  // Only for readable tables. A partitioned table has the statistics of all its partitions (`inherited`).
  columnStatistics: (schema, names) => ({
    sql: `SELECT DISTINCT ON (tablename, attname) tablename, attname, null_frac::float8, n_distinct::float8,
        to_json(array_cat(ARRAY[bounds[1], bounds[array_upper(bounds, 1)]], common))::text
      FROM (
        SELECT tablename, attname, inherited, null_frac, n_distinct,
          histogram_bounds::text::text[] AS bounds, most_common_vals::text::text[] AS common
        FROM pg_catalog.pg_stats
        WHERE schemaname = $1::text AND tablename IN (${names.map((_, index) => `$${index + 2}::text`).join(', ')})
      ) s
      ORDER BY tablename, attname, inherited DESC`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  // A partition's keys have the table's keys as parents.
  foreignKeys: (schema, names) => ({
    sql: `SELECT c.relname, k.oid, a.attname, rn.nspname, r.relname, ra.attname
      FROM pg_catalog.pg_constraint k
        JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_class r ON r.oid = k.confrelid JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
        CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS p(own, other, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.own
        JOIN pg_catalog.pg_attribute ra ON ra.attrelid = r.oid AND ra.attnum = p.other
      WHERE k.contype = 'f' AND k.conparentid = 0 AND n.nspname = $1::text
        AND c.relname IN (${names.map((_, index) => `$${index + 2}::text`).join(', ')})
      ORDER BY c.relname, k.oid, p.place`,
    parameters: [schema, ...names].map((value) => ({ type: 'text', value })),
  }),
  typeOf: scalarTypeOf,
};
