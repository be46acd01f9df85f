/** Lists the parts of `npm test`, and which parts run at the same time. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { foodmartDirectory } from '../plugins/cube/testing/foodmart.ts';
import { type Counts, elementCounts, mdxCounts, vitestCounts } from './test-reports.ts';

export interface Part {
  readonly name: string;
  /** Another name on the command line. */
  readonly within?: string | undefined;
  readonly needsBrowser?: boolean;
  /** True if the part drives the built product. */
  readonly needsBuild?: boolean;
  readonly command: readonly string[];
  readonly report: string;
  readonly read: (report: string) => Counts;
  /** The reason why the part cannot run here, and what would be needed. */
  readonly missing?: string | undefined;
  /** True if the exit code adds nothing to the report. */
  readonly reportDecides?: boolean;
}

/** Absolute, because a runner resolves a relative path from its own root. */
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
const FRAMEWORKS: Part = { ...endToEndPart('frameworks'), name: 'frameworks', within: undefined, needsBrowser: true };

/** Parts that run only where they are named, such as every night: they install what takes minutes. */
export const NAMED: readonly Part[] = [FRAMEWORKS];

/**
 * A round ends when all its lanes end; the parts of a lane run one after the other. A part that uses two cores has its own round. These parts share
 * the cores: the MDX cases use one thread each, a page and its driver wait for each other, and nodes of a hosted product wait for half a minute.
 * Hostile requests are sent one by one and their blocks of the event loop are measured, so only one thread runs beside them.
 */
export const ROUNDS: readonly (readonly (readonly Part[])[])[] = [
  [[UNIT]],
  [[ELEMENT], [mdxPart('mdx-large', ['--large-level', '0'])]],
  [[ELEMENT_NODE]],
  [[E2E_PAGES], [E2E_WORK]],
  [[E2E_HOSTILE], [mdxPart('mdx', []), mdxPart('mdx-aggregates', ['--aggregates'])]],
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
