import type { Log } from '../../../router/capabilities/log.ts';
import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import { InvalidAddressError, type JdbcUrl } from '../jdbc-url.ts';
import { serverAddress } from '../server-address.ts';

/**
 * `preferred` tries TLS and accepts plain text where the server has none; only the `verify-` modes check the
 * certificate.
 */
export type SslMode = 'disabled' | 'preferred' | 'required' | 'verify-ca' | 'verify-identity';

/** The spellings of both JDBC drivers: Connector/J's `sslMode=VERIFY_CA` and MariaDB's `sslMode=verify-full`. */
const SSL_MODES: Readonly<Record<string, SslMode>> = {
  disable: 'disabled',
  disabled: 'disabled',
  preferred: 'preferred',
  required: 'required',
  trust: 'required',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-identity',
  'verify-identity': 'verify-identity',
};

export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  /** The database of unqualified names. */
  readonly database: string | undefined;
  readonly user: string;
  readonly password: string | undefined;
  readonly sslMode: SslMode;
  readonly connectTimeoutMs: number;
}

const DEFAULT_PORT = 3306;
const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'user',
  'password',
  'sslMode',
  'useSSL',
  'useSsl',
  'connectTimeout',
]);

export function mysqlAddress(address: WarehouseAddress, url: JdbcUrl, log: Log): MysqlAddress {
  const { parameters } = url;
  const { host, port, path } = serverAddress(url.target, DEFAULT_PORT, 'jdbc:mysql://host:3306/database');
  if (path.length > 1)
    throw new InvalidAddressError('An address of this kind has the form jdbc:mysql://host:3306/database.');
  const user = address.username ?? parameters.get('user');
  if (user === undefined || user === '') throw new InvalidAddressError('This warehouse needs a user name.');
  for (const name of parameters.keys()) {
    // Values are not logged: a password is among them when it is misspelt.
    if (!KNOWN_PARAMETERS.has(name))
      log.warn({ parameter: name }, 'A parameter of a MySQL address is not known and has no effect');
  }
  return {
    host,
    port,
    database: path[0],
    user,
    password: address.password ?? parameters.get('password'),
    sslMode: sslMode(parameters),
    connectTimeoutMs: connectTimeout(parameters.get('connectTimeout')),
  };
}

function sslMode(parameters: ReadonlyMap<string, string>): SslMode {
  const option = parameters.get('sslMode');
  if (option === undefined) {
    const useSsl = parameters.get('useSSL') ?? parameters.get('useSsl');
    return useSsl === undefined ? 'preferred' : useSsl === 'true' ? 'required' : 'disabled';
  }
  const mode = SSL_MODES[option.toLowerCase().replace('_', '-')];
  if (mode === undefined)
    throw new InvalidAddressError(`sslMode must be one of: ${Object.keys(SSL_MODES).join(', ')}.`);
  return mode;
}

/** Reads the timeout in milliseconds, as in both JDBC drivers; 0 is their value for the default. */
function connectTimeout(text: string | undefined): number {
  const value = Number(text ?? DEFAULT_CONNECT_TIMEOUT_MS);
  if (!Number.isInteger(value) || value < 0 || value > 3_600_000)
    throw new InvalidAddressError('connectTimeout must be a number of milliseconds.');
  return value === 0 ? DEFAULT_CONNECT_TIMEOUT_MS : value;
}
