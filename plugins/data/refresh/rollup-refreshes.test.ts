/** Refreshes of roll-ups that a model declares, at times of a clock that the test sets, with a real file and its real model. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import { versionOfFile } from '../../../router/file-version.ts';
import { createCallerFactory } from '../../../router/operation.ts';
import { NO_JOBS } from '../../../router/testing/no-jobs.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { userContext } from '../../../router/testing/user-context.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { onEveryEngine, type StateFixture } from '../../../server/state/testing/engines.ts';
import { openTableWriter } from '../../../server/table-writer/open-table-writer.ts';
import { type OpenWarehouses, openWarehouses } from '../../../server/warehouse/open-warehouses.ts';
import { writeDuckdb } from '../../../server/warehouse/testing/engines.ts';
import { openDatasources, writeDescriptor } from '../../datasources/index.ts';
import { buildRollups, semantic } from '../../semantic/index.ts';
import { DataChanges } from '../changes.ts';
import { dataMigrations } from '../tables.ts';
import { RollupRefreshes } from './rollup-refreshes.ts';
import { RefreshRunner } from './run-refreshes.ts';
import { Schedules } from './schedules.ts';

const tenant = 'tenant-1' as TenantId;
const caller: Scope = { tenant, user: 'ann', roles: ['ROLE_ADMIN'] };
const HOUR_MS = 3_600_000;
const START = Date.parse('2026-03-04T08:00:00Z');

let home: string;
let warehouses: OpenWarehouses;
let now: number;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'service-rollups-'));
  warehouses = openWarehouses({ statementTimeoutMs: 60_000, poolSize: 2, home, log: silentLog });
});
afterAll(async () => {
  await warehouses.close();
  rmSync(home, { recursive: true });
});

const ROLLUP = {
  name: 'by_region',
  table: 'amounts_by_region',
  dataset: 'orders',
  fields: [{ field: 'orders.region' }],
  metrics: [{ metric: 'total' }],
  refresh: { every: '1 hour' },
};
const DOCUMENT = `
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ rollups: [ROLLUP] })}' }]
    datasets:
      - { name: orders, source: orders, fields: [{ name: region, expression: [{ dialect: ANSI_SQL, expression: region }] }] }
    metrics:
      - { name: total, expression: [{ dialect: ANSI_SQL, expression: SUM(orders.amount) }] }
`;
const ORDERS = 'CREATE TABLE orders (region VARCHAR, amount INTEGER)';

const writer = openTableWriter({ log: silentLog, memoryBytes: 200_000_000, threads: 1, timeoutMs: 240_000 });

async function world(fixture: StateFixture) {
  now = START;
  const folder = mkdtempSync(join(home, 'world-'));
  const file = join(folder, 'shop.duckdb');
  const fresh = async (...statements: readonly string[]) => {
    await writeDuckdb(join(folder, 'fresh.duckdb'), [ORDERS, ...statements]);
    renameSync(join(folder, 'fresh.duckdb'), file);
  };
  await fresh("INSERT INTO orders VALUES ('EU', 2), ('EU', 3), ('US', 4)");
  const datasources = join(folder, 'datasources');
  mkdirSync(datasources);
  writeFileSync(join(datasources, 'shop.yaml'), DOCUMENT);
  const location = `jdbc:duckdb:${file}`;
  const described = { id: 'shop', name: 'shop', type: 'SEMANTIC', semanticYaml: 'shop.yaml', location } as const;
  writeFileSync(join(datasources, 'shop.sds'), writeDescriptor(described));
  const surface = semantic({
    warehouses,
    cache: openCache({ maxBytes: 1_000_000, clock: () => now }),
    jobs: NO_JOBS,
    log: silentLog,
    clock: () => now,
    settings: { maxRows: 100, cacheTtlMs: 0, samplesTtlMs: 0, kAnonymity: { threshold: 0, mask: null } },
  });
  const registry = await openDatasources({
    directory: datasources,
    loaders: [surface.loaderOf(tenant)],
    log: silentLog,
    clock: () => now,
    supportedPrefixes: ['jdbc:'],
  });
  await registry.whenLoaded;
  const state = await fixture.open({ data: dataMigrations });
  const schedules = new Schedules(state, () => now);
  const changes = new DataChanges(state, () => now);
  const rollups = new RollupRefreshes({
    registryOf: async () => registry,
    schedules,
    changes,
    builds: {
      declared: surface.refreshedRollups,
      fileOf: async () => file,
      async build({ rollup, ...request }) {
        const [built] = await buildRollups({ ...request, names: [rollup], warehouses, writer });
        return built?.result === 'built' ? { rows: built.rows ?? 0 } : { failed: built?.message ?? '' };
      },
    },
  });
  const unused = async (): Promise<never> => {
    throw new Error('a roll-up needs its own file alone');
  };
  const runner = new RefreshRunner({
    schedules,
    rollups,
    replacements: { prepare: unused, apply: unused, discard: unused, tablesOf: unused, linksOf: unused },
    links: { allowed: [], fetch: unused },
    store: { get: unused },
    warehouses,
    scratchOf: unused,
    folderOf: unused,
    log: silentLog,
  });
  const look = async () => {
    await rollups.follow();
    await runner.runDue();
    await rollups.follow();
    await surface.ready();
    return (await schedules.list(tenant))[0];
  };
  const query = async (sql: string) => {
    const { values } = await (await warehouses.open({ jdbcUrl: location })).query(
      { sql, parameters: [] },
      { maxRows: 10 },
    );
    return values;
  };
  const stepOfRollup = async () => {
    const operations = createCallerFactory(surface.plugin.router)(
      userContext({ kind: 'user', via: 'api-key', ...caller }),
      {},
    );
    const request = {
      connection: 'shop',
      rows: [{ dataset: 'orders', field: 'region' }],
      values: [{ metric: 'total' }],
    };
    // The first preview begins to compare this version of the data.
    await operations.preview(request as never);
    await surface.ready();
    const { plan } = await operations.preview(request as never);
    return plan.steps.find((step) => step.includes('by_region'));
  };
  return { file, fresh, schedules, changes, look, query, stepOfRollup, close: () => registry.close() };
}

const STORED = 'SELECT region, total FROM amounts_by_region ORDER BY region';

onEveryEngine((fixture) => {
  describe('the refresh of a roll-up', () => {
    it('builds the table at once, and again only where the data has changed', async () => {
      const { file, fresh, schedules, changes, look, query, stepOfRollup, close } = await world(fixture);
      const content = { file, version: (await versionOfFile(file)) ?? '' };
      const undo = { state: 'replaced', datasource_id: 'shop', name: 'shop', ttlMs: HOUR_MS } as const;
      const { id } = await changes.add(caller, { ...undo, content: JSON.stringify(content) });
      expect(await look()).toMatchObject({
        name: 'shop',
        rollup: 'by_region',
        last_result: 'replaced',
        last_message: 'by_region: 2 rows.',
        next_run_at: START + HOUR_MS,
      });
      expect(await query(STORED)).toMatchObject([
        ['EU', 'US'],
        [5, 4],
      ]);
      expect(await stepOfRollup()).toContain('which agrees with orders');
      // The data is the same, so that its replacement can still be undone.
      const kept = JSON.parse((await changes.get(tenant, id, 'replaced')).content);
      expect(kept).toEqual({ file, version: await versionOfFile(file) });
      now += HOUR_MS;
      expect(await look()).toMatchObject({ last_result: 'unchanged', last_run_at: now });
      await fresh("INSERT INTO orders VALUES ('EU', 10)");
      await schedules.refreshRollupsOf(tenant, ['shop']);
      expect(await look()).toMatchObject({ last_result: 'replaced', last_message: 'by_region: 1 rows.' });
      expect(await query(STORED)).toMatchObject([['EU'], [10]]);
      await close();
    });

    it('that fails leaves the table, and the plans of answers have the reason', async () => {
      const { fresh, look, query, stepOfRollup, close } = await world(fixture);
      await look();
      await fresh("CREATE VIEW amounts_by_region AS SELECT 'EU' AS region, 7::BIGINT AS total");
      now += HOUR_MS;
      expect(await look()).toMatchObject({
        last_result: 'failed',
        last_message: 'amounts_by_region is a view. Give the roll-up another table. The table is as it was before.',
      });
      expect(await query(STORED)).toMatchObject([['EU'], [7]]);
      expect(await stepOfRollup()).toMatch(
        /^orders is read, .* The last refresh of by_region failed: amounts_by_region is a view/,
      );
      await close();
    });

    it('is declared by the model, so that it is not removed elsewhere', async () => {
      const { schedules, look, close } = await world(fixture);
      const row = await look();
      await expect(schedules.remove(tenant, row?.id ?? '')).rejects.toMatchObject({ code: 'DECLARED' });
      await close();
    });
  });
});
