import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MintToken } from './token-backend.ts';

const HOSTS = fileURLToPath(new URL('host-pages/', import.meta.url));
const DEFAULT_SERVER = 'http://localhost:8080';

/** The built apps, and the Trusted Types policies that their libraries create. */
const APPS: readonly (readonly [name: string, trustedTypes: string])[] = [
  ['bundled', 'lit-html'],
  ['react', 'lit-html'],
  ['vue', 'lit-html vue'],
  ['svelte', 'lit-html svelte-trusted-html'],
  ['angular', 'lit-html angular angular#bundler'],
];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Writes the policy of a careful host: scripts and data of this page and of the analytics server, nothing else. */
function contentSecurityPolicy(server: string, trustedTypes: string | undefined): string {
  const origin =
    URL.canParse(server) && /^https?:$/.test(new URL(server).protocol) ? new URL(server).origin : DEFAULT_SERVER;
  return [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    `connect-src 'self' ${origin}`,
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(trustedTypes === undefined ? [] : ["require-trusted-types-for 'script'", `trusted-types ${trustedTypes}`]),
  ].join('; ');
}

function findApp(pathname: string): (typeof APPS)[number] | undefined {
  return APPS.find(([name]) => pathname.startsWith(`/${name}/`));
}

/** Returns the file for a path of the address; undefined where none of the pages' files matches. */
function findFile(pathname: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (path.includes('\0') || path.includes('\\')) return undefined;
  const app = findApp(path);
  if (app !== undefined) path = path.replace(`/${app[0]}/`, `/${app[0]}/dist/`);
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

async function answer(target: string, response: ServerResponse, mint: MintToken | undefined): Promise<void> {
  const url = new URL(target, 'http://host.invalid');
  if (url.pathname === '/embed-token' && mint !== undefined) {
    const { status, body } = await mint({
      kind: url.searchParams.get('kind') ?? '',
      path: url.searchParams.get('path') ?? '',
    });
    response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body);
    return;
  }
  if (['script-tag', 'dark', ...APPS.map(([name]) => name)].some((page) => url.pathname === `/${page}`)) {
    plain(response, 308, 'Moved.', { Location: `${url.pathname}/${url.search}` });
    return;
  }
  const app = findApp(url.pathname);
  const file = findFile(url.pathname);
  let body: Buffer | undefined;
  try {
    body = file === undefined ? undefined : await readFile(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')))
      throw error;
  }
  if (file === undefined || body === undefined) {
    const hint = app === undefined ? '' : ` Build this page first: npx vite build demo/host-pages/${app[0]}`;
    plain(response, 404, `There is no such page.${hint}`);
    return;
  }
  response.writeHead(200, {
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Security-Policy': contentSecurityPolicy(url.searchParams.get('server') ?? DEFAULT_SERVER, app?.[1]),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  response.end(body);
}

/**
 * Creates the server of `demo/host-pages`, so that its pages have another origin than the analytics server. With `mint`
 * it is also their backend, at `/embed-token?kind=…&path=…`; a real backend would check the visitor first. It does not
 * listen yet.
 */
export function hostServer({ mint }: { readonly mint?: MintToken | undefined } = {}): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      plain(response, 405, 'Only pages are served here.', { Allow: 'GET, HEAD' });
      return;
    }
    answer(request.url ?? '/', response, mint).catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else plain(response, 500, 'This page cannot be served.');
    });
  });
}
