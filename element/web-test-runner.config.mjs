import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { build, transformWithOxc } from 'vite';

// The runner erases its last lines before it writes, even in a file or a pipe, where nothing can be erased.
if (process.stdout.isTTY !== true) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (chunk, ...rest) =>
    write(typeof chunk === 'string' ? stripVTControlCharacters(chunk) : chunk, ...rest);
}

const candidates = [
  process.env.SERVICE_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
// Undefined where none is installed: Playwright then uses its own browser, or explains how to install one.
const executablePath = candidates.find((path) => path && existsSync(path));

/**
 * ECharts as one file. Unbundled it needs some 400 requests for each test file, which take longer on a busy machine than
 * any test should wait.
 */
const [
  {
    output: [echarts],
  },
] = await build({
  configFile: false,
  logLevel: 'warn',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [
    {
      name: 'echarts-entry',
      resolveId: (id) => (id.endsWith('echarts-entry') ? '\0echarts-entry' : null),
      load: (id) =>
        id === '\0echarts-entry'
          ? ['core', 'charts', 'components', 'renderers'].map((part) => `export * from 'echarts/${part}';`).join('\n')
          : null,
    },
  ],
  build: { write: false, minify: false, lib: { entry: 'echarts-entry', formats: ['es'], fileName: 'echarts' } },
});
const ECHARTS = '/element/echarts.bundled.js';

const VERSION = JSON.stringify(JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version);

/** The same fonts on every machine, because layouts depend on the width of texts. */
const { sans, mono, characters } = JSON.parse(readFileSync(new URL('test-fonts.json', import.meta.url), 'utf8'));
const FAMILIES = [...sans, ...mono];
const writeFontStack = (families) => families.map(({ name }) => `"${name}"`).join(', ');

const REPORT = new URL('../.cache/test-reports/element.json', import.meta.url);

function listTests(suite, path = []) {
  if (suite === undefined) return [];
  return [
    ...suite.tests.map((test) => ({ ...test, name: [...path, test.name].join(' > ') })),
    ...suite.suites.flatMap((inner) => listTests(inner, [...path, inner.name])),
  ];
}

/** Reports to `npm test` how many tests passed and failed, and the names of skipped tests. */
const counts = {
  onTestRunFinished({ sessions }) {
    const tests = sessions.flatMap((session) => listTests(session.testResults));
    const broken = sessions.filter((session) => session.errors.length > 0).length;
    const passed = tests.filter((test) => test.passed).length;
    const skipped = tests.filter((test) => test.skipped).map((test) => test.name);
    const failures = tests.filter((test) => !test.passed && !test.skipped).map((test) => test.name);
    mkdirSync(new URL('.', REPORT), { recursive: true });
    writeFileSync(REPORT, JSON.stringify({ passed, failed: failures.length + broken, failures, skipped }));
  },
};

/** @type {import('@web/test-runner').TestRunnerConfig} */
export default {
  reporters: [defaultReporter({ reportTestResults: true, reportTestProgress: process.stdout.isTTY === true }), counts],
  rootDir: new URL('..', import.meta.url).pathname,
  files: 'element/test/**/*.test.ts',
  nodeResolve: { exportConditions: ['production', 'default'], extensions: ['.ts', '.mjs', '.js'] },
  concurrency: 2,
  browserStartTimeout: 60_000,
  testsFinishTimeout: 120_000,
  testFramework: { config: { timeout: 20_000 } },
  browsers: [playwrightLauncher({ product: 'chromium', launchOptions: { executablePath, args: ['--no-sandbox'] } })],
  testRunnerHtml: (testFramework) => `<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8"><title>service-embed</title>
        ${FAMILIES.map((family) => `<link rel="stylesheet" href="/node_modules/${family.package}/index.css">`).join('')}
        <style>service-embed { --service-embed-font: ${writeFontStack(sans)}; --service-embed-font-mono: ${writeFontStack([...mono, ...sans])}; }</style>
      </head>
      <body>
        <script type="module">
          const fonts = ${JSON.stringify(FAMILIES.map(({ name }) => `14px "${name}"`))};
          await Promise.all(fonts.map((font) => document.fonts.load(font, ${JSON.stringify(characters)})));
          await import('${testFramework}');
        </script>
      </body>
    </html>`,
  plugins: [
    {
      name: 'echarts-in-one-file',
      resolveImport: ({ source }) => (source.startsWith('echarts/') ? ECHARTS : undefined),
      serve: ({ path }) => (path === ECHARTS ? { body: echarts.code, type: 'js' } : undefined),
    },
    {
      name: 'typescript',
      resolveMimeType: ({ path }) => (path.endsWith('.ts') ? 'js' : undefined),
      transform: async ({ path, body }) => {
        if (!path.endsWith('.ts')) return undefined;
        const { code } = await transformWithOxc(String(body), path, {
          target: 'es2022',
          sourcemap: false,
          define: { VERSION },
        });
        return { body: code };
      },
    },
  ],
};
