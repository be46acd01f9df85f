/** Opens addresses to pages of any origin that send their own credentials. No browser adds a cookie to such a request. */
import type { RequestHandler, Response } from 'express';

export interface OpenAddress {
  /** With commas between them. */
  readonly methods: string;
  /** Headers that pages may send; a star leaves out `Authorization`, which must be named. */
  readonly requestHeaders: string;
  /** Headers that pages may read. */
  readonly answerHeaders?: string;
}

const PREFLIGHT_SECONDS = '3600';

/** Sets the headers with which pages of any origin may call an address and read its answer. */
export function allowPages(response: Response, { methods, requestHeaders, answerHeaders }: OpenAddress): void {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': requestHeaders,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    ...(answerHeaders === undefined ? {} : { 'Access-Control-Expose-Headers': answerHeaders }),
  });
}

/** Opens an address to pages, and answers their preflights. */
export function openToPages(address: OpenAddress): RequestHandler {
  return (request, response, next) => {
    allowPages(response, address);
    if (request.method === 'OPTIONS') response.status(204).end();
    else next();
  };
}
