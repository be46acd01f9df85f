/** Databases of uploaded and imported files: they go with the last that reads them, and nothing else goes. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Warehouses } from '../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../router/errors.ts';
import { ownMark } from '../../../router/process-mark.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { openVault } from '../../../server/vault/vault.ts';
import type { DatasourceRegistry } from '../../datasources/index.ts';
import { acceptingRegistry } from '../testing/registry.ts';
import { ConnectionStore } from './connections.ts';
import { OriginStore } from './origins.ts';
import { inferenceMigrations } from './tables.ts';
import { UploadFiles } from './upload-files.ts';

const tenant = 'tenant-1' as TenantId;
const released: string[] = [];
const warehouses: Warehouses = {
  supported: ['jdbc:duckdb:'],
  isSame: async () => false,
  check: async () => undefined,
  open: () => Promise.reject(new InternalError('Nothing is read here.')),
  release: async ({ jdbcUrl }) => void released.push(jdbcUrl),
};

let home: string;
let state: StateStore;
let store: ConnectionStore;
let origins: OriginStore;
let uploads: UploadFiles;
let registry: DatasourceRegistry;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'service-uploads-'));
  for (const folder of ['imports', 'datasources/other']) mkdirSync(join(home, folder), { recursive: true });
  state = await openState({ url: undefined, sqliteFile: join(home, 'state.sqlite'), log: silentLog });
  await state.migrate({ inference: inferenceMigrations });
  registry = (await acceptingRegistry(join(home, 'datasources'))).registry;
  const vault = openVault(randomBytes(32));
  store = new ConnectionStore(state, vault, Date.now);
  origins = new OriginStore(state, vault, Date.now);
  uploads = new UploadFiles({
    store,
    warehouses,
    origins,
    uploads: {
      directoryOf: async () => join(home, 'imports'),
      locationOf: (file) => file,
      fileOf: (location) => resolve(home, location),
    },
    registryOf: async () => registry,
  });
});
afterEach(async () => {
  await registry.close();
  await state.close();
  rmSync(home, { recursive: true });
});

function place(file: string) {
  writeFileSync(join(home, file), 'a database');
  return {
    isThere: () => existsSync(join(home, file)),
    warehouse: { jdbcUrl: `jdbc:duckdb:${file}` },
  };
}

function describes(descriptor: string, file: string): void {
  writeFileSync(join(home, 'datasources', descriptor), `<dataSource><location>jdbc:duckdb:${file}</location>`);
}

it('an uploaded database goes with the last datasource over it, and the others stay', async () => {
  const [mine, other] = [place('imports/upload-1.duckdb'), place('imports/upload-2.duckdb')];
  describes('shop-model.sds', 'imports/upload-1.duckdb');
  await uploads.dropUnread(tenant, { name: 'shop', warehouse: mine.warehouse });
  expect(mine.isThere()).toBe(true);
  rmSync(join(home, 'datasources/shop-model.sds'));
  // One of another tenant counts as well.
  describes('other/shop.sds', 'imports/upload-1.duckdb');
  await uploads.dropUnread(tenant, { name: 'shop', warehouse: mine.warehouse });
  expect(mine.isThere()).toBe(true);
  rmSync(join(home, 'datasources/other/shop.sds'));
  await uploads.dropUnread(tenant, { name: 'shop-model', warehouse: mine.warehouse });
  expect([mine.isThere(), other.isThere()]).toEqual([false, true]);
  expect(released).toContain('jdbc:duckdb:imports/upload-1.duckdb');
});

it('an uploaded database stays while a saved connection reads it, and goes with that one', async () => {
  const mine = place('imports/upload-1.duckdb');
  const { id } = await store.add(tenant, { name: 'orders', address: mine.warehouse, schema: undefined });
  await uploads.dropUnread(tenant, { name: 'shop', warehouse: mine.warehouse });
  expect(mine.isThere()).toBe(true);
  await store.remove(tenant, id);
  await uploads.drop(tenant, mine.warehouse);
  expect(mine.isThere()).toBe(false);
});

it('a connection that is removed leaves a database that a datasource reads', async () => {
  const mine = place('imports/upload-1.duckdb');
  describes('shop.sds', 'imports/upload-1.duckdb');
  await uploads.drop(tenant, mine.warehouse);
  expect(mine.isThere()).toBe(true);
});

it('the database of an import goes with the datasource of its name, not with others over it', async () => {
  const mine = place('imports/shop.duckdb');
  await uploads.dropUnread(tenant, { name: 'someone-else', warehouse: mine.warehouse });
  expect(mine.isThere()).toBe(true);
  await uploads.dropUnread(tenant, { name: 'shop-model', warehouse: mine.warehouse });
  expect(mine.isThere()).toBe(false);
});

it.each(['shop.duckdb', 'imports/../shop.duckdb', 'imports/shop.csv'])(
  'a file that no import has made stays: %s',
  async (file) => {
    const { isThere, warehouse } = place(file);
    await uploads.dropUnread(tenant, { name: 'shop', warehouse });
    expect(isThere()).toBe(true);
  },
);

/** Before the marker, the database, the saved connection and the removal of the marker; and after all of them. */
const STEPS = { marker: 1, database: 2, connection: 3, end: 4, done: 5 } as const;

