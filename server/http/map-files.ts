import express, { type RequestHandler, type Router } from 'express';

/** `europe.json`: one segment, so no request leaves the folder. */
const NAME = /^\/[\w-]{1,64}\.json$/;

const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ error: 'NOT_FOUND', message: 'There is no such map.' });
};

/**
 * Serves the maps of the installation: GeoJSON files of one folder, which pages of any origin load. A map is not secret, as the
 * pages of embeds are not signed in.
 */
export function mapFiles(directory: string): Router {
  const router = express.Router();
  const files = express.static(directory, {
    index: false,
    redirect: false,
    setHeaders(response) {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      response.setHeader('Cache-Control', 'public, max-age=0, must-revalidate');
    },
  });
  router.use((request, response, next) => {
    if (NAME.test(request.path)) files(request, response, next);
    else next();
  }, notFound);
  return router;
}
