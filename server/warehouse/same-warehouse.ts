import { lookup } from 'node:dns/promises';
import { realpathSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { WarehouseAddress } from '../../router/capabilities/warehouse.ts';
import { ENGINES, type EngineName, engineOfUrl } from '../../router/engines.ts';
import type { Driver, Place } from './driver.ts';
import { parseJdbcUrl } from './jdbc-url.ts';

/** Finds the network addresses of a host name; none where it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Returns where the database of an address is: a file, or a server with what one connection can reach on it.
 * `undefined` for a database in memory, and for an address that no driver takes.
 */
export function placeOf(
  drivers: Readonly<Record<EngineName, Driver>>,
  address: WarehouseAddress,
  home: string,
): Place | undefined {
  const engine = engineOfUrl(address.jdbcUrl);
  if (engine === undefined) return undefined;
  return drivers[engine].place(address, parseJdbcUrl(ENGINES[engine].prefix, address.jdbcUrl), home);
}

/**
 * Tells whether two places are the same database: the same file by its real path or under another name, or the same
 * port of a host by its network addresses, whatever it is called.
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

/** Returns the file system's identity of a file, links followed; its path where it does not exist. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats !== undefined) return `${stats.dev}-${stats.ino}`;
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Every address of this machine itself is one. */
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
    return []; // A name without an address leads nowhere: it is compared as text.
  }
}
