/** Tests what many viewers of one embed cost: the real host, embed and semantic surfaces, and a warehouse. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embed } from '../../plugins/embed/index.ts';
import { writeWorkbook } from '../../plugins/files/index.ts';
import { semantic } from '../../plugins/semantic/index.ts';
import { skills } from '../../plugins/skills/index.ts';
import type { Warehouse, Warehouses } from '../../router/capabilities/warehouse.ts';
import { NO_JOBS } from '../../router/testing/no-jobs.ts';
import { openCache } from '../cache/cache.ts';
import type { Identity } from '../identity/index.ts';
import { openRepository } from '../repository/index.ts';
import type { StateStore } from '../state/index.ts';
import { startWarehouse, type TestWarehouse } from '../warehouse/testing/engines.ts';
import type { OpenPort } from './port.ts';
import { serve, startIdentity } from './testing/serve.ts';

const PASSWORD = 'a password for this test';
const EMBED = '/rest/service/api/embed';
const CITIES = 40;

const SALES = [
  'CREATE TABLE sales (city VARCHAR, amount INTEGER)',
  `INSERT INTO sales SELECT 'City number ' || (i % ${CITIES}), i FROM range(4000) t(i)`,
];
const MODEL = `
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        fields:
          - { name: city, expression: [{ dialect: ANSI_SQL, expression: city }] }
    metrics:
      - { name: total, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] }
`;
const REQUEST = {
  connection: 'test',
  model: 'shop',
  rows: [{ dataset: 'sales', field: 'city' }],
  values: [{ metric: 'total' }],
};
const query = { version: 1, title: 'By city', source: { surface: 'semantic', request: REQUEST } };
const tile = (id: string, y: number) => ({
  id,
  kind: 'chart',
  query: { path: 'shared/q.service' },
  x: 0,
  y,
  w: 6,
  h: 4,
});
const dashboard = { version: 1, title: 'Cities', layout: { columns: 12 }, tiles: [tile('a', 0), tile('b', 4)] };

let folder: string;
let warehouse: TestWarehouse;
let state: StateStore;
let identity: Identity;
let host: OpenPort;
let url: string;
let session: Readonly<Record<string, string>>;
/** The statements that the warehouse received. */
const statements: string[] = [];

/** Wraps the warehouses so that they record their statements. */
function counted(warehouses: Warehouses): Warehouses {
  return {
    supported: warehouses.supported,
    isSame: warehouses.isSame,
    check: warehouses.check,
    release: (address) => warehouses.release(address),
    async open(address) {
      const opened: Warehouse = await warehouses.open(address);
      return {
        dialect: opened.dialect,
        ping: (signal) => opened.ping(signal),
        tables: (options) => opened.tables(options),
        columns: (table, signal) => opened.columns(table, signal),
        missingPlace: (schema, signal) => opened.missingPlace(schema, signal),
        columnsByName: (tables, signal) => opened.columnsByName(tables, signal),
        columnsOf: (tables, signal) => opened.columnsOf(tables, signal),
        catalogStatistics: (tables, signal) => opened.catalogStatistics(tables, signal),
        declaredKeys: (tables, signal) => opened.declaredKeys(tables, signal),
        rowEstimates: (options) => opened.rowEstimates(options),
        dataVersion: () => opened.dataVersion(),
        close: () => opened.close(),
        query(statement, options) {
          statements.push(statement.sql);
          return opened.query(statement, options);
        },
        stream(statement, options) {
          statements.push(statement.sql);
          return opened.stream(statement, options);
        },
      };
    },
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-viewers-'));
  mkdirSync(join(folder, 'repository/shared'), { recursive: true });
  writeFileSync(join(folder, 'repository/shared/q.service'), JSON.stringify(query));
  writeFileSync(join(folder, 'repository/shared/d.servicedash'), JSON.stringify(dashboard));
  const clock = Date.now;
  const started = await startIdentity(folder, PASSWORD);
  ({ state, identity } = started);
  const { log } = started;
  const tenant = await identity.tenants.ensure('default');
  warehouse = await startWarehouse('duckdb', SALES);
  const surface = semantic({
    warehouses: counted(warehouse.warehouses),
    cache: openCache({ maxBytes: 1_000_000, clock }),
    jobs: NO_JOBS,
    log,
    clock,
    settings: { maxRows: 10_000, cacheTtlMs: 60_000, samplesTtlMs: 0, kAnonymity: { threshold: 0, mask: null } },
  });
  const datasource = {
    id: 'test',
    name: 'test',
    type: 'SEMANTIC',
    documentPath: 'm.yaml',
    schema: undefined,
    enabled: true,
  } as const;
  expect(await surface.loaderOf(tenant.id).load({ ...datasource, warehouse: warehouse.address }, MODEL)).toEqual([]);
  await surface.ready();
  const repository = await openRepository({ directory: join(folder, 'repository'), defaultTenant: tenant.id });
  const embedding = embed({
    state,
    repository,
    sources: [surface.source],
    askSources: [surface.askSource],
    asking: {
      llm: undefined,
      skills: skills({ directoryOf: async () => join(folder, 'skills'), clock }).folders,
      clock,
      settings: { maxSchemaTokens: 1_000, sharesValues: false },
      questions: { keep: async () => false },
    },
    accounts: identity.users,
    tenants: { first: tenant.id, find: async () => undefined, nameOf: async (of) => of },
    clock,
    log,
    files: {
      workbooks: { size: 1, run: writeWorkbook },
      papers: { size: 1, run: () => Promise.reject(new Error('No test asks for a PDF.')) },
    },
  });
  await state.migrate({ embed: embedding.migrations ?? {} });
  host = await serve([embedding], { folder, state, identity });
  url = `http://127.0.0.1:${host.port}`;
  session = await signIn();
});

