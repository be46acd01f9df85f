/**
 * Measures the profile of a schema of a thousand tables and of one table of a hundred million rows, in DuckDB. The figures in
 * `docs/internals/inference-scores.md` are its output.
 *
 *   npx tsx scripts/inference-speed.ts [rows]     rows of the large table; 100,000,000 without it, 1.2 GB of disk
 */
import './plain-output.ts';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_TABLES } from '../plugins/inference/limits.ts';
import { profileSchema } from '../plugins/inference/profile/profile-schema.ts';
import { InferenceWork } from '../plugins/inference/work/work.ts';
import type { Warehouse } from '../router/capabilities/warehouse.ts';
import { silentLog } from '../router/testing/silent-log.ts';
import { openWarehouses } from '../server/warehouse/index.ts';
import { writeDuckdb } from '../server/warehouse/testing/engines.ts';

if (process.argv.includes('--help')) {
  console.log('npx tsx scripts/inference-speed.ts [rows]');
  process.exit(0);
}
const ROWS = Number(process.argv[2] ?? 100_000_000);
const TABLES = 1_000;
const folder = mkdtempSync(join(tmpdir(), 'service-speed-'));
const warehouses = openWarehouses({ poolSize: 4, statementTimeoutMs: 60_000, home: folder, log: silentLog });

async function measure(what: string, statements: readonly string[], maxTables: number): Promise<void> {
  const file = join(folder, `${what}.duckdb`);
  const begun = performance.now();
  await writeDuckdb(file, statements);
  const made = performance.now();
  console.log(`${what}: made in ${((made - begun) / 1_000).toFixed(1)} s, ${Math.round(statSync(file).size / 1e6)} MB`);
  const warehouse = await warehouses.open({ jdbcUrl: `jdbc:duckdb:${file}` });
  const used = process.cpuUsage();
  let calls = 0;
  const counted = new Proxy(warehouse, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...input: readonly unknown[]) => {
        calls++;
        return Reflect.apply(value, target, input);
      };
    },
  }) as Warehouse;
  const profile = await profileSchema({
    warehouse: counted,
    schema: undefined,
    maxTables,
    tableTypes: ['TABLE'],
    clock: Date.now,
    log: silentLog,
    work: new InferenceWork(undefined),
  });
  const seconds = (from: number, to: number): string => ((to - from) / 1_000).toFixed(1);
  const columns = profile.tables.reduce((sum, table) => sum + table.columns.length, 0);
  const { user, system } = process.cpuUsage(used);
  console.log(
    `${what}: ${profile.tables.length} tables with ${columns} columns profiled in ${seconds(made, performance.now())} s, ${seconds(0, (user + system) / 1_000)} s of processors, ${calls} statements and look-ups, ${profile.references?.length ?? 0} pairs looked up, rows ${profile.tables[0]?.rowCount}, sampled ${profile.tables[0]?.sampledRows ?? 'all'}`,
  );
  await warehouses.release({ jdbcUrl: `jdbc:duckdb:${file}` });
  rmSync(file);
}

try {
  const columns = Array.from({ length: 14 }, (_, at) => `range * ${at + 3} % ${7 * (at + 1)} AS amount_${at}`).join(
    ', ',
  );
  await measure(
    'a thousand tables',
    Array.from(
      { length: TABLES },
      (_, at) =>
        `CREATE TABLE entity_${at} AS SELECT range AS entity_${at}_id, range % 500 AS entity_${(at + 1) % TABLES}_id, range % 90 AS entity_${(at * 7) % TABLES}_ref_id, DATE '2024-01-01' + CAST(range % 365 AS INTEGER) AS happened_on, 'value ' || range % 12 AS kind, ${columns} FROM range(1000)`,
    ),
    MAX_TABLES,
  );
  await measure(
    'one large table',
    [
      'CREATE TABLE customers AS SELECT range AS customer_id, range % 50 AS city_no FROM range(1000000)',
      `CREATE TABLE facts AS SELECT range AS fact_id, hash(range) % 1000000 AS customer_id, DATE '2020-01-01' + CAST(range % 1500 AS INTEGER) AS sold_on, 1 + range % 9 AS quantity, CAST(range % 10000 / 100 AS DECIMAL(9,2)) AS amount, 'channel ' || range % 4 AS channel FROM range(${ROWS})`,
    ],
    MAX_TABLES,
  );
} finally {
  await warehouses.close();
  rmSync(folder, { recursive: true, force: true });
}
