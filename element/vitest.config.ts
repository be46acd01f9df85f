import { defineConfig } from 'vitest/config';

const ALL = ['test-node/**/*.test.ts'];
/** The tests that measure frames. */
const MEASURES = ['test-node/scroll.test.ts'];

/**
 * Runs the element's tests that are Node's: those without a browser, and those that drive one from outside, with several
 * pages. The tests within a page are run by `web-test-runner.config.mjs`.
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
    // A hang ends by these; a busy machine does not reach them.
    testTimeout: 240_000,
    // A second without it, which is nothing to a page on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 240_000,
  },
});
