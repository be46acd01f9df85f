import type { ErrorFormat } from '../../router/error-format.ts';
import type { ErrorKind } from '../../router/errors.ts';

/** The codes of areas A and B are small letters. */
const CODE: Readonly<Record<ErrorKind, string>> = {
  VALIDATION: 'validation_error',
  MALFORMED_BODY: 'malformed_body',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
  BODY_TOO_LARGE: 'body_too_large',
  METHOD_NOT_ALLOWED: 'method_not_allowed',
  UNAUTHENTICATED: 'unauthorized',
  FORBIDDEN: 'forbidden',
  CSRF_REJECTED: 'csrf_rejected',
  EMBED_INVALID: 'embed_invalid',
  NOT_FOUND: 'not_found',
  CONFLICT: 'conflict',
  RATE_LIMITED: 'rate_limited',
  WAREHOUSE_ERROR: 'warehouse_error',
  WAREHOUSE_UNREACHABLE: 'warehouse_unreachable',
  UPSTREAM_ERROR: 'upstream_error',
  TIMEOUT: 'timeout',
  UNAVAILABLE: 'unavailable',
  CANCELLED: 'cancelled',
  INTERNAL: 'internal_error',
};

/** `{error, message}`, and the place and the candidates where an error knows them. */
export const inferenceErrorFormat: ErrorFormat = (error) => ({
  error: (error.code ?? CODE[error.kind]).toLowerCase(),
  ...(error.field === undefined ? {} : { field: error.field }),
  message: error.message,
  ...(error.available === undefined ? {} : { available: error.available }),
});
