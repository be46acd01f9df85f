/**
 * All tests, one after the other: unit and integration (vitest), the element in a browser (web-test-runner), the
 * built product end to end (vitest with Playwright), the public MDX cases on FoodMart, as its levels are and with every
 * level read as needed, so that the warehouse is asked all it can be. Closes with what passed, failed
 * and was skipped, and why.
 *
 *   npm test                                       everything
 *   npm test -- unit|element|element-node|e2e|mdx|mdx-large  only that part
 *
 * With CI=true whatever is missing fails the run instead of being skipped.
 */
import './plain-output.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { foodmartDirectory } from '../plugins/cube/testing/foodmart.ts';
import { provideChromium } from './provision.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Names of tests that were skipped. */
  readonly skipped: readonly string[];
  readonly note?: string | undefined;
}

interface Part {
  readonly name: string;
  readonly needsBrowser: boolean;
  readonly command: readonly string[];
  readonly report: string;
  readonly read: (report: string) => Counts;
  /** Why it cannot be run here, and how it could. */
  readonly missing?: string | undefined;
  /** Its exit code tells nothing that its report does not. */
  readonly reportDecides?: boolean;
}

/** Absolute, because a runner takes a relative one from its own root. */
const REPORTS = resolve('.cache/test-reports');
const bin = (path: string) => `node_modules/${path}`;

const FOODMART = foodmartDirectory() ?? '';
const MDX_CASES = ['cases.jsonl', 'schema-cases.jsonl'].map((file) =>
  join(process.env.MDX_CASES_DIR ?? '../shared/mdx-conformance', file),
);
const mdxMissing = [FOODMART, ...MDX_CASES].every((path) => existsSync(path))
  ? undefined
  : 'The MDX cases or FoodMart are not here: set MDX_CASES_DIR to the folder of the cases and FOODMART_DIR to that of the data.';

const PARTS: readonly Part[] = [
  {
    name: 'unit',
    needsBrowser: false,
    command: [
      bin('vitest/vitest.mjs'),
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${REPORTS}/unit.json`,
    ],
    report: `${REPORTS}/unit.json`,
    read: vitestCounts,
  },
  {
    name: 'element',
    needsBrowser: true,
    command: [bin('@web/test-runner/dist/bin.js'), '--config', 'element/web-test-runner.config.mjs'],
    report: `${REPORTS}/element.json`,
    read: elementCounts,
  },
  {
    name: 'element-node',
    needsBrowser: true,
    command: [
      bin('vitest/vitest.mjs'),
      'run',
      '--config',
      'element/vitest.config.ts',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${REPORTS}/element-node.json`,
    ],
    report: `${REPORTS}/element-node.json`,
    read: vitestCounts,
  },
  {
    name: 'e2e',
    needsBrowser: true,
    command: [
      bin('vitest/vitest.mjs'),
      'run',
      '--config',
      'demo/e2e/vitest.config.ts',
      '--reporter=verbose',
      '--reporter=json',
      `--outputFile.json=${REPORTS}/e2e.json`,
    ],
    report: `${REPORTS}/e2e.json`,
    read: vitestCounts,
  },
  mdxPart('mdx', []),
  mdxPart('mdx-large', ['--large-level', '0']),
];

const wanted = process.argv.slice(2);
if (wanted.includes('--help')) {
  console.log(`npm test [-- ${PARTS.map((part) => part.name).join('|')}]`);
  process.exit(0);
}
const unknown = wanted.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; the parts are ${PARTS.map((part) => part.name).join(', ')}.`);
  process.exit(2);
}

mkdirSync(REPORTS, { recursive: true });
const parts = PARTS.filter((part) => wanted.length === 0 || wanted.includes(part.name));
const browser = parts.some((part) => part.needsBrowser) ? provideChromium() : undefined;
if (browser?.found === true) process.env.SERVICE_CHROMIUM = browser.path;

const totals = { passed: 0, failed: 0, skipped: 0 };
const notes: string[] = [];
for (const part of parts) run(part);

console.log('');
for (const note of notes) console.log(note);
if (totals.skipped === 0) console.log('Nothing was skipped.');
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed > 0 || (process.env.CI === 'true' && totals.skipped > 0) ? 1 : 0);

function run(part: Part): void {
  if (part.needsBrowser && browser?.found === false) {
    totals.skipped += 1;
    notes.push(`skipped: all of ${part.name}. ${browser.advice}`);
    return;
  }
  if (part.missing !== undefined) {
    totals.skipped += 1;
    notes.push(`skipped: all of ${part.name}. ${part.missing}`);
    return;
  }
  console.log(`\n--- ${part.name} ---`);
  rmSync(part.report, { force: true });
  const { status } = spawnSync(process.execPath, part.command, { stdio: 'inherit', timeout: 40 * 60_000 });
  if (!existsSync(part.report)) {
    totals.failed += 1;
    notes.push(`failed: ${part.name} ended with ${status ?? 'a time-out'} and left no report.`);
    return;
  }
  const counts = part.read(readFileSync(part.report, 'utf8'));
  totals.passed += counts.passed;
  // A runner may fail without a failed test (an unhandled error, a test file that does not load).
  totals.failed += counts.failed === 0 && status !== 0 && part.reportDecides !== true ? 1 : counts.failed;
  totals.skipped += counts.skipped.length;
  if (counts.note !== undefined) notes.push(counts.note);
  for (const name of counts.skipped) notes.push(`skipped: ${name}`);
}

function mdxPart(name: string, options: readonly string[]): Part {
  return {
    name,
    needsBrowser: false,
    command: [
      '--import',
      'tsx',
      'scripts/conformance-mdx.ts',
      ...MDX_CASES.flatMap((file) => ['--cases', file]),
      ...['--foodmart', FOODMART, '--out', `${REPORTS}/${name}.jsonl`],
      ...options,
    ],
    report: `${REPORTS}/${name}.jsonl`,
    read: mdxCounts,
    missing: mdxMissing,
    reportDecides: true,
  };
}

function vitestCounts(text: string): Counts {
  const report = JSON.parse(text) as {
    readonly numPassedTests: number;
    readonly numFailedTests: number;
    readonly testResults: readonly {
      readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
    }[];
  };
  const all = report.testResults.flatMap((file) => file.assertionResults);
  const skipped = all
    .filter((test) => test.status !== 'passed' && test.status !== 'failed')
    .map((test) => test.fullName);
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped };
}

/**
 * Counts results. A case that docs/mdx-conformance.md lists with its cause is known to fail; a list that is out of
 * date fails, too.
 */
function mdxCounts(text: string): Counts {
  const known = new Set(readFileSync('docs/mdx-conformance.md', 'utf8').match(/(?<=^- `)\w+\.\w+(#\d+)?(?=`: )/gm));
  const results = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly id: string; readonly ok: boolean });
  const wrong = results.filter(({ id, ok }) => ok === known.has(id));
  for (const { id, ok } of wrong) console.log(`${id} ${ok ? 'is listed as failing, but passes' : 'fails'}`);
  const empty = results.length === 0 ? 1 : 0;
  return {
    passed: results.filter(({ ok }) => ok).length,
    failed: wrong.length + empty,
    skipped: [],
    note: known.size === 0 ? undefined : `mdx: ${known.size} cases fail for the causes in docs/mdx-conformance.md.`,
  };
}

function elementCounts(text: string): Counts {
  return JSON.parse(text) as Counts;
}
