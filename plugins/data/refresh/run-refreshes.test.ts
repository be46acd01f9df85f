/** Refreshes at times of a clock that the test sets, by two nodes on one state, with real files. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import { NotFoundError } from '../../../router/errors.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openFileImport } from '../../../server/file-import/open-file-import.ts';
import { onEveryEngine, type StateFixture } from '../../../server/state/testing/engines.ts';
import { openVault } from '../../../server/vault/vault.ts';
import { type OpenWarehouses, openWarehouses } from '../../../server/warehouse/open-warehouses.ts';
import { openDatasources, writeDescriptor } from '../../datasources/index.ts';
import { inferenceMigrations, OriginStore } from '../../inference/index.ts';
import { DataChanges } from '../changes.ts';
import { DataFiles } from '../data-files.ts';
import { Replacements } from '../replace/replacement.ts';
import { dataMigrations } from '../tables.ts';
import { RefreshRunner } from './run-refreshes.ts';
import { KeptSchedule, Schedules } from './schedules.ts';

const tenant = 'tenant-1' as TenantId;
const caller: Scope = { tenant, user: 'ann', roles: ['ROLE_ADMIN'] };
const HOUR_MS = 3_600_000;
const START = Date.parse('2026-03-04T08:00:00Z');

let home: string;
let warehouses: OpenWarehouses;
let now: number;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'service-refresh-'));
  warehouses = openWarehouses({ statementTimeoutMs: 60_000, poolSize: 2, home, log: silentLog });
});
afterAll(async () => {
  await warehouses.close();
  rmSync(home, { recursive: true });
});

const importer = openFileImport({ log: silentLog, memoryBytes: 512_000_000, threads: 1, timeoutMs: 60_000 });

/** Writes a file that is so many minutes old at the start. */
function drop(folder: string, name: string, text: string, minutes: number): void {
  mkdirSync(join(folder, 'inbox'), { recursive: true });
  writeFileSync(join(folder, 'inbox', name), text);
  const at = (START - minutes * 60_000) / 1_000;
  utimesSync(join(folder, 'inbox', name), at, at);
}

async function world(fixture: StateFixture) {
  const folder = mkdtempSync(join(home, 'world-'));
  const imports = join(folder, 'imports');
  const file = join(imports, 'orders.duckdb');
  writeFileSync(join(folder, 'first.csv'), 'id,amount\n1,2.50\n2,2.50\n');
  await importer.load([{ path: join(folder, 'first.csv'), name: 'orders.csv', table: 'orders' }], file);
  mkdirSync(join(folder, 'datasources'));
  writeFileSync(join(folder, 'datasources/orders.yaml'), 'a document');
  writeFileSync(
    join(folder, 'datasources/orders.sds'),
    writeDescriptor({
      id: 'orders',
      name: 'orders',
      type: 'SEMANTIC',
      semanticYaml: 'orders.yaml',
      location: `jdbc:duckdb:${file}`,
    }),
  );
  const registry = await openDatasources({
    directory: join(folder, 'datasources'),
    loaders: [{ type: 'SEMANTIC', load: async () => [], unload: () => undefined }],
    log: silentLog,
    clock: () => now,
    supportedPrefixes: ['jdbc:'],
  });
  await registry.whenLoaded;
  const node = async () => {
    const state = await fixture.open({ data: dataMigrations, inference: inferenceMigrations });
    const schedules = new Schedules(state, () => now);
    const origins = new OriginStore(state, openVault(Buffer.alloc(32, 7)), () => now);
    const replacements = new Replacements({
      registryOf: async () => registry,
      changes: new DataChanges(state, () => now),
      files: new DataFiles({
        registryOf: async () => registry,
        uploads: { fileOf: async (_, { jdbcUrl }) => jdbcUrl.slice('jdbc:duckdb:'.length) },
        folder: { directoryOf: async () => imports, locationOf: (each) => each, fileOf: (each) => each },
      }),
      importer,
      warehouses,
      origins,
      rollupTablesOf: () => new Set(),
      onReplaced: async () => undefined,
      // Each model needs the column of amounts.
      async compareModel(_, __, address) {
        const columns = await (await warehouses.open(address)).columns({ name: 'orders' });
        const isThere = columns?.some(({ name }) => name === 'amount') === true;
        return { problems: isThere ? [] : ['the column amount is missing'], totals: [], unmatched: [], breaks: [] };
      },
    });
    const runner = new RefreshRunner({
      schedules,
      replacements,
      // A link of this test is the path of a file.
      links: {
        allowed: ['https://files.example.com/'],
        fetch: async (links) => ({
          files: links.map((link) => ({
            path: join(folder, basename(link.split('?')[0] ?? '')),
            name: basename(link.split('?')[0] ?? ''),
            size: 1,
          })),
          signature: links.map((link) => readFileSync(join(folder, basename(link.split('?')[0] ?? '')), 'utf8')).join(),
          release: async () => undefined,
        }),
      },
      // The connection of this test is another database file.
      store: {
        get: async (_, id) => {
          if (id !== 'source') throw new NotFoundError('There is no such connection.');
          const address = { jdbcUrl: `jdbc:duckdb:${join(folder, 'source.duckdb')}` };
          return { id, name: 'Our warehouse', address, schema: undefined, createdAtMillis: 0 };
        },
      },
      warehouses,
      rollups: { run: async () => ({ result: 'failed', message: 'This test has no roll-ups.' }) },
      scratchOf: async () => mkdtempSync(join(folder, '.refresh-')),
      folderOf: async (_, name) => (name.includes('..') ? undefined : join(folder, name)),
      log: silentLog,
    });
    return { schedules, runner, origins, replacements };
  };
  const sum = async () => {
    const warehouse = await warehouses.open({ jdbcUrl: `jdbc:duckdb:${file}` });
    const { values } = await warehouse.query({ sql: 'SELECT SUM(amount) FROM orders', parameters: [] }, { maxRows: 1 });
    return Number(values[0]?.[0]);
  };
  return { folder, node, sum, close: () => registry.close() };
}

