/** Packs the element as npm does, so that `npm install <server>/ui/service-embed-<version>.tgz` works on any server. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Packs the package in `folder` into `to`, as `<name>-<version>.tgz`. Needs no network. */
export function packElement(folder: string, to: string): void {
  const { status, stderr } = spawnSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--offline', '--pack-destination', resolve(to)],
    { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (status !== 0) throw new Error(`npm could not pack ${folder}:\n${stderr}`);
}
