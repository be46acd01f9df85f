import { constants, setPriority } from 'node:os';

/** Lowers the priority of a background process, so that the server answers requests first. */
export function yieldTheProcessor(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended already, or the system has no priorities and it runs like others.
  }
}
