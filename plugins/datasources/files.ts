/** Reading descriptors and documents, and writing descriptors. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isLeft, ownMark } from '../../router/process-mark.ts';
import { completeFiles } from './journals.ts';

/** A file's text, or the reason why it cannot be read, as a text for the operator. */
export type FileText = { readonly text: string } | { readonly unreadable: string };

/**
 * Lists the absolute paths of the descriptors in a folder, by name. Symbolic links count: an operator may mount
 * descriptors as links. Files of an incomplete publication are left out.
 */
export async function descriptorFiles(directory: string): Promise<readonly string[]> {
  const names = (await completeFiles(directory)).filter((name) => name.endsWith('.sds') && !name.startsWith('.'));
  return names.sort().map((name) => join(directory, name));
}

/** Reads a text file of at most `maxBytes`, which must be UTF-8. */
export async function readTextFile(file: string, maxBytes: number): Promise<FileText> {
  let handle: FileHandle | undefined;
  try {
    // Non-blocking, so that a named pipe cannot block the process.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (!stats.isFile()) return { unreadable: 'is not a file' };
    if (stats.size > maxBytes) return { unreadable: `is larger than ${Math.round(maxBytes / 1024)} KiB` };
    return { text: UTF_8.decode(await handle.readFile()) };
  } catch (error) {
    return { unreadable: reasonOf(error) };
  } finally {
    await handle?.close();
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The name of a temporary file of `writePrivately`; earlier versions wrote it without the mark of the process. */
const TEMPORARY = /^\..+\.(?:(by-[A-Za-z0-9_]+-\d+)-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Deletes the temporary files of killed processes in a folder. Call it before this process writes there. */
export async function clearTemporaries(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const [isTemporary, mark = ''] = TEMPORARY.exec(name) ?? [];
    if (isTemporary === undefined) continue;
    const file = join(directory, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (isLeft(mark, mtimeMs)) await rm(file, { force: true });
  }
}

/** Replaces a file atomically. Only the process's user may read it, because descriptors contain passwords. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${ownMark()}-${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch((second: unknown) => {
      if (reasonOf(second) !== NOT_THERE) throw second;
    });
    throw error;
  }
}

const NOT_THERE = 'does not exist';

/**
 * Explains an error of the file system that an operator can correct.
 *
 * @throws the error itself for any other reason
 */
function reasonOf(error: unknown): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return NOT_THERE;
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this process';
    case 'ELOOP':
      return 'is a circle of links';
    case 'ENAMETOOLONG':
      return 'has a path that is too long';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'is not UTF-8 text';
    case 'EISDIR':
    case 'ENXIO':
      return 'is not a file';
    default:
      throw error;
  }
}
