import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { DatasourceBoards, TenantDatasources } from './index.ts';
import type { TenantDatasourcesOptions } from './tenant-datasources.ts';
import { type KeepingLoader, keepingLoader, keptLog } from './testing/loader.ts';

const FIRST = 'first' as TenantId;

let root: string;
let tenants: TenantId[];
let loaders: Map<TenantId, KeepingLoader>;
let opened: TenantDatasources | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'service-tenants-'));
  tenants = [FIRST];
  loaders = new Map();
});
afterEach(async () => {
  await opened?.close();
  await rm(root, { recursive: true, force: true });
});

const folderOf = (tenant: TenantId) => ({ tenant, name: `name of ${tenant}`, directory: join(root, tenant) });
function loaderOf(tenant: TenantId): KeepingLoader {
  const loader = loaders.get(tenant) ?? keepingLoader('SEMANTIC');
  loaders.set(tenant, loader);
  return loader;
}

/** Makes a tenant whose datasources have these documents. */
async function tenant(id: string, ...documents: readonly string[]): Promise<TenantId> {
  const folder = join(root, id);
  await mkdir(folder, { recursive: true });
  for (const [index, text] of documents.entries()) {
    await writeFile(join(folder, `${index}.yaml`), text);
    await writeFile(
      join(folder, `${index}.sds`),
      `<dataSource><name>secret ${index}</name><type>SEMANTIC</type><semanticYaml>${index}.yaml</semanticYaml><location>jdbc:duckdb:/${id}</location></dataSource>`,
    );
  }
  if (id !== FIRST) tenants.push(id as TenantId);
  return id as TenantId;
}

function open(options: Partial<TenantDatasourcesOptions> = {}) {
  const datasources = new TenantDatasources({
    first: folderOf(FIRST),
    folders: async () => tenants.map(folderOf),
    folderOf: async (of) => (tenants.includes(of) ? folderOf(of) : undefined),
    loadersOf: (of) => [loaderOf(of)],
    boards: new DatasourceBoards(),
    log: keptLog(),
    clock: Date.now,
    supportedPrefixes: ['jdbc:duckdb:'],
    ...options,
  });
  opened = datasources;
  return datasources;
}
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 8_000, interval: 20 });

describe('datasources that nobody uses', () => {
  const HOUR_MS = 3_600_000;
  let now: number;
  const watched = (boards: DatasourceBoards) =>
    open({ boards, clock: () => now, idleMs: HOUR_MS, sweepMs: 20, retryMs: HOUR_MS, probeMs: HOUR_MS });

  it('are unloaded, except those of the first tenant, and are loaded again by the next use', async () => {
    now = 0;
    await tenant(FIRST, 'sound');
    const idle = await tenant('idle', 'sound', 'sound');
    const busy = await tenant('busy', 'sound');
    const boards = new DatasourceBoards(() => now);
    const datasources = watched(boards);
    await (await datasources.of(idle)).whenLoaded;
    await (await datasources.of(busy)).whenLoaded;
    const served = (of: TenantId) => [...loaderOf(of).serving.keys()].toSorted();
    now = HOUR_MS - 1;
    boards.of(busy).markUsed();
    await delay(100);
    expect(served(idle)).toEqual(['0', '1']);
    now = HOUR_MS;
    await eventually(async () => expect(served(idle)).toEqual([]));
    await delay(100);
    expect([served(busy), served(FIRST)]).toEqual([['0'], ['0']]);

    // A caller who asks waits for the descriptors and their documents, and is not answered that there is none.
    loaderOf(idle).answer = () => delay(50, []);
    await boards.of(idle).settled('secret 0');
    expect(served(idle)).toContain('0');
    expect(loaderOf(idle).calls.filter((call) => call === 'load 0')).toHaveLength(2);
  });
});

describe('health', () => {
  it("names the datasources of the first tenant, and counts the other tenants' datasources", async () => {
    await tenant(FIRST, 'sound', 'broken');
    await tenant('a', 'broken', 'broken', 'sound');
    await tenant('b', 'broken');
    await tenant('c', 'sound');
    const datasources = open({ probe: async ({ jdbcUrl }) => jdbcUrl !== 'jdbc:duckdb:/c' });
    await eventually(async () => {
      const health = await datasources.health(1_000);
      expect(health).toEqual({
        missing: [],
        degraded: [
          { datasource: 'secret 1', status: 'BROKEN' },
          { tenants: 2, datasources: 3, status: 'BROKEN' },
          { tenants: 1, datasources: 1, status: 'UNREACHABLE' },
        ],
      });
    });
    // One that is gone counts no more.
    tenants = tenants.filter((each) => each !== 'a' && each !== 'c');
    await datasources.close();
    const after = open();
    await eventually(async () =>
      expect((await after.health(1_000)).degraded).toContainEqual({ tenants: 1, datasources: 1, status: 'BROKEN' }),
    );
  });

  it('is not ready until what the start loads is loaded, and stays ready when a tenant adds something slow', async () => {
    await tenant(FIRST, 'sound');
    const slow = await tenant('slow', 'sound');
    let come = (): void => undefined;
    const whenThere = new Promise<void>((resolve) => {
      come = resolve;
    });
    loaderOf(slow).answer = () => whenThere.then(() => []);
    const datasources = open();
    await eventually(async () =>
      expect(await datasources.health(100)).toEqual({ missing: ['datasources of other tenants'], degraded: [] }),
    );
    come();
    await eventually(async () => expect(await datasources.health(100)).toEqual({ missing: [], degraded: [] }));
    const later = new Promise<void>((resolve) => {
      come = resolve;
    });
    loaderOf(slow).answer = () => later.then(() => []);
    await tenant('slow', 'sound', 'more');
    await eventually(async () => expect(loaderOf(slow).calls).toContain('load 1'));
    expect(await datasources.health(100)).toEqual({ missing: [], degraded: [] });
    come();
  });

  it('asks the warehouses of a few tenants at a time, and comes to all of them', async () => {
    for (let index = 0; index < 30; index += 1) await tenant(`t${index}`, 'sound');
    const probed: string[] = [];
    const datasources = open({
      probe: async ({ jdbcUrl }) => {
        probed.push(jdbcUrl);
        return true;
      },
    });
    await eventually(async () => expect((await datasources.health(0)).missing).toEqual([]));
    for (let look = 0; look < 4; look += 1) {
      const before = probed.length;
      await datasources.health(100);
      expect(probed.length - before).toBeLessThanOrEqual(8);
    }
    expect(new Set(probed).size).toBe(30);
  });
});

it('a start opens no more than 200 tenants; the others are opened when somebody asks', async () => {
  for (let index = 0; index < 203; index += 1) {
    const id = `t${String(index).padStart(3, '0')}` as TenantId;
    await mkdir(join(root, id));
    tenants.push(id);
  }
  const datasources = open();
  await eventually(async () => expect((await datasources.health(0)).missing).toEqual([]));
  expect(loaders.size).toBe(201);
  await datasources.of('t202' as TenantId);
  expect(loaders.size).toBe(202);
});
