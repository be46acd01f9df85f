/** Examines the home folder: whether it is one, its rights, its free space. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Setup } from '../../installation/setup.ts';
import { type Finding, failed, messageOf, ok, warning } from './finding.ts';

/** Rights of the folder `data` for anybody but its owner. */
const OTHERS = 0o077;
const BYTES_OF_MEGABYTE = 1_048_576;
const BYTES_OF_GIGABYTE = 1e9;

/** Returns a finding where a folder is no home. */
export function missingHome(directory: string): Finding | undefined {
  if (existsSync(join(directory, 'datasources'))) return undefined;
  return failed(
    'home',
    `There is no installation in ${resolve(directory)}.`,
    'Name its folder with --home or SERVICE_HOME, or make a new one with `service start`.',
  );
}

export async function examineHome({ home, config }: Setup): Promise<readonly Finding[]> {
  return [
    ...examineRights(home.root, home.data),
    await examineSpace(home.data, config['service.disk.minFreeMegabytes']),
  ];
}

function examineRights(root: string, data: string): readonly Finding[] {
  try {
    for (const folder of [root, data]) accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return [failed('home', messageOf(error), `Give the user of this process the right to read and write ${root}.`)];
  }
  if (process.platform !== 'win32' && (statSync(data).mode & OTHERS) !== 0)
    return [
      warning(
        'home',
        `Other users of this machine may read ${data}, which has passwords’ keys and personal data.`,
        `Run \`chmod 700 ${data}\`.`,
      ),
    ];
  return [ok('home', root)];
}

async function examineSpace(data: string, minFreeMegabytes: number): Promise<Finding> {
  const { bavail, bsize } = await statfs(data);
  const free = bavail * bsize;
  const text = `${(free / BYTES_OF_GIGABYTE).toFixed(1)} GB free`;
  return free >= minFreeMegabytes * BYTES_OF_MEGABYTE
    ? ok('disk', text)
    : failed(
        'disk',
        `${text}; the service needs ${minFreeMegabytes} MiB.`,
        'Free space, or lower service.disk.minFreeMegabytes.',
      );
}
