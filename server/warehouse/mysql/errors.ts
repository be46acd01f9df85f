import {
  InternalError,
  type ServiceError,
  ValidationError,
  WarehouseUnreachableError,
} from '../../../router/errors.ts';
import { type ConnectReason, codeOf, NETWORK_REASONS, unreachable, unreachableFor } from '../network-errors.ts';
import { type Refusal, toWarehouseError } from '../warehouse-errors.ts';

/**
 * Error numbers (MySQL 8.0 and MariaDB error references; both have these). A user without EXECUTE gets 1370 for any
 * unknown function.
 */
const REFUSALS: ReadonlyMap<number, Refusal> = new Map([
  ...numbers('unknown-name', 1046, 1049, 1051, 1052, 1054, 1103, 1109, 1128, 1146, 1305, 1370, 1630),
  ...numbers('forbidden', 1044, 1142, 1143, 1227, 1290, 1792, 1836),
  ...numbers('syntax', 1056, 1064, 1149, 1222, 1241, 1248, 1582, 1583),
  ...numbers('value', 1264, 1292, 1365, 1366, 1367, 1411, 1427, 1690, 3140, 3141, 4038),
  ...numbers('resources', 3, 1021, 1037, 1038, 1041, 1114, 1135, 1206, 1226),
  ...numbers('not-a-query', 1295, 1065),
]);

/** Errors that end or refuse the connection rather than the statement. */
const UNREACHABLE: readonly ConnectReason[] = [
  ['ER_ACCESS_DENIED', 'it refused the user name or the password', 'password'],
  ['ER_DBACCESS_DENIED', 'its user may not use the database', 'database'],
  ['ER_NOT_SUPPORTED_AUTH_MODE', 'it refused the user name or the password', 'password'],
  ['ER_BAD_DB', 'it has no database of this name', 'database'],
  ['ER_CON_COUNT', 'it takes no more connections'],
  ['ER_TOO_MANY_USER_CONNECTIONS', 'it takes no more connections'],
  ['ER_HOST_', 'it refuses connections from this machine'],
  ['ER_SERVER_SHUTDOWN', 'it is shutting down or starting up'],
  ['ER_CONNECTION_KILLED', 'the connection broke'],
  ['PROTOCOL_', 'the connection broke'],
  ['HANDSHAKE_NO_SSL_SUPPORT', 'it does not speak TLS, which the address asks for', 'tls'],
  ['HANDSHAKE_', 'its certificate is not trusted', 'tls'],
  ...NETWORK_REASONS,
];

/** Errors about character sets without a common one: of two, of three, of more. */
const MIXED_COLLATIONS: ReadonlySet<number> = new Set([1267, 1270, 1271]);

export function translateError(error: unknown): ServiceError {
  const number = error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
  // `COERCIBLE` is a bound value. The server converts it to the column's character set where that has its characters.
  if (MIXED_COLLATIONS.has(number) && error instanceof Error && /COERCIBLE|operation 'in'/.test(error.message))
    return ValidationError.at(
      ['filters'],
      'A value has characters, such as emoji, that the character set of its column lacks, so no row can have it.',
    );
  const refusal = REFUSALS.get(number);
  if (refusal !== undefined) return toWarehouseError(refusal, error);
  const code = codeOf(error);
  const refused = unreachableFor(UNREACHABLE, code, error);
  if (refused !== undefined) return refused;
  // The library has no code for a connection that was closed while a statement waited on it.
  if (error instanceof Error && /connection is in closed state|Connection lost/i.test(error.message))
    return unreachable('the connection broke', error);
  if (number !== 0) return toWarehouseError('other', error);
  return new InternalError('The MySQL client failed.', { cause: error });
}

/** Translates an error while connecting: any such error means that the warehouse is unreachable. */
export function connectErrorOf(error: unknown): ServiceError {
  if (error instanceof WarehouseUnreachableError) return error;
  return unreachableFor(UNREACHABLE, codeOf(error), error) ?? unreachable('it refused the connection', error);
}

export function hasNoTls(error: unknown): boolean {
  return codeOf(error) === 'HANDSHAKE_NO_SSL_SUPPORT';
}

function numbers(refusal: Refusal, ...codes: readonly number[]): readonly (readonly [number, Refusal])[] {
  return codes.map((code) => [code, refusal]);
}
