import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOSTS = fileURLToPath(new URL('hosts/', import.meta.url));
const DEFAULT_SERVER = 'http://localhost:8080';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** As strict as a careful host would have it: the page may load scripts and data from the analytics server only. */
function contentSecurityPolicy(asked: string): string {
  const origin =
    URL.canParse(asked) && /^https?:$/.test(new URL(asked).protocol) ? new URL(asked).origin : DEFAULT_SERVER;
  return [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    `connect-src ${origin}`,
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The file that a path of the address names, or `undefined` when it names none of the pages' files. */
function fileOf(pathname: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (path.includes('\0') || path.includes('\\')) return undefined;
  // The bundled page is served as built.
  path = path.replace(/^\/bundled\//, '/bundled/dist/');
  if (path.endsWith('/')) path += 'index.html';
  const file = normalize(join(HOSTS, path));
  return file.startsWith(HOSTS.endsWith(sep) ? HOSTS : HOSTS + sep) && TYPES[extname(file)] !== undefined
    ? file
    : undefined;
}

function plain(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`);
}

async function answer(target: string, response: ServerResponse): Promise<void> {
  const url = new URL(target, 'http://host.invalid');
  if (['/script-tag', '/dark', '/bundled'].includes(url.pathname)) {
    plain(response, 308, 'Moved.', { Location: `${url.pathname}/${url.search}` });
    return;
  }
  const file = fileOf(url.pathname);
  let body: Buffer | undefined;
  try {
    body = file === undefined ? undefined : await readFile(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')))
      throw error;
  }
  if (file === undefined || body === undefined) {
    const hint = url.pathname.startsWith('/bundled/')
      ? ' Build this page first: npx vite build demo/hosts/bundled'
      : '';
    plain(response, 404, `There is no such page.${hint}`);
    return;
  }
  response.writeHead(200, {
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Security-Policy': contentSecurityPolicy(url.searchParams.get('server') ?? DEFAULT_SERVER),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  response.end(body);
}

/** Serves `demo/hosts`, so that its pages are of another origin than the analytics server. Not listening yet. */
export function hostServer(): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      plain(response, 405, 'Only pages are served here.', { Allow: 'GET, HEAD' });
      return;
    }
    answer(request.url ?? '/', response).catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else plain(response, 500, 'This page cannot be served.');
    });
  });
}
