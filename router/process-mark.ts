/** Marks what a process writes on its way to something whole, so that what a killed one left is told from what a living one needs. */
import { hostname } from 'node:os';

const HOST = hostname().replaceAll(/[^A-Za-z0-9]/g, '_');
const MARK = /^by-([A-Za-z0-9_]+)-(\d+)$/;
/** What other machines, or earlier versions, have left counts as left after so long: an import takes less. */
const STALE_MS = 3_600_000;

/** Returns the mark of this process: its machine and its number. */
export function ownMark(): string {
  return `by-${HOST}-${process.pid}`;
}

/**
 * Tells whether the process of a mark is gone. Of a process elsewhere, only the age of its file tells. The caller's own mark
 * counts as gone: it is asked before the caller writes, so it is that of an earlier process with this number.
 *
 * @param mtimeMs when the file was last written; `Infinity` where it is not there
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
