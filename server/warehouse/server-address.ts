import { InvalidAddressError } from './jdbc-url.ts';

/** A server and a path on it, from `//host:port/path` in a JDBC URL. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** Percent-decoded parts of the path; none where the address ends with the host. */
  readonly path: readonly string[];
}

/**
 * Reads `//host:port/a/b`; an IPv6 host has brackets, and a list of hosts is not supported. `form` shows the caller a
 * valid address.
 */
export function serverAddress(target: string, defaultPort: number, form: string): ServerAddress {
  const parts = /^\/\/(?<host>\[[0-9a-f:.]+\]|[^/:,[\]]*)(?::(?<port>\d+))?(?<path>(?:\/[^/]*)*)$/i.exec(target);
  const port = Number(parts?.groups?.port ?? defaultPort);
  const path = decoded((parts?.groups?.path ?? '').split('/').filter((part) => part !== ''));
  if (parts === null || path === undefined || port < 1 || port > 65_535)
    throw new InvalidAddressError(`An address of this kind has the form ${form}.`);
  const host = (parts.groups?.host ?? '').replace(/^\[|\]$/g, '');
  return { host: host === '' ? 'localhost' : host, port, path };
}

/** Returns host and port of an endpoint; the port of its protocol where it names none. */
export function hostAndPort({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

function decoded(parts: readonly string[]): readonly string[] | undefined {
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return undefined; // A stray percent sign: the caller refuses the address.
  }
}
