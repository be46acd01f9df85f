import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

interface Known {
  readonly state: string;
  readonly tag: string;
}

const tagsByFile = new Map<string, Known>();

/**
 * Makes an ETag of the content of `file`. Express uses size and time, which do not distinguish two releases: npm gives
 * all files of a package one time, and a file that differs only in a hash or a version has the same size. Weak,
 * because compression keeps it.
 */
export function contentTag(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  const state = `${mtimeMs} ${size} ${ino}`;
  const before = tagsByFile.get(file);
  if (before?.state === state) return before.tag;
  const tag = `W/"${createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 27)}"`;
  tagsByFile.set(file, { state, tag });
  return tag;
}
