/** Tests that a kept answer of an embed is sent only while all that it was made from is unchanged: the real host and surfaces. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { embed } from '../../plugins/embed/index.ts';
import { writeWorkbook } from '../../plugins/files/index.ts';
import { type Semantic, semantic } from '../../plugins/semantic/index.ts';
import { skills } from '../../plugins/skills/index.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Observer } from '../../router/capabilities/observer.ts';
import type { QuerySource } from '../../router/capabilities/query-source.ts';
import { NO_JOBS } from '../../router/testing/no-jobs.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { type AuditTables, auditMigrations } from '../audit/tables.ts';
import { openCache } from '../cache/cache.ts';
import type { Users } from '../identity/users.ts';
import { openRepository } from '../repository/index.ts';
import { openState, type StateStore } from '../state/index.ts';
import { startWarehouse, type TestWarehouse } from '../warehouse/testing/engines.ts';
import { type ServedHost, serve, startIdentity } from './testing/serve.ts';

const PASSWORD = 'a password for this test';
const EMBED = '/rest/service/api/embed';
const TTL_MS = 60_000;

const model = (aggregate: string) => `
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        custom_extensions:
          - vendor_name: SERVICE
            data: '{"viewer_filters": [{"field": "city", "attribute": "cities"}]}'
        fields:
          - { name: city, expression: [{ dialect: ANSI_SQL, expression: city }] }
    metrics:
      - { name: total, expression: [{ dialect: ANSI_SQL, expression: ${aggregate}(sales.amount) }] }
`;
const query = (title: string) => ({
  version: 1,
  title,
  source: {
    surface: 'semantic',
    request: {
      connection: 'test',
      model: 'shop',
      rows: [{ dataset: 'sales', field: 'city' }],
      values: [{ metric: 'total' }],
    },
  },
});
const tile = (more: object) => ({
  kind: 'chart',
  query: { path: 'shared/q.service' },
  x: 0,
  y: 0,
  w: 6,
  h: 4,
  ...more,
});
const dashboard = (title: string) => ({
  version: 1,
  title: 'Cities',
  layout: { columns: 12 },
  tiles: [tile({ id: 'a', title }), tile({ id: 'b', y: 4 })],
});

let folder: string;
let warehouse: TestWarehouse;
let state: StateStore;
let surface: Semantic;
let tenant: TenantId;
let host: ServedHost;
let cache: ReturnType<typeof openCache>;
/** Runs of the surface since it was last set, and answers that were given again without their operation. */
let runs: number;
let repeated: number;
let users: Users;
let audit: AuditLog;

const place = (path: string, document: object) =>
  writeFileSync(join(folder, 'repository', path), JSON.stringify(document));
const load = (text: string) =>
  surface.loaderOf(tenant).load(
    {
      id: 'test',
      name: 'test',
      type: 'SEMANTIC',
      documentPath: 'm.yaml',
      schema: undefined,
      enabled: true,
      warehouse: warehouse.address,
    },
    text,
  );

