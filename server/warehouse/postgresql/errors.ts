import pg from 'pg';
import { InternalError, type ServiceError, WarehouseUnreachableError } from '../../../router/errors.ts';
import { type ConnectReason, codeOf, NETWORK_REASONS, unreachable, unreachableFor } from '../network-errors.ts';
import { type Refusal, toWarehouseError } from '../warehouse-errors.ts';

/** SQLSTATE codes, or their first two characters (PostgreSQL documentation, appendix A), longest match first. */
const REFUSALS: readonly (readonly [string, Refusal])[] = [
  ['42P01', 'unknown-name'],
  ['42703', 'unknown-name'],
  ['42883', 'unknown-name'],
  ['3F000', 'unknown-name'],
  ['42501', 'forbidden'],
  ['25006', 'forbidden'],
  ['2F', 'forbidden'],
  ['42', 'syntax'],
  ['22', 'value'],
  ['53', 'resources'],
  ['54', 'resources'],
];

/** Codes that end or refuse the connection rather than the statement. */
const UNREACHABLE: readonly ConnectReason[] = [
  ['28', 'it refused the user name or the password', 'password'],
  ['3D000', 'it has no database of this name', 'database'],
  ['53300', 'it takes no more connections'],
  ['57P', 'it is shutting down or starting up'],
  ['08', 'the connection broke'],
  ...NETWORK_REASONS,
];

export function translateError(error: unknown): ServiceError {
  const code = codeOf(error);
  const refused = unreachableFor(UNREACHABLE, code, error);
  if (refused !== undefined) return refused;
  if (error instanceof pg.DatabaseError) {
    return toWarehouseError(REFUSALS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other', error);
  }
  // The client library reports the end of a connection only in its message.
  if (error instanceof Error && error.message.startsWith('Connection terminated'))
    return unreachable('the connection broke', error);
  return new InternalError('The PostgreSQL client failed.', { cause: error });
}

/** Translates an error while connecting: any such error means that the warehouse is unreachable. */
export function connectErrorOf(error: unknown): ServiceError {
  if (hasNoTls(error)) return unreachable('it does not speak TLS, which the address asks for', error, 'tls');
  const translated = translateError(error);
  return translated instanceof WarehouseUnreachableError ? translated : unreachable('it refused the connection', error);
}

/** Returns whether the client library reports a server without TLS. */
export function hasNoTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}
