import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A request to the stand-in. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface HttpStandIn {
  readonly port: number;
  readonly requests: readonly SentRequest[];
  /** Requests that the client aborted before the answer ended. */
  readonly hungUp: readonly SentRequest[];
  stop(): Promise<void>;
}

/** Starts an HTTP server on 127.0.0.1 with prepared answers, for protocols without a real server here. */
export async function startHttpStandIn(
  answer: (request: SentRequest, response: ServerResponse) => void,
): Promise<HttpStandIn> {
  const requests: SentRequest[] = [];
  const hungUp: SentRequest[] = [];
  const server = createServer(async (request, response) => {
    request.setEncoding('utf8');
    let body = '';
    for await (const part of request) body += String(part);
    const sent = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', 'http://stand-in'),
      headers: request.headers,
      body,
    };
    requests.push(sent);
    response.once('close', () => {
      if (!response.writableFinished) hungUp.push(sent);
    });
    answer(sent, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stand-in has no port.');
  return {
    port: address.port,
    requests,
    hungUp,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
