/** The dialect of each engine, without its driver. */
import type { Dialect } from '../../router/capabilities/dialect.ts';
import type { EngineName } from '../../router/warehouse-engines.ts';
import { clickhouseDialect } from './clickhouse/dialect.ts';
import { duckdbDialect } from './duckdb/dialect.ts';
import { mariadbDialect, mysqlDialect } from './mysql/dialect.ts';
import { postgresqlDialect } from './postgresql/dialect.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { trinoDialect } from './trino/dialect.ts';

export const DIALECTS: Readonly<Record<EngineName, Dialect>> = {
  duckdb: duckdbDialect,
  postgresql: postgresqlDialect,
  sqlite: sqliteDialect,
  mysql: mysqlDialect,
  mariadb: mariadbDialect,
  clickhouse: clickhouseDialect,
  trino: trinoDialect,
};
