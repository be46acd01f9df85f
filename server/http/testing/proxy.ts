/** A small reverse proxy for the tests of path prefixes and of several nodes. */
import { createServer, request as outgoing } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReverseProxy {
  readonly url: string;
  /** The number of requests to each target. */
  readonly served: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/**
 * Forwards requests to `targets` (origins) in turn, with their paths unchanged. A target that is unreachable or that disconnects is answered 502, and
 * the client decides whether to try again.
 */
export async function startProxy(targets: () => readonly string[]): Promise<ReverseProxy> {
  const served = new Map<string, number>();
  let turn = 0;
  const server = createServer((request, response) => {
    const all = targets();
    const target = all[turn++ % all.length] ?? '';
    served.set(target, (served.get(target) ?? 0) + 1);
    const { host, ...headers } = request.headers;
    const onward = outgoing(
      new URL(request.url ?? '/', target),
      {
        method: request.method,
        headers: {
          ...headers,
          host: host ?? '',
          'x-forwarded-for': request.socket.remoteAddress ?? '',
          'x-forwarded-proto': 'http',
        },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
