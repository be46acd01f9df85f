import {
  type Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
} from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { NetworkGuard } from './network-guard.ts';
import { hostAndPort } from './server-address.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  readonly agent: HttpAgent;
  readonly signal?: AbortSignal | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
  /** Time without data after which the request ends with ETIMEDOUT; without it, the request waits. */
  readonly silenceMs?: number | undefined;
  /** Decides whether the host is allowed; without it, any host is. */
  readonly network?: NetworkGuard | undefined;
}

/** Makes a look-up that returns the checked address, even if the name resolves to another one by then. */
function lookupOf(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, options, done) => {
    if (options.all === true) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}

/**
 * Sends a request; the caller reads the answer's body. Node's `fetch` ends after five minutes without an answer, which a warehouse may need, and only
 * another library could change that.
 */
export async function httpRequest({
  url,
  body,
  silenceMs,
  signal,
  network,
  ...options
}: HttpRequest): Promise<IncomingMessage> {
  const { host, port } = hostAndPort(url);
  const checked = await network?.addressOf(host, port);
  const lookup = checked === undefined ? {} : { lookup: lookupOf(checked) };
  const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, { ...options, ...lookup, ...(signal === undefined ? {} : { signal }) }, resolve);
    request.on('error', reject);
    if (silenceMs !== undefined) {
      request.setTimeout(silenceMs, () => {
        request.destroy(Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' }));
      });
    }
    request.end(body);
  });
}

export async function readText(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response) text += String(part);
  return text;
}
