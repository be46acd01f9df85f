/** Plain files below one root, never through a symbolic link. */
import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants, lstatSync } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft, ownMark } from '../../router/process-mark.ts';
import { absentAsUndefined, codeOf, inFolder } from './folder.ts';

export interface FoundFile {
  readonly segments: readonly string[];
  readonly updatedAtMillis: number;
}

/** The file exists and exceeds the maximum size. */
export const TOO_LARGE = Symbol('too large');
/** A link, or a file that is not plain, is in the way of the path. */
export const IN_THE_WAY = Symbol('in the way');

/** The name of a temporary file: the writing process, where it is known, and a UUID. */
const TEMPORARY = /^\.(?:(by-[A-Za-z0-9_]+-\d+)-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

export interface FileText {
  readonly text: string;
  readonly updatedAtMillis: number;
  /** `undefined` where the file may change without another version. */
  readonly version: FileVersion | undefined;
}

/** Age from which the times of a file are exact: some file systems count whole seconds. In milliseconds. */
const MIN_AGE_MS = 2_000;

/** A version of a plain file: one of them is different when the file was replaced or written. */
export interface FileVersion extends Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'> {
  /** The path. */
  readonly file: string;
}

/**
 * Returns whether a plain file still has a version. It is read synchronously, because that takes microseconds and Node's
 * thread pool may be full of statements.
 */
export function isCurrent({ file, dev, ino, size, mtimeNs, ctimeNs }: FileVersion): boolean {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return (
    stats?.isFile() === true &&
    stats.ctimeNs === ctimeNs &&
    stats.mtimeNs === mtimeNs &&
    stats.size === size &&
    stats.ino === ino &&
    stats.dev === dev
  );
}

/** Reads a file's text; `undefined` where there is no plain file. A byte order mark is not part of the text. */
export async function readText(
  root: string,
  segments: readonly string[],
  maxBytes: number,
): Promise<FileText | undefined | typeof TOO_LARGE> {
  const { folder, name } = split(segments);
  return inFolder(root, folder, async (path) => {
    // Non-blocking, so that a named pipe in the repository cannot block the process.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await absentAsUndefined(open(join(path, name), flags));
    if (handle === undefined) return undefined;
    try {
      const stats = await handle.stat({ bigint: true });
      if (!stats.isFile()) return undefined;
      if (stats.size > maxBytes) return TOO_LARGE;
      const { dev, ino, size, mtimeNs, ctimeNs } = stats;
      const isOld = Date.now() - Number(stats.ctimeMs) > MIN_AGE_MS;
      const version = isOld ? { file: join(root, ...segments), dev, ino, size, mtimeNs, ctimeNs } : undefined;
      return { text: new TextDecoder().decode(await handle.readFile()), updatedAtMillis: millis(stats), version };
    } finally {
      await handle.close();
    }
  });
}

/** Writes a file atomically: readers see the old text or the new one, also when the process dies. Returns the time of the change. */
export async function writeText(
  root: string,
  segments: readonly string[],
  text: string,
): Promise<number | typeof IN_THE_WAY> {
  const { folder, name } = split(segments);
  for (let depth = 1; depth <= folder.length; depth++) {
    const { folder: parent, name: child } = split(folder.slice(0, depth));
    await inFolder(root, parent, (path) => presentAsUndefined(mkdir(join(path, child), { mode: 0o750 })));
  }
  return (await inFolder(root, folder, (path) => replace(path, name, text))) ?? IN_THE_WAY;
}

async function replace(folder: string, name: string, text: string): Promise<number | typeof IN_THE_WAY> {
  const file = join(folder, name);
  const present = await absentAsUndefined(lstat(file));
  if (present !== undefined && !present.isFile()) return IN_THE_WAY;

  // Hidden, so that no path names it and no list contains it.
  const temporary = join(folder, `.${ownMark()}-${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o640);
    try {
      await handle.writeFile(text);
      await handle.sync();
      await rename(temporary, file);
      return millis(await handle.stat({ bigint: true }));
    } finally {
      await handle.close();
    }
  } catch (error) {
    await absentAsUndefined(unlink(temporary));
    throw error;
  }
}

/** Removes a file; false where there is no plain file. */
export async function removeFile(root: string, segments: readonly string[]): Promise<boolean> {
  const { folder, name } = split(segments);
  const removed = await inFolder(root, folder, async (path) => {
    const file = join(path, name);
    if (!(await absentAsUndefined(lstat(file)))?.isFile()) return false;
    return absentAsUndefined(unlink(file).then(() => true));
  });
  return removed ?? false;
}

/** Deletes the temporary files of killed processes below a folder. Call it before this process writes. */
export async function clearTemporaries(directory: string): Promise<void> {
  const root = await absentAsUndefined(realpath(directory));
  if (root === undefined) return;
  const temporaries = await walk(root, [], (segments, isFolder) => isFolder || TEMPORARY.test(segments.at(-1) ?? ''));
  for (const { segments, updatedAtMillis } of temporaries) {
    const [, mark = ''] = TEMPORARY.exec(segments.at(-1) ?? '') ?? [];
    if (isLeft(mark, updatedAtMillis)) await removeFile(root, segments);
  }
}

/** Lists plain files below a folder, whose path passes `includes` (called for folders and files), in no order. */
export async function walk(
  root: string,
  folder: readonly string[],
  includes: (segments: readonly string[], isFolder: boolean) => boolean,
): Promise<readonly FoundFile[]> {
  const listing = await inFolder(root, folder, async (path) => {
    const files: FoundFile[] = [];
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const segments = [...folder, entry.name];
      if (entry.isDirectory() && includes(segments, true)) {
        for (const file of await walk(root, segments, includes)) files.push(file);
      }
      if (!entry.isFile() || !includes(segments, false)) continue;
      const stats = await absentAsUndefined(lstat(join(path, entry.name), { bigint: true }));
      if (stats?.isFile()) files.push({ segments, updatedAtMillis: millis(stats) });
    }
    return files;
  });
  return listing ?? [];
}

function split(segments: readonly string[]): { readonly folder: readonly string[]; readonly name: string } {
  return { folder: segments.slice(0, -1), name: segments.at(-1) ?? '' };
}

/** Succeeds also where the path exists; the caller checks its kind. */
async function presentAsUndefined(outcome: Promise<unknown>): Promise<void> {
  try {
    await outcome;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function millis(stats: BigIntStats): number {
  return Number(stats.mtimeMs);
}
