import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TenantId, UserCaller } from '../../router/capabilities/identity.ts';
import type { QuerySource } from '../../router/capabilities/query-source.ts';
import { ValidationError } from '../../router/errors.ts';
import { keptLog } from '../../router/testing/kept-log.ts';
import { type RestClient, restClient } from '../../router/testing/rest-client.ts';
import { openRepository } from '../../server/repository/index.ts';
import { openState, type StateStore } from '../../server/state/index.ts';
import { repository, repositoryMigrations } from './index.ts';

const tenant = 'tenant-1' as TenantId;
const ana: UserCaller = { kind: 'user', via: 'session', tenant, user: 'ana', roles: ['ROLE_USER'] };
const admin: UserCaller = { kind: 'user', via: 'session', tenant, user: 'admin', roles: ['ROLE_ADMIN'] };

/** A surface whose requests are `{rows: [{field}]}`. */
const toySource: QuerySource = {
  surface: 'toy',
  prepare(request) {
    const shape = z.strictObject({ rows: z.array(z.strictObject({ field: z.string() })) });
    if (!shape.safeParse(request).success)
      throw ValidationError.at(['rows', 0, 'field'], 'Name a field.', ['region', 'year']);
    return {
      dimensions: [],
      checkTimeAxis(timeAxis) {
        if (timeAxis !== 'year') throw ValidationError.at(['timeAxis'], 'This is no time axis.', ['year']);
      },
      run: () => Promise.reject(new Error('the repository runs no query')),
      offer: () => Promise.reject(new Error('the repository offers no values')),
      rows: () => Promise.reject(new Error('the repository shows no rows')),
      keysBelow: async () => [],
    };
  },
};

const BASE = '/rest/service/api/repository';
const query = { version: 1, title: 'By region', source: { surface: 'toy', request: { rows: [{ field: 'region' }] } } };
const dashboard = {
  version: 1,
  title: 'Shop',
  layout: { columns: 12 },
  tiles: [{ id: 'a', kind: 'chart', query: { source: query.source }, x: 0, y: 0, w: 6, h: 4 }],
};

let root: string;
let rest: RestClient;
let state: StateStore;
/** The documents that have left their paths. */
let gone: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'service-repository-plugin-'));
  const documents = await openRepository({ directory: root, defaultTenant: tenant });
  state = await openState({ url: undefined, sqliteFile: join(root, '.state.sqlite'), log: keptLog() });
  await state.migrate({ repository: repositoryMigrations });
  gone = [];
  rest = restClient(
    repository({
      repository: documents,
      sources: [toySource],
      state,
      clock: Date.now,
      onRemoved: async (_tenant, { path }) => void gone.push(path),
    }),
  );
});
afterEach(async () => {
  // No test here may meet a bug of ours.
  expect(rest.errors.filter((error) => error.kind === 'INTERNAL')).toEqual([]);
  await state.close();
  await rm(root, { recursive: true, force: true });
});

async function place(path: string, text: string): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true });
  await writeFile(join(root, path), text);
}

