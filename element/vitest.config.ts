import { defineConfig } from 'vitest/config';

/**
 * What of the element runs in Node: what needs no browser, and what drives one from outside, with several pages. What runs
 * within a page: `web-test-runner.config.mjs`.
 */
export default defineConfig({
  root: import.meta.dirname,
  define: { VERSION: '"0.0.0"' },
  test: { include: ['test-node/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false },
});
