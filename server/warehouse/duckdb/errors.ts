import { InternalError, type ServiceError } from '../../../router/errors.ts';
import { type Refusal, toWarehouseError } from '../warehouse-errors.ts';

/** Beginnings of DuckDB's messages (`ExceptionTypeToString` of its source), the only sign of an error's kind. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  'Catalog Error': 'unknown-name',
  'Binder Error': 'unknown-name',
  'Permission Error': 'forbidden',
  'Parser Error': 'syntax',
  'Syntax Error': 'syntax',
  'Conversion Error': 'value',
  'Out of Range Error': 'value',
  'Mismatch Type Error': 'value',
  'Invalid Input Error': 'value',
  'Out of Memory Error': 'resources',
  'IO Error': 'other',
};

/** After one of these errors the database answers nothing and must be opened again. */
const INVALIDATED = /^(FATAL|INTERNAL) Error/;

export function isInvalidated(error: unknown): boolean {
  return error instanceof Error && INVALIDATED.test(error.message);
}

export function translateError(error: unknown): ServiceError {
  if (!(error instanceof Error))
    return new InternalError('DuckDB threw a value that is not an error.', { cause: error });
  const message = error.message.replace(/^Failed to [a-z ]+: /, '');
  const kind = Object.keys(REFUSALS).find((prefix) => message.startsWith(prefix));
  return toWarehouseError(kind === undefined ? 'other' : (REFUSALS[kind] ?? 'other'), error);
}
