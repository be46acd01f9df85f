import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

interface Known {
  readonly state: string;
  readonly tag: string;
}

const known = new Map<string, Known>();

/**
 * Makes an ETag of what is in `file`. Size and time, of which Express makes one, do not tell two releases apart: npm
 * gives all files of a package one time, and a file that differs in a hash or a version alone has the size of the
 * other. Weak, because what is compressed on its way keeps it.
 */
export function contentTag(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  const state = `${mtimeMs} ${size} ${ino}`;
  const before = known.get(file);
  if (before?.state === state) return before.tag;
  const tag = `W/"${createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 27)}"`;
  known.set(file, { state, tag });
  return tag;
}
