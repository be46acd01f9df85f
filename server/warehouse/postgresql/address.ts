import type { Log } from '../../../router/capabilities/log.ts';
import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import { InvalidAddressError, type JdbcUrl } from '../jdbc-url.ts';

/**
 * `sslmode` as in the JDBC driver: `prefer` tries TLS and accepts plain text where the server has none; only the `verify-` modes check the
 * certificate.
 */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly sslMode: SslMode;
  /** The schemas that unqualified names are searched in; empty for the user's own setting. */
  readonly searchPath: readonly string[];
  readonly connectTimeoutMs: number;
}

const DEFAULT_PORT = 5432;
const DEFAULT_CONNECT_TIMEOUT_S = 10;

export function postgresAddress(address: WarehouseAddress, url: JdbcUrl, log: Log): PostgresAddress {
  const { parameters } = url;
  const { host, port, database } = place(url.target);
  const user = address.username ?? parameters.get('user');
  if (user === undefined || user === '') throw new InvalidAddressError('A PostgreSQL warehouse needs a user name.');
  for (const name of parameters.keys()) {
    // Values are not logged: a password is among them when it is misspelt.
    if (!KNOWN_PARAMETERS.has(name))
      log.warn({ parameter: name }, 'A parameter of a PostgreSQL address is not known and has no effect');
  }
  return {
    host,
    port,
    database: database === '' ? user : database,
    user,
    password: address.password ?? parameters.get('password'),
    sslMode: sslMode(parameters),
    searchPath: (parameters.get('currentSchema') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    connectTimeoutMs: seconds(parameters.get('connectTimeout') ?? parameters.get('loginTimeout')) * 1000,
  };
}

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'user',
  'password',
  'ssl',
  'sslmode',
  'currentSchema',
  'connectTimeout',
  'loginTimeout',
]);

/**
 * Reads the place in an address: `//host:port/database`, `//host/`, `database` and `/` are all legal; a list of hosts
 * is not supported.
 */
function place(target: string): { readonly host: string; readonly port: number; readonly database: string } {
  const parts = /^(?:\/\/(?<host>\[[0-9a-f:.]+\]|[^/:,[\]]*)(?::(?<port>\d+))?\/?)?(?<database>[^/]*)$/i.exec(
    target === '/' ? '' : target,
  );
  const port = Number(parts?.groups?.port ?? DEFAULT_PORT);
  const database = decoded(parts?.groups?.database ?? '');
  if (parts === null || database === undefined || port < 1 || port > 65_535) {
    throw new InvalidAddressError('An address of PostgreSQL has the form jdbc:postgresql://host:port/database.');
  }
  const host = (parts.groups?.host ?? '').replace(/^\[|\]$/g, '');
  return { host: host === '' ? 'localhost' : host, port, database };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // A stray percent sign: the caller refuses the address.
  }
}

function sslMode(parameters: ReadonlyMap<string, string>): SslMode {
  const option = parameters.get('sslmode');
  if (option === undefined)
    return parameters.has('ssl') && parameters.get('ssl') !== 'false' ? 'verify-full' : 'prefer';
  const mode = SSL_MODES.find((legal) => legal === option);
  if (mode === undefined) throw new InvalidAddressError(`sslmode must be one of: ${SSL_MODES.join(', ')}.`);
  return mode;
}

function seconds(text: string | undefined): number {
  const value = Number(text ?? DEFAULT_CONNECT_TIMEOUT_S);
  if (!Number.isInteger(value) || value < 0 || value > 3600)
    throw new InvalidAddressError('connectTimeout must be a number of seconds.');
  return value === 0 ? DEFAULT_CONNECT_TIMEOUT_S : value;
}
