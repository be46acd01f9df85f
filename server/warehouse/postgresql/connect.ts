import { isIP } from 'node:net';
import pg from 'pg';
import type { NetworkGuard } from '../network-guard.ts';
import type { PostgresAddress } from './address.ts';
import { connectErrorOf, hasNoTls } from './errors.ts';

/** Opens connections of one address. Whether a server without required TLS supports it is determined once. */
export class Connector {
  readonly #address: PostgresAddress;
  readonly #network: NetworkGuard | undefined;
  #tls: boolean;
  readonly #fallsBack: boolean;

  constructor(address: PostgresAddress, network: NetworkGuard | undefined) {
    this.#address = address;
    this.#network = network;
    this.#tls = address.sslMode !== 'disable';
    this.#fallsBack = address.sslMode === 'allow' || address.sslMode === 'prefer';
  }

  /**
   * Connects to a server, without TLS where the address allows it and the server has none.
   *
   * @throws WarehouseUnreachableError
   */
  async connect(): Promise<pg.Client> {
    // The connection uses the checked address: the name may resolve to another one by then.
    const checked = await this.#network?.addressOf(this.#address.host, this.#address.port);
    try {
      return await this.#attempt(checked);
    } catch (error) {
      if (!this.#fallsBack || !hasNoTls(error)) throw connectErrorOf(error);
      this.#tls = false;
    }
    try {
      return await this.#attempt(checked);
    } catch (error) {
      throw connectErrorOf(error);
    }
  }

  async #attempt(checked: string | undefined): Promise<pg.Client> {
    const { host, port, database, user, password, connectTimeoutMs } = this.#address;
    const client = new pg.Client({
      host: checked ?? host,
      port,
      database,
      user,
      // Never from the environment or from a password file of the process's user.
      password: password ?? '',
      ssl: this.#tls ? { ...this.#certificateCheck(), ...(isIP(host) === 0 ? { servername: host } : {}) } : false,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: 'service',
      keepAlive: true,
    });
    // An idle connection reports its end here; without a listener it would end the process. The next statement fails on it.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  #certificateCheck() {
    const { sslMode } = this.#address;
    if (sslMode === 'verify-full') return { rejectUnauthorized: true };
    if (sslMode === 'verify-ca') return { rejectUnauthorized: true, checkServerIdentity: () => undefined };
    return { rejectUnauthorized: false };
  }
}
