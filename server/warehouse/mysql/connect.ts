import { connect } from 'node:net';
import mysql from 'mysql2';
import type { NetworkGuard } from '../network-guard.ts';
import type { MysqlAddress } from './address.ts';
import { connectErrorOf, hasNoTls } from './errors.ts';

/** Number of prepared statements that a connection keeps; a server has 16,382 in total. */
const PREPARED_STATEMENTS = 50;

/** Opens connections of one address. Whether a server without required TLS supports it is determined once. */
export class Connector {
  readonly #address: MysqlAddress;
  readonly #network: NetworkGuard | undefined;
  #tls: boolean;

  constructor(address: MysqlAddress, network: NetworkGuard | undefined) {
    this.#address = address;
    this.#network = network;
    this.#tls = address.sslMode !== 'disabled';
  }

  /**
   * Connects to a server, without TLS where the address prefers it and the server has none.
   *
   * @throws WarehouseUnreachableError
   */
  async connect(): Promise<mysql.Connection> {
    // The connection uses the checked address: the name may resolve to another one by then.
    const checked = await this.#network?.addressOf(this.#address.host, this.#address.port);
    try {
      return await this.#attempt(checked);
    } catch (error) {
      if (this.#address.sslMode !== 'preferred' || !hasNoTls(error)) throw connectErrorOf(error);
      this.#tls = false;
    }
    try {
      return await this.#attempt(checked);
    } catch (error) {
      throw connectErrorOf(error);
    }
  }

  async #attempt(checked: string | undefined): Promise<mysql.Connection> {
    const { host, port, database, user, password, sslMode, connectTimeoutMs } = this.#address;
    const connection = mysql.createConnection({
      host,
      port,
      ...(checked === undefined
        ? {}
        : { stream: () => connect({ host: checked, port, keepAlive: true, noDelay: true }) }),
      user,
      password: password ?? '',
      ...(database === undefined ? {} : { database }),
      ...(this.#tls
        ? { ssl: { rejectUnauthorized: sslMode.startsWith('verify'), verifyIdentity: sslMode === 'verify-identity' } }
        : {}),
      connectTimeout: connectTimeoutMs,
      // Texts are compared byte by byte, unless one is a column with a collation.
      charset: 'UTF8MB4_BIN',
      timezone: 'Z',
      supportBigNumbers: true,
      bigNumberStrings: true,
      dateStrings: true,
      jsonStrings: true,
      rowsAsArray: true,
      multipleStatements: false,
      // A server could otherwise ask for files of this machine.
      flags: ['-LOCAL_FILES'],
      maxPreparedStatements: PREPARED_STATEMENTS,
      enableKeepAlive: true,
    });
    // An idle connection reports its end here; without a listener it would end the process.
    connection.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      connection.connect((error) => {
        if (error === null) return resolve();
        connection.destroy();
        reject(error);
      });
    });
    return connection;
  }
}

/** Runs a statement of the product in the text protocol. */
export function run(connection: mysql.Connection, sql: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection.query(sql, (error, rows: unknown) => (error === null ? resolve(rows) : reject(error)));
  });
}
