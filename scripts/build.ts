/**
 * Builds everything the process serves into `dist/`: the server, the demo's generator, the embed scripts, the pages.
 *
 *   npm run build                 everything
 *   npm run build -- --if-needed  only when a source is newer than the last build (what `npm start` does)
 *   npm run build -- --types      type declarations too, for the package of the service
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliverElement, listing } from './element-files.ts';
import { packElement } from './element-package.ts';

const STAMP = 'dist/.built';
const SOURCES = [
  'router',
  'server',
  'plugins',
  'element',
  'demo',
  'skills',
  'scripts',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
];
const TOOLS = { vite: 'node_modules/vite/bin/vite.js', tsc: 'node_modules/typescript-7/bin/tsc' } as const;
const SKIPPED = new Set(['node_modules', 'dist', 'e2e', 'docs']);

if (process.argv.includes('--help')) {
  console.log('npm run build [-- --if-needed | --types]   builds the product into dist/');
  process.exit(0);
}
if (process.argv.includes('--if-needed') && upToDate()) process.exit(0);

const started = performance.now();
console.log('Building the product (this is done once; it takes about ten seconds) …');
rmSync(STAMP, { force: true });
for (const mode of ['server', 'demo', 'client', 'ui']) run('vite', ['build', '--mode', mode]);
rmSync('element/dist', { recursive: true, force: true });
for (const mode of ['charts', 'script', 'package'])
  run('vite', ['build', '--config', 'element/vite.config.ts', '--mode', mode]);
const { version }: { readonly version: string } = JSON.parse(readFileSync('element/package.json', 'utf8'));
console.log(listing(deliverElement('element/dist/script', 'dist/ui', version)));
run('tsc', ['-p', 'element/tsconfig.build.json']);
packElement('element', 'dist/ui');
cpSync('demo/content', 'dist/demo/content', { recursive: true });
cpSync('skills', 'dist/skills', { recursive: true });
cpSync('node_modules/swagger-ui-dist', 'dist/ui/api/viewer', {
  recursive: true,
  filter: (path) =>
    statSync(path).isDirectory() || /(swagger-ui(-bundle\.js|\.css)|LICENSE(\.txt)?|NOTICE)$/.test(path),
});
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');
cpSync('server/service.cjs', 'dist/service.js');
cpSync('server/compiled-code.cjs', 'dist/compiled-code.cjs');
if (process.argv.includes('--types')) run('tsc', ['-p', 'tsconfig.types.json']);
writeFileSync(STAMP, `${new Date().toISOString()}\n`);
console.log(`Built in ${((performance.now() - started) / 1_000).toFixed(1)} s.`);

function run(tool: keyof typeof TOOLS, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [TOOLS[tool], ...args], {
    stdio: 'inherit',
    // A test run sets another NODE_ENV, which would bundle Lit's development build.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status === 0) return;
  console.error(`The build stopped at: ${tool} ${args.join(' ')}`);
  process.exit(1);
}

function upToDate(): boolean {
  if (!existsSync(STAMP)) return false;
  const built = statSync(STAMP).mtimeMs;
  return SOURCES.every((source) => !existsSync(source) || newest(source) <= built);
}

function newest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(
    0,
    ...readdirSync(path)
      .filter((name) => !SKIPPED.has(name))
      .map((name) => newest(join(path, name))),
  );
}
