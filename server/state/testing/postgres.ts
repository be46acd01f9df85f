import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type PostgresServer, startPostgresServer } from './server.ts';
import { sharedServer } from './shared-servers.ts';

/** A fresh, empty PostgreSQL database for one test file. `stop` drops it. */
export interface TestDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

const NAME_PREFIX = 'service_test_';
const LEFT_OVER_AFTER_MS = 6 * 60 * 60_000;

/** The server of this process, used where no other server is configured, and its number of open databases. */
let ownServer: { readonly server: Promise<PostgresServer>; uses: number } | undefined;

/**
 * Creates an empty database on a real PostgreSQL server: that of `SERVICE_TEST_POSTGRES_URL` (its user must be
 * allowed to create databases), else the one that the test run shares (`global-setup.ts`), else one of this process's own.
 *
 * @throws Error in one line saying what is missing and how to get it, where no server can be had.
 */
export async function startPostgres(): Promise<TestDatabase> {
  const { adminUrl, release } = await server();
  const name = `${NAME_PREFIX}${Date.now()}_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  try {
    await asAdministrator(adminUrl, async (client) => {
      await dropLeftOvers(client);
      await client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
    });
  } catch (error) {
    await release();
    throw error;
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  let stopped: Promise<void> | undefined;
  return {
    url: url.href,
    stop() {
      stopped ??= asAdministrator(adminUrl, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }).finally(release);
      return stopped;
    },
  };
}

async function server(): Promise<{ readonly adminUrl: string; release(): Promise<void> }> {
  const configuredUrl = process.env.SERVICE_TEST_POSTGRES_URL;
  if (configuredUrl !== undefined && configuredUrl !== '')
    return { adminUrl: configuredUrl, release: async () => undefined };
  const shared = await sharedServer('postgresql');
  if (shared !== undefined) return { adminUrl: shared, release: async () => undefined };
  ownServer ??= { server: startPostgresServer(), uses: 0 };
  const mine = ownServer;
  mine.uses++;
  const release = async (): Promise<void> => {
    mine.uses--;
    if (mine.uses > 0) return;
    if (ownServer === mine) ownServer = undefined;
    await mine.server.then(
      (running) => running.stop(),
      () => undefined, // It failed to start, which the caller knows.
    );
  };
  try {
    return { adminUrl: (await mine.server).url, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function asAdministrator(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Drops the databases of a killed run from a server that outlives it, once they are old and unused. */
async function dropLeftOvers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where starts_with(datname, $1)
     and not exists (select 1 from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)`,
    [NAME_PREFIX],
  );
  for (const { name } of rows) {
    const createdAt = Number(/^service_test_(\d+)_[0-9a-f]+$/.exec(name)?.[1]);
    if (Date.now() - createdAt > LEFT_OVER_AFTER_MS) await client.query(`drop database if exists ${name}`);
  }
}
