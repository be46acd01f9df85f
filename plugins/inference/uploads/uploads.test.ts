/** Databases of uploaded and imported files: they go with the last that reads them, and nothing else goes. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Warehouses } from '../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../router/errors.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { openVault } from '../../../server/vault/vault.ts';
import type { DatasourceRegistry } from '../../datasources/index.ts';
import { ConnectionStore } from '../connections/store.ts';
import { inferenceMigrations } from '../tables.ts';
import { acceptingRegistry } from '../testing/registry.ts';
import { InferenceWork } from '../work/work.ts';
import { UploadStore } from './uploads.ts';

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
let uploads: UploadStore;
let registry: DatasourceRegistry;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'service-uploads-'));
  for (const folder of ['imports', 'datasources/other']) mkdirSync(join(home, folder), { recursive: true });
  state = await openState({ url: undefined, sqliteFile: join(home, 'state.sqlite'), log: silentLog });
  await state.migrate({ inference: inferenceMigrations });
  registry = (await acceptingRegistry(join(home, 'datasources'))).registry;
  store = new ConnectionStore(state, openVault(randomBytes(32)), Date.now);
  uploads = new UploadStore({
    store,
    warehouses,
    files: { load: () => Promise.reject(new InternalError('Nothing is loaded here.')) },
    uploads: {
      directoryOf: async () => join(home, 'imports'),
      locationOf: (file) => file,
      fileOf: (location) => join(home, location),
    },
    registryOf: async () => registry,
    clock: Date.now,
    log: silentLog,
    work: new InferenceWork(undefined),
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
