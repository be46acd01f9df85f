/**
 * Opens the cube of `store.ts` on real engines, for tests of operations. Only this file in `plugins/cube` starts
 * engines.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { entryPoint } from '../../../server/entry-points.ts';
import { jobMigrations, type OpenJobs, openJobs } from '../../../server/jobs/index.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { threadOf } from '../../../server/workers/worker-thread.ts';
import type { EngineMessage } from '../engine/engine-threads.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import type { CubeSettings } from '../settings.ts';
import { Fixture, silent } from './fixture.ts';
import { STORE_SCHEMA, STORE_TABLES } from './store.ts';

/** Runs the engine of cubes in threads, as the product does. */
export const ENGINE_THREADS = { start: threadOf<EngineMessage>(entryPoint('cube-engine-worker').module), size: 2 };

export const CUBE = 'test/Shops/Shops/Sales';
export const REGIONS = { cube: CUBE, measures: [{ name: 'Units' }], rows: [{ dimension: 'Store', level: 'Region' }] };
export const SHOPS = { cube: CUBE, measures: [{ name: 'Units' }], rows: [{ dimension: 'Store', level: 'Shop' }] };
/** 15 November 2025. */
const TODAY = Date.UTC(2025, 10, 15, 12);

/** The objects that the tests of one engine share. They exist only inside tests and hooks. */
export interface Store {
  readonly cubes: Fixture;
  readonly warehouse: TestWarehouse;
  readonly state: StateStore;
  readonly jobs: OpenJobs;
  /** Opens a surface with other settings, or another schema, over the same warehouse. */
  open(settings?: Partial<CubeSettings>, schema?: string): Promise<Fixture>;
}

/** Describes a suite over the store's cube once for each engine. */
export function describeStore(title: string, suite: (store: Store) => void): void {
  describeEngines(
    `${title} on $engine`,
    (engine) => {
      let warehouse: TestWarehouse;
      let state: StateStore;
      let jobs: OpenJobs;
      let folder: string;
      let cubes: Fixture;

      const open = (settings: Partial<CubeSettings> = {}, schema = STORE_SCHEMA) =>
        Fixture.open({
          warehouses: warehouse.warehouses,
          address: warehouse.address,
          cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
          state,
          jobs,
          clock: () => TODAY,
          schema,
          settings,
        });

      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'service-cube-'));
        warehouse = await startWarehouse(engine, STORE_TABLES);
        state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
        await state.migrate({ jobs: jobMigrations, cube: recentQueryMigrations });
        jobs = openJobs({ state, clock: Date.now, log: silent });
        cubes = await open();
      });
      afterAll(async () => {
        await cubes.close();
        await jobs.close();
        await state.close();
        await warehouse.stop();
        await rm(folder, { recursive: true });
      });

      suite({
        get cubes() {
          return cubes;
        },
        get warehouse() {
          return warehouse;
        },
        get state() {
          return state;
        },
        get jobs() {
          return jobs;
        },
        open,
      });
    },
    { engines: [...ENGINES, 'trino'] },
  );
}

/** Waits for the answer of an asynchronous query. */
export async function resultOf(cubes: Fixture, queryId: string) {
  return vi.waitFor(async () => {
    const result = await cubes.call(`GET /query/result/${queryId}`);
    expect(result.status).toBe(200);
    return result;
  }, WAIT);
}

const WAIT = { timeout: 20_000, interval: 20 };
