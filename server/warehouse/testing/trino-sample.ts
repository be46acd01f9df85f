/**
 * Chooses the tests of the product's own rules that run on Trino, each statement of which takes it up to a second of processor time: one suite of
 * three, and of its tests one of four, by the seed of the run. What is the dialect's is in suites that run whole on it: conformance, dialects,
 * grains, shown values, odd types, exact numbers. `RUNS=1` runs all.
 */

/** The reason that a report of the tests gives for those which did not run. */
export const NOT_IN_SAMPLE = "RUNS=1: Trino gets a sample of the tests of the product's own rules, by the seed";

export const SUITES_PER_SAMPLE = 3;
export const TESTS_PER_SAMPLE = 4;

/** Returns a function that says whether a test of a suite is in the sample of a seed. It takes the test's number, from 0. */
export function sampleOf(suite: string, seed: number): (test: number) => boolean {
  const place = [...suite].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 0);
  const isChosen = (place + seed) % SUITES_PER_SAMPLE === 0;
  const first = Math.floor(seed / SUITES_PER_SAMPLE) % TESTS_PER_SAMPLE;
  return (test) => isChosen && test % TESTS_PER_SAMPLE === first;
}
