import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerUnparsed } from './unparsed-requests.ts';

/** A bound port with a replaceable request handler. */
export interface OpenPort {
  readonly port: number;
  /** Passes all further requests to `answer`. */
  serve(answer: RequestListener): void;
  /** Ends when the running requests have ended, or after `graceMs`; closes idle connections at once. */
  stop(graceMs: number): Promise<void>;
}

/** A port that is not available. The message is one line for the person who starts the process. */
class PortUnusableError extends Error {
  override readonly name = 'PortUnusableError';
}

/**
 * Time that an idle connection is kept, in milliseconds: longer than proxies and clients keep theirs (usually 60 s), so that none of them sends a
 * request into a connection that closes here.
 */
const KEEP_ALIVE_MS = 65_000;

/** Twice the usual limit: addresses here contain filters, and proxies add headers. */
const DEFAULT_MAX_HEADER_BYTES = 32_768;

/**
 * Binds a port before anything else: of two simultaneous starts, the second one leaves no trace. Until a handler serves, every request is answered
 * that the process is starting.
 *
 * @param maxHeaderBytes of the request line and the headers of a request
 * @throws PortUnusableError
 */
export async function openPort(
  host: string,
  port: number,
  basePath = '',
  maxHeaderBytes: number = DEFAULT_MAX_HEADER_BYTES,
): Promise<OpenPort> {
  let answer = starting(basePath);
  const server = createServer({ maxHeaderSize: maxHeaderBytes, requireHostHeader: false });
  server.on(
    'request',
    answerUnparsed(server, maxHeaderBytes, (request, response) => answer(request, response)),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new PortUnusableError(refusal(cause, host, port), { cause })),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve(next) {
      answer = next;
    },
    stop: (graceMs) => stop(server, graceMs),
  };
}

function refusal({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken; choose another with --port N.`;
    case 'EACCES':
      return `Port ${port} may not be listened on by this user; choose another with --port N.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine; choose another with --host.`;
    default:
      return message;
  }
}

const RETRY_SECONDS = '1';

/** The page for a browser that opens during the start; it reloads by itself. */
const STARTING_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<title>Starting – service</title>
<body style="font: 16px/1.5 system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh; margin: 0 1.5rem">
<p role="status">The service is starting. This page opens by itself in a moment.</p>
</body>
</html>
`;

/** Answers requests during the start. */
const starting =
  (basePath: string): RequestListener =>
  (request, response) => {
    const requested = (request.url ?? '').split('?')[0] ?? '';
    const path = requested.startsWith(`${basePath}/`) ? requested.slice(basePath.length) : requested;
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
    if (path === '/healthz') response.writeHead(200, headers).end('{"status":"OK"}');
    else if (path !== '/readyz' && request.headers.accept?.includes('text/html') === true) {
      const page = { ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Retry-After': RETRY_SECONDS };
      response.writeHead(503, page).end(STARTING_PAGE);
    } else {
      const body =
        path === '/readyz'
          ? { status: 'NOT_READY', missing: ['state', 'datasources'] }
          : { error: 'STARTING', message: 'The server is starting. Ask again in a moment.' };
      response.writeHead(503, { ...headers, 'Retry-After': RETRY_SECONDS }).end(JSON.stringify(body));
    }
    request.resume();
  };

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
