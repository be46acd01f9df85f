import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Log } from '../../../router/capabilities/log.ts';
import { InternalError } from '../../../router/errors.ts';
import { httpRequest, readText } from '../http-request.ts';
import type { NetworkGuard } from '../network-guard.ts';
import { jsonElements, jsonMember } from '../raw-json.ts';
import type { TrinoAddress } from './address.ts';
import { TrinoFailure, TrinoHttpError } from './errors.ts';

/** One answer of the protocol. Rows are JSON texts, and their numbers are not parsed. */
export interface Page {
  /** Address of the next page; `undefined` once the statement has ended. */
  readonly nextUri: string | undefined;
  readonly columns: readonly { readonly name: string; readonly type: string }[] | undefined;
  readonly rows: readonly string[];
}

const PAGE = z.object({
  nextUri: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).nullish(),
  error: z
    .object({ message: z.string().nullish(), errorName: z.string().nullish(), errorType: z.string().nullish() })
    .nullish(),
});

/** "If the client request returns an HTTP 502, 503, or 504, that means there was an intermittent problem …: try again in 50–100 ms"; 429 names a delay. */
const TRY_AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const TRY_AGAIN_AFTER_MS = 75;
/** Time without data after which a request ends. A server delays an answer by about a second. */
const SILENCE_MS = 60_000;
const CANCEL_WITHIN_MS = 5_000;

type CredentialEncoding = 'latin1' | 'utf8';

/**
 * Returns the encodings to try for credentials. Trino reads the bytes of HTTP Basic as Latin-1 (checked on 476); a proxy before it
 * may read UTF-8. Both agree on ASCII.
 */
function encodingsOf(credentials: string): readonly CredentialEncoding[] {
  if (/^[\0-\x7f]*$/.test(credentials)) return ['utf8'];
  return /^[\0-\xff]*$/.test(credentials) ? ['latin1', 'utf8'] : ['utf8'];
}

/** The client protocol of one coordinator (Trino documentation, "Client REST API"). */
export class TrinoClient {
  readonly #address: TrinoAddress;
  readonly #agent: HttpAgent;
  readonly #network: NetworkGuard | undefined;
  readonly #log: Log;

  readonly #allEncodings: readonly CredentialEncoding[];
  /** Encodings of the credentials that have not been refused; the first is used. */
  #encodings: readonly CredentialEncoding[];

  constructor(address: TrinoAddress, log: Log, network: NetworkGuard | undefined) {
    this.#network = network;
    this.#allEncodings = encodingsOf(`${address.user}:${address.password ?? ''}`);
    this.#encodings = this.#allEncodings;
    this.#address = address;
    this.#log = log;
    this.#agent =
      address.endpoint.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  }

  /** Starts a statement. The signal does not end the request: the server's answer contains what to cancel. */
  start(sql: string, session: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Page> {
    const properties = Object.entries(session).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return this.#ask(
      'POST',
      new URL('/v1/statement', this.#address.endpoint),
      { 'x-trino-session': properties.join(',') },
      sql,
      signal,
    );
  }

  next(uri: string, signal: AbortSignal): Promise<Page> {
    return this.#ask('GET', this.#onOurServer(uri), {}, undefined, signal);
  }

  /** Stops the statement in the server. Never rejects: the caller has its answer already. */
  async cancel(uri: string): Promise<void> {
    try {
      const response = await this.#send(
        'DELETE',
        this.#onOurServer(uri),
        {},
        undefined,
        AbortSignal.timeout(CANCEL_WITHIN_MS),
      );
      await readText(response);
    } catch (error) {
      this.#log.debug({ err: error }, 'A Trino statement could not be cancelled');
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  /**
   * Moves an address to the configured server: a coordinator behind a proxy may name another address, but credentials are sent only to the configured
   * one.
   */
  #onOurServer(uri: string): URL {
    const { pathname, search } = new URL(uri, this.#address.endpoint);
    const url = new URL(this.#address.endpoint);
    url.pathname = pathname;
    url.search = search;
    return url;
  }

  async #ask(
    method: 'GET' | 'POST',
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Page> {
    for (;;) {
      const response = await this.#send(method, url, headers, body, method === 'POST' ? undefined : signal);
      const text = await readText(response);
      if (response.statusCode === 200) return pageOf(text);
      if (response.statusCode === 401 && this.#encodings.length > 1) {
        this.#encodings = this.#encodings.slice(1);
        continue;
      }
      // All are tried again with the next statement: a server may refuse a right password for a while.
      if (response.statusCode === 401) this.#encodings = this.#allEncodings;
      if (!TRY_AGAIN.has(response.statusCode ?? 0)) throw new TrinoHttpError(response.statusCode ?? 0, text);
      const seconds = Number(response.headers['retry-after']);
      await delay(seconds > 0 ? seconds * 1000 : TRY_AGAIN_AFTER_MS, undefined, { signal });
    }
  }

  #send(
    method: 'GET' | 'POST' | 'DELETE',
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
    signal: AbortSignal | undefined,
  ) {
    const { catalog, schema, user, password, checksCertificate } = this.#address;
    return httpRequest({
      url,
      network: this.#network,
      method,
      headers: {
        'x-trino-user': user,
        'x-trino-source': 'service',
        'x-trino-catalog': catalog,
        ...(schema === undefined ? {} : { 'x-trino-schema': schema }),
        'x-trino-time-zone': 'UTC',
        // Without it, instants are rounded to milliseconds.
        'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
        ...(password === undefined
          ? {}
          : { authorization: `Basic ${Buffer.from(`${user}:${password}`, this.#encodings[0]).toString('base64')}` }),
        'content-type': 'text/plain; charset=utf-8',
        'user-agent': 'service',
        ...headers,
      },
      body,
      agent: this.#agent,
      signal,
      rejectUnauthorized: checksCertificate,
      silenceMs: SILENCE_MS,
    });
  }
}

function pageOf(text: string): Page {
  const page = PAGE.safeParse(parsed(text));
  if (!page.success)
    throw new InternalError('Trino sent an answer that its protocol does not have.', { cause: page.error });
  const { nextUri, columns, error } = page.data;
  if (error !== undefined && error !== null)
    throw new TrinoFailure(error.message ?? '', error.errorName ?? '', error.errorType ?? '');
  const data = jsonMember(text, 'data');
  return {
    nextUri,
    columns: columns ?? undefined,
    rows: data === undefined || data === 'null' ? [] : jsonElements(data),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InternalError('Trino sent an answer that is not JSON.', { cause: error });
  }
}
