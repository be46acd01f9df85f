/**
 * Refuses `vi.mock` in tests whose files share a process: what an earlier file has imported stays as it is, so that the
 * mock would work or not by the order of the files.
 */
import { vi } from 'vitest';

vi.mock = () => {
  throw new Error('Files of this project share a process: name this file in NEEDS_A_PROCESS of vitest.config.ts.');
};
