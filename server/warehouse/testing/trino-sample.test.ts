import { expect, test } from 'vitest';
import { ONE_SUITE_OF, ONE_TEST_OF, runsSuite, runsTest } from './trino-sample.ts';

test('sixteen seeds together run each test of each suite once', () => {
  for (const suite of ['/home/a/plugins/compare.test.ts', 'C:\\a\\windows.test.ts', 'via.test.ts']) {
    const runs = Array.from({ length: 9 }, () => 0);
    for (let seed = 101; seed < 101 + ONE_SUITE_OF * ONE_TEST_OF; seed++) {
      if (!runsSuite(suite, seed)) continue;
      for (const number of runs.keys()) if (runsTest(number, seed)) runs[number] = (runs[number] ?? 0) + 1;
    }
    expect(runs).toEqual(runs.map(() => 1));
  }
});

test('one seed runs about a quarter of the suites, and those of the dialect whatever the seed is', () => {
  const suites = Array.from({ length: 400 }, (_, number) => `plugins/semantic/suite-${number}.test.ts`);
  const chosen = suites.filter((suite) => runsSuite(suite, 7));
  expect(chosen.length).toBeGreaterThan(60);
  expect(chosen.length).toBeLessThan(140);
  for (const seed of [1, 2, 3, 4]) {
    expect(runsSuite('/a/plugins/semantic/conformance/conformance.test.ts', seed)).toBe(true);
    expect(runsSuite('/a/plugins/semantic/query/execute/shown-values.test.ts', seed)).toBe(true);
  }
});
