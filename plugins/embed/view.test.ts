import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepository } from '../../server/repository/index.ts';
import { onEveryEngine } from '../../server/state/testing/engines.ts';
import { embedMigrations } from './index.ts';
import {
  ana,
  answer,
  bob,
  EMBED,
  type Installation,
  install,
  stranger,
  tenant,
  tokenFor,
  VIEW,
} from './testing/fixture.ts';

onEveryEngine((state) => {
  let house: Installation;
  beforeEach(async () => {
    house = await install({
      state: await state.open({ embed: embedMigrations }),
      openRepository: (directory) => openRepository({ directory, defaultTenant: tenant }),
      tokensPerUser: 200,
    });
  });
  afterEach(() => house.close());

  const view = (path: string, caller = ana) => house.pages.call(`GET ${VIEW}/${path}`, { caller });

  it('a document is viewed 250 times and its reader still has no token', async () => {
    const seen = [];
    for (let views = 0; views < 250; views++) {
      const { status } = await view('query/shared/q.service');
      seen.push(status);
    }
    expect(new Set(seen)).toEqual(new Set([200]));
    expect((await house.rest.call(`GET ${EMBED}/tokens`, { caller: ana })).body).toEqual([]);
    // The places of all 200 are free.
    expect(await tokenFor(house, ana, 'shared/q.service')).toMatch(/^tx-/);
  });

  it("a query is answered with the reader's present roles, not with the roles of its author", async () => {
    expect(await view('query/shared/q.service', bob)).toMatchObject({
      status: 200,
      body: { title: 'Of shared', ...answer },
    });
    expect(house.source.runs).toEqual([
      { request: { of: 'shared' }, scope: { tenant, user: 'bob', roles: ['ROLE_USER'] } },
    ]);
  });

  it('a dashboard and its tiles are read, and what the reader may not read of it is not', async () => {
    const { status, body } = await view('dashboard/shared/d.servicedash', bob);
    expect([status, body]).toEqual([200, expect.objectContaining({ title: 'Shop' })]);
    expect((await view('dashboard/shared/d.servicedash/tiles/chart', bob)).status).toBe(200);
    expect((await view('dashboard/shared/d.servicedash/tiles/own', ana)).status).toBe(200);
    expect((await view('dashboard/shared/d.servicedash/tiles/own', bob)).status).toBe(404);
  });

  it('a filter narrows it as it narrows an embed', async () => {
    const filter = encodeURIComponent(JSON.stringify({ 'stores.region': ['North'] }));
    expect((await view(`query/shared/q.service?filter=${filter}`)).status).toBe(200);
    expect(house.source.runs[0]?.runtimeFilters).toEqual([{ field: 'stores.region', op: 'IN', values: ['North'] }]);
  });

  describe('a query that is not saved', () => {
    const ask = (body: object, caller = bob) => house.pages.call(`POST ${VIEW}/answer`, { caller, body });

    it('is answered as an embed shows it, with the rights of the caller', async () => {
      const { status, body } = await ask({ title: 'New', source: { surface: 'toy', request: { of: 'new' } } });
      expect([status, body]).toEqual([200, { title: 'New', ...answer }]);
      expect(house.source.runs).toMatchObject([
        { request: { of: 'new' }, scope: { tenant, user: 'bob', roles: ['ROLE_USER'] } },
      ]);
    });

    it('has no subtotals where small groups are hidden', async () => {
      const body = { source: { surface: 'toy', request: { of: 'new' } }, without: '["stores.region"]' };
      expect(await ask(body)).toMatchObject({ status: 400, body: { field: 'without' } });
    });

    it.each([
      ['a mistake of its request', { source: { surface: 'toy', request: {} } }, 'source.request.of', undefined],
      ['an unknown surface', { source: { surface: 'graph', request: {} } }, 'source.surface', ['toy']],
      [
        'the rest of a dimension that it does not show',
        { source: { surface: 'toy', request: { of: 'a' } }, others: '{"field":"stores.city","except":["x"]}' },
        'others',
        ['stores.region'],
      ],
    ])('%s is refused at its place', async (_, body, field, available) => {
      expect(await ask(body)).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR', field, ...(available === undefined ? {} : { available }) },
      });
      expect(house.source.runs).toEqual([]);
    });
  });

  describe('is refused', () => {
    it('to no anonymous caller, also with a token and for a public resource', async () => {
      const embedToken = await tokenFor(house, ana, 'shared/q.service');
      await house.rest.call(`POST ${EMBED}/public`, {
        caller: ana,
        body: { resourceKind: 'query', resourcePath: 'shared/q.service' },
      });
      for (const credentials of [{}, { embedToken }]) {
        const { status, body } = await house.pages.call(`GET ${VIEW}/query/shared/q.service`, credentials);
        expect([status, body]).toEqual([401, expect.objectContaining({ error: 'UNAUTHENTICATED' })]);
      }
    });

    it.each([
      ['the home of another', 'query/homes/ana/q.service', bob],
      ['a document of another tenant', 'query/shared/q.service', stranger],
      ['one that there is not', 'query/shared/none.service', ana],
      ['a tile that there is not', 'dashboard/shared/d.servicedash/tiles/none', ana],
    ])('%s, in the same words', async (_, path, caller) => {
      const { status, body } = await view(path, caller);
      expect([status, body]).toEqual([
        404,
        { error: 'NOT_FOUND', message: 'There is no such document that you may read.' },
      ]);
      expect(house.source.runs).toEqual([]);
    });

    it('a question without the CSRF pair', async () => {
      const { status, body } = await house.pages.call(`POST ${VIEW}/ai/shared/a.serviceask`, {
        caller: ana,
        csrfVerified: false,
        body: { question: 'How much?' },
      });
      expect([status, body]).toEqual([403, expect.objectContaining({ error: 'CSRF_REJECTED' })]);
    });
  });
});
