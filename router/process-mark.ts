/** Marks unfinished files with their process, so that the files of a killed process are distinguished from files in use. */
import { hostname } from 'node:os';

const HOST = hostname().replaceAll(/[^A-Za-z0-9]/g, '_');
const MARK = /^by-([A-Za-z0-9_]+)-(\d+)$/;
/** Age from which a file of another machine, or of an earlier version, counts as left over; an import takes less. */
const STALE_MS = 3_600_000;

/** Returns the mark of this process: its machine and its number. */
export function ownMark(): string {
  return `by-${HOST}-${process.pid}`;
}

/**
 * Returns whether the process of a mark has ended. For a process on another machine, the age of its file decides. The
 * caller's own mark counts as ended: callers ask before they write, so the mark belongs to an earlier process with this
 * number.
 *
 * @param mtimeMs when the file was last written; `Infinity` where it does not exist
 */
export function isLeft(mark: string, mtimeMs: number): boolean {
  const [, host, pid] = MARK.exec(mark) ?? [];
  if (host === HOST) return Number(pid) === process.pid || !isAlive(Number(pid));
  return Date.now() - mtimeMs > STALE_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
