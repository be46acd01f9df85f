import { defineConfig } from 'vitest/config';

const ALL = ['demo/e2e/**/*.e2e.ts'];
/** What measures how soon the product answers while it is busy: nothing else may run then. */
const ALONE = ['demo/e2e/hostile.e2e.ts'];

/** End-to-end tests: the built product, real pages, a real browser. */
export default defineConfig({
  test: {
    globalSetup: ['demo/e2e/built.ts'],
    projects: [
      {
        test: { ...timeouts(), name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 0 } },
      },
      // Each file has a product and a browser of its own, and waits for them half of its time: two run side by side.
      {
        test: { ...timeouts(), name: 'e2e', include: ALL, exclude: ALONE, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
    ],
  },
});

function timeouts() {
  return { testTimeout: 60_000, hookTimeout: 120_000 };
}
