import type { TableName } from '../../../router/capabilities/warehouse.ts';
import { ServiceError } from '../../../router/errors.ts';
import type { Catalog, ColumnsStatement } from '../driver.ts';
import { namedSchema } from '../named-schema.ts';
import { inDoubleQuotes } from '../quoting.ts';
import type { TrinoAddress } from './address.ts';
import { TrinoFailure } from './errors.ts';
import { scalarTypeOf } from './types.ts';

/** Tables that one statement reads the columns of: the coordinator asks the connector for each of them. */
const TABLES_OF_A_STATEMENT = 100;

/** The `information_schema` of the address's catalog; it shows readable tables, and materialized views as tables. */
export const trinoCatalog = (address: Pick<TrinoAddress, 'catalog' | 'schema'>): Catalog => ({
  product: { sql: "SELECT 'Trino', version()", parameters: [] },
  places(schema) {
    const catalog = address.catalog.toLowerCase();
    const schemas = `SELECT schema_name FROM ${inDoubleQuotes(catalog)}.information_schema.schemata
      WHERE schema_name <> 'information_schema' ORDER BY schema_name`;
    const catalogs =
      "SELECT catalog_name FROM system.metadata.catalogs WHERE catalog_name <> 'system' ORDER BY catalog_name";
    const inAddress = namedSchema(address.schema?.toLowerCase(), schemas).map((place) => ({
      ...place,
      isInAddress: true,
    }));
    return [
      { kind: 'catalog', name: catalog, isInAddress: true, names: { sql: catalogs, parameters: [] } },
      ...inAddress,
      ...namedSchema(schema?.toLowerCase(), schemas),
    ];
  },
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
  columns: { together: (tables) => columnStatements(tables, address) },
  isWithoutTables: (error) =>
    error instanceof ServiceError &&
    error.cause instanceof TrinoFailure &&
    /^(CATALOG|SCHEMA)_NOT_FOUND$/.test(error.cause.errorName),
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
});

/** Writes a statement for the tables of each catalog. Names are kept in lower case. */
function columnStatements(
  tables: readonly TableName[],
  address: Pick<TrinoAddress, 'catalog' | 'schema'>,
): readonly ColumnsStatement[] {
  const byCatalog = new Map<string, ColumnsStatement['places'][number][]>();
  for (const [place, table] of tables.entries()) {
    const schema = table.schema ?? address.schema;
    if (schema === undefined) continue;
    const catalog = (table.catalog ?? address.catalog).toLowerCase();
    const places = byCatalog.get(catalog) ?? [];
    byCatalog.set(catalog, places);
    places.push({ schema: schema.toLowerCase(), name: table.name.toLowerCase(), place });
  }
  return [...byCatalog].flatMap(([catalog, all]) =>
    Array.from({ length: Math.ceil(all.length / TABLES_OF_A_STATEMENT) }, (_, index) => {
      const places = all.slice(index * TABLES_OF_A_STATEMENT, (index + 1) * TABLES_OF_A_STATEMENT);
      const schemas = [...new Set(places.map(({ schema }) => schema))];
      const names = [...new Set(places.map(({ name }) => name))];
      const oneOf = (values: readonly string[]) => `IN (${values.map(() => '?').join(', ')})`;
      return {
        places,
        statement: {
          sql: `SELECT table_schema, table_name, column_name, data_type, data_type, is_nullable = 'YES'
            FROM ${inDoubleQuotes(catalog)}.information_schema.columns
            WHERE table_schema ${oneOf(schemas)} AND table_name ${oneOf(names)}
            ORDER BY table_schema, table_name, ordinal_position`,
          parameters: [...schemas, ...names].map((value) => ({ type: 'text' as const, value })),
        },
      };
    }),
  );
}
