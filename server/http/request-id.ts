import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';

const ids = new WeakMap<object, string>();

/** Gives every request an id, which its log lines and its answer carry. */
export const requestId: RequestHandler = (request, response, next) => {
  const id = randomUUID();
  ids.set(request, id);
  response.set('X-Request-Id', id);
  next();
};

export function requestIdOf(request: Request): string {
  return ids.get(request) ?? '';
}
