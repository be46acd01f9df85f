import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../router/testing/silent-log.ts';
import { openRepository } from '../../server/repository/index.ts';
import { openState } from '../../server/state/index.ts';
import { embedMigrations } from './index.ts';
import { ana, EMBED, type Installation, install, query, tenant, tokenFor } from './testing/fixture.ts';

const toy = (of: string) => ({ source: { surface: 'toy', request: { of } } });
const place = { x: 0, y: 0, w: 3, h: 1 };
const DASHBOARD = {
  version: 1,
  title: 'Shop',
  layout: { columns: 12 },
  tiles: [
    { id: 'region', kind: 'filter', field: 'stores.region', ...place },
    { id: 'city', kind: 'filter', field: 'stores.city', drives: ['b'], control: 'list', ...place },
    { id: 'blank', kind: 'filter', ...place },
    { id: 'lonely', kind: 'filter', field: 'stores.city', drives: ['lost'], ...place },
    { id: 'a', kind: 'kpi', measure: 'net_sales', query: toy('a'), ...place },
    { id: 'b', kind: 'chart', query: { path: 'shared/q.service' }, ...place },
    { id: 'lost', kind: 'chart', query: { path: 'shared/none.service' }, ...place },
    { id: 'other', kind: 'chart', query: { source: { surface: 'toy', request: { of: 'o', model: 'm' } } }, ...place },
  ],
};

describe('filters of embeds', () => {
  let house: Installation;
  beforeEach(async () => {
    const state = await openState({ url: undefined, sqliteFile: ':memory:', log: silentLog });
    await state.migrate({ embed: embedMigrations });
    house = await install({
      state,
      openRepository: (directory) => openRepository({ directory, defaultTenant: tenant }),
    });
    await house.place('shared/f.servicedash', DASHBOARD);
  });
  afterEach(() => house.close());

  const read = (path: string, embedToken?: string) =>
    house.rest.call(`GET ${EMBED}/${path}`, embedToken === undefined ? {} : { embedToken });
  const encoded = (filter: object) => encodeURIComponent(JSON.stringify(filter));

  it('offer the values of a shown dimension and of a field that the author offers, and no other', async () => {
    const token = await tokenFor(house, ana, 'shared/q.service');
    expect(await read('query/shared/q.service/values?field=stores.region&q=Nor', token)).toMatchObject({
      status: 200,
      body: {
        field: 'stores.region',
        label: 'Label of stores.region',
        dataType: 'text',
        control: 'list',
        values: [{ value: 'North', label: 'North' }],
        truncated: false,
      },
    });
    expect(await read('query/shared/q.service/values?field=stores.regio', token)).toMatchObject({
      status: 400,
      body: { field: 'field', available: ['stores.region'] },
    });
    await house.place('shared/q.service', { ...query('shared'), filterable: ['stores.city'] });
    const filter = encoded({ 'stores.region': ['North'] });
    expect((await read(`query/shared/q.service/values?field=stores.city&filter=${filter}`, token)).status).toBe(200);
    // The host's filter narrows the values too.
    expect(house.source.runs.at(-1)?.runtimeFilters).toEqual([{ field: 'stores.region', op: 'IN', values: ['North'] }]);
    expect(
      (await read(`query/shared/q.service/values?field=stores.city&filter=${encoded({ secret: [1] })}`, token)).status,
    ).toBe(400);
  });

  it('refuse every caller without the right in the same words, whatever the field', async () => {
    const refused = await read('query/shared/none.service/values?field=stores.region');
    expect(refused).toMatchObject({ status: 401, body: { error: 'EMBED_INVALID' } });
    expect(await read('query/shared/q.service/values?field=nothing')).toEqual(refused);
    expect(await read('dashboard/shared/f.servicedash/tiles/region/values')).toEqual(refused);
    const token = await tokenFor(house, ana, 'shared/f.servicedash');
    for (const tile of ['none', 'a', 'blank', 'lonely'])
      expect(await read(`dashboard/shared/f.servicedash/tiles/${tile}/values`, token), tile).toEqual(refused);
    expect(house.source.runs).toEqual([]);
  });

  it('name in the layout the tiles that they narrow: those of one model that their owner may read', async () => {
    const token = await tokenFor(house, ana, 'shared/f.servicedash');
    const { body } = await read('dashboard/shared/f.servicedash', token);
    expect(body).toMatchObject({
      tiles: [
        { id: 'region', kind: 'filter', field: 'stores.region', drives: ['a', 'b'] },
        { id: 'city', kind: 'filter', field: 'stores.city', drives: ['b'] },
        { id: 'blank', kind: 'filter' },
        { id: 'lonely', kind: 'filter', field: 'stores.city', drives: [] },
        { id: 'a' },
        { id: 'b' },
        { id: 'lost' },
        { id: 'other' },
      ],
    });
  });

  it('are clicks in a tile too: it names the tiles that it narrows, by its dimensions alone', async () => {
    const token = await tokenFor(house, ana, 'shared/f.servicedash');
    const filter = encoded({ 'stores.region': ['North'] });
    const withoutFilters = DASHBOARD.tiles.filter(({ kind }) => kind !== 'filter');
    const place = (drives: object) =>
      house.place('shared/f.servicedash', {
        ...DASHBOARD,
        tiles: withoutFilters.map((tile) => (tile.id === 'b' ? { ...tile, ...drives } : tile)),
      });
    const clicked = (id: string, text: string) =>
      read(`dashboard/shared/f.servicedash/tiles/${id}?filter=${text}`, token);
    await place({});
    const { body: closed } = await read('dashboard/shared/f.servicedash', token);
    expect(JSON.stringify(closed)).not.toContain('drives');
    await place({ drives: ['a', 'other'] });
    const { body } = await read('dashboard/shared/f.servicedash', token);
    expect(body).toMatchObject({ tiles: [{ id: 'a' }, { id: 'b', drives: ['a'] }, { id: 'lost' }, { id: 'other' }] });
    expect((await clicked('a', filter)).status).toBe(200);
    expect(house.source.runs.at(-1)?.runtimeFilters).toEqual([{ field: 'stores.region', op: 'IN', values: ['North'] }]);
    expect((await clicked('a', encoded({ 'stores.city': ['x'] }))).status).toBe(400);
  });

  it('narrow the tiles that they drive, and no others', async () => {
    const token = await tokenFor(house, ana, 'shared/f.servicedash');
    const tile = (id: string, field: string) =>
      read(`dashboard/shared/f.servicedash/tiles/${id}?filter=${encoded({ [field]: ['x'] })}`, token);
    expect((await tile('b', 'stores.city')).status).toBe(200);
    expect(house.source.runs.at(-1)?.runtimeFilters).toEqual([{ field: 'stores.city', op: 'IN', values: ['x'] }]);
    expect(await tile('a', 'stores.city')).toMatchObject({
      status: 400,
      body: { field: 'filter', available: ['stores.region'] },
    });
  });
});
