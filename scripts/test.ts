/**
 * Runs all tests: unit and integration (vitest), the element in a browser (web-test-runner), the built product end to
 * end (vitest with Playwright), and the public MDX cases on FoodMart. The MDX cases run twice: as usual, and with every
 * level read on demand, which sends more statements to the warehouse. Parts that leave a core idle run beside others
 * (`test-parts.ts`). Reports at the end the passed, failed and skipped tests with their reasons, and the time of each
 * part.
 *
 *   npm test                                                                everything
 *   npm test -- frameworks                                                  Angular and Next.js, which only run by name
 *   npm test -- unit|element|element-node|e2e-pages|e2e-work|e2e-hostile|mdx|mdx-large|mdx-aggregates  only that part; `e2e` is three
 *
 * With CI=true a missing requirement fails the run instead of skipping tests, except a Java for Trino and a Python with pip.
 */
import './plain-output.ts';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { IS_BUILT } from '../demo/e2e/product.ts';
import { once } from '../router/once.ts';
import { needOf } from '../router/testing/not-run.ts';
import { pyJwtMissing } from '../server/embed-signatures/testing/pyjwt.ts';
import { javaForTrino, trinoMissing } from '../server/warehouse/testing/trino.ts';
import { NOT_IN_SAMPLE } from '../server/warehouse/testing/trino-sample.ts';
import { hasPip, provideChromium, providePyJwt, provideReaders, provideWarehouseEngines } from './provision.ts';
import { NAMED, type Part, REPORTS, ROUNDS, UNIT } from './test-parts.ts';
import { skipTable } from './test-reports.ts';

const PART_LIMIT_MS = 40 * 60_000;
/** Failed tests whose titles are repeated at the end. */
const MAX_FAILURES = 50;

const all = [...ROUNDS.flat(2), ...NAMED];
const names = process.argv.slice(2);
if (names.includes('--help')) {
  console.log(`npm test [-- ${all.map((part) => part.name).join('|')}]`);
  process.exit(0);
}
const isNamed = (part: Part, name: string) => part.name === name || part.within === name;
const unknown = names.filter((name) => !all.some((part) => isNamed(part, name)));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; the parts are ${all.map((part) => part.name).join(', ')}.`);
  process.exit(2);
}
const isWanted = (part: Part) =>
  names.length === 0 ? !NAMED.includes(part) : names.some((name) => isNamed(part, name));
const rounds = [...ROUNDS, [[...NAMED]]].map((lanes) =>
  lanes.map((lane) => lane.filter(isWanted)).filter((lane) => lane.length > 0),
);

mkdirSync(REPORTS, { recursive: true });
const browser = rounds.flat(2).some((part) => part.needsBrowser === true) ? provideChromium() : undefined;
if (browser?.isFound === true) process.env.SERVICE_CHROMIUM = browser.path;

provideReaders();
if (isWanted(UNIT)) {
  provideWarehouseEngines();
  providePyJwt();
}

const totals = { passed: 0, failed: 0, skipped: 0 };
const notes: string[] = [];
/** Failed tests by part: a record of a run may keep its end alone. */
const failures: string[] = [];
/** Numbers of skipped tests, by what they need. */
const needs = new Map<string, number>();
const took: string[] = [];
const built = once(async () => {
  const { status } = await execute(['--import', 'tsx', 'scripts/build.ts', '--if-needed']);
  // If the build fails, each part reports it.
  if (status !== 0) return;
  process.env[IS_BUILT] = 'true';
  // Loads the database, which no other part needs.
  const { provideWarehouse } = await import('../demo/e2e/built.ts');
  process.once('exit', await provideWarehouse());
});
const begun = performance.now();
for (const lanes of rounds) {
  await Promise.all(
    lanes.map(async (lane) => {
      for (const part of lane) await run(part, lanes.length > 1);
    }),
  );
}

console.log('');
if (failures.length > 0) console.log(`Failed:\n${failures.slice(0, MAX_FAILURES).join('\n')}`);
for (const note of notes) console.log(note);
if (needs.size === 0) console.log('Nothing was skipped.');
else console.log(skipTable(needs));
console.log(`${(since(begun) / 60).toFixed(1)} minutes: ${took.join(', ')}`);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
const unexcused = process.env.CI === 'true' ? totals.skipped - excused() : 0;
if (unexcused > 0) console.log(`Failed: CI=true, and ${unexcused} tests were skipped for what this machine lacks.`);
process.exit(totals.failed > 0 || unexcused > 0 ? 1 : 0);

/**
 * Returns the number of tests that were skipped for lack of a Java for Trino or of a Python with pip, which only these tests need, or because they
 * are not in Trino's sample.
 */
function excused(): number {
  const java = javaForTrino() === undefined ? trinoMissing() : undefined;
  const python = hasPip() ? undefined : pyJwtMissing();
  return [java, python, NOT_IN_SAMPLE].reduce((sum, need) => sum + (needs.get(need ?? '') ?? 0), 0);
}

async function run(part: Part, isBesideOthers: boolean): Promise<void> {
  if (part.needsBrowser === true && browser?.isFound === false) return skip(part, browser.advice);
  if (part.missing !== undefined) return skip(part, part.missing);
  if (part.needsBuild === true) await built();
  const title = `\n--- ${part.name} ---`;
  rmSync(part.report, { force: true });
  const started = performance.now();
  if (!isBesideOthers) console.log(title);
  const { status, output } = await execute(part.command, isBesideOthers);
  if (isBesideOthers) process.stdout.write(`${title}\n${output}`);
  took.push(`${part.name} ${since(started).toFixed(0)} s`);
  if (!existsSync(part.report)) {
    totals.failed += 1;
    notes.push(`failed: ${part.name} ended with ${status ?? 'a time-out'} and left no report.`);
    return;
  }
  const counts = part.read(readFileSync(part.report, 'utf8'));
  totals.passed += counts.passed;
  // A runner may fail without a failed test: by an unhandled error, or a test file that does not load.
  totals.failed += counts.failed === 0 && status !== 0 && part.reportDecides !== true ? 1 : counts.failed;
  failures.push(...counts.failures.map((title) => `${part.name}: ${title}`));
  totals.skipped += counts.skipped.length;
  if (counts.note !== undefined && !notes.includes(counts.note)) notes.push(counts.note);
  for (const name of counts.skipped) count(needOf(name) ?? `skipped without a reason: ${name}`);
}

function skip(part: Part, why: string): void {
  totals.skipped += 1;
  count(`all of ${part.name}: ${why}`);
}

function count(need: string): void {
  needs.set(need, (needs.get(need) ?? 0) + 1);
}

function since(millis: number): number {
  return (performance.now() - millis) / 1_000;
}

/** Runs Node. The output is shown at once, or collected, so that outputs of several runs do not mix. */
function execute(
  args: readonly string[],
  isKept = false,
): Promise<{ readonly status: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: isKept ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      timeout: PART_LIMIT_MS,
    });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString() }));
  });
}