async function uploadAndDie(step: number): Promise<NodeJS.Signals | null> {
  const script = new URL('../testing/upload-and-die.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', script, home, String(step)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  const saved = join(home, 'saved');
  if (existsSync(saved)) {
    const address = { jdbcUrl: readFileSync(saved, 'utf8') };
    await store.add(tenant, { name: 'orders', address, schema: undefined });
  }
  return signal;
}

const inImports = () => readdirSync(join(home, 'imports'));

it.each(['marker', 'database', 'connection'] as const)(
  'an upload that is killed before its %s leaves nothing after the next start',
  async (step) => {
    expect(await uploadAndDie(STEPS[step])).toBe('SIGKILL');
    const isMade = inImports().some((name) => name.endsWith('.duckdb'));
    expect(isMade).toBe(step === 'connection');
    await uploads.clearLeft(tenant);
    expect(inImports()).toEqual([]);
  },
  30_000,
);

it('an upload that is killed after its connection was saved stays, and its marker goes', async () => {
  expect(await uploadAndDie(STEPS.end)).toBe('SIGKILL');
  expect(inImports()).toHaveLength(2);
  await uploads.clearLeft(tenant);
  expect(inImports()).toEqual([expect.stringMatching(/^upload-[0-9a-f-]{36}\.duckdb$/)]);
}, 30_000);

it('a killed upload that a datasource reads stays', async () => {
  expect(await uploadAndDie(STEPS.connection)).toBe('SIGKILL');
  const [database = ''] = inImports().filter((name) => name.endsWith('.duckdb'));
  describes('shop.sds', `imports/${database}`);
  await uploads.clearLeft(tenant);
  expect(inImports()).toEqual([database]);
}, 30_000);

it('an upload that ends leaves no marker, and one that fails leaves nothing', async () => {
  expect(await uploadAndDie(STEPS.done)).toBeNull();
  expect(inImports()).toEqual([expect.stringMatching(/^upload-/)]);
  const failed = await uploads.begin(tenant);
  writeFileSync(failed.file, 'half a database');
  await failed.drop();
  expect(inImports()).toHaveLength(1);
}, 30_000);

it('an upload that a living process makes is not cleared', async () => {
  const living = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    const id = '7d444840-9dc0-11d1-b245-5ffdce74fad2';
    for (const mark of [ownMark().replace(/\d+$/, String(living.pid)), 'by-othermachine-1'])
      writeFileSync(join(home, 'imports', `.upload-${mark}-${id}`), '');
    writeFileSync(join(home, 'imports', `upload-${id}.duckdb`), 'a database');
    await uploads.clearLeft(tenant);
    expect(inImports()).toHaveLength(3);
  } finally {
    living.kill('SIGKILL');
  }
});
