import { expect, test } from 'vitest';
import { SUITES_PER_SAMPLE, sampleOf, TESTS_PER_SAMPLE } from './trino-sample.ts';

test('the seeds of a sample together run each test of each suite once', () => {
  for (const suite of ['compare.test.ts', 'windows.test.ts', 'a.test.ts', '']) {
    const runs = Array.from({ length: 9 }, () => 0);
    for (let seed = 100; seed < 100 + SUITES_PER_SAMPLE * TESTS_PER_SAMPLE; seed++) {
      const isInSample = sampleOf(suite, seed);
      for (const number of runs.keys()) if (isInSample(number)) runs[number] = (runs[number] ?? 0) + 1;
    }
    expect(runs).toEqual(runs.map(() => 1));
  }
});

test('one seed runs some suites and not the others', () => {
  const chosen = Array.from({ length: 300 }, (_, suite) => sampleOf(`suite-${suite}.test.ts`, 7)).filter((isInSample) =>
    Array.from({ length: TESTS_PER_SAMPLE }, (_, number) => number).some(isInSample),
  );
  expect(chosen.length).toBeGreaterThan(60);
  expect(chosen.length).toBeLessThan(140);
});
