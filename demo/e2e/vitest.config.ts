import { defineConfig } from 'vitest/config';

/** End-to-end tests: the built product, real pages, a real browser. */
export default defineConfig({
  test: {
    include: ['demo/e2e/**/*.e2e.ts'],
    globalSetup: ['demo/e2e/built.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two at a time were shorter, and missed their time limits on a machine with other work.
    fileParallelism: false,
  },
});
