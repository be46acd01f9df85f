import type { RequestHandler } from 'express';
import type { Log } from '../../router/capabilities/log.ts';

/** How the process is: what is missing keeps it from answering, what is degraded only itself. */
export interface Health {
  readonly missing: readonly string[];
  readonly degraded: readonly object[];
}

const RETRY_SECONDS = '1';

/**
 * Answers `GET /readyz`: 503 with what is missing, or 200. A datasource that cannot be asked is named in a 200: the
 * others can, and would be taken from the load balancer with it.
 */
export function readiness(health: () => Promise<Health>, log: Log): RequestHandler {
  let told = '';
  return async (_request, response) => {
    const { missing, degraded } = await health();
    // Asked every few seconds: only what is news is worth a line.
    const news = JSON.stringify([missing, degraded]);
    if (news !== told && missing.length + degraded.length > 0) log.warn({ missing, degraded }, 'not all is ready');
    told = news;
    if (missing.length > 0) {
      response.status(503).set('Retry-After', RETRY_SECONDS).json({ status: 'NOT_READY', missing, degraded });
    } else if (degraded.length > 0) response.json({ status: 'DEGRADED', degraded });
    else response.json({ status: 'OK' });
  };
}
