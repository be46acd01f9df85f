import type { LinkedFiles } from '../capabilities/linked-files.ts';
import { ValidationError } from '../errors.ts';

/** Allows no link. */
export const NO_LINKS: LinkedFiles = {
  allowed: [],
  fetch: async () => {
    throw ValidationError.at(['urls', 0], 'Links are not allowed here.');
  },
};
