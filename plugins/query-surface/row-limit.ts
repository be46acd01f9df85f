import { z } from 'zod';
import { MAX_LIMIT } from './limits.ts';

/** Number of rows that a request asks for. */
export const Limit = z
  .int('limit must be a whole number')
  .min(1, 'limit must be greater than 0')
  .max(MAX_LIMIT, `limit must be at most ${MAX_LIMIT}`);
