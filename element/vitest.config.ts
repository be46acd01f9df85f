import { defineConfig } from 'vitest/config';

const ALL = ['test-node/**/*.test.ts'];
/** Tests that measure frames. */
const MEASURES = ['test-node/scroll.test.ts'];

/**
 * Runs the element's tests in Node: tests without a browser, and tests that drive a browser from outside.
 * `web-test-runner.config.mjs` runs the tests within a page.
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
    // Pages of a busy machine: a failure that a second try does not repeat is reported as such.
    retry: 1,
    // The default is one second, which is short for a page on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 240_000,
  },
});
