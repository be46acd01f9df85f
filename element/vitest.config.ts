import { defineConfig } from 'vitest/config';

/** What of the element runs without a browser. The rest: `web-test-runner.config.mjs`. */
export default defineConfig({
  root: import.meta.dirname,
  define: { VERSION: '"0.0.0"' },
  test: { include: ['test-node/**/*.test.ts'], testTimeout: 20_000 },
});
