/**
 * All checks that need no test run, side by side: types, lint and format, import rules, sizes.
 *
 *   npm run check                 everything
 *   npm run check -- lint types   only these
 */
import './plain-output.ts';
import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const bin = (path: string) => `node_modules/${path}`;
/**
 * Names the command that checks types: TypeScript 7 is four times faster; `typescript` stays at 6 because the import rules
 * need its JavaScript API.
 */
const tsc = (project: string) => [bin('typescript-7/bin/tsc'), '-p', project];

const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: tsc('tsconfig.json'),
  'types:element': tsc('element/tsconfig.json'),
  'types:element-node': tsc('element/tsconfig.node.json'),
  'types:ui': tsc('server/ui/tsconfig.json'),
  lint: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'],
  imports: [bin('dependency-cruiser/bin/dependency-cruise.mjs'), 'router', 'plugins', 'server', 'element/src', 'demo'],
  unused: [bin('knip/bin/knip.js'), '--no-progress'],
  sizes: [bin('tsx/dist/cli.mjs'), 'element/check-size.ts'],
  settings: [bin('tsx/dist/cli.mjs'), 'scripts/settings-doc.ts', '--check'],
  engines: [bin('tsx/dist/cli.mjs'), 'scripts/engines-doc.ts', '--check'],
  'query-lists': [bin('tsx/dist/cli.mjs'), 'scripts/query-lists-doc.ts', '--check'],
  charts: [bin('tsx/dist/cli.mjs'), 'scripts/charts-doc.ts', '--check'],
  forecasts: [bin('tsx/dist/cli.mjs'), 'scripts/forecast-models-doc.ts', '--check'],
  commands: [bin('tsx/dist/cli.mjs'), 'scripts/commands-doc.ts', '--check'],
  pages: [bin('tsx/dist/cli.mjs'), 'scripts/pages-doc.ts', '--check'],
  'webhook-events': [bin('tsx/dist/cli.mjs'), 'scripts/webhook-events-doc.ts', '--check'],
  locales: [bin('tsx/dist/cli.mjs'), 'scripts/locales.ts', '--check'],
  functions: [bin('tsx/dist/cli.mjs'), 'scripts/functions-doc.ts', '--check'],
  tools: [bin('tsx/dist/cli.mjs'), 'scripts/tools-doc.ts', '--check'],
  lists: [bin('tsx/dist/cli.mjs'), 'scripts/element-lists.ts', '--check'],
  phrases: [bin('tsx/dist/cli.mjs'), 'scripts/phrases.ts'],
  manifest: [bin('tsx/dist/cli.mjs'), 'element/manifest.mjs', '--check'],
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in CHECKS));
if (names.includes('--help') || unknown.length > 0) {
  console.log(`npm run check [-- ${Object.keys(CHECKS).join('|')} …]`);
  process.exit(unknown.length > 0 && !names.includes('--help') ? 2 : 0);
}

// Sizes are measured on the unchanged sources.
if (names.length === 0 || names.includes('sizes')) {
  spawnSync(process.execPath, [bin('tsx/dist/cli.mjs'), 'scripts/build.ts', '--if-needed'], { stdio: 'inherit' });
}

const queue = Object.entries(CHECKS).filter(([name]) => names.length === 0 || names.includes(name));
let failed = 0;
const started = performance.now();
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
console.log(`\n${failed === 0 ? 'All checks passed' : `${failed} failed`} in ${seconds(started)}.`);
process.exit(failed === 0 ? 0 : 1);

async function worker(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [name, command] = next;
    const begun = performance.now();
    const { code, output } = await run(command);
    if (code !== 0) failed += 1;
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(14)} ${seconds(begun)}`);
    if (code !== 0 || name === 'sizes') console.log(output.trimEnd());
  }
}

function run(command: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => resolve({ code, output }));
  });
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}
