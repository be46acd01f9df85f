import { constants } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Runs `use` with a path to the folder `segments` below `root`. `<path>/<name>` is in that very folder for as long as it runs. Returns `undefined`
 * where the folder is missing, or a symbolic link is anywhere in its path. `root` must be a real path. On Linux the folder is held open and the path
 * uses the open descriptor, like `openat`: replacing a folder by a link meanwhile changes nothing. Node has no such function for other systems; there
 * the place is checked once, before use.
 */
export async function inFolder<T>(
  root: string,
  segments: readonly string[],
  use: (folder: string) => Promise<T>,
): Promise<T | undefined> {
  const path = join(root, ...segments);
  if (process.platform !== 'linux') return inCheckedFolder(path, use);
  const handle = await absentAsUndefined(open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
  if (handle === undefined) return undefined;
  try {
    const pinned = `/proc/self/fd/${handle.fd}`;
    const place = await absentAsUndefined(readlink(pinned));
    // Without a mounted /proc the kernel cannot be asked.
    if (place === undefined) return await inCheckedFolder(path, use);
    return place === path ? await use(pinned) : undefined;
  } finally {
    await handle.close();
  }
}

/** Runs `use` in the folder if its path is its real path: false also for another letter case of a name on file systems that ignore case. */
async function inCheckedFolder<T>(path: string, use: (folder: string) => Promise<T>): Promise<T | undefined> {
  return (await absentAsUndefined(realpath(path))) === path ? use(path) : undefined;
}

/** Returns the outcome; `undefined` where the file system has nothing of that name (or only a link). */
export async function absentAsUndefined<T>(outcome: Promise<T>): Promise<T | undefined> {
  try {
    return await outcome;
  } catch (error) {
    if (ABSENT.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** Error codes: ELOOP is a link refused by O_NOFOLLOW; ENXIO a socket or a device without a driver. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO']);

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
