import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type Plugin, type UserConfig } from 'vite';

/**
 * Three builds, chosen by `--mode`:
 * `script`  dist/script/service-embed.js, a classic script that any page can load;
 * `charts`  dist/script/service-embed-<part>-<version>.js, the modules that script imports when they are needed: the
 *           charts, by far the largest, and the small ones;
 * `package` dist/package, ES modules for projects with a bundler of their own.
 * Script and parts are built apart, because an `iife` build writes every `import()` it can resolve into one file; the
 * parts are built apart from each other, so that none needs a second request for what it shares with another.
 */
const root = fileURLToPath(new URL('.', import.meta.url));
const version: string = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version;
const banner = `/*! service-embed ${version} | Apache-2.0 | includes Lit (BSD-3-Clause) and Apache ECharts (Apache-2.0), see NOTICE */`;

const SMALL_PARTS: Readonly<Record<string, string>> = {
  dashboard: 'src/dashboard/part.ts',
  grid: 'src/grid/part.ts',
  matrix: 'src/matrix/part.ts',
  export: 'src/export/part.ts',
  live: 'src/live/part.ts',
  trend: 'src/trend/part.ts',
};

function part(name: string, entry: string): UserConfig {
  return {
    resolve: { alias: [{ find: /^lit$/, replacement: `${root}src/script/lit.ts` }] },
    plugins: [squeezeTemplates(), leaveOut()],
    build: {
      outDir: 'dist/script',
      emptyOutDir: false,
      lib: { entry, formats: ['es'], fileName: () => `service-embed-${name}-${version}.js` },
      rolldownOptions: { output: { banner, minify: true } },
    },
  };
}

const charts = part('charts', 'src/chart/part.ts');

const builds: Readonly<Record<string, UserConfig>> = {
  script: {
    plugins: [squeezeTemplates(), bareLit()],
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
  charts: { ...charts, plugins: [...(charts.plugins ?? []), thenTheSmallParts()] },
  package: {
    build: {
      outDir: 'dist/package',
      emptyOutDir: false,
      minify: false,
      lib: { entry: { index: 'src/index.ts', element: 'src/element.ts', ssr: 'src/ssr/index.ts' }, formats: ['es'] },
      rolldownOptions: { external: [/^lit($|\/)/, /^echarts($|\/)/] },
    },
  },
};

export default defineConfig(({ mode }) => {
  const config = builds[mode];
  if (!config) throw new Error(`Unknown mode "${mode}". Use --mode script, charts or package.`);
  return complete(config, mode === 'package' ? {} : { 'process.env.NODE_ENV': '"production"' });
});

function complete(config: UserConfig, define: Readonly<Record<string, string>>): UserConfig {
  return {
    root,
    logLevel: 'warn',
    ...config,
    define: { VERSION: JSON.stringify(version), ...define },
    build: { target: 'es2022', ...config.build },
  };
}

function thenTheSmallParts(): Plugin {
  return {
    name: 'then-the-small-parts',
    async closeBundle() {
      for (const [name, entry] of Object.entries(SMALL_PARTS)) {
        await build({
          configFile: false,
          ...complete(part(name, entry), { 'process.env.NODE_ENV': '"production"' }),
        });
      }
    },
  };
}

/**
 * Lit without its class LitElement, which the element does not extend and no bundler can drop, and without its ways to
 * style a shadow root in browsers before adoptable style sheets: the parts of the element need these anyway.
 */
function bareLit(): Plugin {
  return {
    name: 'bare-lit',
    enforce: 'pre',
    load(id) {
      if (id.endsWith('/lit/index.js')) return "export * from '@lit/reactive-element'; export * from 'lit-html';";
      return id.endsWith('/@lit/reactive-element/css-tag.js') ? ADOPTED_STYLES : null;
    },
  };
}

const ADOPTED_STYLES = `
export const supportsAdoptingStyleSheets = true;
export const css = (strings, ...values) => {
  const sheet = new CSSStyleSheet();
  sheet.cssText = String.raw({ raw: strings }, ...values.map((value) => value.cssText));
  sheet.replaceSync(sheet.cssText);
  return sheet;
};
export const adoptStyles = (root, styles) => { root.adoptedStyleSheets = styles; };
export const getCompatibleStyle = (style) => style;
export const unsafeCSS = (text) => css([text]);
export const CSSResult = CSSStyleSheet;
`;

/** White space in templates and styles means nothing here (`white-space` is never `pre`); a minifier may not know that. */
function squeezeTemplates(): Plugin {
  return {
    name: 'squeeze-templates',
    transform(code, id) {
      if (!/element\/src\/.*(view|styles|shown|states|honesty|embed-element)\.ts$/.test(id)) return null;
      const squeezed = code.replace(/\n\s+/g, '\n');
      return { code: id.endsWith('styles.ts') ? squeezeStyles(squeezed) : squeezed, map: null };
    },
  };
}

/** Comments, and the spaces that CSS does not need; those within selectors and values stay. */
function squeezeStyles(code: string): string {
  return code
    .replace(/^\/\*(?!\*)[\s\S]*?\*\/\n/gm, '')
    .replace(/([{;,:]) (?=\S)/g, '$1')
    .replace(/ ([{}])/g, '$1')
    .replace(/;\n?}/g, '}')
    .replace(/([{};,])\n/g, '$1');
}

/** What ECharts brings along and this element never reaches, and what stands there instead. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  // Tooltips are painted as rich text (`src/chart/tooltip.ts`): the code that writes them as HTML is not even there.
  '/echarts/lib/component/tooltip/TooltipHTMLContent.js':
    'export default class { constructor() { throw new Error("Tooltips are rich text."); } }',
  // The words of ECharts' own user interface, none of which we show.
  '/echarts/lib/i18n/langZH.js': 'export { default } from "./langEN.js";',
  // Colours come from the host page.
  '/echarts/lib/theme/dark.js': 'export default {};',
  // Options of ECharts 2 and 3, which we do not write.
  '/echarts/lib/preprocessor/backwardCompat.js': 'export default () => {};',
  // Patterns in place of colours, which need a canvas painter too.
  '/echarts/lib/util/decal.js': 'export const createOrUpdatePatternFromDecal = () => undefined;',
  // Data sets that are computed from others, and a spinner: the element has its own.
  '/echarts/lib/loading/default.js': 'export default () => { throw new Error("There is no spinner."); };',
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
