import { defineConfig } from 'vitest/config';

const ALL = ['demo/e2e/**/*.e2e.ts'];
/** The tests of work with the product; the others are of what it delivers to pages. `npm test` runs the two side by side. */
const WORK = ['hosted', 'add-data', 'agents', 'main-job', 'base-path'].map((name) => `demo/e2e/${name}.e2e.ts`);
/** Measures how long the process is held. */
const HOSTILE = ['demo/e2e/hostile.e2e.ts'];

/** End-to-end tests: the built product, real pages, a real browser. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'work', include: WORK, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: { name: 'pages', include: ALL, exclude: [...WORK, ...HOSTILE], sequence: { groupOrder: 2 } },
      },
      // Last, when pages and work are done.
      { extends: true, test: { name: 'hostile', include: HOSTILE, sequence: { groupOrder: 3 } } },
    ],
    globalSetup: ['demo/e2e/built.ts'],
    // A hang ends by these; a busy machine does not reach them.
    testTimeout: 300_000,
    // A second without it, which is nothing to a page on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
    // Two at a time are what two cores bear, and `npm test` has its second lane already.
    fileParallelism: false,
  },
});
