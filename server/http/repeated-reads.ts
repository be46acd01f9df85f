/**
 * Gives kept answers of embeds again without the routes: the operation looks for the answer by its own steps, with all its
 * checks, and the bytes are sent with the headers of an earlier answer. Any other outcome is left to the routes.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { AnonymousCaller } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Observer } from '../../router/capabilities/observer.ts';
import { EmbedInvalidError } from '../../router/errors.ts';
import { keptBytes } from '../../router/kept-bytes.ts';
import type { Repeat, RepeatedAnswer } from '../../router/repeated-answer.ts';
import type { Awaitable } from '../../router/steps.ts';
import { hasBody } from './body.ts';
import { countAnswer, type MetricsEndpoint } from './metrics.ts';
import { giveRequestId, REQUEST_ID_HEADER } from './request-id.ts';
import { logAnswer } from './request-log.ts';
import { finishedHeaders, readyBytes } from './send-json.ts';

/** Addresses that are remembered, and the longest among them. */
const MAX_ADDRESSES = 5_000;
const MAX_ADDRESS_LENGTH = 4_000;

const ANONYMOUS: AnonymousCaller = { kind: 'anonymous' };

interface RepeatedRead {
  /** Its path in the router: `embed.readTile`. */
  readonly operation: string;
  /** The input as the first caller sent it; the address decides it. */
  readonly input: unknown;
  readonly again: Repeat;
}

/** Begins the trace of a request, where tracing is on. */
export type TraceRequest = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface RepeatedReadsOptions {
  readonly log: Log;
  readonly observer: Observer | undefined;
  readonly metrics: MetricsEndpoint | undefined;
  readonly traces: TraceRequest | undefined;
  /** Returns the caller's address, also behind a proxy. */
  readonly addressOf: (request: IncomingMessage) => string;
}

export class RepeatedReads {
  readonly #options: RepeatedReadsOptions;
  readonly #reads = new LRUCache<string, RepeatedRead>({ max: MAX_ADDRESSES });

  constructor(options: RepeatedReadsOptions) {
    this.#options = options;
  }

  /** Remembers how a read at an address, with its query, is answered again. */
  remember({ originalUrl }: Request, read: RepeatedRead): void {
    if (originalUrl.length <= MAX_ADDRESS_LENGTH) this.#reads.set(originalUrl, read);
  }

  /** Makes the listener that gives kept answers again, in front of `routes`. */
  before(routes: RequestListener): RequestListener {
    return (request, response) => {
      const read = request.method === 'GET' ? this.#reads.get(request.url ?? '') : undefined;
      if (read === undefined || hasBody(request)) return routes(request, response);
      const begun = performance.now();
      const answer = (found: RepeatedAnswer | undefined): void => {
        const bytes = found === undefined ? undefined : readyBytes(request, keptBytes(found.answer));
        const headers = bytes === undefined ? undefined : finishedHeaders(bytes);
        if (found === undefined || bytes === undefined || headers === undefined) {
          routes(request, response);
          return;
        }
        try {
          this.#send({ request, response, read, found, begun }, bytes, headers);
        } catch (error) {
          // A mistake of ours here must end one answer, not the process.
          this.#options.log.error({ operation: read.operation, err: error }, 'a kept answer could not be sent');
          this.#reads.delete(request.url ?? '');
          response.destroy();
        }
      };
      const found = this.#look(request, read);
      if (found instanceof Promise) void found.then(answer);
      else answer(found);
    };
  }

  /** Looks for the answer. A refusal is no answer: the operation refuses again, and that is what is observed. */
  #look(request: IncomingMessage, read: RepeatedRead): Awaitable<RepeatedAnswer | undefined> {
    const refused = (error: unknown): undefined => {
      // A wrong token says nothing about the read. What else fails is not tried twice at each request.
      if (!(error instanceof EmbedInvalidError)) this.#reads.delete(request.url ?? '');
    };
    try {
      const token = request.headers['x-service-embed-token'];
      const found = read.again(typeof token === 'string' ? token : undefined);
      return found instanceof Promise ? found.catch(refused) : found;
    } catch (error) {
      return refused(error);
    }
  }

  #send({ request, response, read, found, begun }: FoundAnswer, bytes: Buffer, headers: readonly string[]): void {
    const { log, observer, metrics, traces, addressOf } = this.#options;
    const requestId = giveRequestId(request);
    logAnswer(log, request, response, { operation: () => read.operation, begun, isFrequent: false });
    if (metrics !== undefined) countAnswer(metrics, request, response);
    const send = () => {
      observer?.ended(
        {
          kind: 'operation',
          operation: read.operation,
          access: 'embed',
          writes: false,
          caller: ANONYMOUS,
          owner: found.owner,
          address: addressOf(request),
          requestId,
          input: () => read.input,
        },
        found.answer,
        performance.now() - begun,
      );
      response.writeHead(200, [REQUEST_ID_HEADER, requestId, ...headers]).end(bytes);
    };
    if (traces === undefined) send();
    else traces(request, response, send);
  }
}

interface FoundAnswer {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly read: RepeatedRead;
  readonly found: RepeatedAnswer;
  /** The time of the monotonic clock when the look began. */
  readonly begun: number;
}
