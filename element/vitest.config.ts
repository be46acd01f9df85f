import { defineConfig } from 'vitest/config';

const ALL = ['test-node/**/*.test.ts'];
/** What measures frames. */
const MEASURES = ['test-node/scroll.test.ts'];

/**
 * What of the element runs in Node: what needs no browser, and what drives one from outside, with several pages. What runs
 * within a page: `web-test-runner.config.mjs`.
 */
export default defineConfig({
  root: import.meta.dirname,
  define: { VERSION: '"0.0.0"' },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'together', include: ALL, exclude: MEASURES, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
      { extends: true, test: { name: 'measured', include: MEASURES, maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
    testTimeout: 60_000,
    // A second without it, which is nothing to a page on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
  },
});
