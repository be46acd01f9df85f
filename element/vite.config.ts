import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type Plugin, type UserConfig } from 'vite';

/**
 * Three builds, chosen by `--mode`:
 * `charts`  dist/script/service-embed-<part>-<version>-<hash>.js, the parts that the script imports on demand: the
 *           charts, which are by far the largest, and the small parts;
 * `script`  dist/script/service-embed.js, a classic script that any page can load. It contains the names of the parts,
 *           so it is built after them;
 * `package` dist/package, ES modules for projects that have a bundler.
 * The script is built apart from the parts, because an `iife` build writes every `import()` that it can resolve into one
 * file. Each part is built alone, so that it needs no second request for code that it shares with another part.
 */
const root = fileURLToPath(new URL('.', import.meta.url));
const version: string = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version;
const banner = (includes: string) => `/*! service-embed ${version} | Apache-2.0 | includes ${includes}, see NOTICE */`;
const LIT = 'Lit (BSD-3-Clause)';

const SMALL_PARTS: Readonly<Record<string, string>> = {
  ai: 'src/ask/part.ts',
  dashboard: 'src/dashboard/part.ts',
  drill: 'src/drill/part.ts',
  filters: 'src/filters/part.ts',
  grid: 'src/grid/part.ts',
  matrix: 'src/matrix/part.ts',
  export: 'src/export/part.ts',
  refresh: 'src/refresh/part.ts',
  formatting: 'src/formatting/part.ts',
  kpi: 'src/kpi/part.ts',
  markdown: 'src/markdown/part.ts',
  notation: 'src/notation/part.ts',
  // A language is a file.
  ...Object.fromEntries(
    readdirSync(new URL('src/words/languages', import.meta.url)).map((file) => [
      `words-${file.replace(/\.ts$/, '')}`,
      `src/words/languages/${file}`,
    ]),
  ),
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
 * Ends the script before its first line where another script has registered the element. Lit would otherwise create its
 * Trusted Types policy a second time, which the page's `trusted-types` directive refuses.
 */
const UNLESS_REGISTERED = "if(customElements.get('service-embed'))return;";

const charts = part('charts', 'src/chart/part.ts');

/** Imports of what ECharts exports in common for every chart. */
const CORE_IMPORTS: Readonly<Record<string, string>> = {
  init: "import { init } from 'echarts/lib/core/echarts.js';",
  registerMap: "import { registerMap } from 'echarts/lib/core/echarts.js';",
  use: "import { use } from 'echarts/lib/extension.js';",
  graphic: "import * as graphic from 'echarts/lib/util/graphic.js';",
};

/**
 * Imports each chart and component of ECharts from its own module. Through the common module of all charts, every kind would
 * seem to need every other.
 */
function importEach(): Plugin {
  const origins = new Map(
    ['charts', 'components', 'features', 'renderers'].flatMap((list) =>
      [
        ...readFileSync(new URL(`../node_modules/echarts/lib/export/${list}.js`, import.meta.url), 'utf8').matchAll(
          /export \{ install as (\w+) \} from '\.\.\/([^']+)'/g,
        ),
      ].map(([, name = '', file = '']) => [name, `echarts/lib/${file}`] as const),
    ),
  );
  return {
    name: 'import-each',
    enforce: 'pre',
    transform(code, id) {
      if (!/element\/src\/.*\.ts$/.test(id)) return null;
      return code.replace(
        /import \{([^}]+)\} from 'echarts\/(?:charts|components|core|renderers)';/g,
        (_, list: string) =>
          list
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== '' && !name.startsWith('type '))
            .map((name) => CORE_IMPORTS[name] ?? `import { install as ${name} } from '${origins.get(name)}';`)
            .join('\n'),
      );
    },
  };
}

/**
 * Splits the charts: what every chart needs is one file, and each kind of chart is a file that imports it. Modules that
 * several kinds need, and lines and bars do not, are three more files.
 */
