/** Tests refused queries, through REST, on a cube with figures computed by hand; see `testing/store.ts`. */
import { expect, it } from 'vitest';
import { CUBE, describeStore, REGIONS, SHOPS } from '../testing/engine-fixture.ts';
import { STORE_SCHEMA } from '../testing/store.ts';

describeStore('a wrong cube query', (store) => {
  it.each([
    ['a measure', { ...REGIONS, measures: [{ name: 'Unit' }] }, 'measures[0].name', 'Units'],
    ['a dimension', { ...REGIONS, rows: [{ dimension: 'Shop' }] }, 'rows[0].dimension', 'Store'],
    ['a hierarchy', { ...REGIONS, rows: [{ dimension: 'Store', hierarchy: 'Stores' }] }, 'rows[0].hierarchy', 'Store'],
    ['a level', { ...REGIONS, rows: [{ dimension: 'Store', level: 'Regions' }] }, 'rows[0].level', 'Region'],
    [
      'a member',
      { ...REGIONS, rows: [{ dimension: 'Store', level: 'Region', members: ['Nort'] }] },
      'rows[0].members[0]',
      '[Store].[North]',
    ],
    [
      'a member of another level',
      { ...REGIONS, filters: [{ dimension: 'Store', level: 'Region', members: ['[Store].[North].[Oslo]'] }] },
      'filters[0].members[0]',
      '[Store].[North]',
    ],
    ['an order', { ...REGIONS, order: [{ by: 'Unitz' }] }, 'order[0].by', 'Units'],
    [
      'an operator',
      { ...REGIONS, filters: [{ dimension: 'Store', level: 'Region', op: 'like', members: ['North'] }] },
      'filters[0].op',
      'in',
    ],
    [
      'a relative value',
      { ...REGIONS, filters: [{ dimension: 'Time', op: 'relative', value: 'yesterday' }] },
      'filters[0].value',
      'last_n_days',
    ],
    [
      'a level too coarse for the value',
      { ...REGIONS, filters: [{ dimension: 'Time', level: 'Year', op: 'relative', value: 'last_n_months' }] },
      'filters[0].level',
      'Month',
    ],
    [
      'personal data',
      { ...REGIONS, rows: [{ dimension: 'Buyer', level: 'Secret Name' }] },
      'rows[0].dimension',
      undefined,
    ],
    ['a personal measure', { ...REGIONS, measures: [{ name: 'Margin' }] }, 'measures[0].name', undefined],
    ['what is computed from one', { ...REGIONS, measures: [{ name: 'Four Margins' }] }, 'measures[0].name', undefined],
    [
      'a measure of this surface’s own',
      { ...REGIONS, measures: [{ name: '~rows of Sales' }] },
      'measures[0].name',
      undefined,
    ],
  ])('%s is reported with its path and the candidates', async (_, request, field, nearest) => {
    const { status, body } = await store.cubes.call('POST /query', request);
    expect({ status, code: body.status, field: body.field }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      field,
    });
    expect(body.error).toEqual(expect.any(String));
    expect(body.available).toEqual(expect.any(Array));
    if (nearest !== undefined) expect(body.available[0]).toBe(nearest);
    expect(JSON.stringify(body.available)).not.toMatch(/Margin|Secret|~rows/);
  });

  it.each([
    ['no measure', { ...REGIONS, measures: [] }, 'measures'],
    ['measures of another type', { ...REGIONS, measures: 'Units' }, 'measures'],
    ['an unknown member', { ...REGIONS, having: 1 }, 'having'],
    ['a limit of nothing', { ...REGIONS, limit: 0 }, 'limit'],
    ['a direction', { ...REGIONS, order: [{ by: 'Units', direction: 'up' }] }, 'order[0].direction'],
    [
      'between with one member',
      { ...REGIONS, filters: [{ dimension: 'Store', level: 'Region', op: 'between', members: ['North'] }] },
      'filters[0].members',
    ],
    ['in without members', { ...REGIONS, filters: [{ dimension: 'Store', level: 'Region' }] }, 'filters[0].members'],
    [
      'one hierarchy on both axes',
      { ...REGIONS, columns: [{ dimension: 'Store', level: 'Shop' }] },
      'columns[0].dimension',
    ],
    ['a measure without what it requires', { ...REGIONS, measures: [{ name: 'Yearly' }] }, 'filters'],
  ])('%s is refused', async (_, request, field) => {
    const { status, body } = await store.cubes.call('POST /query', request);
    expect({ status, code: body.status, field: body.field }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      field,
    });
  });

  it('all mistakes are reported at once', async () => {
    const { body } = await store.cubes.call('POST /query', {
      ...REGIONS,
      measures: [{ name: 'A' }],
      rows: [{ dimension: 'B' }, { dimension: 'Store', level: 'C' }],
      filters: [{ dimension: 'Store', level: 'Region', members: ['D'] }],
      order: [{ by: 'E' }],
    });
    expect(body.problems.map(({ field }: { field: string }) => field)).toEqual([
      'measures[0].name',
      'rows[0].dimension',
      'rows[1].level',
      'filters[0].members[0]',
      'order[0].by',
    ]);
  });

  it('a missing cube is 404 with the candidates, in a query and in a path', async () => {
    const expected = { status: 404, body: { error: 'NOT_FOUND', available: [CUBE, 'test/Shops/Shops/Other'] } };
    expect(await store.cubes.call('POST /query', { ...REGIONS, cube: 'test/Shops/Shops/Sale' })).toMatchObject(
      expected,
    );
    expect(await store.cubes.call('GET /schema/test/Shops/Shops/Sale')).toMatchObject(expected);
  });

  it('a query that takes too long is 504', async () => {
    const hasty = await store.open({ timeoutMs: 0 });
    const { status, body } = await hasty.call('POST /query', SHOPS);
    expect({ status, code: body.status }).toEqual({ status: 504, code: 'TIMEOUT' });
    await hasty.close();
  });

  it('a sort by a formula that has no value over several periods is refused, not a failure', async () => {
    const changing = await store.open();
    const formula = 'formula="([Measures].[Units], [Time].CurrentMember.PrevMember)"';
    await changing.reload(STORE_SCHEMA.replace('formula="[Measures].[Amount] / [Measures].[Units]"', formula));
    const { body: search } = await changing.call(`GET /members/search?cubeId=${CUBE}&dimension=Time&level=Year`);
    const filters = [
      {
        dimension: 'Time',
        level: 'Year',
        members: search.members.map((member: { readonly uniqueName: string }) => member.uniqueName),
      },
    ];
    expect(filters[0]?.members.length).toBeGreaterThan(1);
    const answer = await changing.call('POST /query', { ...REGIONS, filters, order: [{ by: 'Price' }] });
    expect(answer).toMatchObject({ status: 400, body: { status: 'VALIDATION_ERROR', field: 'order' } });
    await changing.close();
  });
});
