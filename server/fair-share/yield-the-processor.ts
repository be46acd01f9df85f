import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of a background process, so that the server answers requests first. On Linux the id may be a thread's, which has a priority of
 * its own there.
 */
export function yieldTheProcessor(id: number | undefined): void {
  const lowered = constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    if (id !== undefined && getPriority(id) < lowered) setPriority(id, lowered);
  } catch {
    // It has ended already, or the system has no priorities and it runs like others.
  }
}
