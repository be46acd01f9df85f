/**
 * What went wrong, by a code that stays the same between versions. `EMBED_INVALID` says no more than the server does:
 * why an embed may not be read is not told to the page it is on.
 */
export type FailureCode =
  /** The embed may not be read, or there is none. */
  | 'EMBED_INVALID'
  /** `filter` is not of the documented shape; nothing was asked. */
  | 'INVALID_FILTER'
  /** `server` is no http address, or `path` or `token` cannot be sent. */
  | 'INVALID_SETTINGS'
  /** The server refuses the request itself, for example a filter of a field that the query does not have. */
  | 'REQUEST_REFUSED'
  | 'RATE_LIMITED'
  | 'SERVER_ERROR'
  | 'NETWORK_ERROR'
  /** The server answered something that is no answer to an embed read. */
  | 'INVALID_ANSWER'
  /** `getToken` failed. */
  | 'TOKEN_UNAVAILABLE'
  /** A file of the element itself (charts, the grid, …) did not arrive. */
  | 'PART_UNAVAILABLE';

const RETRIABLE = /^(RATE|SERVER|NETWORK)|_UNAVAILABLE$/;

export class Failure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode) {
    super(code);
    this.code = code;
  }

  /** Tells whether the same request may succeed later without anybody changing anything. */
  get retriable(): boolean {
    return RETRIABLE.test(this.code);
  }
}

/** Returns the failure that an HTTP status means. */
export function failureOfStatus(status: number): Failure {
  if (status === 429) return new Failure('RATE_LIMITED');
  if (status >= 500) return new Failure('SERVER_ERROR');
  return new Failure(status === 400 || status === 422 ? 'REQUEST_REFUSED' : 'EMBED_INVALID');
}