afterAll(async () => {
  await host?.stop(100);
  await state?.close();
  await warehouse?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the cookies of a session and the matching CSRF header. */
async function signIn(): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const csrf = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  return { cookie: cookies.join('; '), 'x-xsrf-token': decodeURIComponent(csrf), 'content-type': 'application/json' };
}

async function mint(resourcePath: string): Promise<Response> {
  const resourceKind = resourcePath.endsWith('.servicedash') ? 'dashboard' : 'query';
  return fetch(`${url}${EMBED}/tokens`, {
    method: 'POST',
    headers: session,
    body: JSON.stringify({ resourceKind, resourcePath, ttlHours: 1 }),
  });
}

async function tokenFor(resourcePath: string): Promise<string> {
  return ((await (await mint(resourcePath)).json()) as { readonly token: string }).token;
}

/** Returns the answers of `count` simultaneous viewers, each with a separate token. */
async function viewers(count: number, path: string, resourcePath: string): Promise<readonly string[]> {
  const tokens = await Promise.all(Array.from({ length: count }, () => tokenFor(resourcePath)));
  return Promise.all(
    tokens.map(async (token) => {
      const response = await fetch(`${url}${EMBED}/${path}`, { headers: { 'x-service-embed-token': token } });
      expect(response.status).toBe(200);
      return JSON.stringify(((await response.json()) as { readonly records: unknown }).records);
    }),
  );
}

const times = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));

test('twenty simultaneous viewers cost the warehouse one statement', async () => {
  // Loading the model has read the tables.
  statements.length = 0;
  const answers = await viewers(20, 'query/shared/q.service', 'shared/q.service');
  expect(statements).toHaveLength(1);
  expect(new Set(answers).size).toBe(1);
  expect(JSON.parse(answers[0] ?? '[]')).toHaveLength(CITIES);
});

test('the tiles of a dashboard with the same query cost no further statement, for any viewer', async () => {
  statements.length = 0;
  await viewers(10, 'dashboard/shared/d.servicedash/tiles/a', 'shared/d.servicedash');
  await viewers(10, 'dashboard/shared/d.servicedash/tiles/b', 'shared/d.servicedash');
  expect(statements).toEqual([]);
});

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
] as const)(
  'for the accepted encodings %s the answer is sent as %s, a fraction of its size',
  async (accepted, encoding, unpack) => {
    const token = await tokenFor('shared/q.service');
    const read = (headers: Readonly<Record<string, string>>) =>
      new Promise<{ readonly encoding: string | undefined; readonly vary: string | undefined; readonly body: Buffer }>(
        (resolve, reject) => {
          const path = `${EMBED}/query/shared/q.service`;
          request(
            { host: '127.0.0.1', port: host.port, path, headers: { 'x-service-embed-token': token, ...headers } },
            (response) => {
              const chunks: Buffer[] = [];
              response
                .on('data', (chunk: Buffer) => chunks.push(chunk))
                .on('end', () =>
                  resolve({
                    encoding: response.headers['content-encoding'],
                    vary: response.headers.vary,
                    body: Buffer.concat(chunks),
                  }),
                );
            },
          )
            .on('error', reject)
            .end();
        },
      );
    const plain = await read({});
    const packed = await read({ 'accept-encoding': accepted });
    expect([plain.encoding, packed.encoding, packed.vary]).toEqual([undefined, encoding, 'Accept-Encoding']);
    expect(unpack(packed.body).toString()).toBe(plain.body.toString());
    expect(packed.body.length).toBeLessThan(plain.body.length / 4);
  },
);

test('two hundred and fifty simultaneous token requests create exactly two hundred', async () => {
  const tokens = (await (await fetch(`${url}${EMBED}/tokens`, { headers: session })).json()) as readonly {
    readonly id: string;
  }[];
  await Promise.all(
    tokens.map(({ id }) => fetch(`${url}${EMBED}/tokens/${id}`, { method: 'DELETE', headers: session })),
  );
  const answers = await Promise.all(times(250, () => mint('shared/q.service')));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...times(200, () => 200), ...times(50, () => 409)]);
  const listed = (await (await fetch(`${url}${EMBED}/tokens`, { headers: session })).json()) as readonly {
    readonly revoked: boolean;
  }[];
  expect(listed.filter(({ revoked }) => !revoked)).toHaveLength(200);
});
