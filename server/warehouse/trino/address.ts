import type { Log } from '../../../router/capabilities/log.ts';
import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import { InvalidAddressError, type JdbcUrl } from '../jdbc-url.ts';
import { serverAddress } from '../server-address.ts';

export interface TrinoAddress {
  /** `https://host:port` */
  readonly endpoint: URL;
  readonly catalog: string;
  readonly schema: string | undefined;
  readonly user: string;
  readonly password: string | undefined;
  /** False for `SSLVerification=NONE`. */
  readonly checksCertificate: boolean;
}

const FORM = 'jdbc:trino://host:8080/catalog/schema';
const KNOWN_PARAMETERS: ReadonlySet<string> = new Set(['user', 'password', 'SSL', 'SSLVerification']);

export function trinoAddress(address: WarehouseAddress, url: JdbcUrl, log: Log): TrinoAddress {
  const { parameters } = url;
  const secure = parameters.get('SSL') === 'true';
  const { host, port, path } = serverAddress(url.target, secure ? 443 : 80, FORM);
  const [catalog, schema, ...more] = path;
  if (catalog === undefined || more.length > 0)
    throw new InvalidAddressError(`An address of Trino has the form ${FORM}.`);
  const user = address.username ?? parameters.get('user');
  if (user === undefined || user === '') throw new InvalidAddressError('A Trino warehouse needs a user name.');
  const passwordText = address.password ?? parameters.get('password');
  const password = passwordText === '' ? undefined : passwordText;
  if (password !== undefined && !secure)
    throw new InvalidAddressError('Trino takes a password over TLS only: add SSL=true to the address.');
  for (const [what, text] of [
    ['user name', user],
    ['catalog', catalog],
    ['schema', schema ?? ''],
  ] as const) {
    // They are sent as HTTP headers, which have no other characters.
    if (/[^\x20-\x7e\xa0-\xff]/.test(text))
      throw new InvalidAddressError(
        `The ${what} of a Trino address has a character beyond Latin-1, which Trino does not take.`,
      );
  }
  const verification = parameters.get('SSLVerification') ?? 'FULL';
  if (verification !== 'FULL' && verification !== 'NONE')
    throw new InvalidAddressError('SSLVerification must be one of: FULL, NONE.');
  for (const name of parameters.keys()) {
    // Values are not logged: a password is among them when it is misspelt.
    if (!KNOWN_PARAMETERS.has(name))
      log.warn({ parameter: name }, 'A parameter of a Trino address is not known and has no effect');
  }
  return {
    endpoint: new URL(`${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`),
    catalog,
    schema,
    user,
    password,
    checksCertificate: verification === 'FULL',
  };
}
