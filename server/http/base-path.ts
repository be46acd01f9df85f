/** The path below which the product is served, where a proxy gives it only a part of a site. */
import express, { type Express, type Request, type RequestHandler } from 'express';
import { standardErrorFormat } from '../../router/error-body.ts';
import { NotFoundError } from '../../router/errors.ts';
import { noStore } from './no-store.ts';

const SETTING = 'service base path';

/** The paths of probes and monitoring, which use the port directly: served with and without the base path. */
const PROBES: readonly string[] = ['/healthz', '/readyz', '/metrics'];

/** The addresses of metadata, which begin at the root of a site by their standards (RFC 8414, section 3.1; RFC 9728, section 3.1). */
const WELL_KNOWN: readonly string[] = [
  '/.well-known/oauth-authorization-server/*path',
  '/.well-known/oauth-protected-resource/*path',
];

export function setBasePath(app: Express, basePath: string): void {
  app.set(SETTING, basePath);
}

/** Returns the common path prefix of this server's addresses, such as `/analytics`; empty for none. */
export function basePathOf(request: Request): string {
  return String(request.app.get(SETTING) ?? '');
}

/** Serves `app` below `basePath`, and only the probes and metadata outside. */
export function below(basePath: string, app: Express): Express {
  if (basePath === '') return app;
  const outer = express();
  outer.disable('etag');
  outer.disable('x-powered-by');
  outer.enable('case sensitive routing');
  // The inner application identifies the caller in the same way as the outer one.
  outer.set('trust proxy', app.get('trust proxy'));
  outer.use(basePath, app);
  outer.get([...PROBES], app);
  outer.all([...WELL_KNOWN], app);
  outer.use(noStore, elsewhere(basePath));
  return outer;
}

function elsewhere(basePath: string): RequestHandler {
  return (_request, response) => {
    const error = new NotFoundError(`There is nothing at this address. This server answers below ${basePath}/.`);
    response.status(error.status).json(standardErrorFormat(error));
  };
}
