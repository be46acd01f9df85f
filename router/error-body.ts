import type { ErrorKind, Problem, ServiceError } from './errors.ts';
import { formatPath } from './path.ts';

/** Writes an error as the JSON of a surface. */
export type ErrorFormat = (error: ServiceError) => Readonly<Record<string, unknown>>;

/** The code of each kind in the envelopes of areas C to H. `ServiceError.code` wins where it is finer. */
export const ERROR_CODE: Readonly<Record<ErrorKind, string>> = {
  VALIDATION: 'VALIDATION_ERROR',
  MALFORMED_BODY: 'MALFORMED_BODY',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  METHOD_NOT_ALLOWED: 'METHOD_NOT_ALLOWED',
  UNAUTHENTICATED: 'UNAUTHENTICATED',
  FORBIDDEN: 'FORBIDDEN',
  CSRF_REJECTED: 'CSRF_REJECTED',
  EMBED_INVALID: 'EMBED_INVALID',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'CONFLICT',
  RATE_LIMITED: 'RATE_LIMITED',
  WAREHOUSE_ERROR: 'WAREHOUSE_ERROR',
  WAREHOUSE_UNREACHABLE: 'WAREHOUSE_UNREACHABLE',
  UPSTREAM_ERROR: 'UPSTREAM_ERROR',
  TIMEOUT: 'TIMEOUT',
  UNAVAILABLE: 'UNAVAILABLE',
  CANCELLED: 'CANCELLED',
  INTERNAL: 'EXECUTION_ERROR',
};

/** A mistake in an error body. */
export interface ProblemBody {
  /** Its place, as callers read it: `rows[1].field`. */
  readonly field: string;
  readonly message: string;
  readonly available?: readonly string[] | undefined;
}

/** Returns a mistake for an error body. */
export function toProblemBody({ path, message, available }: Problem): ProblemBody {
  return { field: formatPath(path), message, ...(available === undefined ? {} : { available }) };
}

/** Formats `{error, message, field?, available?}`: the semantic surface's envelope and the default of all others. */
export const standardErrorFormat: ErrorFormat = (error) => ({
  error: error.code ?? ERROR_CODE[error.kind],
  ...(error.field === undefined ? {} : { field: error.field }),
  message: error.message,
  ...(error.field === undefined && error.available === undefined ? {} : { available: error.available ?? [] }),
});

/** The codes of areas A and B that differ from the other areas' by more than letter case. */
const ACCOUNT_CODE: Readonly<Partial<Record<ErrorKind, string>>> = {
  UNAUTHENTICATED: 'unauthorized',
};

/** Formats `{error, message, field?, available?}` with codes in small letters: the envelope of areas A and B. */
export const accountErrorFormat: ErrorFormat = (error) => ({
  error: (error.code ?? ACCOUNT_CODE[error.kind] ?? ERROR_CODE[error.kind]).toLowerCase(),
  message: error.message,
  ...(error.field === undefined ? {} : { field: error.field }),
  ...(error.available === undefined ? {} : { available: error.available }),
});
