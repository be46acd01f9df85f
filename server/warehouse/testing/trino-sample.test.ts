import { expect, test } from 'vitest';
import { ONE_TEST_OF, runsTest } from './trino-sample.ts';

test('consecutive seeds together run each test once', () => {
  const runs = Array.from({ length: 10 }, () => 0);
  for (let seed = 101; seed < 101 + ONE_TEST_OF; seed++)
    for (const number of runs.keys()) if (runsTest(number, seed)) runs[number] = (runs[number] ?? 0) + 1;
  expect(runs).toEqual(runs.map(() => 1));
});
