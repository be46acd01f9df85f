import { expect, test } from 'vitest';
import { skipTable } from './test-reports.ts';

test('the table of skipped tests counts them by what they need, the largest count first', () => {
  const needs = new Map([
    ['no MariaDB', 3],
    ['FoodMart is not here', 140],
  ]);
  expect(skipTable(needs)).toBe(
    ['skipped  what they need', '    140  FoodMart is not here', '      3  no MariaDB'].join('\n'),
  );
});
