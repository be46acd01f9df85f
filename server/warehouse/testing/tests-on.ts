import { it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { SEED } from '../../../router/testing/seed.ts';
import type { AnyEngineName } from './engines.ts';
import { NOT_IN_SAMPLE, ONE_TEST_OF, runsTest } from './trino-sample.ts';

type DefineTest = (title: string, run: () => Promise<void> | void, timeout?: number) => void;

/**
 * Returns the function that defines the tests of a long suite of the product's own rules on an engine: `it`, and on Trino one test of a few; see
 * `trino-sample.ts`. The other tests are reported as skipped.
 */
export function testsOn(engine: AnyEngineName): DefineTest {
  if (runsAll(engine)) return it;
  let number = 0;
  return (title, run, timeout) => {
    if (runsTest(number++, SEED)) it(title, run, timeout);
    else it.skip(titleNeeding(title, NOT_IN_SAMPLE));
  };
}

/** Returns the cases of a table (`it.each`) that run on an engine: all, and on Trino one of a few, by the seed of the run. */
export function casesOn<Case extends readonly [unknown, ...unknown[]]>(
  engine: AnyEngineName,
  cases: readonly Case[],
): readonly Case[] {
  const oneOf = Math.min(ONE_TEST_OF, cases.length);
  return runsAll(engine) ? cases : cases.filter((_, index) => runsTest(index, SEED, oneOf));
}

const runsAll = (engine: AnyEngineName): boolean => engine !== 'trino' || process.env.RUNS !== undefined;
