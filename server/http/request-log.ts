/**
 * Logs each answered request: its operation, outcome and duration. The path and the query are left out, as they may
 * contain a token.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Log } from '../../router/capabilities/log.ts';
import { requestIdOf } from './request-id.ts';

const operations = new WeakMap<object, string>();

/** Sets the operation of a request for the log. */
export function noteOperation(request: Request, operation: string): void {
  operations.set(request, operation);
}

/** Frequent requests of monitoring and browsers are logged at the level `debug`. */
const FREQUENT = /^\/(?:ui(?:\/|$)|healthz$|readyz$|metrics$)/;

export function logRequests(log: Log): RequestHandler {
  return (request, response, next) => {
    const operation = () => operations.get(request) ?? null;
    logAnswer(log, request, response, {
      operation,
      begun: performance.now(),
      isFrequent: FREQUENT.test(request.path),
    });
    next();
  };
}

export interface LoggedRequest {
  /** Returns the operation, once the request has ended; null where it has none. */
  readonly operation: () => string | null;
  /** The time of the monotonic clock when the request was read. */
  readonly begun: number;
  readonly isFrequent: boolean;
}

/** Logs a request when its connection has taken the answer, or is closed. */
export function logAnswer(
  log: Log,
  request: IncomingMessage,
  response: ServerResponse,
  { operation, begun, isFrequent }: LoggedRequest,
): void {
  response.once('close', () => {
    const fields = {
      requestId: requestIdOf(request),
      method: request.method,
      operation: operation(),
      // 499 where the caller left before the answer was sent, as in error bodies.
      status: response.writableFinished ? response.statusCode : 499,
      durationMs: Math.round(performance.now() - begun),
    };
    if (isFrequent) log.debug(fields, 'request');
    else log.info(fields, 'request');
  });
}
