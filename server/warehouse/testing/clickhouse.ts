import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import { BUNDLES_VARIABLE } from '../../entry-points.ts';
import type { ChdbMessage, ChdbReply } from './chdb-process.ts';

/** The members of the server's JSON answer that tests read. */
const Answer = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

/** A fresh database on ClickHouse, behind its HTTP interface. */
export interface TestClickhouse {
  readonly address: WarehouseAddress;
  administer(statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  stop(): Promise<void>;
}

/**
 * The folder of npm's `chdb`: `SERVICE_TEST_CHDB`, or the target of `CHDB_INSTALL`. It is half a gigabyte, so it is no dependency of this repository.
 */
const FOLDER = join(process.cwd(), '.cache/chdb/node_modules/chdb');
export const CHDB_INSTALL = 'npm install --prefix .cache/chdb chdb@3.4.0';

function chdbFolder(): string | undefined {
  const chdbFolder = process.env.SERVICE_TEST_CHDB;
  const folder = chdbFolder === undefined || chdbFolder === '' ? FOLDER : chdbFolder;
  return existsSync(folder) ? folder : undefined;
}

function givenUrl(): string | undefined {
  const url = process.env.SERVICE_TEST_CLICKHOUSE_URL;
  return url === '' ? undefined : url;
}

/** Explains in one line why ClickHouse is missing; `undefined` where it is available. */
export function clickhouseMissing(): string | undefined {
  if (givenUrl() !== undefined || chdbFolder() !== undefined) return undefined;
  return `no ClickHouse here: ${CHDB_INSTALL} (0.5 GB), or name a server in SERVICE_TEST_CLICKHOUSE_URL`;
}

/** Starts on the server of `SERVICE_TEST_CLICKHOUSE_URL` (`http://user:password@host:8123`), else on ClickHouse in this test's processes. */
export function startClickhouse(setUp: readonly string[]): Promise<TestClickhouse> {
  const url = givenUrl();
  const folder = chdbFolder();
  if (url !== undefined) return onServer(new URL(url), setUp);
  if (folder === undefined) throw new Error(clickhouseMissing());
  return inProcesses(folder, setUp);
}

async function onServer(server: URL, setUp: readonly string[]): Promise<TestClickhouse> {
  const suffix = randomUUID().replaceAll('-', '').slice(0, 12);
  const database = `service_test_${suffix}`;
  const reader = { username: `reader_${suffix}`, password: `p&q ${suffix}` };
  const schemas = setUp.flatMap((statement) => /^CREATE DATABASE (\w+)$/.exec(statement)?.[1] ?? []);
  const ask = async (statement: string, inDatabase?: string) => {
    const url = new URL('/', server.origin);
    if (inDatabase !== undefined) url.searchParams.set('database', inDatabase);
    url.searchParams.set('default_format', 'JSON');
    const authorization = `Basic ${Buffer.from(`${decodeURIComponent(server.username)}:${decodeURIComponent(server.password)}`).toString('base64')}`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization }, body: statement });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text === '' ? [] : Answer.parse(JSON.parse(text)).data;
  };
  const administer = async (statements: readonly string[]) => {
    let rows: readonly Readonly<Record<string, unknown>>[] = [];
    for (const statement of statements) rows = await ask(statement, database);
    return rows;
  };
  await ask(`CREATE DATABASE ${database}`);
  await administer(setUp);
  await ask(`CREATE USER ${reader.username} IDENTIFIED WITH sha256_password BY '${reader.password}'`);
  for (const name of [database, ...schemas]) await ask(`GRANT SELECT ON ${name}.* TO ${reader.username}`);
  return {
    address: { jdbcUrl: `jdbc:clickhouse:${server.origin}/${database}`, ...reader },
    administer,
    async stop() {
      for (const name of [database, ...schemas]) await ask(`DROP DATABASE IF EXISTS ${name}`);
      await ask(`DROP USER IF EXISTS ${reader.username}`);
    },
  };
}

/**
 * Starts a stand-in for the HTTP interface of ClickHouse with the real engine behind it. Each request goes to a process that has the set-up's tables.
 * When the client disconnects, or sends KILL QUERY, the process is killed.
 */