/** Moves the present on; the clock of the files stays. */
function pass(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-kept-'));
  mkdirSync(join(folder, 'repository/shared'), { recursive: true });
  place('shared/q.service', query('By city'));
  place('shared/d.servicedash', dashboard('Tile'));
  // In the middle of a quarter of an hour, and after the last change of every file.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 900_000 + 1) * 900_000 + 300_000 });
  const clock = Date.now;
  const started = await startIdentity(folder, PASSWORD);
  state = started.state;
  const { identity, log } = started;
  tenant = (await identity.tenants.ensure('default')).id;
  warehouse = await startWarehouse('duckdb', [
    'CREATE TABLE sales (city VARCHAR, amount INTEGER)',
    "INSERT INTO sales VALUES ('Oslo', 1), ('Oslo', 4), ('Rome', 2)",
  ]);
  cache = openCache({ maxBytes: 1_000_000, clock });
  surface = semantic({
    warehouses: warehouse.warehouses,
    cache,
    jobs: NO_JOBS,
    log,
    clock,
    settings: { maxRows: 10_000, cacheTtlMs: TTL_MS, samplesTtlMs: 0, kAnonymity: { threshold: 0, mask: null } },
  });
  expect(await load(model('SUM'))).toEqual([]);
  await surface.ready();
  const source: QuerySource = {
    surface: 'semantic',
    prepare(request) {
      const prepared = surface.source.prepare(request);
      return {
        ...prepared,
        run(...call) {
          runs++;
          return prepared.run(...call);
        },
      };
    },
  };
  const embedding = embed({
    state,
    repository: await openRepository({ directory: join(folder, 'repository'), defaultTenant: tenant }),
    sources: [source],
    askSources: [surface.askSource],
    asking: {
      llm: undefined,
      skills: skills({ directoryOf: async () => join(folder, 'skills'), clock }).folders,
      clock,
      settings: { maxSchemaTokens: 1_000, sharesValues: false },
      questions: { keep: async () => false },
    },
    accounts: { find: (of, user) => identity.users.findActive(of, user) },
    tenants: { first: tenant, find: async () => undefined, nameOf: async (of) => of },
    clock,
    log,
    files: {
      workbooks: { size: 1, run: writeWorkbook },
      papers: { size: 1, run: () => Promise.reject(new Error('No test asks for a PDF.')) },
    },
    answerBytes: 1_000_000,
  });
  await state.migrate({ embed: embedding.migrations ?? {}, audit: auditMigrations });
  users = identity.users;
  audit = new AuditLog({ state, clock, log, keepMs: 0 });
  repeated = 0;
  const observer: Observer = {
    around: (activity, work) => audit.around(activity, work),
    ended(...call) {
      repeated++;
      audit.ended(...call);
    },
  };
  host = await serve([embedding], { folder, state, identity, observer });
  runs = 0;
});

afterEach(async () => {
  vi.useRealTimers();
  expect(host.errors).toEqual([]);
  await host.stop(100);
  await audit.close();
  await state.close();
  await warehouse.stop();
  rmSync(folder, { recursive: true, force: true });
});

const administrator = {
  'content-type': 'application/json',
  authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
};

async function tokenFor(resourcePath: string, ...cities: readonly string[]): Promise<string> {
  const resourceKind = resourcePath.endsWith('.servicedash') ? 'dashboard' : 'query';
  const viewer = { id: `viewer ${Math.random()}`, attributes: { cities } };
  const response = await fetch(`http://127.0.0.1:${host.port}${EMBED}/tokens`, {
    method: 'POST',
    headers: administrator,
    body: JSON.stringify({ resourceKind, resourcePath, ttlHours: 1, viewer }),
  });
  return ((await response.json()) as { readonly token: string }).token;
}

interface Read {
  readonly status: number;
  readonly title: string | undefined;
  readonly rows: readonly string[] | undefined;
  readonly cached: boolean | undefined;
  readonly headers: Headers;
  readonly body: string;
}

async function read(token: string, path = 'query/shared/q.service', headers: object = {}): Promise<Read> {
  const response = await fetch(`http://127.0.0.1:${host.port}${EMBED}/${path}`, {
    headers: { 'x-service-embed-token': token, ...headers },
  });
  const body = await response.text();
  const { title, records, freshness } = JSON.parse(body);
  const rows = records?.map((each: Record<string, { readonly formatted: string }>) =>
    [each['sales.city'], each.total?.formatted].join(' '),
  );
  return { status: response.status, title, rows, cached: freshness?.cached, headers: response.headers, body };
}

const BOTH = ['Oslo 5', 'Rome 2'];

