/** Serves the static files: `/ui/` with its pages, the element's files and the API reference. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { PAGES, type PageName, pageAt, pageFile } from '../ui/pages.ts';
import { embedFiles } from './embed-files.ts';
import { contentTag } from './etag.ts';

/**
 * Serves the built user interface from `directory`.
 *
 * @param keptElements folders of earlier versions of the element
 */
export function pages(directory: string, keptElements: readonly string[] = []): Router {
  const router = express.Router();
  router.use(embedFiles(directory, keptElements));
  router.use(pageFiles(directory));
  router.use(
    express.static(directory, {
      index: false,
      redirect: false,
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

/** Serves the pages of the table, each also below its path where the table lets it, and adds a missing slash at the end of an address. */
function pageFiles(directory: string): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const { path, originalUrl } = request;
    const [address = '', ...query] = originalUrl.split('?');
    // Without its slash, the address of the home page has the same path here.
    const name = path === '/' && !address.endsWith('/') ? undefined : pageAt(`/ui${path}`);
    if (name !== undefined) {
      sendPage(directory, name, request, response, next);
      return;
    }
    if (path !== '/' && pageAt(`/ui${path}/`) === undefined) return next();
    response.redirect(301, [`${address}/`, ...query].join('?'));
  };
}

/** Explains to people that the address does not exist. Programs get the error of the API. */
export function missingPage(directory: string): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' || request.get('accept')?.includes('text/html') !== true) return next();
    response.status(404);
    sendPage(directory, 'not-found', request, response, next);
  };
}

/**
 * Sends a page. Its files have addresses that are relative to the folder of the page, which the answer changes to the folder of the request. So a
 * page works at every depth below any base path, also one that only a proxy knows.
 */
function sendPage(directory: string, name: PageName, request: Request, response: Response, next: () => void): void {
  const file = join(directory, pageFile(name));
  if (!existsSync(file)) {
    next();
    return;
  }
  const up = '../'.repeat(request.path.split('/').length - 2);
  const isFound = response.statusCode === 200;
  response.set('Cache-Control', isFound ? 'public, max-age=0, must-revalidate' : 'no-store');
  if (isFound) response.set('ETag', `${contentTag(file).slice(0, -1)}.${up.length / 3}"`);
  response
    .type('html')
    .send(withAddressesFrom(readFileSync(file, 'utf8'), PAGES[name].path === '/ui/' ? '' : name, up));
}

const RELATIVE = /\b(src|href)="(\.\.?)\/([^"]*)"/g;

/** Changes relative addresses in the HTML of `/ui/<folder>/` so that they lead to the same files from `up` above. */
function withAddressesFrom(html: string, folder: string, up: string): string {
  return html.replace(RELATIVE, (_, attribute: string, dots: string, rest: string) => {
    const isInFolder = dots === '.' && folder !== '';
    return `${attribute}="${up === '' ? './' : up}${isInFolder ? `${folder}/` : ''}${rest}"`;
  });
}

/** Explains that the user interface was not built, instead of a bare 404. */
export function missingPages(directory: string): RequestHandler | undefined {
  if (existsSync(join(directory, 'index.html'))) return undefined;
  return (_request, response) => {
    response.status(503).json({ error: 'NOT_BUILT', message: 'The user interface is not built: run `npm run build`.' });
  };
}
