/** Tests the facts behind a cell, through REST, on a cube with figures computed by hand; see `testing/store.ts`. */
import { expect, it } from 'vitest';
import { describeStore, REGIONS, SHOPS } from '../testing/engine-fixture.ts';
import { scope } from '../testing/fixture.ts';

describeStore('drilling through', (store) => {
  it('gives the facts of a cell, with the levels and the measure', async () => {
    const { body } = await store.cubes.call('POST /query', {
      ...REGIONS,
      filters: [{ dimension: 'Time', level: 'Year', members: ['2025'] }],
    });
    const { status, body: rows } = await store.cubes.call(`GET /query/${body.queryId}/drillthrough?position=0:0`);
    expect(status).toBe(200);
    expect(rows).toMatchObject({ queryId: body.queryId, rowCount: 3, truncated: false });
    expect(
      rows.rows.map((row: { Units?: number; 'Units sold'?: number }) => row['Units sold'] ?? row.Units).sort(),
    ).toEqual([10, 20, 5]);
    expect(JSON.stringify(rows)).not.toMatch(/Secret|Margin/);
  });

  it('shows the requested columns and number of rows', async () => {
    const { body } = await store.cubes.call('POST /query', SHOPS); // Bergen, Oslo, Rome
    const path = `GET /query/${body.queryId}/drillthrough?position=0:1&maxrows=1&returns=${encodeURIComponent('[Store].[Shop], [Measures].[Amount]')}`;
    const { body: rows } = await store.cubes.call(path);
    expect(rows).toMatchObject({ rowCount: 1, truncated: true });
    expect(Object.values(rows.rows[0])[0]).toBe('Oslo');
    expect(Object.keys(rows.rows[0])).toHaveLength(2);
  });

  it('applies filters below the shown level', async () => {
    const { body } = await store.cubes.call('POST /query', {
      ...REGIONS,
      filters: [{ dimension: 'Store', level: 'Shop', members: ['Oslo', 'Rome'] }],
    });
    const { body: rows } = await store.cubes.call(`GET /query/${body.queryId}/drillthrough?position=0:0`);
    expect(rows.rowCount).toBe(2); // Oslo's two, without Bergen's.
  });

  it.each([
    ['position=0:9', 'position'],
    ['position=9:0', 'position'],
    ['position=a', 'position'],
    ['maxrows=0', 'maxrows'],
    ['returns=%5BStore%5D.%5BNope%5D', 'returns'],
    ['returns=%5BBuyer%5D.%5BSecret%20Name%5D', 'returns'],
    ['returns=%5BMeasures%5D.%5BMargin%5D', 'returns'],
  ])('refuses %s', async (parameters, field) => {
    const { body } = await store.cubes.call('POST /query', SHOPS);
    const answer = await store.cubes.call(`GET /query/${body.queryId}/drillthrough?${parameters}`);
    expect(answer).toMatchObject({ status: 400, body: { status: 'VALIDATION_ERROR', field } });
  });

  it('refuses a calculated measure, and a query that is not the caller’s', async () => {
    const { body } = await store.cubes.call('POST /query', { ...SHOPS, measures: [{ name: 'Price' }] });
    const path = `GET /query/${body.queryId}/drillthrough`;
    expect(await store.cubes.call(path)).toMatchObject({ status: 400, body: { field: 'position' } });
    expect((await store.cubes.call(path, undefined, { ...scope('ROLE_ADMIN'), user: 'bob' })).status).toBe(404);
    expect((await store.cubes.call(path, undefined, scope('north'))).status).toBe(404);
  });
});
