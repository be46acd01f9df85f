import type { RequestHandler } from 'express';
import type { Log } from '../../router/capabilities/log.ts';

/** The condition of the process: missing parts keep it from answering, degraded parts do not. */
export interface Health {
  readonly missing: readonly string[];
  readonly degraded: readonly object[];
}

const RETRY_SECONDS = '1';

/**
 * Answers `GET /readyz`: 503 with the missing parts, or 200. An unreachable datasource is only named in a 200:
 * otherwise the load balancer would stop the other datasources, too.
 */
export function readiness(health: () => Promise<Health>, log: Log): RequestHandler {
  let lastLogged = '';
  return async (_request, response) => {
    const { missing, degraded } = await health();
    // The probe repeats every few seconds: only a change is logged.
    const news = JSON.stringify([missing, degraded]);
    if (news !== lastLogged && missing.length + degraded.length > 0)
      log.warn({ missing, degraded }, 'not all is ready');
    lastLogged = news;
    if (missing.length > 0) {
      response.status(503).set('Retry-After', RETRY_SECONDS).json({ status: 'NOT_READY', missing, degraded });
    } else if (degraded.length > 0) response.json({ status: 'DEGRADED', degraded });
    else response.json({ status: 'OK' });
  };
}
