/** Tests the whole process, assembled as at a start, with datasources that are slow, broken or missing. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { leastMillis } from '../router/testing/least-millis.ts';
import { run } from './cli/program.ts';
import { readConfig } from './config/read-config.ts';
import { locateHome, makeHome } from './home-directory/home-directory.ts';
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
const silentSockets = new Set<Socket>();
let keys: Readonly<Record<'rome' | 'nobody' | 'admin', string>>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'service-launch-'));
  const home = locateHome(join(root, 'home'));
  makeHome(home);
  await writeDuckdb(join(home.data, 'shop.duckdb'), [
    'CREATE TABLE sales (id INTEGER, city VARCHAR, amount INTEGER)',
    "INSERT INTO sales VALUES (1, 'Rome', 10), (2, 'Oslo', 5)",
  ]);
  // A warehouse that accepts connections and never answers.
  silent = createServer((socket) => void silentSockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
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
  put(
    'slow.sds',
    sds('slow', 'SEMANTIC', semantic, `jdbc:postgresql://127.0.0.1:${silentPort}/shop?connectTimeout=60`),
  );
  put(
    'slow-cubes.sds',
    sds('slow-cubes', 'OLAP', cube, `jdbc:postgresql://127.0.0.1:${silentPort}/shop?connectTimeout=60`),
  );
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
  keys = { rome: await key(['ROLE_ROME', 'rome']), nobody: await key(), admin: await key(['ROLE_ADMIN']) };
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
    environment: {},
    adminPassword: PASSWORD,
    uiDirectory: pathToFileURL(`${join(root, 'ui')}/`),
    exampleSkillsDirectory: new URL('../skills/', import.meta.url),
    showcase: [],
    newlyStaged: [],
  });
});

afterAll(async () => {
  await launched?.stop(0);
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
  // The silent warehouse is closed before the later tests: it would delay the datasources that they add.
  afterAll(() => {
    silent.close();
    for (const socket of silentSockets) socket.destroy();
  });

  test('the process reports immediately what is missing and what is broken', async () => {
    const { status, retryAfter, body } = await call('GET', '/readyz');
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '1' });
    expect(body).toMatchObject({ status: 'NOT_READY' });
    // Before the folder has been read, the folder itself is missing.
    await expect
      .poll(async () => (await call('GET', '/readyz')).body?.missing)
      .toEqual(expect.arrayContaining(['datasource slow', 'datasource slow-cubes']));
    expect(await leastMillis(2_000, async () => (await call('GET', '/readyz')).millis)).toBeLessThan(2_000);
    await expect
      .poll(async () => (await call('GET', '/readyz')).body?.degraded)
      .toEqual([
        { datasource: 'deep', status: 'BROKEN' },
        { datasource: 'gone', status: 'BROKEN' },
      ]);
  });

  test('its queries, cube queries and embeds wait a while and receive a time to retry, and other datasources answer', async () => {
    const grant = { resourceKind: 'query', resourcePath: 'shared/slow.service' };
    expect((await call('POST', `${BASE}/embed/public`, grant)).status).toBe(200);
    const waiting = Promise.all([
      ask('slow', keys.rome),
      askCube('slow-cubes', keys.rome),
      call('GET', `${BASE}/embed/query/shared/slow.service`),
    ]);
    const isFirst = await Promise.race([
      ask('shop', keys.rome).then(({ status }) => status === 200),
      waiting.then(() => false),
    ]);
    expect(isFirst).toBe(true);
    for (const { status, retryAfter, body, millis } of await waiting) {
      expect(status).toBe(503);
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(JSON.stringify(body)).toContain('DATASOURCE_LOADING');
      expect(millis).toBeGreaterThan(4_500);
    }
  });

  test('a query of a datasource with a missing warehouse is a 503, and of an unknown datasource a 404', async () => {
    expect(await ask('gone', keys.rome)).toMatchObject({ status: 503, body: { error: 'DATASOURCE_UNAVAILABLE' } });
    expect(await ask('nothing', keys.rome)).toMatchObject({ status: 404 });
  });
});

describe('an API key', () => {
  test('reads of a semantic model only what its roles may read', async () => {
    const cells = (body: Record<string, unknown> | undefined) => body?.records;
    expect(cells((await ask('shop', keys.rome)).body)).toEqual([
      { 'sales.city': 'Rome', revenue: expect.objectContaining({ value: 10 }) },
    ]);
    expect(cells((await ask('shop', keys.nobody)).body)).toEqual([]);
  });

  test('reads of a cube only what its roles may read', async () => {
    expect((await askCube('cubes', keys.rome)).body?.data).toMatchObject([{ City: 'Rome' }]);
    expect(await askCube('cubes', keys.nobody)).toMatchObject({ status: 404 });
  });

  test('has the same roles in the session and through the typed client', async () => {
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

describe('a document that was removed', () => {
  test('ends its tokens and its grant: a later document of its name has none', async () => {
    const path = 'shared/passing.service';
    const document = {
      version: 1,
      title: 'Passing',
      source: { surface: 'semantic', request: { connection: 'shop', rows: [], values: [{ metric: 'revenue' }] } },
    };
    const put = () => call('PUT', `${BASE}/repository/${path}`, document);
    const read = async (headers: Record<string, string>) =>
      (await fetch(`${url}${BASE}/embed/query/${path}`, { headers })).status;
    expect((await put()).status).toBe(200);
    const grant = { resourceKind: 'query', resourcePath: path };
    const { token } = (await call('POST', `${BASE}/embed/tokens`, grant)).body ?? {};
    const withToken = { 'x-service-embed-token': String(token) };
    expect((await call('POST', `${BASE}/embed/public`, grant)).status).toBe(200);
    expect([await read(withToken), await read({})]).toEqual([200, 200]);
    expect((await call('DELETE', `${BASE}/repository/${path}`)).status).toBe(200);
    expect((await put()).status).toBe(200);
    expect([await read(withToken), await read({})]).toEqual([401, 401]);
    expect((await call('GET', `${BASE}/embed/public`)).body).not.toMatchObject([grant]);
    expect((await call('POST', `${BASE}/embed/public`, grant)).status).toBe(200);
    expect(await read({})).toBe(200);
  });
});

describe('a user who was removed and made again', () => {
  const service = async (args: readonly string[], input = '') => {
    let out = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    });
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin);
    process.exitCode = undefined;
    await run(['node', 'service', ...args, '--home', join(root, 'home')]);
    const code = process.exitCode ?? 0;
    process.exitCode = undefined;
    vi.restoreAllMocks();
    return { out, code };
  };

  test("inherits nothing; the first user's documents belong to the administrator, and tokens and grants have ended", async () => {
    const password = 'a password of ann, long enough';
    const ann = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
    expect(await service(['user', 'add', 'ann', '--role', 'ROLE_ROME'], `${password}\n`)).toMatchObject({ code: 0 });
    const path = 'homes/ann/own.service';
    const request = { connection: 'shop', rows: [], values: [{ metric: 'revenue' }] };
    const document = { version: 1, title: 'Own', source: { surface: 'semantic', request } };
    expect((await call('PUT', `${BASE}/repository/${path}`, document, ann)).status).toBe(200);
    const ofAnn = { resourceKind: 'query', resourcePath: path };
    const shared = { resourceKind: 'query', resourcePath: 'shared/slow.service' };
    await call('DELETE', `${BASE}/embed/public?kind=query&path=shared/slow.service`);
    for (const grant of [ofAnn, shared])
      expect((await call('POST', `${BASE}/embed/public`, grant, ann)).status).toBe(200);
    expect((await call('POST', `${BASE}/embed/tokens`, ofAnn, ann)).status).toBe(200);
    // Another user's token for ann's document ends, too.
    expect((await call('POST', `${BASE}/embed/tokens`, { ...ofAnn, label: 'of admin' })).status).toBe(200);
    const job = await call('POST', `${BASE}/ai/semantic/query/execute-async`, request, ann);
    const { queryId } = job.body ?? {};

    const removed = await service(['user', 'remove', 'ann']);
    expect(removed.out).toBe('Removed ann. Its own documents are now in homes/admin/from-ann.\n');
    expect((await call('GET', `${BASE}/session`, undefined, ann)).status).toBe(401);
    expect((await call('GET', `${BASE}/embed/query/${path}`)).status).toBe(401);

    await service(['user', 'add', 'ann', '--role', 'ROLE_ROME'], `${password}\n`);
    expect((await call('GET', `${BASE}/repository/${path}`, undefined, ann)).status).toBe(404);
    expect((await call('GET', `${BASE}/embed/tokens`, undefined, ann)).body).toEqual([]);
    expect((await call('GET', `${BASE}/embed/public`, undefined, ann)).body).toEqual([]);
    expect((await call('GET', `${BASE}/ai/semantic/query/status/${queryId}`, undefined, ann)).status).toBe(404);
    expect((await call('GET', `${BASE}/embed/tokens`)).body).not.toMatchObject([{ label: 'of admin' }]);
    expect((await call('GET', `${BASE}/repository/homes/admin/from-ann/own.service`)).body).toMatchObject({ document });
    // The new user may publish again.
    expect((await call('PUT', `${BASE}/repository/${path}`, document, ann)).status).toBe(200);
    expect((await call('POST', `${BASE}/embed/public`, ofAnn, ann)).status).toBe(200);
    expect((await call('GET', `${BASE}/embed/query/${path}`)).status).toBe(200);
  });
});

describe('a datasource that is registered through the interface', () => {
  const add = (change: object) =>
    call(
      'POST',
      `${BASE}/admin/datasources`,
      {
        name: 'new',
        type: 'SEMANTIC',
        semanticYaml: 'shop.yaml',
        location: 'jdbc:duckdb:data/shop.duckdb',
        ...change,
      },
      `Bearer ${keys.admin}`,
    );

  test.each([
    ['location', { location: 'jdbc:sqlite:data/../../elsewhere.sqlite' }],
    ['location', { location: 'jdbc:duckdb:/etc/passwd' }],
    ['semanticYaml', { semanticYaml: '../data/state.sqlite' }],
  ])('is refused at %s for %j', async (field, change) => {
    expect(await add(change)).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR', field } });
  });

  test("over the server's own state is broken, and shows nothing of the state", async () => {
    const { status, body } = await add({ id: 'state', name: 'state', location: 'jdbc:sqlite:data/state.sqlite' });
    expect({ status, state: body?.status }).toEqual({ status: 201, state: 'BROKEN' });
    expect(JSON.stringify(body)).toContain('the server’s own');
    await call('DELETE', `${BASE}/admin/datasources/state`, undefined, `Bearer ${keys.admin}`);
  });
});

test('a missing warehouse is reported, and serves again when it is back', async () => {
  const file = join(root, 'home/data/shop.duckdb');
  const degraded = async () => (await call('GET', '/readyz')).body?.degraded;
  renameSync(file, `${file}.away`);
  await expect.poll(degraded).toEqual(expect.arrayContaining([{ datasource: 'shop', status: 'UNREACHABLE' }]));
  expect(await ask('shop', keys.rome)).toMatchObject({ status: 502, body: { error: 'WAREHOUSE_UNREACHABLE' } });
  renameSync(`${file}.away`, file);
  await expect.poll(degraded).not.toEqual(expect.arrayContaining([{ datasource: 'shop', status: 'UNREACHABLE' }]));
  expect((await ask('shop', keys.rome)).status).toBe(200);
});
