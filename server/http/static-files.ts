/** Serves the static files: `/ui/` with the home page, the element's files and the API reference. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { embedFiles } from './embed-files.ts';
import { contentTag } from './etag.ts';

/** Serves the built user interface from `directory`. */
export function pages(directory: string): Router {
  const router = express.Router();
  router.use(embedFiles(directory));
  router.use(
    express.static(directory, {
      index: 'index.html',
      lastModified: false,
      setHeaders(response, file) {
        response.setHeader('ETag', contentTag(file));
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

/** Explains that the user interface was not built, instead of a bare 404. */
export function missingPages(directory: string): RequestHandler | undefined {
  if (existsSync(join(directory, 'index.html'))) return undefined;
  return (_request, response) => {
    response.status(503).json({ error: 'NOT_BUILT', message: 'The user interface is not built: run `npm run build`.' });
  };
}
