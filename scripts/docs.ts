/**
 * Builds the documentation as a web site, from the pages in `docs/`. VitePress is a separate package (`docs/site`), which is
 * installed when this command first needs it; neither `npm ci`, `npm start` nor `npm test` does.
 *
 *   npm run docs                       builds docs/site/dist
 *   npm run docs -- --serve            serves the pages, and shows each change
 *   npm run docs -- --base /manual/    builds it for a folder of a web server
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const SITE = 'docs/site';
const VITEPRESS = `${SITE}/node_modules/vitepress/bin/vitepress.js`;

const [first, ...rest] = process.argv.slice(2);
if (first === '--help') {
  console.log('npm run docs [-- --serve | --base /folder/]   builds the documentation into docs/site/dist');
  process.exit(0);
}
if (!existsSync(VITEPRESS)) {
  console.log('Installing VitePress into docs/site (this is done once) …');
  run('npm', ['ci', '--prefix', SITE, '--ignore-scripts', '--no-audit', '--no-fund']);
}
if (first === '--serve') run(process.execPath, [VITEPRESS, 'dev', SITE, ...rest]);
else run(process.execPath, [VITEPRESS, 'build', SITE, ...process.argv.slice(2)]);

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