function splitKinds(): Plugin {
  const ofEveryChart = new Set<string>();
  const kinds = new Map<string, number>();
  const isShared = (id: string): boolean => (kinds.get(id) ?? 0) > 1;
  return {
    name: 'split-kinds',
    config: () => ({
      build: {
        rolldownOptions: {
          preserveEntrySignatures: 'allow-extension',
          output: {
            chunkFileNames: `service-embed-chart-[name]-${version}.js`,
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'charts', test: (id) => ofEveryChart.has(id), priority: 2 },
                { name: 'points', test: (id) => isShared(id) && /chart.scatter|LargeSymbolDraw/.test(id), priority: 1 },
                {
                  name: 'views',
                  test: (id) => isShared(id) && /coord.View|helper.\w*oam|VisualMapping/.test(id),
                  priority: 1,
                },
                { name: 'common', test: isShared, priority: 0 },
              ],
            },
          },
        },
      },
    }),
    buildEnd() {
      const reach = (id: string, into: Set<string>): Set<string> => {
        if (into.has(id) || ofEveryChart.has(id)) return into;
        into.add(id);
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) reach(imported, into);
        return into;
      };
      const all = [...this.getModuleIds()];
      for (const entry of all.filter((id) => this.getModuleInfo(id)?.isEntry))
        for (const id of reach(entry, new Set())) ofEveryChart.add(id);
      const loaded = new Set(all.flatMap((id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? []));
      for (const kind of loaded) for (const id of reach(kind, new Set())) kinds.set(id, (kinds.get(id) ?? 0) + 1);
    },
  };
}

const SCRIPT_FORM = `${root}dist/script/`;

const builds: Readonly<Record<string, UserConfig>> = {
  script: {
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
      rolldownOptions: { output: { banner: banner(LIT), intro: UNLESS_REGISTERED, minify: true } },
    },
  },
  charts: { ...charts, plugins: [...(charts.plugins ?? []), importEach(), splitKinds(), buildSmallParts()] },
  package: {
    build: {
      outDir: 'dist/package',
      emptyOutDir: false,
      minify: false,
      lib: {
        entry: {
          index: 'src/index.ts',
          element: 'src/element.ts',
          ssr: 'src/ssr/index.ts',
          react: 'src/react/index.ts',
          vue: 'src/vue/index.ts',
        },
        formats: ['es'],
      },
      rolldownOptions: {
        external: [/^lit($|\/)/, /^echarts($|\/)/, /^zrender($|\/)/, 'react', 'vue'],
        // Next.js runs a component with effects in the browser only where its module says so.
        output: { banner: ({ name }) => (name === 'react' ? "'use client';" : '') },
      },
    },
  },
};

export default defineConfig(({ mode }) => {
  const config = builds[mode];
  if (!config) throw new Error(`Unknown mode "${mode}". Use --mode charts, script or package.`);
  return complete(config, {
    ...(mode === 'package' ? {} : { 'process.env.NODE_ENV': '"production"' }),
    ...(mode === 'script' ? { PARTS: JSON.stringify(findPartNameEnding()) } : {}),
  });
});

/** Finds the ending of the built parts' file names: `0.1.0-1a2b3c4d`. */
function findPartNameEnding(): string {
  const files = existsSync(SCRIPT_FORM) ? readdirSync(SCRIPT_FORM) : [];
  const ending = files
    .map((file) => /^service-embed-charts-(.+)\.js$/.exec(file)?.[1])
    .find((match) => match !== undefined);
  if (ending === undefined) throw new Error('The script needs the names of its parts: build --mode charts first.');
  return ending;
}

/**
 * Adds a hash of all parts to each part's name. Browsers cache parts for a year, so one name must never stand for two
 * contents, not even between two builds of one version.
 */