test('a repeated read runs nothing, and sends the same answer in every encoding', async () => {
  const token = await tokenFor('shared/q.service', 'Oslo', 'Rome');
  const first = await read(token);
  expect([first.status, first.rows, first.cached, runs]).toEqual([200, BOTH, false, 1]);
  for (const encoding of ['br', 'gzip', 'identity']) {
    const again = await read(token, undefined, { 'accept-encoding': encoding });
    expect(again.body).toBe(first.body.replace('"cached":false', '"cached":true'));
    expect(again.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(again.headers.get('cache-control')).toBe('no-store, max-age=0');
    expect(again.headers.get('etag')).toBe(null);
  }
  expect(runs).toBe(1);
  // Another narrowing is another answer.
  const filter = encodeURIComponent('{"sales.city":["Rome"]}');
  expect((await read(token, `query/shared/q.service?filter=${filter}`)).rows).toEqual(['Rome 2']);
  expect((await read(token)).rows).toEqual(BOTH);
  expect(runs).toBe(2);
});

test('viewers share an answer only where their attributes are the same', async () => {
  const [one, same, other, none] = [
    await tokenFor('shared/q.service', 'Oslo'),
    await tokenFor('shared/q.service', 'Oslo'),
    await tokenFor('shared/q.service', 'Rome'),
    await tokenFor('shared/q.service'),
  ];
  expect((await read(one)).rows).toEqual(['Oslo 5']);
  expect((await read(same)).rows).toEqual(['Oslo 5']);
  expect(runs).toBe(1);
  expect((await read(other)).rows).toEqual(['Rome 2']);
  expect((await read(none)).rows).toEqual([]);
  expect((await read(one)).rows).toEqual(['Oslo 5']);
  expect(runs).toBe(3);
});

test('a revoked or expired token is refused at the next read', async () => {
  const [revoked, expired] = [await tokenFor('shared/q.service', 'Oslo'), await tokenFor('shared/q.service', 'Oslo')];
  for (const token of [revoked, expired, revoked]) expect((await read(token)).status).toBe(200);
  const response = await fetch(`http://127.0.0.1:${host.port}${EMBED}/tokens/${revoked}`, {
    method: 'DELETE',
    headers: administrator,
  });
  expect(response.status).toBe(200);
  expect((await read(revoked)).status).toBe(401);
  expect((await read(expired)).status).toBe(200);
  pass(3_600_001);
  expect((await read(expired)).status).toBe(401);
});

test('a changed document is seen at the next read, also with the size and the time of the earlier one', async () => {
  const token = await tokenFor('shared/q.service', 'Rome');
  expect((await read(token)).title).toBe('By city');
  const file = join(folder, 'repository/shared/q.service');
  utimesSync(file, 1_000, 1_000);
  expect((await read(token)).title).toBe('By city');
  place('shared/q.service', query('By town'));
  utimesSync(file, 1_000, 1_000);
  expect((await read(token)).title).toBe('By town');
  writeFileSync(join(folder, 'other'), JSON.stringify(query('By shop')));
  renameSync(join(folder, 'other'), file);
  expect((await read(token)).title).toBe('By shop');
  rmSync(file);
  expect((await read(token)).status).toBe(401);
});

test('a tile is answered anew after its dashboard or its saved query has changed', async () => {
  const token = await tokenFor('shared/d.servicedash', 'Rome');
  const tiles = async () => [
    (await read(token, 'dashboard/shared/d.servicedash/tiles/a')).title,
    (await read(token, 'dashboard/shared/d.servicedash/tiles/b')).title,
  ];
  expect(await tiles()).toEqual(['Tile', 'By city']);
  expect(await tiles()).toEqual(['Tile', 'By city']);
  expect(runs).toBe(2);
  place('shared/d.servicedash', dashboard('Other'));
  expect(await tiles()).toEqual(['Other', 'By city']);
  place('shared/q.service', query('By town'));
  expect(await tiles()).toEqual(['Other', 'By town']);
});

test('replaced data, another model, dropped answers and an ended lifetime are seen at the next read', async () => {
  const token = await tokenFor('shared/q.service', 'Oslo', 'Rome');
  const rows = async () => (await read(token)).rows;
  expect([await rows(), await rows(), runs]).toEqual([BOTH, BOTH, 1]);
  await warehouse.administer(["INSERT INTO sales VALUES ('Rome', 40)"]);
  expect([await rows(), await rows(), runs]).toEqual([['Oslo 5', 'Rome 42'], ['Oslo 5', 'Rome 42'], 2]);
  expect(await load(model('MAX'))).toEqual([]);
  expect([await rows(), await rows(), runs]).toEqual([['Oslo 4', 'Rome 40'], ['Oslo 4', 'Rome 40'], 3]);
  cache.drop(['semantic', tenant]);
  expect([(await read(token)).cached, (await read(token)).cached, runs]).toEqual([false, true, 4]);
  pass(TTL_MS);
  expect([(await read(token)).cached, (await read(token)).cached, runs]).toEqual([false, true, 5]);
  // A day may begin at a quarter of an hour.
  pass(TTL_MS - 1);
  expect([(await read(token)).cached, runs]).toEqual([true, 5]);
  surface.loaderOf(tenant).unload('test');
  expect((await read(token)).status).not.toBe(200);
});

interface KeptCase {
  readonly token: string | undefined;
  /** Ends the right to read; returns the token of the next read. */
  readonly end: () => Promise<string | undefined>;
}

const userHeaders = (name: string) => ({
  ...administrator,
  authorization: `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}`,
});

/** Makes something embeddable: `tokens` or `public`. */
async function makeEmbeddable(what: 'tokens' | 'public', headers: Readonly<Record<string, string>> = administrator) {
  const body = {
    resourceKind: 'query',
    resourcePath: 'shared/q.service',
    ...(what === 'tokens' ? { ttlHours: 1 } : {}),
  };
  const response = await fetch(`http://127.0.0.1:${host.port}${EMBED}/${what}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  const { token }: { readonly token?: string } = JSON.parse(await response.text());
  return token;
}

async function removeEmbeddable(path: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${host.port}${EMBED}/${path}`, {
    method: 'DELETE',
    headers: administrator,
  });
  expect(response.status).toBe(200);
}

async function addAnn(): Promise<void> {
  await users.add({ tenant, name: 'ann', password: PASSWORD, attributes: { cities: ['Oslo'] } });
}

/** Makes a token of Ann's, and what ends her right to read. */
async function ofAnn(end: () => Promise<unknown>): Promise<KeptCase> {
  await addAnn();
  const token = await makeEmbeddable('tokens', userHeaders('ann'));
  return {
    token,
    async end() {
      await end();
      return token;
    },
  };
}

/** Makes a token of the administrator's, and what ends the right to read with it. */
async function ofAdministrator(end: (token: string) => unknown): Promise<KeptCase> {
  const token = await tokenFor('shared/q.service', 'Oslo');
  return {
    token,
    async end() {
      await end(token);
      return token;
    },
  };
}

/** What ends a read, each of which the way to kept answers must find itself. */
const ENDS: Readonly<Record<string, () => Promise<KeptCase>>> = {
  'its token is revoked': () => ofAdministrator((token) => removeEmbeddable(`tokens/${token}`)),
  'its token expires': () => ofAdministrator(() => pass(3_600_001)),
  'its document is removed': () => ofAdministrator(() => rmSync(join(folder, 'repository/shared/q.service'))),
  'its document becomes a folder': () =>
    ofAdministrator(() => {
      rmSync(join(folder, 'repository/shared/q.service'));
      mkdirSync(join(folder, 'repository/shared/q.service'));
    }),
  'its owner is disabled': () => ofAnn(() => users.setDisabled(tenant, 'ann', true)),
  'its owner is removed': () => ofAnn(() => users.remove(tenant, 'ann')),
  'the name of its owner is given to somebody new': () =>
    ofAnn(async () => {
      await users.remove(tenant, 'ann');
      pass(1_000);
      await addAnn();
    }),
  'its public grant is removed': async () => {
    await makeEmbeddable('public');
    return {
      token: undefined,
      async end() {
        await removeEmbeddable('public?kind=query&path=shared/q.service');
        return undefined;
      },
    };
  },
  'it has the token of another document': async () => ({
    token: await tokenFor('shared/q.service', 'Oslo'),
    end: () => tokenFor('shared/d.servicedash', 'Oslo'),
  }),
  'it has an unknown token': async () => ({
    token: await tokenFor('shared/q.service', 'Oslo'),
    end: async () => 'tx-unknown',
  }),
};

test.each(Object.entries(ENDS))('a kept answer is refused after %s', async (_, start) => {
  const { token, end } = await start();
  const readWith = async (sent: string | undefined) => {
    const headers = sent === undefined ? {} : { 'X-Service-Embed-Token': sent };
    const before = repeated;
    const { status } = await rawRead('query/shared/q.service', headers);
    return [status, repeated - before];
  };
  // The second read is still sent with the bytes of the first one.
  for (let i = 0; i < 2; i++) await readWith(token);
  expect(await readWith(token)).toEqual([200, 1]);
  expect(await readWith(await end())).toEqual([401, 0]);
});

test('a kept read notes the use of its token, and has an entry of its own in the audit log', async () => {
  const tokens = [await tokenFor('shared/q.service', 'Oslo'), await tokenFor('shared/q.service', 'Oslo')];
  for (const token of [...tokens, ...tokens]) await read(token);
  const usedAt = async () => {
    const rows = await state
      .tables<{ embed_tokens: { last_used_at: number; viewer_id: string } }>()
      .selectFrom('embed_tokens')
      .select(['last_used_at', 'viewer_id'])
      .orderBy('viewer_id')
      .execute();
    return rows;
  };
  const before = await usedAt();
  pass(61_000);
  // The answer itself is older than its lifetime: it is made again, its bytes with the next read.
  for (let i = 0; i < 2; i++) await read(tokens[0] ?? '');
  const start = repeated;
  for (const token of tokens) expect((await read(token)).status).toBe(200);
  expect(repeated - start).toBe(2);
  expect((await usedAt()).map(({ last_used_at }, i) => last_used_at - (before[i]?.last_used_at ?? 0))).toEqual([
    61_000, 61_000,
  ]);
  const entries = await lastEntries(2);
  expect(entries.map(({ viewer }) => viewer).toSorted()).toEqual(before.map(({ viewer_id }) => viewer_id));
  for (const entry of entries)
    expect(entry).toMatchObject({ action: 'embed.readQuery', outcome: 'OK', row_count: 1, via: 'embed' });
});

interface RawAnswer {
  readonly status: number | undefined;
  /** Names as they were sent, and values, without what differs between two answers to one request. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Reads as a program would: no header but the given ones. With a body, a read always goes through the routes. */
async function rawRead(path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<RawAnswer> {
  const { promise, resolve, reject } = deferred<RawAnswer>();
  const length = body === '' ? {} : { 'Content-Length': String(body.length) };
  const options = { port: host.port, path: `${EMBED}/${path}`, headers: { ...headers, ...length } };
  send(options, (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
    response.on('end', () => {
      const { statusCode: status, rawHeaders } = response;
      const own = new Set(['X-Request-Id', 'Date', 'Connection', 'Keep-Alive']);
      const shown = rawHeaders.flatMap((name, i) =>
        i % 2 === 0 && !own.has(name) ? [`${name}: ${rawHeaders[i + 1]}`] : [],
      );
      resolve({ status, headers: shown.toSorted(), body: Buffer.concat(pieces) });
    });
  })
    .on('error', reject)
    .end(body);
  return promise;
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<Value>((settle, refuse) => {
    resolve = settle;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** Returns the last entries of the audit log, without what differs between two equal requests. */
async function lastEntries(count: number) {
  await audit.flush();
  const rows = await state
    .tables<AuditTables>()
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(count)
    .execute();
  return rows.map(({ id, at, duration_ms, request_id, ...entry }) => entry);
}

interface Made {
  readonly token: string;
  readonly resourcePath: string;
}

test('an answer that is given again is the answer of the routes, in every state of the tokens', async () => {
  let seed = 7;
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  await users.add({ tenant, name: 'ann', password: PASSWORD, attributes: { cities: ['Oslo'] } });
  const ann = { ...administrator, authorization: `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}` };
  const makeToken = async (headers: Readonly<Record<string, string>>, resourcePath: string): Promise<Made> => {
    const resourceKind = resourcePath.endsWith('.servicedash') ? 'dashboard' : 'query';
    const viewer = random() < 0.5 ? {} : { viewer: { id: 'v', attributes: { cities: [pick(['Oslo', 'Rome'])] } } };
    const response = await fetch(`http://127.0.0.1:${host.port}${EMBED}/tokens`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ resourceKind, resourcePath, ttlHours: pick([1, 5]), ...viewer }),
    });
    return { ...((await response.json()) as { readonly token: string }), resourcePath };
  };
  const tokens: Made[] = [{ token: 'tx-unknown', resourcePath: '' }];
  for (const owner of [administrator, ann])
    for (const path of ['shared/q.service', 'shared/d.servicedash', 'shared/q.service'])
      tokens.push(await makeToken(owner, path));
  const other = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silentLog });
  const grant = (method: string) =>
    fetch(
      `http://127.0.0.1:${host.port}${EMBED}/public${method === 'POST' ? '' : '?kind=query&path=shared/q.service'}`,
      {
        method,
        headers: administrator,
        ...(method === 'POST'
          ? { body: JSON.stringify({ resourceKind: 'query', resourcePath: 'shared/q.service' }) }
          : {}),
      },
    );
  let title = 0;
  /** What may happen between two reads. */
  const events: readonly [() => unknown, ...(() => unknown)[]] = [
    () => undefined,
    () => undefined,
    () => undefined,
    () => undefined,
    () => place('shared/q.service', query(`Title ${title++}`)),
    () => place('shared/d.servicedash', dashboard(`Tile ${title++}`)),
    () => users.setDisabled(tenant, 'ann', random() < 0.5),
    () => warehouse.administer([`INSERT INTO sales VALUES ('Rome', ${title++})`]),
    () => cache.drop(['semantic', tenant]),
    () => load(model(pick(['SUM', 'MAX']))),
    () => pass(pick([1_000, TTL_MS, 600_000])),
    () => grant('POST'),
    () => grant('DELETE'),
    // Another process revokes a token of the state.
    () =>
      other
        .tables<{ embed_tokens: { token_hash: string; revoked_at: number } }>()
        .updateTable('embed_tokens')
        .set({ revoked_at: Date.now() })
        .where(
          'token_hash',
          '=',
          createHash('sha256')
            .update(tokens[Math.floor(random() * tokens.length)]?.token ?? '')
            .digest('base64url'),
        )
        .execute(),
    async () =>
      tokens.push(await makeToken(pick([administrator, ann]), pick(['shared/q.service', 'shared/d.servicedash']))),
  ];
  const filter = encodeURIComponent('{"sales.city":["Rome"]}');
  let same = 0;
  for (let i = 0; i < 150; i++) {
    await pick(events)();
    const isTile = random() < 0.5;
    const path = isTile
      ? pick(['dashboard/shared/d.servicedash/tiles/a', 'dashboard/shared/d.servicedash/tiles/none'])
      : pick(['query/shared/q.service', `query/shared/q.service?filter=${filter}`]);
    const document = isTile ? 'shared/d.servicedash' : 'shared/q.service';
    const fitting = tokens.filter(({ resourcePath }) => resourcePath === document || random() < 0.05);
    const { token } = fitting[Math.floor(random() * (fitting.length + 1))] ?? {};
    const encoding = pick([{}, {}, { 'Accept-Encoding': pick(['br', 'gzip, deflate', 'identity', 'deflate']) }]);
    const headers = { ...(token === undefined ? {} : { 'X-Service-Embed-Token': token }), ...encoding };
    // The first answer may be computed. After it, nothing changes.
    await rawRead(path, headers);
    await rawRead(path, headers);
    const before = repeated;
    const [one, routed] = [await rawRead(path, headers), await rawRead(path, headers, '{}')];
    expect(one, path).toEqual(routed);
    const [last, secondLast] = await lastEntries(2);
    expect(secondLast, path).toEqual(last);
    expect(repeated - before, path).toBe(one.status === 200 ? 1 : 0);
    same += repeated - before;
  }
  await other.close();
  // Both outcomes must have been common, or nothing was compared.
  expect(same).toBeGreaterThan(30);
  expect(same).toBeLessThan(130);
}, 300_000);
