import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type Plugin, type UserConfig } from 'vite';

/**
 * Three builds, chosen by `--mode`:
 * `charts`  dist/script/service-embed-<part>-<version>-<hash>.js, the modules that the script imports when they are
 *           needed: the charts, by far the largest, and the small ones;
 * `script`  dist/script/service-embed.js, a classic script that any page can load; it knows the parts by their names, so
 *           it is built after them;
 * `package` dist/package, ES modules for projects with a bundler of their own.
 * Script and parts are built apart, because an `iife` build writes every `import()` it can resolve into one file; the
 * parts are built apart from each other, so that none needs a second request for what it shares with another.
 */
const root = fileURLToPath(new URL('.', import.meta.url));
const version: string = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version;
const banner = (includes: string) => `/*! service-embed ${version} | Apache-2.0 | includes ${includes}, see NOTICE */`;
const LIT = 'Lit (BSD-3-Clause)';

const SMALL_PARTS: Readonly<Record<string, string>> = {
  ai: 'src/ask/part.ts',
  dashboard: 'src/dashboard/part.ts',
  grid: 'src/grid/part.ts',
  matrix: 'src/matrix/part.ts',
  export: 'src/export/part.ts',
  refresh: 'src/refresh/part.ts',
  sparkline: 'src/sparkline/part.ts',
};

function part(name: string, entry: string): UserConfig {
  return {
    resolve: { alias: [{ find: /^lit$/, replacement: `${root}src/script/lit.ts` }] },
    plugins: [squeezeTemplates(), leaveOut()],
    build: {
      outDir: 'dist/script',
      emptyOutDir: false,
      lib: { entry, formats: ['es'], fileName: () => `service-embed-${name}-${version}.js` },
      rolldownOptions: { output: { banner: banner(`${LIT} and Apache ECharts (Apache-2.0)`), minify: true } },
    },
  };
}

/**
 * A second script on the page, of this or another version, does nothing at all: not even Lit's policy for Trusted Types
 * is made twice, which a page's `trusted-types` would refuse.
 */
const UNLESS_REGISTERED = "if(customElements.get('service-embed'))return;";

const charts = part('charts', 'src/chart/part.ts');

const SCRIPT_FORM = `${root}dist/script/`;

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
      rolldownOptions: { output: { banner: banner(LIT), intro: UNLESS_REGISTERED, minify: true } },
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
  if (!config) throw new Error(`Unknown mode "${mode}". Use --mode charts, script or package.`);
  return complete(config, {
    ...(mode === 'package' ? {} : { 'process.env.NODE_ENV': '"production"' }),
    ...(mode === 'script' ? { PARTS: JSON.stringify(nameOfParts()) } : {}),
  });
});

/** Finds what the names of the parts end with: `0.1.0-1a2b3c4d`. */
function nameOfParts(): string {
  const files = existsSync(SCRIPT_FORM) ? readdirSync(SCRIPT_FORM) : [];
  const name = files
    .map((file) => /^service-embed-charts-(.+)\.js$/.exec(file)?.[1])
    .find((found) => found !== undefined);
  if (name === undefined) throw new Error('The script knows its parts by their names: build --mode charts first.');
  return name;
}

/**
 * Puts a hash of all parts into the name of each. They are served to be kept for a year, so that a name may never stand for
 * two contents, also between two builds of one version.
 */
function hashParts(): void {
  const all = readdirSync(SCRIPT_FORM).filter((file) => file.startsWith('service-embed-'));
  const built = all.filter((file) => file.endsWith(`-${version}.js`)).sort();
  for (const old of all.filter((file) => !built.includes(file))) rmSync(SCRIPT_FORM + old);
  const hash = createHash('sha256');
  for (const file of built) hash.update(readFileSync(SCRIPT_FORM + file));
  const name = `${version}-${hash.digest('hex').slice(0, 8)}`;
  for (const file of built) renameSync(SCRIPT_FORM + file, SCRIPT_FORM + file.replace(`-${version}.js`, `-${name}.js`));
}

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
      hashParts();
    },
  };
}

/**
 * Strips Lit of its class LitElement, which the element does not extend and no bundler can drop, of its ways to style
 * a shadow root in browsers before adoptable style sheets (the parts of the element need these anyway), and of what
 * it leaves on `window`: nothing of the element is global but its tag.
 */
function bareLit(): Plugin {
  return {
    name: 'bare-lit',
    enforce: 'pre',
    load(id) {
      if (id.endsWith('/lit/index.js')) return "export * from '@lit/reactive-element'; export * from 'lit-html';";
      return id.endsWith('/@lit/reactive-element/css-tag.js') ? ADOPTED_STYLES : null;
    },
    transform(code, id) {
      const left = Object.entries(UNUSED_IN_LIT).find(([file]) => id.endsWith(file))?.[1];
      if (left === undefined) return null;
      let without = code;
      for (const [written, instead] of left) {
        if (!written.test(without))
          throw new Error(`${id} has no ${written} any more: see what of it the element does not use now.`);
        without = without.replace(written, instead);
      }
      return { code: without, map: null };
    },
  };
}

/**
 * Lists of versions, polyfills of old browsers, what decorators need, and converters for properties that are no text:
 * nothing that the element uses.
 */
const UNUSED_IN_LIT: Readonly<Record<string, readonly (readonly [written: RegExp, instead: string])[]>> = {
  '/lit-html/lit-html.js': [
    [/\(\w+\.litHtmlVersions\?\?=\[\]\)\.push\("[\d.]+"\)/, '0'],
    [/\w+\.litHtmlPolyfillSupport/, 'void 0'],
  ],
  '/@lit/reactive-element/reactive-element.js': [
    [/\(\w+\.reactiveElementVersions\?\?=\[\]\)\.push\("[\d.]+"\)/, '0'],
    [/\w+\.reactiveElementPolyfillSupport/, 'void 0'],
    [/Symbol\.metadata\?\?=Symbol\("metadata"\),\w+\.litPropertyMetadata\?\?=new WeakMap;/, ''],
    [/litPropertyMetadata\.get\(\w+\)/, 'void 0'],
    [
      /\{toAttribute\((\w),\w\)\{switch.*?\},fromAttribute\(.*?return \w\}\}/,
      '{toAttribute:(value)=>value,fromAttribute:(value)=>value}',
    ],
  ],
};

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

/**
 * Squeezes white space in templates and styles: it means nothing here (`white-space` is never `pre`), but a minifier
 * may not know that.
 */
function squeezeTemplates(): Plugin {
  return {
    name: 'squeeze-templates',
    transform(code, id) {
      if (!/element\/src\/.*(view|styles|query-controller|placeholders|result-status|embed-element)\.ts$/.test(id))
        return null;
      const squeezed = code.replace(/\n\s+/g, '\n');
      return { code: id.endsWith('styles.ts') ? squeezeStyles(squeezed) : squeezed, map: null };
    },
  };
}

/** Removes comments, and the spaces that CSS does not need; those within selectors and values stay. */
function squeezeStyles(code: string): string {
  return code
    .replace(/^\/\*(?!\*)[\s\S]*?\*\/\n/gm, '')
    .replace(/([{;,:]) (?=\S)/g, '$1')
    .replace(/ ([{}])/g, '$1')
    .replace(/ > /g, '>')
    .replace(/(?<![\d.])0(\.\d)/g, '$1')
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
