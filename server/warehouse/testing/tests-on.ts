import { it } from 'vitest';
import { SEED } from '../../../router/testing/seed.ts';
import type { AnyEngineName } from './engines.ts';

/** Trino gets one test of so many. */
const ONE_OF = 6;

type DefineTest = (title: string, run: () => Promise<void> | void, timeout?: number) => void;

/**
 * Returns the function that defines the tests of a suite on an engine: `it`, and on Trino one test of six, by the seed of the run. For suites of
 * the product's own rules, each statement of which takes Trino up to a second of processor time. What is the dialect's is in suites that
 * run whole on it: conformance, dialects, grains, shown values, odd types, exact numbers. `RUNS=1` runs all.
 */
export function testsOn(engine: AnyEngineName): DefineTest {
  if (runsAll(engine)) return it;
  let place = SEED % ONE_OF;
  return (title, run, timeout) => {
    if (place === 0) it(title, run, timeout);
    place = (place + 1) % ONE_OF;
  };
}

/** Returns the cases of a table (`it.each`) that run on an engine: all, and on Trino one of six, by the seed of the run, as `testsOn` does. */
export function casesOn<Case extends readonly [unknown, ...unknown[]]>(
  engine: AnyEngineName,
  cases: readonly Case[],
): readonly Case[] {
  return runsAll(engine) ? cases : cases.filter((_, index) => index % ONE_OF === SEED % ONE_OF);
}

const runsAll = (engine: AnyEngineName): boolean => engine !== 'trino' || process.env.RUNS !== undefined;
