import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

const ids = new WeakMap<object, string>();

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Gives every request an id, which its log lines and its answer carry. */
export const requestId: RequestHandler = (request, response, next) => {
  response.setHeader(REQUEST_ID_HEADER, giveRequestId(request));
  next();
};

/** Gives a request an id, and returns it. */
export function giveRequestId(request: IncomingMessage): string {
  const id = randomUUID();
  ids.set(request, id);
  return id;
}

export function requestIdOf(request: IncomingMessage): string {
  return ids.get(request) ?? '';
}
