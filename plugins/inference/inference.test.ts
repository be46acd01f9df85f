/** Area B end to end through the REST adapter, over real engines; expectations are computed by hand. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TenantId, UserCaller } from '../../router/capabilities/identity.ts';
import type { Repository } from '../../router/capabilities/repository.ts';
import { CANNOT_BE_REACHED } from '../../router/capabilities/warehouse.ts';
import { CONNECTION_FORMS, formOfUrl, jdbcUrlOf } from '../../router/connection-forms.ts';
import { NO_LINKS } from '../../router/testing/no-links.ts';
import { type RestCall, restClient } from '../../router/testing/rest-client.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { openFileImport } from '../../server/file-import/open-file-import.ts';
import { openRepository } from '../../server/repository/index.ts';
import { openState, type StateStore } from '../../server/state/index.ts';
import { openVault } from '../../server/vault/vault.ts';
import { describeEngines } from '../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse, type TestWarehouse } from '../../server/warehouse/testing/engines.ts';
import { inference } from './index.ts';
import { acceptingRegistry } from './testing/registry.ts';
import { InferenceWork } from './work/work.ts';

const tenant = 'tenant-1' as TenantId;
const caller: UserCaller = { kind: 'user', via: 'api-key', tenant, user: 'api-key:1', roles: ['ROLE_ADMIN'] };
const stranger: UserCaller = { ...caller, tenant: 'tenant-2' as TenantId };

const SHOP = [
  'CREATE TABLE customers (id INTEGER NOT NULL, name VARCHAR(40), city VARCHAR(20))',
  "INSERT INTO customers VALUES (1, 'Ada', 'Rome'), (2, 'Bob', 'Oslo'), (3, 'Cleo', NULL), (4, 'Dan', 'Rome')",
  'CREATE TABLE orders (id INTEGER NOT NULL, customer_id INTEGER, amount DECIMAL(10,2), placed DATE)',
  "INSERT INTO orders VALUES (10, 1, 5.50, '2024-01-31'), (11, 1, 7.25, '2024-02-29'), (12, 2, 100.00, '2024-03-01')",
  'CREATE VIEW big_orders AS SELECT * FROM orders WHERE amount > 50',
];

let state: StateStore;
let datasources: Awaited<ReturnType<typeof acceptingRegistry>>;
let repository: Repository;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-inference-'));
  mkdirSync(join(folder, 'uploads'));
  state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silentLog });
  datasources = await acceptingRegistry(join(folder, 'datasources'));
  repository = await openRepository({ directory: join(folder, 'repository'), defaultTenant: 'tenant-1' as TenantId });
});
afterAll(async () => {
  await datasources.registry.close();
  await state.close();
  rmSync(folder, { recursive: true });
});

async function surfaceOver(started: TestWarehouse) {
  const surface = inference({
    rateLimits: { take: async () => {} },
    warehouses: started.warehouses,
    links: NO_LINKS,
    files: openFileImport({ log: silentLog, memoryBytes: 512_000_000, threads: 2, timeoutMs: 60_000 }),
    vault: openVault(randomBytes(32)),
    state,
    clock: Date.now,
    log: silentLog,
    registryOf: async () => datasources.registry,
    marksOf: async () => [],
    repository,
    uploads: {
      directoryOf: async (of) => join(folder, 'imports', of),
      locationOf: (file) => file,
      fileOf: (location) => location,
    },
    directory: join(folder, 'uploads'),
    isSampled: false,
    refusesLocation: async (url) => url.includes('/etc/'),
    explainsFailures: (of) => of === tenant,
  });
  await state.migrate({ inference: surface.migrations ?? {} });
  const client = restClient(surface);
  return async (request: string, options: RestCall = {}) => {
    // biome-ignore lint/suspicious/noExplicitAny: a test reads the answer as a caller does.
    const answer = (await client.call(request, { caller, ...options })) as { status: number; body: any };
    return answer;
  };
}

describeEngines(
  'on $engine',
  (engine) => {
    let started: TestWarehouse;
    let call: Awaited<ReturnType<typeof surfaceOver>>;
    let id: string;
    beforeAll(async () => {
      started = await startWarehouse(engine, SHOP);
      call = await surfaceOver(started);
      const { jdbcUrl, username, password } = started.address;
      const added = await call('POST /me/connections', {
        body: { name: `shop on ${engine}`, url: jdbcUrl, username, password },
      });
      expect(added.status).toBe(201);
      id = added.body.id;
    });
    afterAll(() => started.stop());

    it('a saved connection is listed without its address, to its tenant alone', async () => {
      const listed = await call('GET /me/connections');
      const connection = listed.body.find((each: { id: string }) => each.id === id);
      expect(Object.keys(connection).sort()).toEqual(['createdAt', 'id', 'name', 'schema', 'type']);
      expect(connection).toMatchObject({ name: `shop on ${engine}`, type: engine });
      expect((await call('GET /me/connections', { caller: stranger })).body).toEqual([]);
      expect((await call(`POST /me/inference/profile/connection/${id}`, { caller: stranger })).status).toBe(404);
      expect((await call(`DELETE /me/connections/${id}`, { caller: stranger })).status).toBe(404);
    });

    it('a test of the connection reports the product, or the part that is wrong with the names that exist', async () => {
      const { jdbcUrl: url, username, password } = started.address;
      const test = (body: object, as = caller) =>
        call('POST /me/connections/test', { body: { url, username, password, ...body }, caller: as });
      const [{ schema = '' } = {}] = await started.warehouse.tables();
      expect((await test({ schema })).body).toMatchObject({ isReachable: true, product: expect.any(String) });
      const missing = await test({ schema: 'nowhere' });
      expect(missing.body.problem).toMatchObject({ part: 'schema', available: expect.arrayContaining([schema]) });
      const form = formOfUrl(url);
      if (form === undefined || CONNECTION_FORMS[form.engine].kind === 'file') {
        const other = await test({ url: `${url}.missing` });
        expect(other.body).toMatchObject({ isReachable: false, problem: { part: 'file' } });
        return;
      }
      const elsewhere = (values: object) => jdbcUrlOf(form.engine, { ...form.values, ...values });
      // Nothing listens at the port 1.
      const closed = await test({ url: elsewhere({ port: '1' }) });
      expect(closed.body).toMatchObject({ isReachable: false, problem: { part: 'port' } });
      const hidden = await test({ url: elsewhere({ port: '1' }) }, stranger);
      expect(hidden.body).toEqual({ isReachable: false, problem: { message: CANNOT_BE_REACHED } });
      if (engine === 'postgresql' || engine === 'mariadb') {
        const { database = '' } = form.values;
        const misspelt = await test({ url: elsewhere({ database: `${database}x` }) });
        expect(misspelt.body.problem.part).toBe('database');
        expect(misspelt.body.problem.available[0]).toBe(database);
        const body = { name: 'misspelt', url: elsewhere({ database: `${database}x` }), username, password };
        const refused = await call('POST /me/connections', { body });
        expect([refused.status, refused.body.field, refused.body.available?.[0]]).toEqual([400, 'url', database]);
        expect((await call('POST /me/connections', { body, caller: stranger })).status).toBe(502);
      }
    });

    it('a changed connection keeps its password for the same server only, and shows it to nobody', async () => {
      const { jdbcUrl: url, username, password } = started.address;
      const change = (body: object, as = caller) => call(`PUT /me/connections/${id}`, { body, caller: as });
      const renamed = await change({ name: `renamed on ${engine}`, url });
      expect(renamed.body).toMatchObject({ name: `renamed on ${engine}`, hasPassword: (password ?? '') !== '' });
      expect(JSON.stringify(renamed.body)).not.toContain(`"${password || 'no password'}"`);
      expect((await call(`GET /me/connections/${id}`)).body).toEqual(renamed.body);
      expect((await change({ name: 'mine' }, stranger)).status).toBe(404);
      expect((await call(`GET /me/connections/${id}`, { caller: stranger })).status).toBe(404);
      if ((password ?? '') !== '') {
        const moved = await change({ url: url.replace(/:\d+/, ':1'), username });
        expect(moved).toMatchObject({ status: 400, body: { field: 'password' } });
      }
      expect((await change({ name: `shop on ${engine}` })).body.name).toBe(`shop on ${engine}`);
    });

    it('a connection to a schema that does not exist is refused with the schemas that do', async () => {
      const { jdbcUrl, username, password } = started.address;
      const save = (schema: string, url = jdbcUrl) =>
        call('POST /me/connections', { body: { name: `schema ${schema}`, url, username, password, schema } });
      const [{ schema = '' } = {}] = await started.warehouse.tables();
      const { status, body } = await save('nowhere');
      expect(status).toBe(400);
      expect(body).toMatchObject({ field: 'schema', available: expect.arrayContaining([schema]) });
      expect(JSON.stringify(body)).toContain('The warehouse has no schema \\"nowhere\\".');
      const saved = await save(schema);
      expect(saved.status).toBe(201);
      expect((await call(`DELETE /me/connections/${saved.body.id}`)).status).toBe(200);
    });

    // Only an address of Trino names a catalog and a schema.
    if (engine === 'trino')
      it('a connection to a catalog or a schema of its address that does not exist is refused', async () => {
        const { jdbcUrl, username } = started.address;
        const save = (url: string) => call('POST /me/connections', { body: { name: 'elsewhere', url, username } });
        const catalog = await save(jdbcUrl.replace(/[^/]+\/[^/]+$/, 'nowhere/tiny'));
        expect(catalog).toMatchObject({
          status: 400,
          body: { field: 'url', available: expect.arrayContaining(['tpch']) },
        });
        const schema = await save(jdbcUrl.replace(/[^/]+\/[^/]+$/, 'tpch/nowhere'));
        expect(schema).toMatchObject({
          status: 400,
          body: { field: 'url', available: expect.arrayContaining(['tiny', 'sf1']) },
        });
      });

    it('the profile counts rows, distinct values and shows samples', async () => {
      const { status, body } = await call(`POST /me/inference/profile/connection/${id}`, { body: {} });
      expect(status).toBe(200);
      expect(body).toMatchObject({ sampleCostUsd: 0, databaseProductName: expect.any(String) });
      expect(new Date(body.sampledAt).toISOString()).toBe(body.sampledAt);
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      const table = (name: string) => body.tables.find((each: any) => each.name === name);
      expect(body.tables.map((each: { name: string }) => each.name)).toEqual(['customers', 'orders']);
      const [customers, orders] = [table('customers'), table('orders')];
      expect([customers.rowCount, orders.rowCount]).toEqual([4, 3]);
      const city = customers.columns[2];
      expect(city).toMatchObject({ name: 'city', nullable: true, distinctApprox: 2, sampleValues: ['Rome', 'Oslo'] });
      expect(customers.columns[0]).toMatchObject({ name: 'id', nullable: false, distinctApprox: 4 });
      expect(orders.columns.map((each: { distinctApprox: number }) => each.distinctApprox)).toEqual([3, 2, 3, 3]);
      expect(orders.columns[3]).toMatchObject({ sampleValues: ['2024-01-31', '2024-02-29', '2024-03-01'] });
    });

    it('the profile has tables of the requested types, up to the limit', async () => {
      const of = async (query: string) =>
        (await call(`POST /me/inference/profile/connection/${id}?${query}`)).body.tables.map(
          (each: { name: string }) => each.name,
        );
      expect(await of('tableTypes=VIEW')).toEqual(['big_orders']);
      expect(await of('tableTypes=TABLE,VIEW')).toEqual(['big_orders', 'customers', 'orders']);
      expect(await of('maxTables=1')).toEqual(['customers']);
    });

    it('the sample has the first rows', async () => {
      const { status, body } = await call(`GET /me/inference/profile/connection/${id}/sample?table=customers&rows=2`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        table: 'customers',
        columns: ['id', 'name', 'city'],
        rows: [
          [1, 'Ada', 'Rome'],
          [2, 'Bob', 'Oslo'],
        ],
      });
    });

    it('an unknown table is reported with the existing ones', async () => {
      const { status, body } = await call(`GET /me/inference/profile/connection/${id}/sample?table=custmers`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: 'not_found', field: 'table', message: expect.any(String) });
      expect(body.available[0]).toBe('customers');
    });
  },
  // A column of ClickHouse without Nullable has no nulls.
  { engines: ['duckdb', 'postgresql', 'sqlite', 'mariadb', 'trino'] },
);

describe('connections', () => {
  let started: TestWarehouse;
  let call: Awaited<ReturnType<typeof surfaceOver>>;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', SHOP);
    call = await surfaceOver(started);
  });
  afterAll(() => started.stop());

  it('are for API keys alone', async () => {
    for (const request of ['GET /me/connections', 'POST /me/connections', 'POST /me/inference/profile/file']) {
      expect((await call(request, { caller: { ...caller, via: 'session' } })).status).toBe(401);
    }
  });

  it.each([
    [{ name: 'x' }, 'url'],
    [{ name: ' ', url: 'jdbc:duckdb:a' }, 'name'],
    [{ name: 'x', url: 'jdbc:oracle:thin:@a' }, 'url'],
    [{ name: 'x', url: 'jdbc:sqlite:/etc/a.db' }, 'url'],
    // A database without a file would be empty.
    [{ name: 'x', url: 'jdbc:duckdb:' }, 'url'],
    [{ name: 'x', url: 'jdbc:duckdb::memory:' }, 'url'],
    [{ name: 'x', url: 'jdbc:duckdb:a', extra: 1 }, 'extra'],
  ])('are refused if a field is wrong: %j', async (body, field) => {
    const answer = await call('POST /me/connections', { body });
    expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error', field } });
  });

  it('are not saved when the warehouse does not answer', async () => {
    const body = { name: 'nobody', url: 'jdbc:postgresql://127.0.0.1:1/shop', username: 'u', password: 'top-secret' };
    const answer = await call('POST /me/connections', { body });
    expect(answer).toMatchObject({ status: 502, body: { error: 'warehouse_unreachable' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/top-secret|127\.0\.0\.1/);
    expect((await call('GET /me/connections')).body.map((each: { name: string }) => each.name)).not.toContain('nobody');
  });

  it('have one name each, and are gone when they are removed', async () => {
    const body = { name: 'twice', url: started.address.jdbcUrl, password: 'swordfish' };
    const { body: added } = await call('POST /me/connections', { body });
    expect(await call('POST /me/connections', { body })).toMatchObject({
      status: 409,
      body: { error: 'connection_exists' },
    });
    const rows = await state
      .tables<{ saved_connections: Record<string, unknown> }>()
      .selectFrom('saved_connections')
      .selectAll()
      .execute();
    expect(JSON.stringify(rows)).not.toMatch(/swordfish|jdbc:/);
    expect((await call(`DELETE /me/connections/${added.id}`)).status).toBe(200);
    expect(await call(`DELETE /me/connections/${added.id}`)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
    expect(await call(`POST /me/inference/profile/connection/${added.id}`)).toMatchObject({ status: 404 });
  });

  it.each(['maxTables=0', 'maxTables=501', 'tableTypes=INDEX', 'schema='])('do not profile with %s', async (query) => {
    const { body: added } = await call('POST /me/connections', { body: { name: query, url: started.address.jdbcUrl } });
    expect((await call(`POST /me/inference/profile/connection/${added.id}?${query}`)).status).toBe(400);
    expect(await call(`POST /me/inference/profile/connection/${added.id}?schema=nowhere`)).toMatchObject({
      status: 404,
      body: { available: ['main'] },
    });
  });
});

describe('tables and columns with too long names', () => {
  it('are left out of a profile', async () => {
    const long = 'x'.repeat(501);
    const started = await startWarehouse('duckdb', [
      `CREATE TABLE "${long}" AS SELECT 1 AS n`,
      `CREATE TABLE facts AS SELECT 1 AS n, 2 AS "${long}"`,
    ]);
    const call = await surfaceOver(started);
    const { body: added } = await call('POST /me/connections', {
      body: { name: 'long names', url: started.address.jdbcUrl },
    });
    const { status, body } = await call(`POST /me/inference/profile/connection/${added.id}`);
    expect(status).toBe(200);
    expect(body.tables).toMatchObject([{ name: 'facts', columns: [{ name: 'n' }] }]);
    expect(body.tables).toHaveLength(1);
    await started.stop();
  });
});

describe('a large table', () => {
  it('is sampled, and estimated from its sample', async () => {
    const started = await startWarehouse('duckdb', [
      `CREATE TABLE facts AS SELECT range AS id, range % 7 AS weekday, hash(range) % 1000000 AS visitor, random() AS x FROM range(5000000)`,
    ]);
    const call = await surfaceOver(started);
    const { body: added } = await call('POST /me/connections', {
      body: { name: 'large', url: started.address.jdbcUrl },
    });
    const { body } = await call(`POST /me/inference/profile/connection/${added.id}`);
    const [facts] = body.tables;
    expect(facts.rowCount).toBe(5_000_000);
    expect(facts.sampledRows).toBeLessThan(1_000_000);
    const distinct = facts.columns.map((each: { distinctApprox: number }) => each.distinctApprox);
    expect(distinct[0]).toBeGreaterThan(4_000_000);
    expect(distinct[1]).toBe(7);
    expect(distinct[2]).toBeGreaterThan(300_000);
    // About as many whole numbers as lie between the least and the greatest one.
    expect(distinct[2]).toBeLessThanOrEqual(1_500_000);
    expect(facts.keys).toContainEqual(['id']);
    await started.stop();
  });
});

describe('a file', () => {
  it('is profiled as one table, and nothing of it is left', async () => {
    const started = await startWarehouse('duckdb', SHOP);
    const { profileFile } = await import('./profile/profile-file.ts');
    const path = join(folder, 'upload-1');
    writeFileSync(path, 'Kunde;Betrag\nAda;1,50\nBob;2,25\nAda;3,00\n');
    const profile = await profileFile(
      {
        warehouses: started.warehouses,
        files: openFileImport({ log: silentLog, memoryBytes: 512_000_000, threads: 2, timeoutMs: 60_000 }),
        directory: join(folder, 'uploads'),
        clock: Date.now,
        log: silentLog,
        work: new InferenceWork(undefined),
      },
      { name: 'Umsatz 2024.csv', size: 1, path },
      undefined,
      undefined,
    );
    expect(profile.tables).toHaveLength(1);
    expect(profile.tables[0]).toMatchObject({
      name: 'umsatz_2024',
      rowCount: 3,
      columns: [
        { name: 'Kunde', type: 'VARCHAR', distinctApprox: 2, sampleValues: ['Ada', 'Bob'] },
        { name: 'Betrag', distinctApprox: 3, notes: ['decimal comma'], min: 1.5, max: 3 },
      ],
    });
    expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
    await started.stop();
  });
});
