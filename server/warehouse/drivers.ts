/** The driver of each engine; the prefix of a JDBC address selects the engine. */
import type { EngineName } from '../../router/warehouse-engines.ts';
import { clickhouse } from './clickhouse/driver.ts';
import type { Driver } from './driver.ts';
import { duckdb } from './duckdb/driver.ts';
import { mariadb, mysql } from './mysql/driver.ts';
import { postgresql } from './postgresql/driver.ts';
import { sqlite } from './sqlite/driver.ts';
import { trino } from './trino/driver.ts';

export const DRIVERS: Readonly<Record<EngineName, Driver>> = {
  duckdb,
  postgresql,
  sqlite,
  mysql,
  mariadb,
  clickhouse,
  trino,
};
