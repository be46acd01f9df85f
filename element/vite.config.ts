import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/**
 * Three builds, chosen by `--mode`:
 * `script`  dist/script/service-embed.js, a classic script that any page can load;
 * `charts`  dist/script/service-embed-charts-<version>.js, the module that script imports when a chart is to be drawn;
 * `package` dist/package, ES modules for projects with a bundler of their own.
 * Script and charts are built apart, because an `iife` build writes every `import()` it can resolve into one file.
 */
const root = fileURLToPath(new URL('.', import.meta.url));
const version: string = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version;
const chartsFile = `service-embed-charts-${version}.js`;
const banner = `/*! service-embed ${version} | Apache-2.0 | includes Lit (BSD-3-Clause) and Apache ECharts (Apache-2.0), see NOTICE */`;

const builds: Readonly<Record<string, UserConfig>> = {
  script: {
    define: { CHARTS_FILE: JSON.stringify(chartsFile), 'process.env.NODE_ENV': '"production"' },
    plugins: [squeezeTemplates()],
    build: {
      outDir: 'dist/script',
      emptyOutDir: false,
      lib: {
        entry: 'src/script/entry.ts',
        formats: ['iife'],
        name: 'serviceEmbed',
        fileName: () => 'service-embed.js',
      },
      rolldownOptions: { output: { banner, minify: true } },
    },
  },
  charts: {
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [leaveOut()],
    build: {
      outDir: 'dist/script',
      emptyOutDir: false,
      lib: { entry: 'src/script/charts.ts', formats: ['es'], fileName: () => chartsFile },
      rolldownOptions: { output: { banner, minify: true } },
    },
  },
  package: {
    build: {
      outDir: 'dist/package',
      emptyOutDir: false,
      minify: false,
      lib: { entry: { index: 'src/index.ts', element: 'src/element.ts' }, formats: ['es'] },
      rolldownOptions: { external: [/^lit($|\/)/, /^echarts($|\/)/] },
    },
  },
};

export default defineConfig(({ mode }) => {
  const build = builds[mode];
  if (!build) throw new Error(`Unknown mode "${mode}". Use --mode script, charts or package.`);
  return { root, configFile: false, logLevel: 'warn', ...build, build: { target: 'es2022', ...build.build } };
});

/** White space in templates and styles means nothing here (`white-space` is never `pre`); a minifier may not know that. */
function squeezeTemplates(): Plugin {
  return {
    name: 'squeeze-templates',
    transform(code, id) {
      if (!id.includes('/src/view/') && !id.endsWith('embed-element.ts')) return null;
      return { code: code.replace(/\n\s+/g, '\n'), map: null };
    },
  };
}

/** What ECharts brings along and this element never reaches, and what stands there instead. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  // Tooltips are painted as rich text (`src/chart/option.ts`): the code that writes them as HTML is not even there.
  '/echarts/lib/component/tooltip/TooltipHTMLContent.js':
    'export default class { constructor() { throw new Error("Tooltips are rich text."); } }',
  // The words of ECharts' own user interface, none of which we show.
  '/echarts/lib/i18n/langZH.js': 'export { default } from "./langEN.js";',
  // Colours come from the host page.
  '/echarts/lib/theme/dark.js': 'export default {};',
};

function leaveOut(): Plugin {
  return {
    name: 'leave-out',
    enforce: 'pre',
    load(id) {
      return Object.entries(LEFT_OUT).find(([file]) => id.endsWith(file))?.[1] ?? null;
    },
  };
}
