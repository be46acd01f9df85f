/**
 * Chooses the tests of long suites of the product's own rules that run on Trino, each statement of which takes it up to a second of processor
 * time: one test of six, by the seed of the run. `RUNS=1` runs all. All other suites run whole.
 */

/** The reason that a report of the tests gives for those which did not run. */
export const NOT_IN_SAMPLE = "RUNS=1: Trino gets a sample of the tests of the product's own rules, by the seed";

/** One test of so many runs. */
export const ONE_TEST_OF = 6;

/**
 * Returns whether a test runs for a seed, by its number in its suite.
 *
 * @param oneOf the number of tests of which one runs
 */
export function runsTest(number: number, seed: number, oneOf: number = ONE_TEST_OF): boolean {
  return (number + seed) % oneOf === 0;
}
