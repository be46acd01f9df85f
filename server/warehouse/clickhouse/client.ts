import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Log } from '../../../router/capabilities/log.ts';
import { httpRequest, readText } from '../http-request.ts';
import type { NetworkGuard } from '../network-guard.ts';
import type { ClickhouseAddress } from './address.ts';
import { ClickhouseException } from './errors.ts';

/** Time after which an idle connection is closed. The server closes it after 10 s (`keep_alive_timeout`, 3 s in older versions). */
const KEEP_ALIVE_MS = 2_500;
const KILL_WITHIN_MS = 5_000;

/** The HTTP interface of one server. */
export class ClickhouseClient {
  readonly #address: ClickhouseAddress;
  readonly #agent: HttpAgent;
  readonly #network: NetworkGuard | undefined;
  readonly #log: Log;

  constructor(address: ClickhouseAddress, log: Log, network: NetworkGuard | undefined) {
    this.#network = network;
    this.#address = address;
    this.#log = log;
    const options = { keepAlive: true, timeout: KEEP_ALIVE_MS };
    this.#agent = address.endpoint.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /**
   * Sends a statement and resolves with the beginning of its answer. An abort of the signal, then or while the answer is read, disconnects and kills
   * the statement in the server.
   *
   * @throws ClickhouseException
   */
  async send(
    sql: string,
    settings: Readonly<Record<string, string>>,
    parameters: readonly string[],
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const queryId = randomUUID();
    const kill = (): void => void this.#kill(queryId);
    signal.addEventListener('abort', kill, { once: true });
    try {
      const response = await this.#post(sql, { ...settings, query_id: queryId }, parameters, signal);
      if (response.statusCode !== 200 || response.headers['x-clickhouse-exception-code'] !== undefined)
        throw new ClickhouseException(await readText(response));
      response.once('close', () => signal.removeEventListener('abort', kill));
      return response;
    } catch (error) {
      signal.removeEventListener('abort', kill);
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Kills the statement in addition to closing the connection: a proxy may keep its own connection, and a busy server may not notice the close. */
  async #kill(queryId: string): Promise<void> {
    try {
      const settings = { default_format: 'Null' };
      const response = await this.#post(
        `KILL QUERY WHERE query_id = '${queryId}' ASYNC`,
        settings,
        [],
        AbortSignal.timeout(KILL_WITHIN_MS),
      );
      const text = await readText(response);
      if (response.statusCode !== 200) throw new ClickhouseException(text);
    } catch (error) {
      this.#log.debug({ err: error }, 'A ClickHouse statement could not be killed; its connection was closed');
    }
  }

  #post(
    sql: string,
    settings: Readonly<Record<string, string>>,
    parameters: readonly string[],
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { endpoint, database, user, password, checksCertificate } = this.#address;
    const url = new URL(endpoint);
    url.searchParams.set('database', database);
    for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
    for (const [index, text] of parameters.entries()) url.searchParams.set(`param_p${index}`, text);
    return httpRequest({
      url,
      network: this.#network,
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
        'content-type': 'text/plain; charset=utf-8',
        'user-agent': 'service',
      },
      body: sql,
      agent: this.#agent,
      signal,
      rejectUnauthorized: checksCertificate,
    });
  }
}
