import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Log } from '../../../router/capabilities/log.ts';
import { InternalError } from '../../../router/errors.ts';
import { httpRequest, textOf } from '../http-request.ts';
import type { NetworkGuard } from '../network-guard.ts';
import { jsonElements, jsonMember } from '../raw-json.ts';
import type { TrinoAddress } from './address.ts';
import { TrinoFailure, TrinoHttpError } from './errors.ts';

/** One answer of the protocol. Rows are JSON texts: their numbers have not been read. */
export interface Page {
  /** Where to ask for what follows; `undefined` once the statement has ended. */
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
/** A server delays an answer by a second or so; one that is silent for so long is gone. */
const SILENCE_MS = 60_000;
const CANCEL_WITHIN_MS = 5_000;

/** The client protocol of one coordinator (Trino documentation, "Client REST API"). */
export class TrinoClient {
  readonly #address: TrinoAddress;
  readonly #agent: HttpAgent;
  readonly #network: NetworkGuard | undefined;
  readonly #log: Log;

  constructor(address: TrinoAddress, log: Log, network: NetworkGuard | undefined) {
    this.#network = network;
    this.#address = address;
    this.#log = log;
    this.#agent =
      address.endpoint.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  }

  /**
   * Starts a statement. The signal does not break the request off: what to cancel is unknown until the server has
   * answered.
   */
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
      await textOf(response);
    } catch (error) {
      this.#log.debug({ err: error }, 'A Trino statement could not be cancelled');
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  /**
   * Moves an address to our server: a coordinator behind a proxy may name another address, but credentials go only to
   * ours.
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
      const text = await textOf(response);
      if (response.statusCode === 200) return pageOf(text);
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
          : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
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
