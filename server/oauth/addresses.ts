/** The addresses of this server for agents. */
import { ConfigError } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const LISTENS_ON_LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** Addresses without a slash at their end, the usual one first. */
export type Addresses = readonly [string, ...string[]];

/**
 * Returns the addresses that this server issues tokens for: `service.http.publicUrl`, or the names of loopback where the
 * server listens only there. `undefined` where the address is not known, or where tokens would travel in the clear.
 *
 * @param port the bound port; `undefined` for a process that listens nowhere
 * @throws ConfigError
 */
export function agentAddresses(config: Config, port: number | undefined): Addresses | undefined {
  const named = config['service.http.publicUrl'];
  const basePath = config['service.http.basePath'];
  if (named !== '') {
    if (!URL.canParse(named)) throw new ConfigError('service.http.publicUrl is no address.');
    const { protocol, hostname, href } = new URL(named);
    if (protocol !== 'https:' && !LOOPBACK.includes(hostname)) return undefined;
    // As URL libraries write it, because agents compare the text.
    const address = href.replace(/\/+$/, '');
    if (!address.endsWith(basePath))
      throw new ConfigError(`service.http.publicUrl must end with service.http.basePath, ${basePath}.`);
    return [address];
  }
  const isPrivate = LISTENS_ON_LOOPBACK.has(config['service.http.host']) && !config['service.http.trustProxy'];
  if (!isPrivate || port === undefined) return undefined;
  return [
    `http://localhost:${port}${basePath}`,
    `http://127.0.0.1:${port}${basePath}`,
    `http://[::1]:${port}${basePath}`,
  ];
}
