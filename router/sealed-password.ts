/** Encrypted passwords of warehouses in descriptors. Each decrypts only with the address of its encryption. */
import type { Vault } from './capabilities/vault.ts';
import type { WarehouseAddress } from './capabilities/warehouse.ts';
import { UnavailableError } from './errors.ts';

const SEALED = 'sealed:';

/**
 * Returns an address with an encrypted password. A password in the JDBC URL is taken out first: a URL is shown and
 * logged in more places.
 */
export function withSealedPassword(vault: Vault, address: WarehouseAddress): WarehouseAddress {
  const { jdbcUrl, username, password } = withoutUrlCredentials(address);
  if (password === undefined || password === '') return { jdbcUrl, username, password };
  return { jdbcUrl, username, password: SEALED + vault.seal(password, contextOf(jdbcUrl, username)) };
}

/**
 * Returns an address with a usable password; an unencrypted one is returned unchanged.
 *
 * @param vault is only made when it is needed
 * @throws UnavailableError when the password was encrypted with another key, or for another address
 */
export function withOpenPassword(vault: () => Vault, address: WarehouseAddress): WarehouseAddress {
  const { jdbcUrl, username, password } = address;
  if (password?.startsWith(SEALED) !== true) return address;
  const opened = vault().open(password.slice(SEALED.length), contextOf(jdbcUrl, username));
  if (opened === undefined)
    throw new UnavailableError(
      'The password of this datasource was encrypted with another key, or for another address. Write it into the descriptor again.',
      { code: 'secrets_key_changed', retryAfterSeconds: 3_600 },
    );
  return { ...address, password: opened };
}

/** Takes the user and the password out of a JDBC URL; a URL is shown and logged in more places. */
export function withoutUrlCredentials({ jdbcUrl, username, password }: WarehouseAddress): WarehouseAddress {
  const mark = jdbcUrl.indexOf('?');
  const parameters = new URLSearchParams(mark < 0 ? '' : jdbcUrl.slice(mark + 1));
  const inUrl = parameters.get('password');
  if (inUrl === null) return { jdbcUrl, username, password };
  const user = username ?? parameters.get('user') ?? undefined;
  parameters.delete('password');
  if (user !== undefined) parameters.delete('user');
  const rest = parameters.toString();
  return {
    jdbcUrl: rest === '' ? jdbcUrl.slice(0, mark) : `${jdbcUrl.slice(0, mark)}?${rest}`,
    username: user,
    password: password ?? inUrl,
  };
}

function contextOf(jdbcUrl: string, username: string | undefined): string {
  return JSON.stringify(['datasource', jdbcUrl, username ?? '']);
}