async function inProcesses(folder: string, setUp: readonly string[]): Promise<TestClickhouse> {
  const idle: Chdb[] = [await Chdb.start(folder, setUp)];
  const databases = ['default', ...setUp.flatMap((statement) => /^CREATE DATABASE (\w+)$/.exec(statement)?.[1] ?? [])];
  const running = new Map<string, Chdb>();
  let stopped = false;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sql = await bodyOf(request);
    const query = new URL(request.url ?? '/', 'http://stand-in').searchParams;
    const killed = /^KILL QUERY WHERE query_id = '([^']*)'/.exec(sql)?.[1];
    if (killed !== undefined) {
      running.get(killed)?.kill();
      response.end();
      return;
    }
    const database = query.get('database') ?? 'default';
    if (!databases.includes(database)) {
      const text = `Code: 81. DB::Exception: Database ${database} does not exist. (UNKNOWN_DATABASE)`;
      response.writeHead(404, { 'x-clickhouse-exception-code': '81' }).end(text);
      return;
    }
    const process = idle.pop() ?? (await Chdb.start(folder, setUp));
    const queryId = query.get('query_id') ?? '';
    running.set(queryId, process);
    // A client with a complete answer may disconnect before the last byte is sent, when the process already serves the next request.
    let serving = true;
    response.once('close', () => {
      if (serving && !response.writableEnded) process.kill();
    });
    if (response.closed) process.kill();
    try {
      await pipe(process, sql, query, response);
    } finally {
      serving = false;
      running.delete(queryId);
      if (process.isAlive && !stopped) idle.push(process);
      else process.kill();
    }
  };
  // An address may be as long as the server's own limit (`http_max_uri_size`).
  const server = createServer({ maxHeaderSize: 2 ** 20 }, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stand-in has no port.');
  return {
    address: { jdbcUrl: `jdbc:clickhouse://127.0.0.1:${address.port}/default`, username: 'reader', password: 'p&q' },
    administer: async () => {
      throw new Error('The stand-in is filled by its set-up only.');
    },
    async stop() {
      stopped = true;
      for (const process of [...idle, ...running.values()]) process.kill();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const NOT_FOR_THE_SESSION = new Set([
  'database',
  'default_format',
  'query_id',
  'readonly',
  'cancel_http_readonly_queries_on_client_close',
  'http_write_exception_in_output_format',
]);

async function pipe(process: Chdb, sql: string, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const settings: Record<string, string> = {};
  const parameters: Record<string, string> = {};
  for (const [name, value] of query) {
    if (name.startsWith('param_')) parameters[name.slice('param_'.length)] = value;
    else if (!NOT_FOR_THE_SESSION.has(name)) settings[name] = value;
  }
  const format = query.get('default_format') ?? 'TabSeparated';
  let reply = await process.ask({ kind: 'run', request: { sql, settings, parameters, format } });
  if (reply.kind === 'exception') {
    // Like the server: an error before the first row has a separate status.
    response.writeHead(reply.code === 60 || reply.code === 81 ? 404 : 500, {
      'x-clickhouse-exception-code': String(reply.code),
    });
    response.end(reply.text);
    return;
  }
  response.writeHead(200, { 'x-clickhouse-format': format });
  while (reply.kind === 'part') {
    if (!response.write(reply.text))
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    if (response.closed) return;
    reply = await process.ask({ kind: 'next' });
  }
  response.end(reply.kind === 'exception' ? `\n${reply.text}` : undefined);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

/** All of them end with this process. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

class Chdb {
  readonly #child: ChildProcess;
  #waiting: { resolve(reply: ChdbReply): void; reject(error: Error): void } | undefined;
  isAlive = true;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (reply: ChdbReply) => this.#waiting?.resolve(reply));
    running.add(child);
    child.on('close', () => {
      running.delete(child);
      this.isAlive = false;
      this.#waiting?.reject(new Error('The ClickHouse process ended.'));
    });
  }

  static async start(folder: string, setUp: readonly string[]): Promise<Chdb> {
    const bundles = process.env[BUNDLES_VARIABLE];
    const source = fileURLToPath(new URL('./chdb-process.ts', import.meta.url));
    const child = fork(bundles === undefined ? source : join(bundles, 'chdb-process.cjs'), {
      execArgv: bundles === undefined ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const chdb = new Chdb(child);
    const reply = await chdb.ask({ kind: 'set-up', folder, statements: setUp });
    if (reply.kind !== 'ready') throw new Error(reply.kind === 'exception' ? reply.text : 'ClickHouse did not start.');
    return chdb;
  }

  ask(message: ChdbMessage): Promise<ChdbReply> {
    return new Promise((resolve, reject) => {
      if (!this.isAlive) return reject(new Error('The ClickHouse process ended.'));
      this.#waiting = { resolve, reject };
      this.#child.send(message);
    });
  }

  kill(): void {
    this.isAlive = false;
    this.#child.kill('SIGKILL');
  }
}
