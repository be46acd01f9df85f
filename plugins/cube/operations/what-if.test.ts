/** Tests queries with changed cells, through REST, on a cube with figures computed by hand; see `testing/store.ts`. */
import { expect, it } from 'vitest';
import { describeStore, REGIONS, SHOPS } from '../testing/engine-fixture.ts';

describeStore('a what-if', (store) => {
  it('answers as if a cell had another value, and saves nothing', async () => {
    const changes = [{ measure: 'Units', members: ['[Store].[North]'], value: 78, allocation: 'weighted_allocation' }];
    const { status, body } = await store.cubes.call('POST /scenario/whatif', { query: SHOPS, changes });
    expect(status).toBe(200);
    // Twice the 39 of North, in proportion.
    expect(body.data.map((row: Record<string, { value: number }>) => row['Units sold']?.value)).toEqual([18, 60, 8]);
    expect(await store.cubes.table(SHOPS)).toEqual([
      ['Bergen', 9],
      ['Oslo', 30],
      ['Rome', 8],
    ]);
  });

  it.each([
    ['an unknown measure', { measure: 'Unit', value: 1 }, 'changes[0].measure'],
    ['a measure that is no sum', { measure: 'Customers', value: 1 }, 'changes[0].measure'],
    ['a calculated measure', { measure: 'Price', value: 1 }, 'changes[0].measure'],
    ['an unknown member', { measure: 'Units', value: 1, members: ['[Store].[East]'] }, 'changes[0].members[0]'],
    [
      'two members of a hierarchy',
      { measure: 'Units', value: 1, members: ['[Store].[North]', '[Store].[South]'] },
      'changes[0].members[1]',
    ],
    ['personal data', { measure: 'Units', value: 1, members: ['[Buyer].[ann]'] }, 'changes[0].members[0]'],
    ['an allocation', { measure: 'Units', value: 1, allocation: 'even' }, 'changes[0].allocation'],
  ])('refuses %s', async (_, change, field) => {
    const { status, body } = await store.cubes.call('POST /scenario/whatif', { query: REGIONS, changes: [change] });
    expect({ status, field: body.field }).toEqual({ status: 400, field });
  });

  it('reports mistakes of its query at the query', async () => {
    const query = { ...REGIONS, measures: [{ name: 'X' }] };
    const { body } = await store.cubes.call('POST /scenario/whatif', {
      query,
      changes: [{ measure: 'Units', value: 1 }],
    });
    expect(body.field).toBe('query.measures[0].name');
  });
});
