import { InternalError, ServiceError } from '../../../router/errors.ts';
import { codeOf, NETWORK_REASONS, unreachable, unreachableFor } from '../network-errors.ts';
import { type Refusal, toWarehouseError } from '../warehouse-errors.ts';

/** The `error` of an answer (Trino documentation, "Client REST API"). */
export class TrinoFailure extends Error {
  /** Such as `TABLE_NOT_FOUND`. */
  readonly errorName: string;
  /** USER_ERROR, INTERNAL_ERROR, INSUFFICIENT_RESOURCES or EXTERNAL. */
  readonly errorType: string;
  constructor(message: string, errorName: string, errorType: string) {
    super(message);
    this.name = 'TrinoFailure';
    this.errorName = errorName;
    this.errorType = errorType;
  }
}

/** An answer of another status than 200. */
export class TrinoHttpError extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`HTTP ${status}: ${text.slice(0, 500)}`);
    this.name = 'TrinoHttpError';
    this.status = status;
  }
}

/** By error name (`StandardErrorCode.java`). */
const REFUSALS: readonly (readonly [RegExp, Refusal])[] = [
  [
    /^(TABLE|COLUMN|SCHEMA|CATALOG|FUNCTION|TYPE)_NOT_FOUND$|^MISSING_(SCHEMA|CATALOG|TABLE)|^AMBIGUOUS_NAME$/,
    'unknown-name',
  ],
  [/^PERMISSION_DENIED$|^READ_ONLY_VIOLATION$/, 'forbidden'],
  [/^QUERY_HAS_TOO_MANY_STAGES$|^QUERY_TEXT_TOO_LARGE$/, 'size'],
  [/^SYNTAX_ERROR$|^EXPRESSION_NOT_|^INVALID_PARAMETER_USAGE$/, 'syntax'],
  [
    /^(DIVISION_BY_ZERO|INVALID_CAST_ARGUMENT|NUMERIC_VALUE_OUT_OF_RANGE|INVALID_FUNCTION_ARGUMENT|TYPE_MISMATCH|INVALID_LITERAL|SUBQUERY_MULTIPLE_ROWS)$/,
    'value',
  ],
];

export function translateError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof TrinoFailure) {
    const refusal = REFUSALS.find(([name]) => name.test(error.errorName))?.[1];
    return toWarehouseError(refusal ?? (error.errorType === 'INSUFFICIENT_RESOURCES' ? 'resources' : 'other'), error);
  }
  if (error instanceof TrinoHttpError) {
    if (error.status === 401 || error.status === 403)
      return unreachable('it refused the user name or the password', error, 'password');
    return unreachable(`it answered with HTTP ${error.status}`, error);
  }
  const code = codeOf(error);
  const refused = unreachableFor(NETWORK_REASONS, code, error);
  if (refused !== undefined) return refused;
  if (code.startsWith('HPE_')) return unreachable('it does not speak HTTP', error, 'port');
  return new InternalError('The Trino client failed.', { cause: error });
}
