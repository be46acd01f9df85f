import { WarehouseUnreachableError } from '../../router/errors.ts';

/** Messages about unreachable hosts, by the beginning of Node's error code; alike for every engine on a network. */
export const NETWORK_REASONS: readonly (readonly [string, string])[] = [
  ['ENOTFOUND', 'its host name is not known'],
  ['EAI_AGAIN', 'its host name is not known'],
  ['ECONNREFUSED', 'nothing answers at its host and port'],
  ['ETIMEDOUT', 'its host does not answer'],
  ['EHOSTUNREACH', 'its host does not answer'],
  ['ENETUNREACH', 'its host does not answer'],
  ['ECONNRESET', 'the connection broke'],
  ['EPIPE', 'the connection broke'],
  ['UNABLE_TO_VERIFY', 'its certificate is not trusted'],
  ['SELF_SIGNED', 'its certificate is not trusted'],
  ['DEPTH_ZERO', 'its certificate is not trusted'],
  ['CERT_', 'its certificate is not trusted'],
  ['ERR_TLS_CERT', 'its certificate is not of this host'],
  ['ERR_SSL', 'it does not speak TLS, which the address asks for'],
  ['EPROTO', 'it does not speak TLS, which the address asks for'],
];

export function unreachable(why: string, cause: unknown): WarehouseUnreachableError {
  return new WarehouseUnreachableError(`The warehouse cannot be reached: ${why}.`, { cause });
}

/** Returns the code of an error of Node or of a client library; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
