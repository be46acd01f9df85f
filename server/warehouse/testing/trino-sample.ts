/**
 * Chooses the tests that run on Trino, each statement of which takes it up to a second of processor time. Suites of what is the dialect's run whole.
 * Of the suites of the product's own rules one of four runs, and of long ones among these one test of four, by the seed of the run. `RUNS=1` runs
 * all.
 */

/** The reason that a report of the tests gives for those which did not run. */
export const NOT_IN_SAMPLE = "RUNS=1: Trino gets a sample of the tests of the product's own rules, by the seed";

/** Parts of the paths of suites that run whole. */
const WHOLE_SUITES = [
  'server/warehouse/',
  'plugins/cube/mdx/',
  '/conformance/',
  '/shown-',
  '/incomparable-values',
  '/odd-types',
  '/exact-numbers',
  '/structured-',
  '/nodes/grain',
  '/oracle',
  '-oracle',
  'null-',
  '/viewer-',
  '/published-',
  'trino',
];

export const ONE_SUITE_OF = 4;
export const ONE_TEST_OF = 4;

/** Returns whether a suite runs for a seed. */
export function runsSuite(path: string, seed: number): boolean {
  const normal = path.replaceAll('\\', '/');
  if (WHOLE_SUITES.some((part) => normal.includes(part))) return true;
  const name = normal.slice(normal.lastIndexOf('/') + 1);
  const place = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 0);
  return (place + seed) % ONE_SUITE_OF === 0;
}

/** Returns whether a test runs for a seed, by its number in a suite that runs. */
export function runsTest(number: number, seed: number): boolean {
  return (number + Math.floor(seed / ONE_SUITE_OF)) % ONE_TEST_OF === 0;
}
