import {
  type Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
} from 'node:http';
import { request as tlsRequest } from 'node:https';

export interface HttpRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  readonly agent: HttpAgent;
  readonly signal?: AbortSignal | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
  /** No byte for so long ends the request with ETIMEDOUT; without it, the request waits. */
  readonly silenceMs?: number | undefined;
}

/**
 * Sends a request; the body of the answer is read by the caller. Node's `fetch` is not used because it gives up on an answer that takes five
 * minutes to begin, which a warehouse may, and cannot be told otherwise without another library.
 */
export function httpRequest({ url, body, silenceMs, signal, ...options }: HttpRequest): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, { ...options, ...(signal === undefined ? {} : { signal }) }, resolve);
    request.on('error', reject);
    if (silenceMs !== undefined) {
      request.setTimeout(silenceMs, () => {
        request.destroy(Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' }));
      });
    }
    request.end(body);
  });
}

export async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response) text += String(part);
  return text;
}
