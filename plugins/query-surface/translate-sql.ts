import type { Dialect } from '@polyglot-sql/sdk';
import { sqlLibrary } from './sql-library.ts';

/**
 * The engines of cube schemas whose SQL can be parsed, with their names in the parser. The most standard SQL comes first.
 */
const READABLE: Readonly<Record<string, keyof typeof Dialect>> = {
  postgres: 'PostgreSQL',
  postgresql: 'PostgreSQL',
  duckdb: 'DuckDB',
  greenplum: 'PostgreSQL',
  redshift: 'Redshift',
  sqlite: 'SQLite',
  mysql: 'MySQL',
  mariadb: 'MySQL',
  infobright: 'MySQL',
  oracle: 'Oracle',
  mssql: 'TSQL',
  sqlserver: 'TSQL',
  snowflake: 'Snowflake',
  teradata: 'Teradata',
  hive: 'Hive',
  clickhouse: 'ClickHouse',
  trino: 'Trino',
  presto: 'Presto',
};

export const READABLE_DIALECTS: readonly string[] = Object.keys(READABLE);

/** Longer texts are not translated. */
const MAX_CHARACTERS = 20_000;
const SELECT = 'SELECT ';

/**
 * Translates a query or an expression from one engine's SQL to another's; `undefined` if an engine is unknown or the
 * text cannot be parsed.
 *
 * @param from the source engine's name in schemas
 * @param to the parser's name of the warehouse's dialect
 * @throws InternalError before `loadSqlLibrary`
 */
export function translateSql(text: string, from: string, to: string): string | undefined {
  const [read, write] = [READABLE[from], READABLE[to]];
  if (read === undefined || write === undefined || text.length > MAX_CHARACTERS) return undefined;
  const { Dialect, transpile } = sqlLibrary();
  const isQuery = /^\s*(select|with)\b/i.test(text);
  const { success, sql } = transpile(isQuery ? text : `${SELECT}${text}`, Dialect[read], Dialect[write]);
  const [only, another] = sql ?? [];
  if (!success || only === undefined || another !== undefined) return undefined;
  if (isQuery) return only;
  return only.startsWith(SELECT) ? only.slice(SELECT.length) : undefined;
}
