/**
 * Names each failure by a code that stays the same between versions. `EMBED_INVALID` gives no reason, as the server
 * gives none: a page must not learn why it may not read an embed.
 */
export type FailureCode =
  /** The embed does not exist, or the page may not read it. */
  | 'EMBED_INVALID'
  /** `filter` does not have the documented shape; no request was sent. */
  | 'INVALID_FILTER'
  /** `server` is no http address, or `path` or `token` cannot be sent. */
  | 'INVALID_SETTINGS'
  /** The server refuses the request itself, for example a filter of a field that the query does not have. */
  | 'REQUEST_REFUSED'
  | 'RATE_LIMITED'
  | 'SERVER_ERROR'
  | 'NETWORK_ERROR'
  /** The server answered with something other than an embed answer. */
  | 'INVALID_ANSWER'
  /** `getToken` failed. */
  | 'TOKEN_UNAVAILABLE'
  /** A file of the element itself (charts, the grid, …) did not arrive. */
  | 'PART_UNAVAILABLE';

const RETRIABLE = /^(RATE|SERVER|NETWORK)|_UNAVAILABLE$/;

export class Failure extends Error {
  readonly code: FailureCode;
  /** The pause after which a server that is still loading wants to be asked again; 0 or no number where it names none. */
  readonly pauseMs: number | undefined;

  constructor(code: FailureCode, pauseMs?: number) {
    super(code);
    this.code = code;
    this.pauseMs = pauseMs;
  }

  /** Returns whether the same request may succeed later without a change by anybody. */
  get retriable(): boolean {
    return RETRIABLE.test(this.code);
  }
}

/** Returns the failure for an answer that is no success. */
export function toFailure({ status, headers }: Response): Failure {
  if (status === 429) return new Failure('RATE_LIMITED');
  // The pause is up to a half longer, so that the embeds of many pages do not ask at the same time.
  if (status === 503)
    return new Failure('SERVER_ERROR', Number(headers.get('Retry-After')) * (1_000 + Math.random() * 500));
  if (status >= 500) return new Failure('SERVER_ERROR');
  return new Failure(status === 400 || status === 422 ? 'REQUEST_REFUSED' : 'EMBED_INVALID');
}
