import { defineConfig, type Rolldown, type UserConfig } from 'vite';
import { BUNDLED_LIBRARIES, COMMONJS_OUTPUT, START_LIBRARIES } from './scripts/node-build.ts';
import { ENTRY_POINTS } from './server/entry-points.ts';
import { PAGE_LIST, pageSource } from './server/ui/pages.ts';

/**
 * The product's own builds, by mode: `server` (the process, for Node), `demo` (the demo's generator, loaded by
 * `service start --demo`), `client` (the typed client) and `ui` (the pages at /ui/). The element has its own file, `element/vite.config.ts`.
 * `npm run build` runs them all, in order.
 */
const builds: Readonly<Record<string, UserConfig>> = {
  server: node('dist/server', { main: 'server/main.ts', ...ENTRY_POINTS }, BUNDLED_LIBRARIES),
  demo: node('dist/demo', { stage: 'demo/stage.ts' }, START_LIBRARIES),
  client: node('dist/client', { client: 'server/client.ts' }, [], { entryFileNames: '[name].mjs' }),
  ui: {
    root: 'server/ui',
    // Relative: the pages are served below whatever path a proxy gives them.
    base: './',
    build: {
      outDir: '../../dist/ui',
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: Object.fromEntries(PAGE_LIST.map((page) => [page.name, pageSource(page.name)])),
      },
    },
  },
};

/** Makes a build for Node: our own code and `bundled` libraries in a few files, all other libraries left to node_modules. */
function node(
  outDir: string,
  entries: Readonly<Record<string, string>>,
  bundled: readonly string[],
  output: Rolldown.OutputOptions = COMMONJS_OUTPUT,
): UserConfig {
  return {
    ssr: { target: 'node', noExternal: [...bundled] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      sourcemap: true,
      rollupOptions: {
        input: { ...entries },
        // The element imports its kinds of charts on demand; on a server all are here.
        checks: { ineffectiveDynamicImport: false },
        output,
      },
    },
  };
}

export default defineConfig(({ mode }) => {
  const config = builds[mode];
  if (config === undefined)
    throw new Error(`vite build --mode ${Object.keys(builds).join('|')}, or simply npm run build`);
  return { ...config, logLevel: 'warn' };
});
