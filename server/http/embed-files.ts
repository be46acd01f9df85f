/** The files of `<service-embed>` under `/ui/`, which pages of any origin load: the script, its versions, its parts, the package. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { contentTag } from './etag.ts';
import { deliveredIn } from './kept-embed-files.ts';

/**
 * `service-embed.js`, `service-embed@0.1.0.js`, `service-embed-charts-0.1.0-1a2b3c4d.js`, `service-embed-0.1.0.tgz`,
 * `service-embed.integrity.json`
 */
const OURS = /^service-embed(?:([@-])[\w.+-]+)?\.(js|tgz|integrity\.json)$/;
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  tgz: 'application/gzip',
  'integrity.json': 'application/json',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Serves the element's files in `directory`, and passes other requests on. A file with a version in its name never changes and is cached for a year;
 * any other is revalidated by its ETag each time. Files that the build compressed are sent compressed.
 *
 * @param kept folders of earlier versions, for files with a version in their names
 */
export function embedFiles(directory: string, kept: readonly string[] = []): RequestHandler {
  return (request, response, next) => {
    const name = request.path.slice(1).replace('%40', '@');
    const match = OURS.exec(name);
    if (match === null || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    // A module loaded by import() from another origin, or with `integrity`, is fetched with CORS; COEP pages need CORP.
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    const folder = [directory, ...(match[1] === undefined ? [] : kept)].find((one) => existsSync(join(one, name)));
    if (folder === undefined) {
      response
        .status(404)
        .set('Cache-Control', 'no-store')
        .json(noSuchVersion(directory, kept, name));
      return;
    }
    response.vary('Accept-Encoding');
    response.type(TYPES[match[2] ?? ''] ?? 'application/octet-stream');
    const [encoding, extension] = ENCODINGS.find(
      ([each, ending]) => request.acceptsEncodings(each) === each && existsSync(join(folder, name + ending)),
    ) ?? [undefined, ''];
    if (encoding !== undefined) response.set('Content-Encoding', encoding);
    response.set(
      'Cache-Control',
      match[1] === undefined ? 'public, max-age=0, must-revalidate' : 'public, max-age=31536000, immutable',
    );
    response.set('ETag', contentTag(join(folder, name + extension)));
    response.sendFile(name + extension, { root: folder, cacheControl: false, lastModified: false }, (error) => {
      // A closed connection is no failure; any other error goes to the host's error handler, without the headers of a
      // success.
      if (error === undefined || response.headersSent) return;
      for (const header of ['Content-Encoding', 'Cache-Control', 'Content-Type', 'ETag']) response.removeHeader(header);
      next(error);
    });
  };
}

/** Refuses another version: a page that pins a version gets that version or none. */
function noSuchVersion(directory: string, kept: readonly string[], name: string): object {
  const has = deliveredIn(directory);
  const earlier = kept.flatMap((folder) => deliveredIn(folder)?.script ?? []);
  return {
    error: 'NOT_FOUND',
    message:
      has === undefined
        ? `There is no ${name} here.`
        : `There is no ${name} here: this service has version ${has.version} of the element, at /ui/${has.script}. /ui/service-embed.js is always the newest.`,
    ...(has === undefined ? {} : { available: [has.script, ...earlier, 'service-embed.js'] }),
  };
}