function hashParts(): void {
  const all = readdirSync(SCRIPT_FORM).filter((file) => file.startsWith('service-embed-'));
  const built = all.filter((file) => file.endsWith(`-${version}.js`)).sort();
  for (const outdated of all.filter((file) => !built.includes(file))) rmSync(SCRIPT_FORM + outdated);
  const hash = createHash('sha256');
  for (const file of built) hash.update(readFileSync(SCRIPT_FORM + file));
  const ending = `${version}-${hash.digest('hex').slice(0, 8)}`;
  for (const file of built) {
    // Parts of charts import each other by name.
    const code = readFileSync(SCRIPT_FORM + file, 'utf8').replace(
      new RegExp(`(?<=service-embed-chart[\\w-]*-)${version.replaceAll('.', '\\.')}(?=\\.js)`, 'g'),
      ending,
    );
    writeFileSync(SCRIPT_FORM + file.replace(`-${version}.js`, `-${ending}.js`), code);
    rmSync(SCRIPT_FORM + file);
  }
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

/** Builds the small parts after the charts, then renames all parts. */
function buildSmallParts(): Plugin {
  return {
    name: 'build-small-parts',
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
 * Squeezes white space in templates and styles. It has no meaning there, because `white-space` is never `pre` around a
 * template, but a minifier cannot know that.
 */
function squeezeTemplates(): Plugin {
  return {
    name: 'squeeze-templates',
    transform(code, id) {
      if (
        !/element\/src\/.*(view|-panel|calendar|styles|query-controller|placeholders|result-status|embed-element)\.ts$/.test(
          id,
        )
      )
        return null;
      const squeezed = code.replace(/\n\s+/g, '\n');
      return { code: id.endsWith('styles.ts') ? squeezeStyles(squeezed) : squeezed, map: null };
    },
  };
}

/** Removes comments and the spaces that CSS does not need. Spaces within selectors and values stay. */
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

/** Modules of ECharts that the element never uses, with their replacements. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  // Tooltips are painted as rich text (`src/chart/tooltip.ts`). The build has no code that writes them as HTML.
  '/echarts/lib/component/tooltip/TooltipHTMLContent.js':
    'export default class { constructor() { throw new Error("Tooltips are rich text."); } }',
  // Words of ECharts' own user interface, which the element never shows.
  '/echarts/lib/i18n/langZH.js': 'export { default } from "./langEN.js";',
  // Colours come from the host page.
  '/echarts/lib/theme/dark.js': 'export default {};',
  // Options of ECharts 2 and 3, which the element never writes.
  '/echarts/lib/preprocessor/backwardCompat.js': 'export default () => {};',
  // Patterns in place of colours, which also need a canvas painter.
  '/echarts/lib/util/decal.js': 'export const createOrUpdatePatternFromDecal = () => undefined;',
  // A spinner: the element has its own skeleton.
  '/echarts/lib/loading/default.js': 'export default () => { throw new Error("There is no spinner."); };',
  // Every chart writes its own tooltip.
  '/echarts/lib/component/tooltip/tooltipMarkup.js': `
    const none = () => '';
    export { none as buildTooltipMarkup, none as retrieveVisualColorForTooltipMarker };
    export const createTooltipMarkup = (_, option) => option;
    export const getPaddingFromTooltipModel = () => 10;
    export class TooltipMarkupStyleCreator {
      richTextStyles = {};
      makeTooltipMarker = none;
      wrapRichTextStyle = (text) => text;
    }`,
  // Animations in CSS, for servers. A server uses the package form.
  '/zrender/lib/svg/cssAnimation.js':
    'export const EASING_MAP = {}; export const ANIMATE_STYLE_MAP = {}; export const createCSSAnimation = () => {};',
  '/zrender/lib/svg/cssEmphasis.js': 'export const createCSSEmphasis = () => {};',
  // Names inside bars of polar axes, which the element does not draw.
  '/echarts/lib/label/sectorLabel.js':
    'export const createSectorCalculateTextPosition = () => undefined; export const setSectorTextRotation = () => {};',
  '/echarts/lib/component/tooltip/seriesFormatTooltip.js': "export const defaultSeriesFormatTooltip = () => '';",
  '/echarts/lib/i18n/langEN.js':
    'const none = (count) => Array(count).fill(""); export default { time: { month: none(12), monthAbbr: none(12), dayOfWeek: none(7), dayOfWeekAbbr: none(7) }, legend: { selector: {} } };',
  // Only these curves move a chart.
  '/zrender/lib/animation/easing.js': `
    const out = (k) => 1 - (1 - k) ** 3;
    const inOut = (k) => (k < 0.5 ? 4 * k ** 3 : 1 - (2 - 2 * k) ** 3 / 2);
    export default { linear: (k) => k, cubicOut: out, quadraticOut: out, exponentialOut: out, cubicInOut: inOut, quinticInOut: inOut };`,
  // Browsers that load ES modules sort stably themselves.
  '/zrender/lib/core/timsort.js': 'export default (array, compare) => array.sort(compare);',
  // Round ends of bars of polar axes.
  '/echarts/lib/util/shape/sausage.js': 'export default class {}',
  // Events of ECharts 4.
  '/echarts/lib/legacy/dataSelectAction.js':
    'export const createLegacyDataSelectAction = () => {}; export const handleLegacySelectEvents = () => {};',
  // Dragging and pinching: charts do not move.
  '/zrender/lib/mixin/Draggable.js': 'export default class {}',
  '/zrender/lib/core/GestureMgr.js': 'export class GestureMgr { recognize() {} clear() {} }',
  // Transforms of data sets, which the element never writes.
  '/echarts/lib/data/helper/transform.js':
    'export class ExternalSource {} export const registerExternalTransform = () => {}; export const applyDataTransform = () => [];',
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
