import pg from 'pg';
import type { PostgresAddress } from './address.ts';
import { connectErrorOf, hasNoTls } from './errors.ts';

/** Opens connections of one address. Whether a server that need not speak TLS does is found out once. */
export class Connector {
  readonly #address: PostgresAddress;
  #tls: boolean;
  readonly #fallsBack: boolean;

  constructor(address: PostgresAddress) {
    this.#address = address;
    this.#tls = address.sslMode !== 'disable';
    this.#fallsBack = address.sslMode === 'allow' || address.sslMode === 'prefer';
  }

  /**
   * Connects to a server, without TLS where the address allows it and the server has none.
   *
   * @throws WarehouseUnreachableError
   */
  async connect(): Promise<pg.Client> {
    try {
      return await this.#attempt();
    } catch (error) {
      if (!this.#fallsBack || !hasNoTls(error)) throw connectErrorOf(error);
      this.#tls = false;
    }
    try {
      return await this.#attempt();
    } catch (error) {
      throw connectErrorOf(error);
    }
  }

  async #attempt(): Promise<pg.Client> {
    const { host, port, database, user, password, connectTimeoutMs } = this.#address;
    const client = new pg.Client({
      host,
      port,
      database,
      user,
      // Never from the environment or a password file of this process's user.
      password: password ?? '',
      ssl: this.#tls ? this.#certificateCheck() : false,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: 'service',
      keepAlive: true,
    });
    // While nobody waits for an answer a broken connection is told here; without a listener it would end the process. The next statement fails on it.
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
