/** Describes failures of the file system in sentences: what is wrong with which path. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) =>
    existsSync(dirname(path)) ? `${path} does not exist.` : `The folder ${dirname(path)} does not exist.`,
  ENOTDIR: (path) => `A part of ${path} is a file, where a folder is needed.`,
  EEXIST: (path) => `${path} exists already.`,
  EISDIR: (path) => `${path} is a folder; name a file.`,
  EACCES: (path) => `This process may not open ${path}.`,
  EPERM: (path) => `This process may not change ${path}.`,
  EROFS: (path) => `${path} is on a disk that may only be read.`,
  ENOSPC: (path) => `There is no space left for ${path}.`,
};

/** Returns the sentence on a failure of the file system; `undefined` for any other error. */
export function fileFailureLine(error: Error): string | undefined {
  if (!('code' in error && 'path' in error)) return undefined;
  const { code, path } = error;
  return typeof code === 'string' && typeof path === 'string' ? SENTENCES[code]?.(path) : undefined;
}
