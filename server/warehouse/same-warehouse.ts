import { lookup } from 'node:dns/promises';
import { realpathSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { WarehouseAddress } from '../../router/capabilities/warehouse.ts';
import { ENGINES, type EngineName, engineOfUrl } from '../../router/warehouse-engines.ts';
import type { Driver, Place } from './driver.ts';
import { parseJdbcUrl } from './jdbc-url.ts';

/** Returns the network addresses of a host name; an empty list where it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Returns the place of an address's database: a file, or a server with the part of it that one connection can reach. `undefined` for a database in
 * memory, and for an address that no driver supports.
 */
export function locateDatabase(
  drivers: Readonly<Record<EngineName, Driver>>,
  address: WarehouseAddress,
  home: string,
): Place | undefined {
  const engine = engineOfUrl(address.jdbcUrl);
  if (engine === undefined) return undefined;
  return drivers[engine].place(address, parseJdbcUrl(ENGINES[engine].prefix, address.jdbcUrl), home);
}

/**
 * Returns whether two places are the same database: the same file by its real path or as a hard link, or the same port of a host by its network
 * addresses, under any host name.
 */
export async function isSamePlace(one: Place, other: Place, resolve: Resolve = resolved): Promise<boolean> {
  if (one.kind === 'file') return other.kind === 'file' && isSameFile(one.file, other.file);
  if (other.kind === 'file' || one.port !== other.port || one.protocol !== other.protocol) return false;
  if (one.database !== other.database) return false;
  if (one.host.toLowerCase() === other.host.toLowerCase()) return true;
  const [left, right] = await Promise.all([addressesOf(one.host, resolve), addressesOf(other.host, resolve)]);
  return left.some((each) => right.includes(each));
}

function isSameFile(one: string, other: string): boolean {
  const [left, right] = [identityOf(one), identityOf(other)];
  return left !== undefined && left === right;
}

/** Returns the file system's identity of a file, with links resolved; its path where it does not exist. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats !== undefined) return `${stats.dev}-${stats.ino}`;
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** The identity of all addresses of this machine itself. */
const LOOPBACK = 'loopback';

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  const plain = host.toLowerCase().replace(/\.$/, '');
  const addresses = isIP(plain) === 0 ? await resolve(plain) : [plain];
  return [
    plain,
    ...addresses.map((each) => (/^(127\.|::1$|0\.0\.0\.0$|::$|::ffff:127\.)/.test(each) ? LOOPBACK : each)),
  ];
}

async function resolved(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return []; // A name without an address is compared as text.
  }
}
