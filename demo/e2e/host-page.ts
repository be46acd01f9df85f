/** Serves host pages from another origin than the product, which does not know them. */
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export interface Host {
  readonly url: string;
  stop(): Promise<void>;
}

export interface HostOptions {
  /** Pages by path. */
  readonly pages?: Readonly<Record<string, string>>;
  /** A folder to serve unchanged. */
  readonly directory?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON answers of the page's own backend, by path. */
  readonly backend?: Readonly<Record<string, (search: URLSearchParams) => Promise<unknown>>>;
}

export async function serveHost({ pages = {}, directory, headers = {}, backend = {} }: HostOptions): Promise<Host> {
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const answerRequest = backend[path];
    if (answerRequest !== undefined) {
      answerRequest(searchParams).then(
        (answer) => response.writeHead(200, { 'content-type': TYPES['.json'] }).end(JSON.stringify(answer)),
        () => response.writeHead(500).end(),
      );
      return;
    }
    if (path === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    const page = pages[path];
    if (page !== undefined) {
      response.writeHead(200, { 'content-type': TYPES['.html'], ...headers }).end(page);
      return;
    }
    const file =
      directory === undefined ? undefined : join(directory, normalize(path.endsWith('/') ? `${path}index.html` : path));
    if (file === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers })
      .end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