onEveryEngine((fixture) => {
  describe('a scheduled refresh', () => {
    it('runs when its time has come, on one of two nodes, with the newest file, and not again for the same file', async () => {
      now = START;
      const { folder, node, sum, close } = await world(fixture);
      const [one, other] = [await node(), await node()];
      drop(folder, 'orders_01.csv', 'id,amount\n1,10.00\n', 120);
      drop(folder, 'orders_02.csv', 'id,amount\n1,20.00\n2,1.50\n', 60);
      const { id } = await one.schedules.add(caller, {
        datasource: 'orders',
        name: 'orders',
        source: 'folder',
        folder: 'inbox',
        rhythm: { everyMinutes: 60 },
      });
      now = START + HOUR_MS - 1;
      await one.runner.runDue();
      expect(await sum()).toBe(5);
      now = START + HOUR_MS;
      await Promise.all([one.runner.runDue(), other.runner.runDue()]);
      expect(await sum()).toBe(21.5);
      const first = await other.schedules.get(tenant, id);
      expect(first).toMatchObject({ last_result: 'replaced', last_run_at: now, next_run_at: now + HOUR_MS });
      expect(first.last_message).toBe('orders_02.csv. orders: 2 → 2 rows.');
      const { tables, isPossible } = await other.schedules.comparison(tenant, id);
      expect(isPossible).toBe(true);
      expect(tables).toMatchObject([{ name: 'orders', rowsBefore: 2, rowsAfter: 2 }]);
      // Only one node took it: a second run would have found the same file.
      now += HOUR_MS;
      await other.runner.runDue();
      expect(await one.schedules.get(tenant, id)).toMatchObject({ last_result: 'unchanged', last_run_at: now });
      // A run that read nothing leaves the comparison of the last files.
      expect((await one.schedules.comparison(tenant, id)).tables).toEqual(tables);
      await close();
    });

    it('copies the tables of a connection, each column as the type that the model has', async () => {
      now = START;
      const { folder, node, sum, close } = await world(fixture);
      const { schedules, runner } = await node();
      const source = async (...statements: readonly string[]) => {
        const instance = await DuckDBInstance.create(join(folder, 'fresh.duckdb'));
        const connection = await instance.connect();
        for (const statement of statements) await connection.run(statement);
        connection.closeSync();
        instance.closeSync();
        renameSync(join(folder, 'fresh.duckdb'), join(folder, 'source.duckdb'));
      };
      await source(
        'CREATE TABLE "Orders" (id INTEGER, amount DECIMAL(10,2), note VARCHAR)',
        `INSERT INTO "Orders" VALUES (1, 12.25, 'a "quoted", text'), (2, 7.5, ''), (3, NULL, NULL)`,
      );
      const { id } = await schedules.add(caller, {
        datasource: 'orders',
        name: 'orders',
        source: 'connection',
        folder: '',
        connection: 'source',
        rhythm: { everyMinutes: 60 },
      });
      now = START + HOUR_MS;
      await runner.runDue();
      const first = await schedules.get(tenant, id);
      expect(first.last_message).toBe('Our warehouse: orders.csv. orders: 2 → 3 rows.');
      expect(await sum()).toBe(19.75);
      // The same rows are not read again, and no copy is left.
      now += HOUR_MS;
      await runner.runDue();
      expect(await schedules.get(tenant, id)).toMatchObject({ last_result: 'unchanged' });
      expect(readdirSync(folder).filter((name) => name.startsWith('.refresh-'))).toEqual([]);
      await source('CREATE TABLE order_lines (id INTEGER)');
      now += HOUR_MS;
      await runner.runDue();
      expect(await schedules.get(tenant, id)).toMatchObject({
        last_result: 'failed',
        last_message:
          'The connection has no table orders, which the model needs. It has: order_lines. The data is as it was before.',
      });
      expect(await sum()).toBe(19.75);
      await close();
    });

    it('that fails keeps the old data, gives the reason, and runs again at its next time', async () => {
      now = START;
      const { folder, node, sum, close } = await world(fixture);
      const { schedules, runner } = await node();
      const { id } = await schedules.add(caller, {
        datasource: 'orders',
        name: 'orders',
        source: 'folder',
        folder: 'inbox',
        rhythm: { at: '09:00', timeZone: 'Europe/Berlin' },
      });
      // 09:00 in Berlin is 08:00 in UTC, which is now: the first run is tomorrow.
      now = START + 24 * HOUR_MS;
      await runner.runDue();
      const without = await schedules.get(tenant, id);
      expect(without.last_message).toBe('The folder inbox does not exist. The data is as it was before.');
      await expect(schedules.comparison(tenant, id)).rejects.toThrow(
        'No run of the refresh of orders has read files yet',
      );
      drop(folder, 'orders.csv', 'id,total\n1,10.00\n', 1);
      now += 24 * HOUR_MS;
      await runner.runDue();
      const failed = await schedules.get(tenant, id);
      expect(failed.last_result).toBe('failed');
      expect(failed.last_message).toContain('has no column "amount", which orders needs.');
      const refused = await schedules.comparison(tenant, id);
      expect(refused).toMatchObject({
        isPossible: false,
        tables: [{ columnsRemoved: ['amount'], columnsAdded: ['total'] }],
      });
      expect(await sum()).toBe(5);
      drop(folder, 'orders.csv', 'id,amount\n1,7.00\n', 0);
      now += 24 * HOUR_MS;
      await runner.runDue();
      expect(await schedules.get(tenant, id)).toMatchObject({ last_result: 'replaced' });
      expect(await sum()).toBe(7);
      await close();
    });

    it('does not run while it is paused, but on request, and survives a restart', async () => {
      now = START;
      const { folder, node, sum, close } = await world(fixture);
      const first = await node();
      drop(folder, 'orders.csv', 'id,amount\n1,9.00\n', 1);
      const { id } = await first.schedules.add(caller, {
        datasource: 'orders',
        name: 'orders',
        source: 'folder',
        folder: 'inbox',
        rhythm: { everyMinutes: 60 },
      });
      await first.schedules.pause(tenant, id, true);
      const restarted = await node();
      now = START + 5 * HOUR_MS;
      await restarted.runner.runDue();
      expect(await sum()).toBe(5);
      await restarted.schedules.runSoon(tenant, id);
      await restarted.runner.runDue();
      expect(await sum()).toBe(9);
      expect(await restarted.schedules.get(tenant, id)).toMatchObject({ is_paused: 1, last_result: 'replaced' });
      now += 5 * HOUR_MS;
      expect(await restarted.schedules.take('a node')).toBeUndefined();
      await close();
    });

    it('of a node that died is taken by another after its lease', async () => {
      now = START;
      const { node, close } = await world(fixture);
      const { schedules } = await node();
      await schedules.add(caller, {
        datasource: 'orders',
        name: 'orders',
        source: 'folder',
        folder: 'inbox',
        rhythm: { everyMinutes: 60 },
      });
      now = START + HOUR_MS;
      expect((await schedules.take('dead'))?.name).toBe('orders');
      expect(await schedules.take('alive')).toBeUndefined();
      now += 120_000;
      expect((await schedules.take('alive'))?.name).toBe('orders');
      await close();
    });

    it('from the links of the import takes changed files alone, and reads them as the import was read', async () => {
      now = START;
      const { folder, node, sum, close } = await world(fixture);
      const { schedules, runner, origins } = await node();
      await origins.set(tenant, 'orders.duckdb', {
        links: ['https://files.example.com/orders.csv?key=secret'],
        reading: { orders: { firstOfEach: 'id' } },
      });
      writeFileSync(join(folder, 'orders.csv'), 'id,amount\n1,10.00\n1,99.00\n2,0.50\n');
      const { id } = await schedules.add(caller, {
        datasource: 'orders',
        name: 'orders',
        source: 'links',
        folder: '',
        rhythm: { everyMinutes: 60 },
      });
      now = START + HOUR_MS;
      await runner.runDue();
      // The second row of 1 is left out, as in the import.
      expect(await sum()).toBe(10.5);
      const first = await schedules.get(tenant, id);
      expect(first).toMatchObject({ last_result: 'replaced' });
      expect(first.last_message).toContain('https://files.example.com/orders.csv: ');
      expect(first.last_message).not.toContain('secret');
      now += HOUR_MS;
      await runner.runDue();
      expect(await schedules.get(tenant, id)).toMatchObject({ last_result: 'unchanged' });
      await close();
    });

    it('goes with its model, and comes back with the undo', async () => {
      now = START;
      const { node, close } = await world(fixture);
      const { schedules } = await node();
      const rhythm = { everyMinutes: 60 };
      const row = { datasource: 'orders', name: 'orders', source: 'folder', folder: 'inbox', rhythm } as const;
      const { id } = await schedules.add(caller, row);
      const kept = await schedules.removeOf(tenant, 'orders');
      expect(await schedules.list(tenant)).toEqual([]);
      now = START + 5 * HOUR_MS;
      await schedules.restore(
        tenant,
        kept.map((each) => KeptSchedule.parse(each)),
      );
      expect(await schedules.get(tenant, id)).toMatchObject({ folder: 'inbox', next_run_at: START + 6 * HOUR_MS });
      await close();
    });
  });
});
