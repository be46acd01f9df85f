/** The static side of the host: `/ui/` with the home page, the embed script and the API reference. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';

const EMBED_SCRIPT = /^\/service-embed[^/]*\.js$/;

/** Serves the built user interface from `directory`. The embed script may be loaded by any page of any origin. */
export function pages(directory: string): Router {
  const router = express.Router();
  router.use((request, response, next) => {
    if (EMBED_SCRIPT.test(request.path)) {
      // A module loaded by import() from another origin is fetched with CORS; COEP pages need CORP as well.
      response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    }
    next();
  });
  router.use(
    express.static(directory, {
      index: 'index.html',
      setHeaders(response, file) {
        const immutable = /[/\\]assets[/\\]/.test(file);
        response.setHeader(
          'Cache-Control',
          immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
        );
      },
    }),
  );
  return router;
}

/** A clear answer instead of a bare 404 where the user interface was not built. */
export function missingPages(directory: string): RequestHandler | undefined {
  if (existsSync(join(directory, 'index.html'))) return undefined;
  return (_request, response) => {
    response.status(503).json({ error: 'NOT_BUILT', message: 'The user interface is not built: run `npm run build`.' });
  };
}
