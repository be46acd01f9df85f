import { defineConfig, type UserConfig } from 'vite';
import { ENTRY_POINTS } from './server/entry-points.ts';
import { PAGE_LIST, pageSource } from './server/ui/pages.ts';

const ELEMENT_LIBRARIES = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element', 'echarts', 'zrender', 'tslib'];

/**
 * The product's own builds, by mode: `server` (the process, for Node), `demo` (the demo's generator, loaded by
 * `service start --demo`), `client` (the typed client) and `ui` (the pages at /ui/). The element has its own file, `element/vite.config.ts`.
 * `npm run build` runs them all, in order.
 */
const builds: Readonly<Record<string, UserConfig>> = {
  server: node('dist/server', {
    main: 'server/main.ts',
    ...ENTRY_POINTS,
  }),
  demo: node('dist/demo', { stage: 'demo/stage.ts' }),
  client: node('dist/client', { client: 'server/client.ts' }),
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

/** Makes a build for Node: our own code in a few files, libraries left to node_modules. */
function node(outDir: string, entries: Readonly<Record<string, string>>): UserConfig {
  return {
    // The writer of PDFs paints the element's charts. Their libraries are those of the element's package, so they are bundled.
    ssr: { target: 'node', noExternal: ELEMENT_LIBRARIES },
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
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
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
