import { Dialect, transpile } from '@polyglot-sql/sdk';

/**
 * The engines in schemas whose SQL can be parsed, with their names in the parser. The most standard SQL comes first.
 */
const READABLE: Readonly<Record<string, Dialect>> = {
  postgres: Dialect.PostgreSQL,
  postgresql: Dialect.PostgreSQL,
  duckdb: Dialect.DuckDB,
  greenplum: Dialect.PostgreSQL,
  redshift: Dialect.Redshift,
  sqlite: Dialect.SQLite,
  mysql: Dialect.MySQL,
  mariadb: Dialect.MySQL,
  infobright: Dialect.MySQL,
  oracle: Dialect.Oracle,
  mssql: Dialect.TSQL,
  sqlserver: Dialect.TSQL,
  snowflake: Dialect.Snowflake,
  teradata: Dialect.Teradata,
  hive: Dialect.Hive,
  clickhouse: Dialect.ClickHouse,
  trino: Dialect.Trino,
  presto: Dialect.Presto,
};

export const READABLE_DIALECTS: readonly string[] = Object.keys(READABLE);

/** Longer texts are not translated, because the parser blocks the event loop. */
const MAX_CHARACTERS = 20_000;
const SELECT = 'SELECT ';

/**
 * Translates a query or an expression from one engine's SQL to another's; `undefined` if an engine is unknown or the
 * text cannot be parsed.
 *
 * @param from the source engine's name in schemas
 * @param to the parser's name of the warehouse's dialect
 */
export function translateSql(text: string, from: string, to: string): string | undefined {
  const [read, write] = [READABLE[from], READABLE[to]];
  if (read === undefined || write === undefined || text.length > MAX_CHARACTERS) return undefined;
  const isQuery = /^\s*(select|with)\b/i.test(text);
  const { success, sql } = transpile(isQuery ? text : `${SELECT}${text}`, read, write);
  const [only, another] = sql ?? [];
  if (!success || only === undefined || another !== undefined) return undefined;
  if (isQuery) return only;
  return only.startsWith(SELECT) ? only.slice(SELECT.length) : undefined;
}
