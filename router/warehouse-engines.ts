/**
 * The engines that warehouses run on, each with the title people know and the prefix of its JDBC URLs. An engine that is
 * added here does not compile until it has a driver and a dialect (`server/warehouse/drivers.ts`), the names that cube
 * schemas have for it (`plugins/cube/schema/dialect-sql.ts`), its SQL of written dates (`plugins/inference/render/written-date-sql.ts`),
 * a test server or the reason why there is none (`server/warehouse/testing/engines.ts`) and its documentation
 * (`scripts/engines-doc.ts`).
 */
export const ENGINES = {
  duckdb: { title: 'DuckDB', prefix: 'jdbc:duckdb:' },
  postgresql: { title: 'PostgreSQL', prefix: 'jdbc:postgresql:' },
  sqlite: { title: 'SQLite', prefix: 'jdbc:sqlite:' },
  mysql: { title: 'MySQL', prefix: 'jdbc:mysql:' },
  mariadb: { title: 'MariaDB', prefix: 'jdbc:mariadb:' },
  clickhouse: { title: 'ClickHouse', prefix: 'jdbc:clickhouse:' },
  trino: { title: 'Trino', prefix: 'jdbc:trino:' },
} as const;

export type EngineName = keyof typeof ENGINES;

export const ENGINE_NAMES = Object.keys(ENGINES) as readonly EngineName[];

/** Beginnings of the JDBC URLs that have a driver. */
export const JDBC_PREFIXES: readonly string[] = Object.values(ENGINES).map(({ prefix }) => prefix);

/** Returns the engine of a JDBC URL; `undefined` where none has its prefix. */
export function engineOfUrl(jdbcUrl: string): EngineName | undefined {
  return ENGINE_NAMES.find((name) => jdbcUrl.startsWith(ENGINES[name].prefix));
}
