/** Tests queries with roles, through REST, on a cube with figures computed by hand; see `testing/store.ts`. */
import { expect, it } from 'vitest';
import { CUBE, describeStore, REGIONS, SHOPS } from '../testing/engine-fixture.ts';
import { scope } from '../testing/fixture.ts';

describeStore('roles', (store) => {
  it('see their part and the totals of this part', async () => {
    expect(await store.cubes.table(REGIONS, scope('ROLE_USER', 'north'))).toEqual([['North', 39]]);
    expect(await store.cubes.table({ cube: CUBE, measures: [{ name: 'Units' }] }, scope('south'))).toEqual([[8]]);
  });

  it('see what any of several roles sees', async () => {
    expect(await store.cubes.table(REGIONS, scope('north', 'south'))).toEqual([
      ['North', 39],
      ['South', 8],
    ]);
  });

  it('do not find hidden elements', async () => {
    const north = scope('north');
    const { body } = await store.cubes.call(`GET /schema/${CUBE}`, undefined, north);
    expect(Object.keys(body.measures)).toEqual(['units']);
    expect(Object.keys(body.dimensions)).toEqual(['store', 'time']);
    expect(JSON.stringify(body)).not.toMatch(/South|Rome|Customer/);
    const members = await store.cubes.call(
      'POST /query',
      { ...REGIONS, rows: [{ dimension: 'Store', level: 'Region', members: ['South'] }] },
      north,
    );
    expect(members.body).toMatchObject({ field: 'rows[0].members[0]', available: ['[Store].[North]'] });
    const level = await store.cubes.call('POST /query', SHOPS, scope('south'));
    expect(level.body).toMatchObject({ field: 'rows[0].level', available: expect.not.arrayContaining(['Shop']) });
    const search = `GET /members/search?cubeId=${CUBE}&dimension=Store&level=Shop`;
    expect((await store.cubes.call(search, undefined, north)).body.members).toHaveLength(2);
    expect((await store.cubes.call('GET /cubes', undefined, north)).body).toHaveLength(1);
  });

  it('are required if the schema has roles: other callers see nothing, and administrators see everything', async () => {
    expect((await store.cubes.call('GET /cubes', undefined, scope('ROLE_USER'))).body).toEqual([]);
    expect((await store.cubes.call('POST /query', REGIONS, scope('ROLE_USER'))).status).toBe(404);
    expect((await store.cubes.call('GET /cubes', undefined, scope('ROLE_ADMIN'))).body).toHaveLength(2);
  });
});
