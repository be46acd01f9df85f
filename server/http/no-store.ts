import type { RequestHandler } from 'express';

/**
 * Keeps every answer out of the caches of browsers and proxies: most answers depend on the caller, also refusals.
 * Handlers of public files replace the header.
 */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};
