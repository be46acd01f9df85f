import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Endings of SQLite's files beside a database file. */
const COMPANIONS = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Makes the test whether a file is one of the product's own databases or SQLite's file beside it: by any path, through symbolic links, and by another
 * name (a hard link).
 *
 * @param databases absolute paths, which need not exist
 */
export function ownFiles(databases: readonly string[]): (file: string) => boolean {
  const protectedFiles = databases.flatMap((database) => COMPANIONS.map((suffix) => database + suffix));
  return (file) => {
    const place = realPlace(file);
    const identity = identityOf(file);
    return protectedFiles.some(
      (each) => realPlace(each) === place || (identity !== undefined && identityOf(each) === identity),
    );
  };
}

const FILE_URLS = /^jdbc:(?:duckdb|sqlite):(.*)$/is;

/**
 * Returns whether an address names a file outside `folder`, with links resolved; false for addresses without a file.
 *
 * @param home the folder of relative names
 */
export function isFileOutside(jdbcUrl: string, folder: string, home: string): boolean {
  const target = FILE_URLS.exec(jdbcUrl)?.[1];
  if (target === undefined || target === '' || target === ':memory:') return false;
  return !isBelow(isAbsolute(target) ? target : resolve(home, target), folder);
}

/** Returns whether a path is in a folder, with links resolved. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(realPlace(folder), realPlace(path));
  return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/** Resolves the links of a path. For a file that does not exist, resolves the links of the nearest existing folder. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), basename(path));
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}-${stats.ino}`;
}
