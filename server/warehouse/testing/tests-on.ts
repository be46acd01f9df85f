import { basename } from 'node:path';
import { it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { SEED } from '../../../router/testing/seed.ts';
import type { AnyEngineName } from './engines.ts';
import { NOT_IN_SAMPLE, sampleOf, TESTS_PER_SAMPLE } from './trino-sample.ts';

type DefineTest = (title: string, run: () => Promise<void> | void, timeout?: number) => void;

/**
 * Returns the function that defines the tests of a suite on an engine: `it`, and on Trino a sample; see `trino-sample.ts`. The other tests are
 * reported as skipped.
 *
 * @param file the file of the suite
 */
export function testsOn(engine: AnyEngineName, file: string): DefineTest {
  if (runsAll(engine)) return it;
  const isInSample = sampleOf(basename(file), SEED);
  let number = 0;
  return (title, run, timeout) => {
    if (isInSample(number++)) it(title, run, timeout);
    else it.skip(titleNeeding(title, NOT_IN_SAMPLE));
  };
}

/** Returns the cases of a table (`it.each`) that run on an engine: all, and on Trino one of a few, by the seed of the run. */
export function casesOn<Case extends readonly [unknown, ...unknown[]]>(
  engine: AnyEngineName,
  cases: readonly Case[],
): readonly Case[] {
  const oneOf = Math.min(TESTS_PER_SAMPLE, cases.length);
  return runsAll(engine) ? cases : cases.filter((_, index) => index % oneOf === SEED % oneOf);
}

const runsAll = (engine: AnyEngineName): boolean => engine !== 'trino' || process.env.RUNS !== undefined;
