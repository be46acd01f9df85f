/** Decides which hosts the process may connect to as warehouses, by the addresses of their names. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { InvalidAddressError } from './jdbc-url.ts';

export interface NetworkGuardOptions {
  /** Entries of `service.connections.allowHosts` and `denyHosts`: names, `*.names`, addresses, networks, with `:port` or not. */
  readonly allowHosts: readonly string[];
  readonly denyHosts: readonly string[];
  /** True if tenants connect who do not own the machine: its own networks are then refused. */
  readonly isHosted: boolean;
  /** The port that this process answers on; 0 where it is not known. */
  readonly ownPort: number;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** Networks that are unreachable from outside: private, shared, loopback, link-local (with cloud metadata), reserved. */
const OWN_NETWORKS: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
  // Both contain an IPv4 address, which may be any of the above.
  '64:ff9b::/96',
  '2002::/16',
];
const OWN = blockListOf(OWN_NETWORKS);

interface Entry {
  readonly host: string;
  readonly port: number | undefined;
}

/** Decides which address a connection to a host may use. */
export class NetworkGuard {
  readonly #options: NetworkGuardOptions;
  readonly #allowed: readonly Entry[];
  readonly #denied: readonly Entry[];

  constructor(options: NetworkGuardOptions) {
    this.#options = options;
    this.#allowed = options.allowHosts.map(entryOf);
    this.#denied = options.denyHosts.map(entryOf);
  }

  get isHosted(): boolean {
    return this.#options.isHosted;
  }

  /**
   * Returns the address for a connection to a host, so that the name cannot resolve to another one by then; `undefined` where nothing is refused.
   *
   * @throws InvalidAddressError when the host, or any address of it, is refused
   */
  async addressOf(host: string, port: number): Promise<string | undefined> {
    const { isHosted, resolve = resolved } = this.#options;
    if (!isHosted && this.#denied.length === 0) return undefined;
    const name = host
      .toLowerCase()
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '');
    const addresses = isIP(name) === 0 ? await resolve(name) : [name];
    for (const address of addresses) if (this.#refuses(name, address, port)) throw refused(isHosted);
    // The failing connection reports a name without an address.
    return addresses.find((each) => isIP(each) === 4) ?? addresses[0];
  }

  #refuses(name: string, address: string, port: number): boolean {
    const fits = (entry: Entry): boolean => (entry.port ?? port) === port && isHostOf(entry.host, name, address);
    if (this.#denied.some(fits)) return true;
    if (!this.#options.isHosted) return false;
    const allowing = this.#allowed.filter(fits);
    if (port === this.#options.ownPort && isOfThisMachine(address))
      return !allowing.some((entry) => entry.port === port);
    return allowing.length === 0 && contains(OWN, address);
  }
}

function refused(isHosted: boolean): InvalidAddressError {
  return new InvalidAddressError(
    isHosted
      ? 'This host may not be connected to: addresses of private networks, of this machine and of cloud metadata are refused here, unless service.connections.allowHosts names them.'
      : 'This host may not be connected to: service.connections.denyHosts names it.',
  );
}

/** Reads `db.example`, `*.example:5432`, `10.1.2.3`, `10.0.0.0/8`, `[fd00::1]:5432`. */
function entryOf(text: string): Entry {
  const [, bracketed, plain, port] =
    /^(?:\[([^\]]+)\]|([^:]+|[^[\]]*:[^[\]]*:[^[\]]*?))(?::(\d+))?$/.exec(text.trim()) ?? [];
  const host = (bracketed ?? plain ?? text.trim()).toLowerCase().replace(/\.$/, '');
  return { host, port: port === undefined ? undefined : Number(port) };
}

function isHostOf(entry: string, name: string, address: string): boolean {
  if (entry === '*' || entry === name) return true;
  if (entry.startsWith('*.')) return name.endsWith(entry.slice(1));
  const network = entry.includes('/') ? entry : isIP(entry) === 0 ? undefined : entry;
  return network !== undefined && contains(blockListOf([network]), address);
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0) continue;
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Returns whether a network contains an address; an IPv4 address in IPv6 notation counts as the IPv4 address. */
function contains(list: BlockList, address: string): boolean {
  const [plain = address] = address.split('%', 1);
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

function isOfThisMachine(address: string): boolean {
  const machineAddresses = Object.values(networkInterfaces()).flatMap((each) => each?.map((one) => one.address) ?? []);
  return contains(blockListOf(['127.0.0.0/8', '::/127', '0.0.0.0/8', ...machineAddresses]), address);
}

async function resolved(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