describe('the repository over REST', () => {
  it('keeps a document that was put, and gives it back as it was', async () => {
    const put = await rest.call(`PUT ${BASE}/homes/ana/deep/q.service`, { caller: ana, body: query });
    expect(put).toMatchObject({ status: 200, body: { path: 'homes/ana/deep/q.service', kind: 'query' } });
    const got = await rest.call(`GET ${BASE}/homes/ana/deep/q.service`, { caller: ana });
    expect(got).toMatchObject({
      status: 200,
      body: {
        path: 'homes/ana/deep/q.service',
        kind: 'query',
        updatedAt: expect.stringMatching(/^20.*Z$/),
        document: query,
      },
    });
  });

  it.each([
    ['homes/ana/q.service', query],
    [
      'homes/ana/d.servicedash',
      {
        ...dashboard,
        description: '',
        filterable: ['stores.region'],
        tiles: [...dashboard.tiles, { id: 'map', kind: 'map', zoom: { to: null }, x: 6, y: 0, w: 6, h: 4 }],
      },
    ],
  ])('accepts the unchanged answer of reading %s, and keeps all of it', async (path, document) => {
    const put = (body: unknown) => rest.call(`PUT ${BASE}/${path}`, { caller: ana, body });
    const read = async () => (await rest.call(`GET ${BASE}/${path}`, { caller: ana })).body;
    expect((await put(document)).status).toBe(200);
    const first = await read();
    expect(first).toMatchObject({ document });
    expect((await put(first)).status).toBe(200);
    expect(await read()).toEqual({ ...Object(first), updatedAt: expect.any(String) });
  });

  it('refuses analytics along a time axis that the query does not show, and takes those along one that it does', async () => {
    const put = (timeAxis: string) =>
      rest.call(`PUT ${BASE}/homes/ana/q.service`, {
        caller: ana,
        body: { ...query, analytics: { kind: 'forecast', timeAxis } },
      });
    expect(await put('month')).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', field: 'analytics.timeAxis', available: ['year'] },
    });
    expect((await put('year')).status).toBe(200);
  });

  it('takes what reading answers with null for members that may be left out', async () => {
    const body = { kind: null, path: null, updatedAt: null, document: query };
    expect((await rest.call(`PUT ${BASE}/homes/ana/nulls.service`, { caller: ana, body })).status).toBe(200);
  });

  it('refuses what reading a document of the other kind answers', async () => {
    const body = { kind: 'dashboard', path: 'homes/ana/d.servicedash', document: dashboard };
    expect(await rest.call(`PUT ${BASE}/homes/ana/q.service`, { caller: ana, body })).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', available: ['query'] },
    });
  });

  it('needs the CSRF pair of a session, and not of basic credentials with a JSON body', async () => {
    const put = (via: 'session' | 'basic') =>
      rest.call(`PUT ${BASE}/homes/ana/q.service`, { caller: { ...ana, via }, body: query, csrfVerified: false });
    expect(await put('session')).toMatchObject({ status: 403, body: { error: 'CSRF_REJECTED' } });
    expect((await put('basic')).status).toBe(200);
    const remove = (via: 'session' | 'basic') =>
      rest.call(`DELETE ${BASE}/homes/ana/q.service`, { caller: { ...ana, via }, csrfVerified: false });
    expect(await remove('session')).toMatchObject({ status: 403, body: { error: 'CSRF_REJECTED' } });
    expect((await remove('basic')).status).toBe(200);
  });

  it('takes names of any script, percent-encoded segment by segment', async () => {
    const path = 'homes/ana/Umsatz je Größe?/日本.servicedash';
    const address = path.split('/').map(encodeURIComponent).join('/');
    expect((await rest.call(`PUT ${BASE}/${address}`, { caller: ana, body: dashboard })).status).toBe(200);
    expect((await rest.call(`GET ${BASE}/${address}`, { caller: ana })).body).toMatchObject({
      path,
      document: dashboard,
    });
  });

  it('lists what the caller may read, by kind and by path', async () => {
    await place('shared/b.service', JSON.stringify(query));
    const other = { ...dashboard.tiles[0], query: { path: 'shared/b.service' } };
    const tiles = [...dashboard.tiles, { ...other, id: 'b' }, { ...other, id: 'c' }];
    await place('shared/a.servicedash', JSON.stringify({ ...dashboard, tiles }));
    await place('homes/ana/q.service', JSON.stringify({ ...query, title: 'Mine' }));
    await place('homes/bob/q.service', JSON.stringify(query));
    const list = async (search: string) => (await rest.call(`GET ${BASE}${search}`, { caller: ana })).body;
    const updatedAt = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
    const mine = { path: 'homes/ana/q.service', kind: 'query', title: 'Mine', updatedAt };
    const shared = { path: 'shared/b.service', kind: 'query', title: 'By region', updatedAt };
    const shop = {
      path: 'shared/a.servicedash',
      kind: 'dashboard',
      title: 'Shop',
      updatedAt,
      queries: ['shared/b.service'],
    };
    expect(await list('?kind=query')).toEqual([mine, shared]);
    expect(await list('?kind=dashboard')).toEqual([shop]);
    expect(await list('')).toEqual([mine, shop, shared]);
    expect(await rest.call(`GET ${BASE}?kind=cube`, { caller: ana })).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', field: 'kind', available: ['query', 'dashboard', 'ai'] },
    });
  });

  it('lists a broken document under its file name, and reports its mistakes on reading', async () => {
    await place('shared/broken.service', '{"version":1');
    await place('shared/large.service', 'x'.repeat(1024 * 1024 + 1));
    await place('shared/old.service', JSON.stringify({ ...query, version: 0 }));
    await place('shared/sound.service', JSON.stringify(query));
    expect((await rest.call(`GET ${BASE}?kind=query`, { caller: ana })).body).toMatchObject([
      { title: 'broken.service' },
      { title: 'large.service' },
      { title: 'old.service' },
      { title: 'By region' },
    ]);
    expect(await rest.call(`GET ${BASE}/shared/old.service`, { caller: ana })).toMatchObject({
      status: 409,
      body: { error: 'DOCUMENT_BROKEN', message: expect.stringContaining('at version') },
    });
  });

  it('refuses a document with the place of the mistake in the body', async () => {
    const put = async (path: string, body: unknown) =>
      (await rest.call(`PUT ${BASE}/${path}`, { caller: admin, body })).body;
    expect(await put('shared/q.service', { ...query, title: '' })).toMatchObject({ field: 'title' });
    expect(await put('shared/q.service', dashboard)).toMatchObject({ field: 'source' });
    expect(
      await put('shared/d.servicedash', { ...dashboard, tiles: [{ ...dashboard.tiles[0], w: 13 }] }),
    ).toMatchObject({
      error: 'VALIDATION_ERROR',
      field: 'tiles[0].w',
    });
    expect(await put('shared/q.service', { ...query, source: { surface: 'toy', request: {} } })).toEqual({
      error: 'VALIDATION_ERROR',
      field: 'source.request.rows[0].field',
      message: 'Name a field.',
      available: ['region', 'year'],
    });
    expect(await put('shared/q.service', { ...query, source: { surface: 'toys', request: {} } })).toEqual({
      error: 'VALIDATION_ERROR',
      field: 'source.surface',
      message: 'There is no query surface "toys".',
      available: ['toy'],
    });
    const tile = { ...dashboard.tiles[0], query: { source: { surface: 'toy', request: {} } } };
    expect(await put('shared/d.servicedash', { ...dashboard, tiles: [tile] })).toMatchObject({
      field: 'tiles[0].query.source.request.rows[0].field',
    });
    expect((await rest.call(`GET ${BASE}`, { caller: admin })).body).toEqual([]);
  });

  it('refuses an invalid path', async () => {
    const put = async (path: string) => rest.call(`PUT ${BASE}/${path}`, { caller: admin, body: query });
    expect(await put('shared/q.sql')).toMatchObject({
      status: 400,
      body: { field: 'path', available: ['.service', '.servicedash', '.serviceask'] },
    });
    for (const path of [
      '../q.service',
      'shared/../q.service',
      'shared/%2e%2e/q.service',
      'shared%2f..%2f..%2fq.service',
    ])
      expect(await put(path)).toMatchObject({ status: 400, body: { field: 'path' } });
    expect(await rest.call(`PUT ${BASE}/shared/tiles/d.servicedash`, { caller: admin, body: dashboard })).toMatchObject(
      { status: 400, body: { field: 'path', message: expect.stringContaining('"tiles"') } },
    );
  });

  it('answers alike for a document that is missing and one that is another user’s', async () => {
    await place('homes/bob/q.service', JSON.stringify(query));
    const [missing, foreign, outside, other] = await Promise.all(
      ['homes/bob/none.service', 'homes/bob/q.service', 'shared/..%2f..%2fetc/passwd.service', 'shared/x.txt'].map(
        (path) => rest.call(`GET ${BASE}/${path}`, { caller: ana }),
      ),
    );
    expect(missing).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    for (const answer of [foreign, outside, other]) expect(answer).toEqual(missing);
  });

  it('lets a user write only in the home folder, and refuses callers without an account', async () => {
    expect(await rest.call(`PUT ${BASE}/shared/q.service`, { caller: ana, body: query })).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
    expect((await rest.call(`GET ${BASE}`)).status).toBe(401);
    expect((await rest.call(`PUT ${BASE}/homes/ana/q.service`, { body: query })).status).toBe(401);
    expect(
      await rest.call(`PUT ${BASE}/homes/ana/q.service`, { caller: ana, body: query, csrfVerified: false }),
    ).toMatchObject({ status: 403, body: { error: 'CSRF_REJECTED' } });
  });

  it('removes a document once', async () => {
    await place('homes/ana/q.service', '{');
    const remove = () => rest.call(`DELETE ${BASE}/homes/ana/q.service`, { caller: ana });
    expect(await remove()).toMatchObject({ status: 200, body: { status: 'OK' } });
    expect(await remove()).toMatchObject({ status: 404 });
  });
});

