import { expect, test } from 'vitest';
import { viewAsFrom } from './kept-view-as.ts';

test.each([
  [{ role: 'ROLE_SALES' }],
  [{ attributes: { regions: ['South', 3, true] } }],
  [{ role: 'ROLE_SALES', attributes: { regions: [] } }],
])('%j is read as it was kept', (kept) => {
  expect(viewAsFrom(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
});

test.each([[null], [[]], [{}], ['ROLE_SALES'], [{ role: 3 }], [{ attributes: ['South'] }]])(
  '%j, which no page kept, is nobody',
  (json) => {
    expect(viewAsFrom(json)).toBeUndefined();
  },
);

test('an attribute without a list selects no row, and members that are no values are left out', () => {
  expect(viewAsFrom({ attributes: { regions: 'South', levels: [1, null, { a: 1 }] } })).toEqual({
    attributes: { regions: [], levels: [1] },
  });
});
