/** The whole process, put together as a start does it, with datasources that are slow, broken or gone. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from './config/read.ts';
import { locateHome, makeHome } from './home/home.ts';
import { openPort } from './http/port.ts';
import { identityMigrations, openIdentity } from './identity/index.ts';
import { type Launched, launch } from './launcher.ts';
import { openLog } from './log/log.ts';
import { openState } from './state/index.ts';
import { writeDuckdb } from './warehouse/testing/engines.ts';

const PASSWORD = 'a password for this test';
const BASE = '/rest/service/api';

const MODEL = `version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        custom_extensions:
          - vendor_name: SERVICE
            data: '{"roles": {"row_predicates": {"ROLE_ROME": "city = ''Rome''", "ROLE_ADMIN": "1 = 1", "*": "1 = 0"}}}'
        fields:
          - { name: city, expression: { dialects: [{ dialect: ANSI_SQL, expression: city }] } }
    metrics:
      - { name: revenue, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] } }
`;
const CUBES = `<Schema name="Shops">
  <Cube name="Sales"><Table name="sales"/>
    <Dimension name="City"><Hierarchy hasAll="true"><Level name="City" column="city"/></Hierarchy></Dimension>
    <Measure name="Amount" column="amount" aggregator="sum"/>
  </Cube>
  <Role name="rome"><SchemaGrant access="none"><CubeGrant cube="Sales" access="all">
    <HierarchyGrant hierarchy="[City]" access="custom"><MemberGrant member="[City].[Rome]" access="all"/></HierarchyGrant>
  </CubeGrant></SchemaGrant></Role>
</Schema>`;
const sds = (name: string, type: string, document: string, location: string) =>
  `<dataSource><id>${name}</id><name>${name}</name><type>${type}</type>${document}<location>${location}</location><username>shop</username></dataSource>`;

let root: string;
let launched: Launched;
let url: string;
let silent: Server;
let keys: Readonly<Record<'rome' | 'nobody', string>>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'service-launch-'));
  const home = locateHome(join(root, 'home'));
  makeHome(home);
  await writeDuckdb(join(home.data, 'shop.duckdb'), [
    'CREATE TABLE sales (id INTEGER, city VARCHAR, amount INTEGER)',
    "INSERT INTO sales VALUES (1, 'Rome', 10), (2, 'Oslo', 5)",
  ]);
  // A warehouse that takes connections and never says a word.
  silent = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const address = silent.address();
  const silentPort = typeof address === 'object' && address !== null ? address.port : 0;
  const put = (name: string, text: string) => writeFileSync(join(home.datasources, name), text);
  put('shop.yaml', MODEL);
  put('shop.xml', CUBES);
  const semantic = '<semanticYaml>shop.yaml</semanticYaml>';
  const cube = '<cubeSchema>shop.xml</cubeSchema>';
  put('shop.sds', sds('shop', 'SEMANTIC', semantic, 'jdbc:duckdb:data/shop.duckdb'));
  put('cubes.sds', sds('cubes', 'OLAP', cube, 'jdbc:duckdb:data/shop.duckdb'));
  put('slow.sds', sds('slow', 'SEMANTIC', semantic, `jdbc:postgresql://127.0.0.1:${silentPort}/shop`));
  put('slow-cubes.sds', sds('slow-cubes', 'OLAP', cube, `jdbc:postgresql://127.0.0.1:${silentPort}/shop`));
  put('gone.sds', sds('gone', 'SEMANTIC', semantic, 'jdbc:duckdb:data/nowhere.duckdb'));
  put('deep.sds', `<dataSource>${'<a>'.repeat(300)}${'</a>'.repeat(300)}</dataSource>`);
  const document = {
    version: 1,
    title: 'Slow',
    source: { surface: 'semantic', request: { connection: 'slow', rows: [], values: [{ metric: 'revenue' }] } },
  };
  writeFileSync(join(home.repository, 'shared/slow.service'), JSON.stringify(document));

  const log = openLog('silent');
  const state = await openState({ url: undefined, sqliteFile: join(home.data, 'state.sqlite'), log });
  await state.migrate({ identity: identityMigrations });
  const identity = await openIdentity({ state, clock: Date.now, log });
  const { id: tenant } = await identity.tenants.ensure('default');
  const key = async (roles?: readonly string[]) =>
    (await identity.apiKeys.create({ tenant, label: 'test', ...(roles === undefined ? {} : { roles }) })).key;
  keys = { rome: await key(['ROLE_ROME', 'rome']), nobody: await key() };
  await state.close();

  mkdirSync(join(root, 'ui'));
  writeFileSync(join(root, 'ui/index.html'), '<!doctype html><title>home</title>');
  const { config } = readConfig({ properties: '', environment: {}, overrides: { 'service.http.port': '0' } });
  const port = await openPort('127.0.0.1', 0);
  url = `http://127.0.0.1:${port.port}`;
  launched = await launch({
    home,
    config,
    log,
    port,
    adminPassword: PASSWORD,
    uiDirectory: pathToFileURL(`${join(root, 'ui')}/`),
    exampleSkillsDirectory: new URL('../skills/', import.meta.url),
    showcase: [],
    newlyStaged: [],
  });
}, 60_000);

afterAll(async () => {
  await launched?.stop(0);
  silent?.close();
  rmSync(root, { recursive: true, force: true });
});

const admin = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

async function call(method: string, path: string, body?: unknown, authorization = admin) {
  const before = performance.now();
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    millis: performance.now() - before,
  };
}

const ask = (connection: string, key: string) =>
  call(
    'POST',
    `${BASE}/ai/semantic/query`,
    { connection, rows: [{ dataset: 'sales', field: 'city' }], values: [{ metric: 'revenue' }] },
    `Bearer ${key}`,
  );
const askCube = (connection: string, key: string) =>
  call(
    'POST',
    `${BASE}/ai/query`,
    { cube: `${connection}/Shops/Shops/Sales`, measures: [{ name: 'Amount' }], rows: [{ dimension: 'City' }] },
    `Bearer ${key}`,
  );

describe('while a datasource is being loaded', () => {
  test('the process says at once what is missing, and what has come to grief', async () => {
    const { status, retryAfter, body, millis } = await call('GET', '/readyz');
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '1' });
    expect(body).toMatchObject({
      status: 'NOT_READY',
      missing: expect.arrayContaining(['datasource slow', 'datasource slow-cubes']),
    });
    expect(millis).toBeLessThan(2_000);
    await expect
      .poll(async () => (await call('GET', '/readyz')).body?.degraded, { timeout: 10_000 })
      .toEqual([
        { datasource: 'deep', status: 'BROKEN' },
        { datasource: 'gone', status: 'BROKEN' },
      ]);
  }, 20_000);

  test('queries, cube queries and embeds of it wait a while and are told to come again; those of others are answered', async () => {
    const grant = { resourceKind: 'query', resourcePath: 'shared/slow.service' };
    expect((await call('POST', `${BASE}/embed/public`, grant)).status).toBe(200);
    const waiting = Promise.all([
      ask('slow', keys.rome),
      askCube('slow-cubes', keys.rome),
      call('GET', `${BASE}/embed/query/shared/slow.service`),
    ]);
    const other = await ask('shop', keys.rome);
    expect(other.status).toBe(200);
    expect(other.millis).toBeLessThan(4_000);
    for (const { status, retryAfter, body, millis } of await waiting) {
      expect(status).toBe(503);
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(JSON.stringify(body)).toContain('DATASOURCE_LOADING');
      expect(millis).toBeGreaterThan(4_500);
    }
  }, 20_000);

  test('a query of one whose warehouse is not there is told so, and not that there is none', async () => {
    expect(await ask('gone', keys.rome)).toMatchObject({ status: 503, body: { error: 'DATASOURCE_UNAVAILABLE' } });
    expect(await ask('nothing', keys.rome)).toMatchObject({ status: 404 });
  });
});

describe('an API key', () => {
  test('sees of a semantic model what its roles see', async () => {
    const cells = (body: Record<string, unknown> | undefined) => body?.records;
    expect(cells((await ask('shop', keys.rome)).body)).toEqual([
      { 'sales.city': 'Rome', revenue: expect.objectContaining({ value: 10 }) },
    ]);
    expect(cells((await ask('shop', keys.nobody)).body)).toEqual([]);
  });

  test('sees of a cube what its roles see', async () => {
    expect((await askCube('cubes', keys.rome)).body?.data).toMatchObject([{ City: 'Rome' }]);
    expect(await askCube('cubes', keys.nobody)).toMatchObject({ status: 404 });
  });

  test('sees the same through the typed client and what it says of itself', async () => {
    expect((await call('GET', `${BASE}/session`, undefined, `Bearer ${keys.rome}`)).body).toMatchObject({
      roles: ['ROLE_ROME', 'rome'],
    });
    const input = encodeURIComponent(JSON.stringify({}));
    const { body } = await call(
      'GET',
      `${BASE}/trpc/identity.session?input=${input}`,
      undefined,
      `Bearer ${keys.rome}`,
    );
    expect(body).toMatchObject({ result: { data: { roles: ['ROLE_ROME', 'rome'] } } });
  });
});

test('a warehouse that goes away is named, and comes back', async () => {
  const file = join(root, 'home/data/shop.duckdb');
  const degraded = async () => (await call('GET', '/readyz')).body?.degraded;
  renameSync(file, `${file}.away`);
  await expect
    .poll(degraded, { timeout: 15_000 })
    .toEqual(expect.arrayContaining([{ datasource: 'shop', status: 'UNREACHABLE' }]));
  expect(await ask('shop', keys.rome)).toMatchObject({ status: 502, body: { error: 'WAREHOUSE_UNREACHABLE' } });
  renameSync(`${file}.away`, file);
  await expect
    .poll(degraded, { timeout: 15_000 })
    .not.toEqual(expect.arrayContaining([{ datasource: 'shop', status: 'UNREACHABLE' }]));
  expect((await ask('shop', keys.rome)).status).toBe(200);
}, 40_000);
