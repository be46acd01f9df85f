import type { Log } from '../../../router/capabilities/log.ts';
import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import { InvalidAddressError, type JdbcUrl } from '../jdbc-url.ts';
import { serverAddress } from '../server-address.ts';

export interface ClickhouseAddress {
  /** `http://host:port/` */
  readonly endpoint: URL;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** False for `sslmode=none`: the certificate is not checked. */
  readonly checksCertificate: boolean;
}

const FORM = 'jdbc:clickhouse://host:8123/database';
const HTTP_PORT = 8123;
const HTTPS_PORT = 8443;
const KNOWN_PARAMETERS: ReadonlySet<string> = new Set(['user', 'password', 'database', 'ssl', 'sslmode']);

/** Reads an address: `//host:port/database`, or with the protocol before it: `https://host:8443/database`. */
export function clickhouseAddress(address: WarehouseAddress, url: JdbcUrl, log: Log): ClickhouseAddress {
  const { parameters } = url;
  const protocol = /^https?:(?=\/\/)/i.exec(url.target)?.[0].toLowerCase();
  const target = url.target.slice(protocol?.length ?? 0);
  const secure = protocol === undefined ? parameters.get('ssl') === 'true' : protocol === 'https:';
  const { host, port, path } = serverAddress(target, secure ? HTTPS_PORT : HTTP_PORT, FORM);
  if (path.length > 1) throw new InvalidAddressError(`An address of ClickHouse has the form ${FORM}.`);
  const sslMode = parameters.get('sslmode') ?? 'strict';
  if (sslMode !== 'strict' && sslMode !== 'none')
    throw new InvalidAddressError('sslmode must be one of: strict, none.');
  for (const name of parameters.keys()) {
    // Values are not logged: a password is among them when it is misspelt.
    if (!KNOWN_PARAMETERS.has(name))
      log.warn({ parameter: name }, 'A parameter of a ClickHouse address is not known and has no effect');
  }
  return {
    endpoint: new URL(`${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/`),
    database: path[0] ?? parameters.get('database') ?? 'default',
    user: address.username ?? parameters.get('user') ?? 'default',
    password: address.password ?? parameters.get('password') ?? '',
    checksCertificate: sslMode === 'strict',
  };
}
