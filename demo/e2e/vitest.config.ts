import { defineConfig } from 'vitest/config';

const ALL = ['demo/e2e/**/*.e2e.ts'];
/** The tests that work with the product. The other tests check pages. `npm test` runs the two in parallel, which take about as long. */
const WORK = [
  'hosted',
  'add-data',
  'files-as-they-are',
  'agents',
  'agent-sign-in',
  'main-job',
  'base-path',
  'trino',
  'explore',
  'explore-analysis',
  'export',
].map((name) => `demo/e2e/${name}.e2e.ts`);
/** Installs Angular and Next.js, which takes minutes: `npm test -- frameworks`. */
const FRAMEWORKS = ['demo/e2e/frameworks.e2e.ts'];
/** Measures how long the process is blocked. */
const HOSTILE = ['demo/e2e/hostile.e2e.ts'];

/** Configures the end-to-end tests: the built product, real pages, a real browser. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'work', include: WORK, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: {
          name: 'pages',
          include: ALL,
          exclude: [...WORK, ...FRAMEWORKS, ...HOSTILE],
          sequence: { groupOrder: 2 },
        },
      },
      // Last, after pages and work.
      { extends: true, test: { name: 'hostile', include: HOSTILE, sequence: { groupOrder: 3 } } },
      { extends: true, test: { name: 'frameworks', include: FRAMEWORKS, sequence: { groupOrder: 4 } } },
    ],
    globalSetup: ['demo/e2e/built.ts'],
    // These limits end a hang; a busy machine stays below them.
    testTimeout: 300_000,
    // The default is one second, which is short for a page on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
    // One of hundreds of walks failed where two lanes fill a machine of two cores. A fault fails twice; the report marks what passed at the second try.
    retry: 1,
    // Two cores run two files at a time, and `npm test` already runs a second lane.
    fileParallelism: false,
  },
});
