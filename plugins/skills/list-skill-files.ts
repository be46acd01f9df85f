import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_ENTRIES, MAX_FOLDER_DEPTH } from './limits.ts';

/** A file of the skills folder, as of the scan. */
export interface SkillFile {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Changes whenever the file does. */
  readonly signature: string;
}

export interface Listing {
  /** In the order of their paths. */
  readonly files: readonly SkillFile[];
  /** Paths that cannot be read, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

/** Entries per turn of the event loop; one entry takes about 3 µs. */
const ENTRIES_PER_TURN = 1_000;

/** The entry of the first tenant's folder that holds the folders of the other tenants. */
const OTHERS = 'tenants';

/**
 * Lists the `.md` files below a folder. Names that begin with a dot are left out, and so are the folder `tenants`, which
 * holds the skills of others, and links that lead out of the
 * folder: a skill is sent to an LLM and to its readers, and what lies outside was not written for them.
 *
 * Looks are synchronous because a thousand of them through the thread pool take ten times as long.
 */
export async function listSkillFiles(directory: string): Promise<Listing> {
  const files: SkillFile[] = [];
  const unreadable: { path: string; reason: string }[] = [];
  const visited = new Set<string>();
  const folders = [{ path: '', depth: 0 }];
  let root: string;
  try {
    root = realpathSync(directory);
  } catch {
    return { files, unreadable };
  }
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const absolute = join(root, folder.path);
    const names = namesIn(absolute);
    if (names === undefined) {
      unreadable.push({ path: folder.path, reason: 'The folder cannot be read.' });
      continue;
    }
    for (const entry of names) {
      if (entry.name.startsWith('.') || (folder.path === '' && entry.name === OTHERS)) continue;
      if (++entries > MAX_ENTRIES) {
        unreadable.push({ path: folder.path, reason: `The folder has more than ${MAX_ENTRIES} entries.` });
        return sorted(files, unreadable);
      }
      if (entries % ENTRIES_PER_TURN === 0) await nextTurn();
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      const isLink = entry.isSymbolicLink();
      if (!isLink && !entry.isDirectory() && !path.endsWith('.md')) continue;
      const stats = statSync(join(root, path), { throwIfNoEntry: false });
      if (stats === undefined) {
        if (path.endsWith('.md')) unreadable.push({ path, reason: 'The link leads nowhere.' });
      } else if (isLink && !isInside(root, realpathSync(join(root, path)))) {
        if (stats.isDirectory() || path.endsWith('.md')) {
          unreadable.push({ path, reason: 'The link leads out of the skills folder.' });
        }
      } else if (stats.isDirectory()) {
        const identity = `${stats.dev}:${stats.ino}`;
        if (visited.has(identity)) continue;
        visited.add(identity);
        if (folder.depth + 1 > MAX_FOLDER_DEPTH) unreadable.push({ path, reason: 'The folder is nested too deep.' });
        else folders.push({ path, depth: folder.depth + 1 });
      } else if (stats.isFile() && path.endsWith('.md')) {
        const { size, mtimeMs, ctimeMs, ino } = stats;
        files.push({ path, size, mtimeMs, signature: `${ino}:${size}:${mtimeMs}:${ctimeMs}` });
      }
    }
  }
  return sorted(files, unreadable);
}

function namesIn(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root + sep);
}

function sorted(files: SkillFile[], unreadable: Listing['unreadable']): Listing {
  return { files: files.sort((left, right) => (left.path < right.path ? -1 : 1)), unreadable };
}
