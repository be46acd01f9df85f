import { z } from 'zod';

/** Most rows a request may ask for. */
const MAX_LIMIT = 100_000;

/** How many rows a request asks for. */
export const Limit = z
  .int('limit must be a whole number')
  .min(1, 'limit must be greater than 0')
  .max(MAX_LIMIT, `limit must be at most ${MAX_LIMIT}`);
