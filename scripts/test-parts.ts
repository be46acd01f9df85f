/** What `npm test` consists of, and which of it runs side by side. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { foodmartDirectory } from '../plugins/cube/testing/foodmart.ts';
import { type Counts, elementCounts, mdxCounts, vitestCounts } from './test-reports.ts';

export interface Part {
  readonly name: string;
  /** Names it, too, on the command line. */
  readonly within?: string;
  readonly needsBrowser?: boolean;
  /** Whether it drives the built product. */
  readonly needsBuild?: boolean;
  readonly command: readonly string[];
  readonly report: string;
  readonly read: (report: string) => Counts;
  /** Why it cannot be run here, and how it could. */
  readonly missing?: string | undefined;
  /** Its exit code adds nothing to its report. */
  readonly reportDecides?: boolean;
}

/** Absolute, because a runner takes a relative one from its own root. */
export const REPORTS = resolve('.cache/test-reports');
const bin = (path: string) => `node_modules/${path}`;

const FOODMART = foodmartDirectory() ?? '';
const MDX_CASES = ['cases.jsonl', 'schema-cases.jsonl'].map((file) =>
  join(process.env.MDX_CASES_DIR ?? '../shared/mdx-conformance', file),
);
const mdxMissing = [FOODMART, ...MDX_CASES].every((path) => existsSync(path))
  ? undefined
  : 'The MDX cases or FoodMart are not here: set MDX_CASES_DIR to the folder of the cases and FOODMART_DIR to that of the data.';

export const UNIT = vitestPart('unit', 'dot', []);
const ELEMENT: Part = {
  name: 'element',
  needsBrowser: true,
  command: [bin('@web/test-runner/dist/bin.js'), '--config', 'element/web-test-runner.config.mjs'],
  report: `${REPORTS}/element.json`,
  read: elementCounts,
};
const ELEMENT_NODE: Part = {
  ...vitestPart('element-node', 'dot', ['--config', 'element/vitest.config.ts']),
  needsBrowser: true,
};
const END_TO_END = ['--config', 'demo/e2e/vitest.config.ts'];
const E2E_PAGES: Part = { ...endToEndPart('pages'), needsBrowser: true };
const E2E_WORK: Part = { ...endToEndPart('work'), needsBrowser: true };
const E2E_HOSTILE = endToEndPart('hostile');

/**
 * A round is over when all its lanes are; in a lane one part follows the other. What keeps two cores busy by itself has a
 * round of its own. The MDX cases are one thread each, a page and what drives it wait for one another, and nodes of a
 * hosted product wait for half a minute: these share the cores. Hostile requests are sent one by one, and how long they hold
 * the product is measured, so beside them is one thread only.
 */
export const ROUNDS: readonly (readonly (readonly Part[])[])[] = [
  [[UNIT]],
  [[ELEMENT], [mdxPart('mdx-large', ['--large-level', '0'])]],
  [[ELEMENT_NODE]],
  [[E2E_PAGES], [E2E_WORK]],
  [[E2E_HOSTILE], [mdxPart('mdx', [])]],
];

function endToEndPart(project: string): Part {
  const part = vitestPart(`e2e-${project}`, 'verbose', [...END_TO_END, '--project', project]);
  return { ...part, within: 'e2e', needsBuild: true };
}

function vitestPart(name: string, reporter: 'dot' | 'verbose', options: readonly string[]): Part {
  const report = `${REPORTS}/${name}.json`;
  const reporters = [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${report}`];
  return { name, command: [bin('vitest/vitest.mjs'), 'run', ...options, ...reporters], report, read: vitestCounts };
}

function mdxPart(name: string, options: readonly string[]): Part {
  return {
    name,
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
