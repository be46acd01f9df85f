import { defineConfig } from 'vitest/config';

const ALL = ['demo/e2e/**/*.e2e.ts'];
/** Mostly waits for what a node does half a minute later: `npm test` runs it beside other things. */
const HOSTED = ['demo/e2e/hosted.e2e.ts'];
/** Measures how long the process is held. */
const HOSTILE = ['demo/e2e/hostile.e2e.ts'];

/** End-to-end tests: the built product, real pages, a real browser. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'hosted', include: HOSTED, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: { name: 'product', include: ALL, exclude: [...HOSTED, ...HOSTILE], sequence: { groupOrder: 2 } },
      },
      // Last, when what runs beside it is done.
      { extends: true, test: { name: 'hostile', include: HOSTILE, sequence: { groupOrder: 3 } } },
    ],
    globalSetup: ['demo/e2e/built.ts'],
    testTimeout: 60_000,
    // A second without it, which is nothing to a page on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    // Two at a time were shorter, and missed their time limits on a machine with other work.
    fileParallelism: false,
  },
});
