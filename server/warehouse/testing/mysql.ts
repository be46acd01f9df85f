import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { sharedServer } from '../../state/testing/shared-servers.ts';

/** A new database on a MySQL or MariaDB server, with a user who may read it and the databases `alsoReads`. */
export interface TestMysql {
  /** `host:port/database` */
  readonly place: string;
  readonly reader: { readonly username: string; readonly password: string };
  readonly administrator: { readonly username: string; readonly password: string };
  administer(statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  stop(): Promise<void>;
}

const SERVERS = ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd', '/opt/homebrew/bin/mariadbd'];
const INSTALLERS = [
  '/usr/bin/mariadb-install-db',
  '/usr/local/bin/mariadb-install-db',
  '/opt/homebrew/bin/mariadb-install-db',
];
const START_WITHIN_MS = 30_000;

/** Explains in one line why no server is available; `undefined` where one is. */
export function mysqlMissing(): string | undefined {
  if (givenUrl() !== undefined || (SERVERS.some(existsSync) && INSTALLERS.some(existsSync))) return undefined;
  return 'no MariaDB server here: install one (Debian: apt-get install mariadb-server) or name one in SERVICE_TEST_MYSQL_URL';
}

/**
 * Starts on the server of `SERVICE_TEST_MYSQL_URL` (`mysql://root:password@host:3306`), else on the server that the test run shares, else on a new
 * one; always on a new one where the test creates further databases.
 */
export async function startMysql(setUp: readonly string[], alsoReads: readonly string[] = []): Promise<TestMysql> {
  const server = await serverFor(alsoReads);
  const suffix = randomUUID().replaceAll('-', '').slice(0, 12);
  const database = `service_test_${suffix}`;
  const { hostname, port, username, password } = new URL(server.url);
  const administrator = {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  const reader = { username: `reader_${suffix}`, password: `p&q ${suffix}` };
  const connect = (name?: string) =>
    mysql.createConnection({
      host: hostname,
      port: Number(port),
      user: administrator.username,
      password: administrator.password,
      charset: 'UTF8MB4_BIN',
      ...(name === undefined ? {} : { database: name }),
    });
  const administer = async (statements: readonly string[]) => {
    const connection = await connect(database);
    try {
      let rows: readonly Readonly<Record<string, unknown>>[] = [];
      for (const statement of statements) {
        const [result] = await connection.query<mysql.RowDataPacket[]>(statement);
        rows = Array.isArray(result) ? result : [];
      }
      return rows;
    } finally {
      await connection.end();
    }
  };
  const dropAll = [
    ...[database, ...alsoReads].map((name) => `DROP DATABASE IF EXISTS ${name}`),
    `DROP USER IF EXISTS '${reader.username}'@'%'`,
  ];
  try {
    const connection = await connect();
    // Text compares byte by byte, like on the other engines.
    await connection.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
    await connection.query(`CREATE USER '${reader.username}'@'%' IDENTIFIED BY '${reader.password}'`);
    for (const name of [database, ...alsoReads])
      await connection.query(`GRANT SELECT ON ${name}.* TO '${reader.username}'@'%'`);
    await connection.end();
    await administer(setUp);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    place: `${hostname}:${port}/${database}`,
    reader,
    administrator,
    administer,
    async stop() {
      await administer(dropAll);
      await server.stop();
    },
  };
}

async function serverFor(alsoReads: readonly string[]): Promise<TestMysqlServer> {
  const shared = givenUrl() ?? (alsoReads.length === 0 ? await sharedServer('mariadb') : undefined);
  return shared === undefined ? startMysqlServer() : { url: shared, stop: async () => undefined };
}

function givenUrl(): string | undefined {
  const url = process.env.SERVICE_TEST_MYSQL_URL;
  return url === '' ? undefined : url;
}

/** A running server; `url` is its administrator's. */
export interface TestMysqlServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1, with its files in a temporary folder. */
export async function startMysqlServer(): Promise<TestMysqlServer> {
  const program = SERVERS.find(existsSync);
  const installer = INSTALLERS.find(existsSync);
  if (program === undefined || installer === undefined) throw new Error(mysqlMissing());
  const folder = await mkdtemp(join(tmpdir(), 'service-mariadb-'));
  const asUser: string[] = [];
  if (process.getuid?.() === 0) {
    // It refuses to run as root; Debian's package has a user for it.
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'mysql']).stdout.toString()));
    await chown(folder, uid ?? 0, gid ?? 0);
    await chmod(folder, 0o700);
    asUser.push('--user=mysql');
  }
  const data = join(folder, 'data');
  // Names of its temporary tables contain only the number of its process, which another server may have, too.
  const env = { ...process.env, TMPDIR: folder };
  const made = spawnSync(
    installer,
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...asUser],
    { encoding: 'utf8', timeout: START_WITHIN_MS, env },
  );
  if (made.status !== 0) throw new Error(`No MariaDB database could be made: ${made.stderr.slice(-500)}`);
  const port = await freePort();
  const child = spawn(
    program,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(folder, 'socket')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--secure-file-priv=',
      '--innodb-buffer-pool-size=32M',
      '--innodb-flush-log-at-trx-commit=0',
      '--skip-log-bin',
      ...asUser,
    ],
    { stdio: 'ignore', env },
  );
  const stop = async (): Promise<void> => {
    await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  process.once('exit', () => child.kill('SIGKILL'));
  try {
    await answers(port, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `mysql://root:@127.0.0.1:${port}`, stop };
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  const giveUpAt = Date.now() + START_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The MariaDB server ended with ${child.exitCode}.`);
    try {
      await (await mysql.createConnection({ host: '127.0.0.1', port, user: 'root', password: '' })).end();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Kills the server at once: its files are deleted anyway. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await end;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}
