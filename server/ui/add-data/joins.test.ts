import { expect, test } from 'vitest';
import { findJoinProblem, withJoins } from './joins.ts';
import { parseProfile } from './profile.ts';

const column = (name: string, type: string, distinctApprox: number) => ({
  name,
  type,
  distinctApprox,
  nulls: 0,
  sampleValues: [],
});
const table = (name: string, rowCount: number, columns: readonly object[], keys: readonly string[]) => ({
  schema: 'main',
  name,
  rowCount,
  columns,
  keys: keys.map((key) => [key]),
});
const profileOf = (customers: number) =>
  parseProfile({
    tables: [
      table('orders', 400, [column('kunde', 'BIGINT', 40), column('ort', 'VARCHAR', 3)], []),
      table('kunden', customers, [column('nr', 'BIGINT', 40)], customers === 40 ? ['nr'] : []),
    ],
  });
const JOIN = { from: { table: 'orders', column: 'kunde' }, to: { table: 'kunden', column: 'nr' } };

test('a join by a unique column becomes a declared key of the profile', () => {
  const profile = profileOf(40);
  expect(findJoinProblem(profile, JOIN)).toBeUndefined();
  expect(withJoins(profile, [JOIN]).raw.references).toEqual([
    {
      schema: 'main',
      table: 'orders',
      columns: ['kunde'],
      refSchema: 'main',
      refTable: 'kunden',
      refColumns: ['nr'],
      coverage: 1,
      declared: true,
    },
  ]);
});

test('a join by a column that repeats reports the rows that are too many, and is in no proposal', () => {
  const profile = profileOf(80);
  expect(findJoinProblem(profile, JOIN)).toEqual({
    message: 'nr is not unique in kunden: 40 rows too many. A row of orders would be counted once for each of them.',
    isRepeated: true,
  });
  expect(withJoins(profile, [JOIN])).toBe(profile);
});

test('a join of a text with a number asks for one type', () => {
  const join = { ...JOIN, from: { table: 'orders', column: 'ort' } };
  expect(findJoinProblem(profileOf(40), join)?.message).toContain(
    'ort is text in orders, and nr is a number in kunden',
  );
});
