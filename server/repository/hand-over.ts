import { lstat, mkdir, realpath, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { absentAsUndefined } from './folder.ts';

export interface HandOver {
  /** The folder of the tenant's documents. */
  readonly directory: string;
  /** The previous owner of the folder. */
  readonly from: string;
  /** The new owner. */
  readonly to: string;
}

/**
 * Moves a user's own documents into the folder of another: `homes/ann/…` becomes `homes/admin/from-ann/…`. Returns the new place as a repository
 * path, or `undefined` without documents.
 */
export async function handOver({ directory, from, to }: HandOver): Promise<string | undefined> {
  const root = await absentAsUndefined(realpath(directory));
  if (root === undefined) return undefined;
  const homes = join(root, 'homes');
  const folder = await absentAsUndefined(lstat(join(homes, from)));
  if (folder?.isDirectory() !== true) return undefined;
  await mkdir(join(homes, to), { recursive: true, mode: 0o750 });
  for (let number = 1; ; number++) {
    const name = number === 1 ? `from-${from}` : `from-${from}-${number}`;
    if ((await absentAsUndefined(lstat(join(homes, to, name)))) !== undefined) continue;
    await rename(join(homes, from), join(homes, to, name));
    return ['homes', to, name].join('/');
  }
}
