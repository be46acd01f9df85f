import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Warehouse } from '../../router/capabilities/warehouse.ts';
import { sharedBy } from '../fair-share/counted-user.ts';
import { openLog } from '../log/log.ts';
import { type OpenWarehouses, openWarehouses } from './index.ts';
import { writeDuckdb } from './testing/engines.ts';

/** Takes some tenths of a second, on any machine longer than the light statement. */
const HEAVY = 'SELECT sum(hash(a.range + b.range)) FROM range(30000) a, range(1000) b';

/** Minutes of work: it runs until it is stopped. */
const ENDLESS = 'SELECT sum(hash(a.range + b.range)) FROM range(3000000) a, range(100000) b';

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

test("a light query of one user does not wait for another user's twelve heavy ones", async () => {
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
  // Two of the twelve run beside it, so it may take longer than alone, but not as long as a queue of them.
  expect(doneBefore).toBeLessThanOrEqual(2);
  expect(light).toBeLessThan(Math.max(50 * alone, 3 * heavy));
});

test('a light query behind six heavy ones of the same user says what it waited for when its time is up', async () => {
  const stop = new AbortController();
  const heavy = Array.from({ length: 6 }, () =>
    sharedBy('ana', () => run(ENDLESS, stop.signal)).catch(() => undefined),
  );
  const light = { sql: 'SELECT a FROM t', parameters: [] };
  const late = sharedBy('ana', () => warehouse.query(light, { maxRows: 1, timeoutMs: 50 }));
  await expect(late).rejects.toMatchObject({
    kind: 'TIMEOUT',
    message:
      'The query took longer than 0.05 s and was stopped. It waited for its turn: 2 of your statements ran on this warehouse, as many as one user may at a time, and 4 more waited before it. Ask again when they have ended, or cancel some of them.',
  });
  // Two users with two heavy queries each use all connections.
  const others = Array.from({ length: 2 }, () =>
    sharedBy('bob', () => run(ENDLESS, stop.signal)).catch(() => undefined),
  );
  const third = sharedBy('cat', () => warehouse.query(light, { maxRows: 1, timeoutMs: 50 }));
  await expect(third).rejects.toMatchObject({
    kind: 'TIMEOUT',
    message: expect.stringMatching(
      /It waited for a connection: all \d connections to this warehouse were in use, 0 by your statements/,
    ),
  });
  const leaver = new AbortController();
  const left = sharedBy('ana', () => run('SELECT a FROM t', leaver.signal));
  leaver.abort();
  await expect(left).rejects.toMatchObject({ kind: 'CANCELLED', message: 'The query was cancelled.' });
  stop.abort();
  await Promise.all([...heavy, ...others]);
});

test('DuckDB uses no more threads and memory than configured', async () => {
  const { values } = await run("SELECT current_setting('threads'), current_setting('memory_limit')");
  expect(values.map(([value]) => String(value))).toEqual(['2', '476.8 MiB']);
});
