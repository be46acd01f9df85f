import type { ConnectionPart } from '../../router/connection-forms.ts';
import { WarehouseUnreachableError } from '../../router/errors.ts';

/** The beginning of an error code, the message, and the part of the connection that is wrong. */
export type ConnectReason = readonly [code: string, why: string, part?: ConnectionPart];

/** Messages about unreachable hosts, by the beginning of Node's error code; alike for every engine on a network. */
export const NETWORK_REASONS: readonly ConnectReason[] = [
  ['ENOTFOUND', 'its host name is not known', 'host'],
  ['EAI_AGAIN', 'its host name is not known', 'host'],
  ['ECONNREFUSED', 'nothing answers at its host and port', 'port'],
  ['ETIMEDOUT', 'its host does not answer', 'host'],
  ['EHOSTUNREACH', 'its host does not answer', 'host'],
  ['ENETUNREACH', 'its host does not answer', 'host'],
  ['ECONNRESET', 'the connection broke'],
  ['EPIPE', 'the connection broke'],
  ['UNABLE_TO_VERIFY', 'its certificate is not trusted', 'tls'],
  ['SELF_SIGNED', 'its certificate is not trusted', 'tls'],
  ['DEPTH_ZERO', 'its certificate is not trusted', 'tls'],
  ['CERT_', 'its certificate is not trusted', 'tls'],
  ['ERR_TLS_CERT', 'its certificate is not of this host', 'tls'],
  ['ERR_SSL', 'it does not speak TLS, which the address asks for', 'tls'],
  ['EPROTO', 'it does not speak TLS, which the address asks for', 'tls'],
];

export function unreachable(why: string, cause: unknown, part?: ConnectionPart): WarehouseUnreachableError {
  return new WarehouseUnreachableError(`The warehouse cannot be reached: ${why}.`, { cause, part });
}

/** Returns the error of a connection by the code of its cause; `undefined` where no reason has the code. */
export function unreachableFor(
  reasons: readonly ConnectReason[],
  code: string,
  cause: unknown,
): WarehouseUnreachableError | undefined {
  const [, why, part] = reasons.find(([start]) => code.startsWith(start)) ?? [];
  return why === undefined ? undefined : unreachable(why, cause, part);
}

/** Returns the code of an error of Node or of a client library; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
