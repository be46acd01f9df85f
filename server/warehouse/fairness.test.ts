import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Warehouse } from '../../router/capabilities/warehouse.ts';
import { sharedBy } from '../fair-share/sharer.ts';
import { openLog } from '../log/log.ts';
import { type OpenWarehouses, openWarehouses } from './index.ts';
import { writeDuckdb } from './testing/engines.ts';

/** Some tenths of a second of work, on any machine more than the light one's. */
const HEAVY = 'SELECT sum(hash(a.range + b.range)) FROM range(30000) a, range(1000) b';

let folder: string;
let warehouses: OpenWarehouses;
let warehouse: Warehouse;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-fairness-'));
  await writeDuckdb(join(folder, 'w.duckdb'), ['CREATE TABLE t AS SELECT 1 AS a']);
  warehouses = openWarehouses({
    statementTimeoutMs: 120_000,
    poolSize: 4,
    perSharer: 2,
    duckdb: { threads: 2, memoryBytes: 500_000_000 },
    home: folder,
    log: openLog('silent'),
  });
  warehouse = await warehouses.open({ jdbcUrl: 'jdbc:duckdb:w.duckdb' });
});
afterAll(async () => {
  await warehouses.close();
  rmSync(folder, { recursive: true });
});

const run = (sql: string, signal?: AbortSignal) => warehouse.query({ sql, parameters: [] }, { maxRows: 10, signal });
async function millis(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

test('a light query of one user does not wait for the twelve heavy ones of another', async () => {
  await run('SELECT a FROM t');
  const alone = await millis(() => run('SELECT a FROM t'));
  const heavy = await millis(() => run(HEAVY));

  const stop = new AbortController();
  let done = 0;
  const queued = Array.from({ length: 12 }, () =>
    sharedBy('ana', () => run(HEAVY, stop.signal)).then(
      () => done++,
      () => undefined,
    ),
  );
  const light = await millis(() => sharedBy('bob', () => run('SELECT a FROM t')));
  const doneBefore = done;
  stop.abort();
  await Promise.all(queued);
  // Two of the twelve run beside it, so it may take longer than alone, but not as long as any queue of them.
  expect(doneBefore).toBeLessThanOrEqual(2);
  expect(light).toBeLessThan(Math.max(50 * alone, 3 * heavy));
});

test('DuckDB takes no more of the machine than it is given', async () => {
  const { values } = await run("SELECT current_setting('threads'), current_setting('memory_limit')");
  expect(values.map(([value]) => String(value))).toEqual(['2', '476.8 MiB']);
});
