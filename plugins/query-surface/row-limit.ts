import { z } from 'zod';
import { MAX_LIMIT } from './limits.ts';

/** The `limit` of a request: its most rows. */
export const Limit = z
  .int('limit must be a whole number')
  .min(1, 'limit must be greater than 0')
  .max(MAX_LIMIT, `limit must be at most ${MAX_LIMIT}`);
