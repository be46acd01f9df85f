import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import './scripts/plain-output.ts';

const ALL = ['{router,server,plugins,demo,scripts}/**/*.test.ts'];
const EXCLUDED = ['**/node_modules/**', '**/dist/**', 'demo/e2e/**'];
/** What mocks modules, and what is about the first time that a process does something. */
const NEEDS_A_PROCESS = [
  'plugins/cube/mdx/storage/cell-rows-random.test.ts',
  'server/identity/csrf.test.ts',
  'server/warehouse/mysql/zone-offset.test.ts',
];

/** Unit and integration tests that need no browser. Browser tests: `element/web-test-runner.config.mjs` and `demo/e2e`. */
export default defineConfig({
  test: {
    exclude: EXCLUDED,
    projects: [
      // What is imported once serves all files of a process: a fifth of the run was imports. Nothing in the tree keeps
      // what would reach another file, but for these.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ALL,
          exclude: [...EXCLUDED, ...NEEDS_A_PROCESS],
          isolate: false,
          setupFiles: ['router/testing/no-module-mocks.ts'],
        },
      },
      { extends: true, test: { name: 'isolated', include: NEEDS_A_PROCESS } },
    ],
    // A hang ends by these; a busy machine does not reach them.
    testTimeout: 240_000,
    // A second without it, which is nothing on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 240_000,
    pool: 'forks',
    // Three on a machine of two cores: tests wait for servers, so that two workers leave an eighth of the time unused.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // One PostgreSQL server for the whole run, started when the first test asks for it.
    globalSetup: ['server/state/testing/global-setup.ts'],
  },
});
