import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TimeoutError, ValidationError, WarehouseError } from '../../router/errors.ts';
import type { RestAnswer } from '../../router/rest/run-rest-call.ts';
import { openRepository } from '../../server/repository/index.ts';
import { onEveryEngine } from '../../server/state/testing/engines.ts';
import { embedMigrations } from './index.ts';
import { EmbedQueryAnswer } from './schemas.ts';
import {
  ana,
  answer,
  bob,
  dashboard,
  EMBED,
  HOUR,
  type Installation,
  install,
  query,
  START,
  tenant,
  tokenFor,
} from './testing/fixture.ts';

const HEADERS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-store, max-age=0'],
];
/** What every refused read answers, byte for byte. */
const REFUSED: RestAnswer = {
  status: 401,
  headers: HEADERS.map(([name = '', value = '']) => [name, value] as const),
  body: { error: 'EMBED_INVALID', message: 'This embed is not available.' },
};
const REFUSED_BYTES = JSON.stringify(REFUSED);

onEveryEngine((state) => {
  let house: Installation;
  /** Opens one node of the product on the state of this test. */
  const node = async () =>
    install({
      state: await state.open({ embed: embedMigrations }),
      openRepository: (directory) => openRepository({ directory, defaultTenant: tenant }),
    });
  beforeEach(async () => {
    house = await node();
  });
  afterEach(async () => {
    expect(house.rest.errors.filter((error) => error.kind === 'INTERNAL')).toEqual([]);
    await house.close();
  });

  const read = (path: string, embedToken?: string) =>
    house.rest.call(`GET ${EMBED}/${path}`, embedToken === undefined ? {} : { embedToken });
  const publish = (resourcePath: string, caller = ana) =>
    house.rest.call(`POST ${EMBED}/public`, {
      caller,
      body: { resourceKind: resourcePath.endsWith('.servicedash') ? 'dashboard' : 'query', resourcePath },
    });
  const refuses = async (path: string, token?: string) =>
    expect(JSON.stringify(await read(path, token))).toBe(REFUSED_BYTES);

  describe('a query', () => {
    const shown = { title: 'Of shared', description: 'A query', ...answer };

    const filtered = (filter: unknown, path = 'query/shared/q.service') =>
      read(`${path}?filter=${encodeURIComponent(typeof filter === 'string' ? filter : JSON.stringify(filter))}`);

    it('is narrowed by a filter over a shown dimension', async () => {
      await publish('shared/q.service');
      expect((await filtered({ 'stores.region': ['North', 7, true] })).status).toBe(200);
      expect((await filtered([{ field: 'stores.region', op: 'BETWEEN', values: ['A', 'N'] }])).status).toBe(200);
      expect((await filtered([{ field: 'stores.region', op: 'IS_NULL' }])).status).toBe(200);
      expect(house.source.runs.map(({ runtimeFilters }) => runtimeFilters)).toEqual([
        [{ field: 'stores.region', op: 'IN', values: ['North', '7', 'true'] }],
        [{ field: 'stores.region', op: 'BETWEEN', values: ['A', 'N'] }],
        [{ field: 'stores.region', op: 'IS_NULL', values: [] }],
      ]);
    });

    it('is narrowed by a dimension that it does not show only if its author allows it', async () => {
      await publish('shared/q.service');
      expect(await filtered({ 'stores.country': ['DE'] })).toMatchObject({
        status: 400,
        headers: REFUSED.headers,
        body: { error: 'VALIDATION_ERROR', field: 'filter', available: ['stores.region'] },
      });
      await house.place('shared/q.service', { ...query('shared'), filterable: ['stores.country'] });
      expect((await filtered({ 'stores.country': ['DE'] })).status).toBe(200);
    });

    it.each([
      '',
      'nonsense',
      '[1]',
      '{"stores.region":"North"}',
      '[{"field":"stores.region","op":"LIKE","values":["N"]}]',
      '[{"field":"stores.region","op":"BETWEEN","values":["N"]}]',
      '[{"field":"stores.region","op":"EQ","values":[null]}]',
    ])('is never answered unfiltered to the malformed filter %s', async (filter) => {
      await publish('shared/q.service');
      expect(await filtered(filter)).toMatchObject({ status: 400, body: { field: 'filter' } });
      expect(house.source.runs).toEqual([]);
    });

    it('reveals nothing about a filter to a caller who may not read it', async () => {
      await refuses('query/shared/q.service?filter=nonsense');
    });

    it('is answered to its token, as its owner with the roles of then', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      expect(await read('query/shared/q.service', token)).toEqual({
        status: 200,
        headers: REFUSED.headers,
        body: shown,
      });
      expect(EmbedQueryAnswer.parse(shown)).toEqual(shown);
      expect(house.source.runs).toEqual([
        {
          request: { of: 'shared' },
          scope: { tenant, user: 'ana', roles: ['ROLE_USER', 'ROLE_SALES'], attributes: {} },
        },
      ]);
    });

    it('of a home is answered to the token of its owner', async () => {
      const token = await tokenFor(house, ana, 'homes/ana/q.service');
      expect(await read('query/homes/ana/q.service', token)).toMatchObject({ body: { title: 'Of ana' } });
    });

    it('is answered to every caller while it is public, and to none afterwards', async () => {
      await refuses('query/shared/q.service');
      await publish('shared/q.service');
      expect(await read('query/shared/q.service')).toEqual({ status: 200, headers: REFUSED.headers, body: shown });
      expect(house.source.runs[0]?.scope).toEqual({
        tenant,
        user: 'ana',
        roles: ['ROLE_USER', 'ROLE_SALES'],
        attributes: {},
      });
      await house.rest.call(`DELETE ${EMBED}/public?kind=query&path=shared/q.service`, { caller: ana });
      await refuses('query/shared/q.service');
    });

    it('has its chart settings, and the rest of a series without them', async () => {
      const chart = { kind: 'line', series: 'stores.region', top: 5 };
      await house.place('shared/q.service', { ...query('shared'), chart });
      await publish('shared/q.service');
      expect(await read('query/shared/q.service')).toMatchObject({ status: 200, body: { chart } });
      const others = (text: string) => read(`query/shared/q.service?others=${encodeURIComponent(text)}`);
      const rest = await others('{"field":"stores.region","except":["North",null]}');
      expect(rest.status).toBe(200);
      expect(rest.body).not.toHaveProperty('chart');
      for (const wrong of ['', '{', '{"field":"stores.region","except":[]}', '{"field":"stores.region","except":[1]}'])
        expect(await others(wrong)).toMatchObject({ status: 400, body: { field: 'others' } });
      expect(await others('{"field":"stores.city","except":["x"]}')).toMatchObject({
        status: 400,
        body: { field: 'others', available: ['stores.region'] },
      });
    });

    it('has subtotals without a dimension, unless it hides small groups', async () => {
      await publish('shared/q.service');
      const without = (text: string) => read(`query/shared/q.service?without=${encodeURIComponent(text)}`);
      for (const wrong of ['', '{', '[]', '[1]', '"stores.region"'])
        expect(await without(wrong)).toMatchObject({ status: 400, body: { field: 'without' } });
      expect(await without('["stores.city"]')).toMatchObject({
        status: 400,
        body: { field: 'without', available: ['stores.region'] },
      });
      expect(answer.meta.suppressed).toBeDefined();
      expect(await without('["stores.region"]')).toMatchObject({ status: 400, body: { field: 'without' } });
      house.source.answers = async () => ({ ...answer, meta: { rowCount: 2, truncated: false } });
      expect((await without('["stores.region"]')).status).toBe(200);
    });

    it('is found under a path of any script', async () => {
      await house.place('shared/Größe & mehr/日本?.service', query('more'));
      const token = await tokenFor(house, ana, 'shared/Größe & mehr/日本?.service');
      const address = ['shared', 'Größe & mehr', '日本?.service'].map(encodeURIComponent).join('/');
      expect(await read(`query/${address}`, token)).toMatchObject({ status: 200, body: { title: 'Of more' } });
    });

    it('shows nothing that a surface adds to its answer', async () => {
      house.source.answers = async () => Object.assign({ generatedSql: 'select 1' }, answer);
      await publish('shared/q.service');
      expect(JSON.stringify((await read('query/shared/q.service')).body)).not.toContain('select');
    });
  });

  describe('a refused read is the same to the byte', () => {
    it('whatever is wrong with the token', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      const path = 'query/shared/q.service';
      await refuses(path, 'tx-');
      await refuses(path, '');
      await refuses(path, ' ');
      await refuses(path, token.slice(0, -1));
      await refuses(path, `${token}A`);
      await refuses(path, token.slice(3));
      await refuses(path, token.toUpperCase());
      await refuses(path, `tx-${'A'.repeat(43)}`);
      await refuses(path, `\0'; drop table embed_tokens; --`);
      await refuses(path, 'x'.repeat(100_000));
      // The id of a token lists and revokes it, but does not open anything.
      const { body } = await house.rest.call(`GET ${EMBED}/tokens`, { caller: ana });
      await refuses(path, z.array(z.object({ id: z.string() }).loose()).parse(body)[0]?.id);
      expect(house.source.runs).toEqual([]);
      expect((await read(path, token)).status).toBe(200);
    });

    it('whatever is wrong with the resource', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      const onDashboard = await tokenFor(house, ana, 'shared/d.servicedash');
      await refuses('query/homes/ana/q.service', token);
      await refuses('query/homes/bob/q.service', token);
      await refuses('query/shared/none.service', token);
      await refuses('query/shared/q.service/', token);
      await refuses('query/Shared/q.service', token);
      await refuses('query/shared/../shared/q.service', token);
      await refuses('query/shared/%2e%2e/shared/q.service', token);
      await refuses('query/shared%2f..%2fshared%2fq.service', token);
      await refuses(`query/${'a'.repeat(5_000)}`, token);
      await refuses('query/%00', token);
      await refuses('query/%ED%95%9C', token);
      await refuses('dashboard/shared/q.service', token);
      await refuses('dashboard/shared/d.servicedash', token);
      await refuses('dashboard/shared/d.servicedash/tiles/chart', token);
      await refuses('query/shared/d.servicedash', onDashboard);
      await refuses('query/shared/q.service', onDashboard);
      await refuses('dashboard/shared/d.servicedash/tiles/none', onDashboard);
      await refuses('dashboard/shared/d.servicedash/tiles/intro', onDashboard);
      await refuses('dashboard/shared/d.servicedash/tiles/map', onDashboard);
      await refuses('dashboard/shared/d.servicedash/tiles/lost', onDashboard);
      await refuses('dashboard/shared/d.servicedash/tiles/__proto__', onDashboard);
      expect(house.source.runs).toEqual([]);
    });

    it('when the token has expired, at its very millisecond', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service', { ttlHours: 1 });
      house.time.now = START + HOUR - 1;
      expect((await read('query/shared/q.service', token)).status).toBe(200);
      house.time.now = START + HOUR;
      await refuses('query/shared/q.service', token);
    });

    it('when the token was revoked, from the next request on, on every node', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      const other = await node();
      const readThere = () => other.rest.call(`GET ${EMBED}/query/shared/q.service`, { embedToken: token });
      expect((await readThere()).status).toBe(200);
      await house.rest.call(`DELETE ${EMBED}/tokens/${token}`, { caller: ana });
      expect(JSON.stringify(await readThere())).toBe(REFUSED_BYTES);
      await refuses('query/shared/q.service', token);
      await other.close();
    });

    it('when the resource is gone, or its owner is', async () => {
      const token = await tokenFor(house, ana, 'homes/ana/q.service');
      await publish('shared/q.service', bob);
      await publish('shared/d.servicedash');
      await house.remove('homes/ana/q.service');
      await refuses('query/homes/ana/q.service', token);
      await house.place('homes/ana/q.service', query('ana'));
      expect((await read('query/homes/ana/q.service', token)).status).toBe(200);
      house.accounts.delete(`${tenant} ana`);
      await refuses('query/homes/ana/q.service', token);
      await refuses('dashboard/shared/d.servicedash');
      await refuses('dashboard/shared/d.servicedash/tiles/chart');
      expect((await read('query/shared/q.service')).status).toBe(200);
      await house.remove('shared/q.service');
      await refuses('query/shared/q.service');
    });

    it("when its owner's name was given to somebody new", async () => {
      const token = await tokenFor(house, ana, 'homes/ana/q.service');
      await publish('shared/q.service', bob);
      house.accounts.set(`${tenant} ana`, house.time.now + 1);
      house.accounts.set(`${tenant} bob`, house.time.now + 1);
      await refuses('query/homes/ana/q.service', token);
      await refuses('query/shared/q.service');
    });

    it('without a grant, for existing and missing resources', async () => {
      await refuses('query/shared/q.service');
      await refuses('query/shared/none.service');
      await refuses('query/homes/ana/q.service');
      await refuses('dashboard/shared/d.servicedash');
      await refuses('dashboard/shared/none.servicedash/tiles/chart');
    });

    it('with a wrong token for a public resource', async () => {
      await publish('shared/q.service');
      await refuses('query/shared/q.service', `tx-${'A'.repeat(43)}`);
      await refuses('query/shared/q.service', '');
      expect((await read('query/shared/q.service')).status).toBe(200);
    });

    it('when the token is in the address', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      await refuses(`query/shared/q.service?token=${token}`);
      await refuses(`query/shared/q.service?X-Service-Embed-Token=${token}`);
      // Beside the header it is not looked at.
      expect((await read('query/shared/q.service?token=tx-wrong', token)).status).toBe(200);
    });

    it('and a signed-in caller gains nothing', async () => {
      const signedIn = await house.rest.call(`GET ${EMBED}/query/homes/ana/q.service`, { caller: ana });
      expect(JSON.stringify(signedIn)).toBe(REFUSED_BYTES);
    });

    it('and touches no document before access is proved', async () => {
      // A document that cannot be read would fail otherwise than by EMBED_INVALID if it were looked at.
      await house.place('shared/huge.service', 'x'.repeat(1024 * 1024 + 1));
      await house.place('shared/broken.service', '{');
      await refuses('query/shared/huge.service');
      await refuses('query/shared/broken.service', `tx-${'A'.repeat(43)}`);
    });
  });

  describe('a dashboard', () => {
    it('gives its layout without what its tiles ask', async () => {
      const token = await tokenFor(house, ana, 'shared/d.servicedash');
      const got = await read('dashboard/shared/d.servicedash', token);
      expect(got).toEqual({
        status: 200,
        headers: REFUSED.headers,
        body: {
          title: 'Shop',
          layout: { columns: 12, rowHeight: 40 },
          tiles: [
            { id: 'intro', kind: 'text', text: 'Hello', format: 'markdown', x: 0, y: 0, w: 12, h: 1 },
            { id: 'chart', kind: 'chart', title: 'By region', chartType: 'bar', x: 0, y: 1, w: 6, h: 4 },
            { id: 'own', kind: 'chart', x: 6, y: 1, w: 6, h: 4 },
            { id: 'kpi', kind: 'kpi', title: 'Revenue', measure: 'net_sales', x: 0, y: 5, w: 3, h: 2 },
            { id: 'lost', kind: 'chart', x: 3, y: 5, w: 3, h: 2 },
            { id: 'map', kind: 'map', x: 6, y: 5, w: 3, h: 2 },
          ],
        },
      });
    });

    it('answers its tiles under its own title, saved and inline queries alike, as its owner', async () => {
      const token = await tokenFor(house, ana, 'shared/d.servicedash');
      const tile = async (id: string) => (await read(`dashboard/shared/d.servicedash/tiles/${id}`, token)).body;
      expect(await tile('chart')).toEqual({ title: 'By region', description: 'A query', ...answer });
      expect(await tile('own')).toEqual({ title: 'Of ana', description: 'A query', ...answer });
      expect(await tile('kpi')).toEqual({ title: 'Revenue', ...answer });
      expect(house.source.runs.map(({ request, scope }) => [request, scope.user])).toEqual([
        [{ of: 'shared' }, 'ana'],
        [{ of: 'ana' }, 'ana'],
        [{ of: 'kpi' }, 'ana'],
      ]);
    });

    it('shows of a tile only what the owner of the embed may read', async () => {
      const token = await tokenFor(house, bob, 'shared/d.servicedash');
      await refuses('dashboard/shared/d.servicedash/tiles/own', token);
      expect((await read('dashboard/shared/d.servicedash/tiles/chart', token)).status).toBe(200);
    });

    it('is public with its tiles, though their queries are not public by themselves', async () => {
      await publish('shared/d.servicedash');
      expect((await read('dashboard/shared/d.servicedash/tiles/chart')).status).toBe(200);
      await refuses('query/shared/q.service');
    });
  });

  describe('a failure after access was granted is its own', () => {
    const failing = async (error: Error) => {
      await publish('shared/q.service');
      house.source.answers = () => Promise.reject(error);
      return read('query/shared/q.service');
    };

    it('of the warehouse, with the headers of every embed read', async () => {
      expect(
        await failing(new WarehouseError('The warehouse refused the query.', { cause: new Error('sql') })),
      ).toEqual({
        status: 502,
        headers: REFUSED.headers,
        body: { error: 'WAREHOUSE_ERROR', message: 'The warehouse refused the query.' },
      });
      expect(await failing(new TimeoutError('It took too long.'))).toMatchObject({
        status: 504,
        body: { error: 'TIMEOUT' },
      });
    });

    it('of a request that no longer fits its model, without the names that only the owner may see', async () => {
      const got = await failing(ValidationError.at(['rows', 0, 'field'], 'There is no field "region".', ['salary']));
      expect(got).toMatchObject({ status: 409, headers: REFUSED.headers, body: { error: 'QUERY_INVALID' } });
      expect(JSON.stringify(got)).not.toMatch(/salary|region|rows/);
      expect(house.log.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ field: 'rows[0].field' }) }),
      );
    });

    it('of a surface that this installation has not', async () => {
      await house.place('shared/cube.service', { ...query('x'), source: { surface: 'cube', request: {} } });
      await publish('shared/cube.service');
      expect(await read('query/shared/cube.service')).toMatchObject({ status: 409, body: { error: 'QUERY_INVALID' } });
    });

    it('of a document that is broken, without saying how', async () => {
      await publish('shared/q.service');
      await publish('shared/d.servicedash');
      await house.place('shared/q.service', '{"secret":');
      await house.place('shared/d.servicedash', { ...dashboard, tiles: 'secret' });
      for (const path of [
        'query/shared/q.service',
        'dashboard/shared/d.servicedash',
        'dashboard/shared/d.servicedash/tiles/kpi',
      ]) {
        const got = await read(path);
        expect(got).toMatchObject({ status: 409, headers: REFUSED.headers, body: { error: 'DOCUMENT_BROKEN' } });
        expect(JSON.stringify(got)).not.toMatch(/secret|tiles/);
      }
    });
  });

  describe('the time of the last use', () => {
    const lastUsedAt = async () => {
      const { body } = await house.rest.call(`GET ${EMBED}/tokens`, { caller: ana });
      return z.array(z.object({ lastUsedAt: z.string().nullable() }).loose()).parse(body)[0]?.lastUsedAt;
    };

    it('is kept to the minute', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      expect(await lastUsedAt()).toBeNull();
      await Promise.all(Array.from({ length: 8 }, () => read('query/shared/q.service', token)));
      expect(await lastUsedAt()).toBe('2026-09-21T14:13:20.000Z');
      house.time.now = START + 59_999;
      await read('query/shared/q.service', token);
      expect(await lastUsedAt()).toBe('2026-09-21T14:13:20.000Z');
      house.time.now = START + 60_000;
      await read('query/shared/q.service', token);
      expect(await lastUsedAt()).toBe('2026-09-21T14:14:20.000Z');
    });

    it('differs from a refused read', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      await refuses('query/homes/ana/q.service', token);
      expect(await lastUsedAt()).toBeNull();
    });
  });
});
