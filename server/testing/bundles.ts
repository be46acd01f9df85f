import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { BUNDLED_LIBRARIES, COMMONJS_OUTPUT } from '../../scripts/node-build.ts';
import { BUNDLES_VARIABLE, ENTRY_POINTS } from '../entry-points.ts';

/**
 * Bundles the code of threads and separate processes, once for a run of tests: a run starts hundreds of them, and each would load its sources through
 * tsx. Returns a function that deletes the bundles.
 */
export async function bundleEntryPoints(): Promise<() => void> {
  // Within the tree, where libraries resolve.
  const cache = resolve(import.meta.dirname, '../../.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'test-bundles-'));
  await build({
    configFile: false,
    root: resolve(cache, '..'),
    logLevel: 'warn',
    ssr: { target: 'node', noExternal: [...BUNDLED_LIBRARIES] },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node20',
      minify: false,
      reportCompressedSize: false,
      rollupOptions: {
        checks: { ineffectiveDynamicImport: false },
        input: { ...ENTRY_POINTS, 'chdb-process': 'server/warehouse/testing/chdb-process.ts' },
        output: COMMONJS_OUTPUT,
      },
    },
  });
  process.env[BUNDLES_VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
