/** The files of `<service-embed>` under `/ui/`, which pages of any origin load: the script, its versions, its parts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { contentTag } from './etag.ts';

/** `service-embed.js`, `service-embed@0.1.0.js`, `service-embed-charts-0.1.0-1a2b3c4d.js`, `service-embed.integrity.json` */
const OURS = /^service-embed(?:([@-])[\w.+-]+)?\.(?:js|integrity\.json)$/;
/** The build's file with versions and hashes. */
const INTEGRITY_FILE = 'service-embed.integrity.json';
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const Delivered = z.object({ version: z.string(), script: z.string() });

/**
 * Serves the element's files in `directory`, and passes other requests on. A file with a version in its name never changes and is cached for a year;
 * any other is revalidated by its ETag each time. Files that the build compressed are sent compressed.
 */
export function embedFiles(directory: string): RequestHandler {
  return (request, response, next) => {
    const name = request.path.slice(1).replace('%40', '@');
    const match = OURS.exec(name);
    if (match === null || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    // A module loaded by import() from another origin, or with `integrity`, is fetched with CORS; COEP pages need CORP.
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    if (!existsSync(join(directory, name))) {
      response.status(404).set('Cache-Control', 'no-store').json(noSuchVersion(directory, name));
      return;
    }
    response.vary('Accept-Encoding');
    response.type(name.endsWith('.js') ? 'text/javascript' : 'application/json');
    const [encoding, extension] = ENCODINGS.find(
      ([each, ending]) => request.acceptsEncodings(each) === each && existsSync(join(directory, name + ending)),
    ) ?? [undefined, ''];
    if (encoding !== undefined) response.set('Content-Encoding', encoding);
    response.set(
      'Cache-Control',
      match[1] === undefined ? 'public, max-age=0, must-revalidate' : 'public, max-age=31536000, immutable',
    );
    response.set('ETag', contentTag(join(directory, name + extension)));
    response.sendFile(name + extension, { root: directory, cacheControl: false, lastModified: false }, (error) => {
      // A closed connection is no failure; any other error goes to the host's error handler, without the headers of a
      // success.
      if (error === undefined || response.headersSent) return;
      for (const header of ['Content-Encoding', 'Cache-Control', 'Content-Type', 'ETag']) response.removeHeader(header);
      next(error);
    });
  };
}

/** Refuses another version: a page that pins a version gets that version or none. */
function noSuchVersion(directory: string, name: string): object {
  const file = join(directory, INTEGRITY_FILE);
  const has = existsSync(file) ? Delivered.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data : undefined;
  return {
    error: 'NOT_FOUND',
    message:
      has === undefined
        ? `There is no ${name} here.`
        : `There is no ${name} here: this service has version ${has.version} of the element, at /ui/${has.script}. /ui/service-embed.js is always the newest.`,
    ...(has === undefined ? {} : { available: [has.script, 'service-embed.js'] }),
  };
}
