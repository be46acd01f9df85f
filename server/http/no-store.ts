import type { RequestHandler } from 'express';

/**
 * Keeps every answer out of the caches of browsers and proxies: most depend on who calls, also refusals. What is the
 * same for everybody, such as files of pages, replaces the header.
 */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};
