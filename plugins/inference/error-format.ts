import type { ErrorFormat } from '../../router/error-format.ts';
import type { ErrorKind } from '../../router/errors.ts';
import { EmptyProposalError, InvalidProposalError, TracedBudgetError } from './propose/errors.ts';

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

/** `{error, message}`, and what an error knows beside: the trace, the place, the candidates, the budget. */
export const inferenceErrorFormat: ErrorFormat = (error) => ({
  ...('traceId' in error && typeof error.traceId === 'string' ? { traceId: error.traceId } : {}),
  error: (error.code ?? CODE[error.kind]).toLowerCase(),
  ...(error instanceof InvalidProposalError || error instanceof EmptyProposalError || error instanceof TracedBudgetError
    ? { kind: error.code?.toUpperCase() }
    : {}),
  ...(error.field === undefined ? {} : { field: error.field }),
  message: error.message,
  ...(error.available === undefined ? {} : { available: error.available }),
  ...(error instanceof TracedBudgetError
    ? {
        current_spend_usd: error.spentUsd,
        budget_usd: error.budgetUsd,
        reset_at: new Date(error.resetAtMillis).toISOString(),
      }
    : {}),
});