const VersionList = z.array(
  z.looseObject({ id: z.string(), change: z.string(), user: z.string().optional(), isPresent: z.boolean() }),
);

describe('versions of documents', () => {
  const PATH = 'homes/ana/q.service';
  const put = (title: string, headers: Readonly<Record<string, string>> = {}, path = PATH) =>
    rest.call(`PUT ${BASE}/${path}`, { caller: ana, body: { ...query, title }, headers });
  const versions = async (path = PATH, caller = ana) =>
    VersionList.parse((await rest.call(`GET ${BASE}-versions/${path}`, { caller })).body);
  const title = async (path = PATH) =>
    z
      .looseObject({ document: z.looseObject({ title: z.string() }) })
      .parse((await rest.call(`GET ${BASE}/${path}`, { caller: ana })).body).document.title;

  it('keeps each change with its user, and what was changed outside', async () => {
    await put('One');
    await put('Two');
    await place(PATH, JSON.stringify({ ...query, title: 'By hand' }));
    await put('Three');
    expect((await versions()).map(({ change, user, isPresent }) => [change, user, isPresent])).toEqual([
      ['saved', 'ana', true],
      ['before', undefined, false],
      ['saved', 'ana', false],
      ['saved', 'ana', false],
    ]);
    const list = await rest.call(`GET ${BASE}`, { caller: ana });
    expect(list.body).toMatchObject([{ path: PATH, title: 'Three', changedBy: 'ana' }]);
  });

  it('restores a version, and a removed document', async () => {
    await put('One');
    await put('Two');
    const [, first] = await versions();
    const restored = await rest.call(`POST ${BASE}-versions`, { caller: ana, body: { path: PATH, id: first?.id } });
    expect(restored.status).toBe(200);
    expect(await title()).toBe('One');
    expect((await versions())[0]?.change).toBe('restored');
    expect((await rest.call(`DELETE ${BASE}/${PATH}`, { caller: ana })).status).toBe(200);
    const [last] = await versions();
    expect(last?.isPresent).toBe(false);
    await rest.call(`POST ${BASE}-versions`, { caller: ana, body: { path: PATH, id: last?.id } });
    expect(await title()).toBe('One');
    const unknown = await rest.call(`POST ${BASE}-versions`, { caller: ana, body: { path: PATH, id: 'none' } });
    expect(unknown).toMatchObject({ status: 404, body: { field: 'id' } });
  });

  it('keeps the last 50 versions', async () => {
    for (let number = 1; number <= 53; number++) await put(`Number ${number}`);
    expect(await versions()).toHaveLength(50);
  });

  it('hides the versions of a document that the caller may not read', async () => {
    await put('One');
    const bob: UserCaller = { ...ana, user: 'bob' };
    expect((await rest.call(`GET ${BASE}-versions/${PATH}`, { caller: bob })).status).toBe(404);
    const [one] = await versions();
    expect((await rest.call(`POST ${BASE}-versions`, { caller: bob, body: { path: PATH, id: one?.id } })).status).toBe(
      404,
    );
  });

  it('refuses a write over a change that the caller has not read, and a second document at a path', async () => {
    const first = await put('One');
    const tag = new Map(first.headers).get('ETag') ?? '';
    expect((await put('Two', { 'if-match': tag })).status).toBe(200);
    expect(await put('Three', { 'if-match': tag })).toMatchObject({ status: 409, body: { error: 'DOCUMENT_CHANGED' } });
    expect(await put('Four', { 'if-none-match': '*' })).toMatchObject({
      status: 409,
      body: { error: 'DOCUMENT_EXISTS' },
    });
    expect(await title()).toBe('Two');
    expect((await put('Five', { 'if-none-match': '*' }, 'homes/ana/new.service')).status).toBe(200);
    const together = await Promise.all([
      put('A', { 'if-none-match': '*' }, 'homes/ana/a.service'),
      put('B', { 'if-none-match': '*' }, 'homes/ana/a.service'),
    ]);
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('moving a document', () => {
  const move = (from: string, to: string, caller = ana) =>
    rest.call(`POST ${BASE}-moves`, { caller, body: { from, to } });

  it('takes its versions along, ends its embeds, and changes the tiles that name it', async () => {
    await rest.call(`PUT ${BASE}/homes/ana/q.service`, { caller: ana, body: query });
    const tiles = [{ ...dashboard.tiles[0], query: { path: 'homes/ana/q.service' } }];
    await rest.call(`PUT ${BASE}/homes/ana/d.servicedash`, { caller: ana, body: { ...dashboard, tiles } });
    expect(await move('homes/ana/q.service', 'homes/ana/deep/p.service')).toMatchObject({
      status: 200,
      body: { path: 'homes/ana/deep/p.service', dashboards: ['homes/ana/d.servicedash'] },
    });
    expect(gone).toEqual(['homes/ana/q.service']);
    expect((await rest.call(`GET ${BASE}/homes/ana/q.service`, { caller: ana })).status).toBe(404);
    const versions = await rest.call(`GET ${BASE}-versions/homes/ana/deep/p.service`, { caller: ana });
    expect(versions.body).toMatchObject([{ change: 'saved', isPresent: true }]);
    const read = await rest.call(`GET ${BASE}/homes/ana/d.servicedash`, { caller: ana });
    expect(read.body).toMatchObject({ document: { tiles: [{ query: { path: 'homes/ana/deep/p.service' } }] } });
  });

  it.each([
    ['homes/ana/q.service', 'homes/ana/q.servicedash', 400],
    ['homes/ana/q.service', 'shared/q.service', 400],
    ['homes/ana/q.service', 'homes/ana/other.service', 409],
    ['homes/ana/none.service', 'homes/ana/x.service', 404],
    ['shared/s.service', 'homes/ana/s.service', 403],
  ])('from %s to %s answers %i and changes nothing', async (from, to, status) => {
    for (const path of ['homes/ana/q.service', 'homes/ana/other.service', 'shared/s.service'])
      await rest.call(`PUT ${BASE}/${path}`, { caller: admin, body: query });
    expect((await move(from, to)).status).toBe(status);
    const list = await rest.call(`GET ${BASE}`, { caller: admin });
    expect(list.body).toMatchObject([
      { path: 'homes/ana/other.service' },
      { path: 'homes/ana/q.service' },
      { path: 'shared/s.service' },
    ]);
  });
});
