import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../router/testing/silent-log.ts';
import { openRepository } from '../../server/repository/index.ts';
import { openState } from '../../server/state/index.ts';
import { embedMigrations } from './index.ts';
import { ana, answer, EMBED, type Installation, install, query, tenant, tokenFor } from './testing/fixture.ts';

const DOWN = [{ field: 'stores.region', to: ['stores.city'] }];
const STEPS = [{ field: 'stores.region', values: { 'stores.region': 'North' } }];
const toy = (of: string) => ({ source: { surface: 'toy', request: { of } } });
const place = { x: 0, y: 0, w: 3, h: 1 };
const DASHBOARD = {
  version: 1,
  title: 'Shop',
  layout: { columns: 12 },
  tiles: [
    { id: 'a', kind: 'chart', query: toy('a'), drives: ['b'], drill: { down: DOWN, rows: ['stores.city'] }, ...place },
    { id: 'b', kind: 'chart', query: { path: 'shared/q.service' }, ...place },
  ],
};

describe('an embed that goes down', () => {
  let house: Installation;
  let token: string;
  let board: string;
  beforeEach(async () => {
    const state = await openState({ url: undefined, sqliteFile: ':memory:', log: silentLog });
    await state.migrate({ embed: embedMigrations });
    house = await install({
      state,
      openRepository: (directory) => openRepository({ directory, defaultTenant: tenant }),
    });
    await house.place('shared/q.service', { ...query('shared'), drill: { down: DOWN, rows: true } });
    await house.place('shared/f.servicedash', DASHBOARD);
    token = await tokenFor(house, ana, 'shared/q.service');
    board = await tokenFor(house, ana, 'shared/f.servicedash');
  });
  afterEach(() => house.close());

  const encoded = (json: unknown) => encodeURIComponent(JSON.stringify(json));
  const read = (path: string, embedToken?: string) =>
    house.rest.call(`GET ${EMBED}/${path}`, embedToken === undefined ? {} : { embedToken });

  it('passes the steps of its reader on with what its document allows, and shows what the answer says', async () => {
    const down = [{ field: 'stores.region', label: 'City', by: ['stores.region'], leaves: ['North'] }];
    const drilling = { down, trail: [{ label: 'Region', text: 'North' }], rows: true };
    house.source.answers = async () => ({ ...answer, drilling });
    const { status, body } = await read(`query/shared/q.service?drill=${encoded(STEPS)}`, token);
    expect([status, body]).toMatchObject([200, { drill: drilling }]);
    expect(house.source.runs.at(-1)).toMatchObject({ drill: { down: DOWN, steps: STEPS } });
    await read('query/shared/q.service', token);
    expect(house.source.runs.at(-1)).toMatchObject({ drill: { down: DOWN, steps: [] } });
    // The tile decides, and not the saved query that it names.
    expect((await read(`dashboard/shared/f.servicedash/tiles/b?drill=${encoded(STEPS)}`, board)).status).toBe(400);
    const tile = await read(`dashboard/shared/f.servicedash/tiles/b`, board);
    expect([tile.status, house.source.runs.at(-1)?.drill]).toEqual([200, undefined]);
    await house.place('shared/q.service', query('shared'));
    expect((await read('query/shared/q.service?drill=[]', token)).status).toBe(200);
    expect(await read(`query/shared/q.service?drill=${encoded(STEPS)}`, token)).toMatchObject({
      status: 400,
      body: { field: 'drill' },
    });
  });

  it('refuses steps of another shape', async () => {
    for (const steps of ['x', '{}', '[{"field":"a"}]', '[{"field":"a","values":{"a":{}}}]', `[${'{},'.repeat(30)}{}]`])
      expect(await read(`query/shared/q.service?drill=${encodeURIComponent(steps)}`, token), steps).toMatchObject({
        status: 400,
        body: { field: 'drill' },
      });
  });

  it('filters a tile by the fields below the tile that drives it', async () => {
    const filter = encoded([{ field: 'stores.city', op: 'EQ', values: ['Oslo'] }]);
    expect((await read(`dashboard/shared/f.servicedash/tiles/b?filter=${filter}`, board)).status).toBe(200);
    expect((await read(`dashboard/shared/f.servicedash/tiles/a?filter=${filter}`, board)).status).toBe(400);
  });

  it('answers the rows behind a row, where its document shows them', async () => {
    const at = encoded({ 'stores.region': null });
    const { status, body } = await read(`query/shared/q.service/rows?at=${at}`, token);
    expect([status, body]).toMatchObject([200, { title: 'Of shared', records: [{}, {}] }]);
    expect(house.source.runs.at(-1)).toMatchObject({
      rows: { at: { 'stores.region': null }, fields: undefined, limit: 500, drill: { down: DOWN, steps: [] } },
    });
    const of = `dashboard/shared/f.servicedash/tiles/a/rows?at=${encoded({ 'stores.city': 'Oslo' })}`;
    expect((await read(`${of}&drill=${encoded(STEPS)}`, board)).status).toBe(200);
    expect(house.source.runs.at(-1)).toMatchObject({
      rows: { at: { 'stores.city': 'Oslo' }, fields: ['stores.city'], drill: { steps: STEPS } },
    });
    expect(await read('query/shared/q.service/rows?at=[]', token)).toMatchObject({
      status: 400,
      body: { field: 'at' },
    });
  });

  it('refuses rows of every other document in the same words, and asks nothing', async () => {
    const refused = await read('query/shared/none.service/rows?at={}');
    expect(refused).toMatchObject({ status: 401, body: { error: 'EMBED_INVALID' } });
    expect(await read('query/shared/q.service/rows?at={}')).toEqual(refused);
    expect(await read('dashboard/shared/f.servicedash/tiles/b/rows?at={}', board)).toEqual(refused);
    expect(await read('dashboard/shared/f.servicedash/tiles/none/rows?at={}', board)).toEqual(refused);
    await house.place('shared/q.service', { ...query('shared'), drill: { down: DOWN, rows: false } });
    expect(await read('query/shared/q.service/rows?at={}', token)).toEqual(refused);
    expect(house.source.runs).toEqual([]);
  });
});
