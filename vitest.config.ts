import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import './scripts/plain-output.ts';

/** Unit and integration tests that need no browser. Browser tests: `element/web-test-runner.config.mjs` and `demo/e2e`. */
export default defineConfig({
  test: {
    include: ['{router,server,plugins,demo,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'demo/e2e/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Else one less than the machine has cores: one, on a machine of two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // One PostgreSQL server for the whole run, started when the first test asks for it.
    globalSetup: ['server/state/testing/global-setup.ts'],
  },
});
