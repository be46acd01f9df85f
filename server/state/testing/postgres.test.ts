import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { startPostgres, type TestDatabase } from './postgres.ts';

const open: TestDatabase[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.stop()));
});

async function database(): Promise<TestDatabase> {
  const started = await startPostgres();
  open.push(started);
  return started;
}

async function ask(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it('creates an empty UTF-8 database that orders text by code point', async () => {
  const { url } = await database();
  expect(await ask(url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
  expect(await ask(url, "select * from (values ('a'), ('B')) t(x) order by x")).toEqual([{ x: 'B' }, { x: 'a' }]);
  expect(await ask(url, "select 1 from information_schema.tables where table_schema = 'public'")).toEqual([]);
});

it('separates the databases of two tests', async () => {
  const [first, second] = await Promise.all([database(), database()]);
  await ask(first.url, 'create table mine (x integer)');
  await expect(ask(second.url, 'select * from mine')).rejects.toThrow('does not exist');
});

it('drops the database on stop, also while a connection is open, and may be stopped twice', async () => {
  const keeper = await database();
  const { url, stop } = await startPostgres();
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await stop();
  await stop();
  const name = new URL(url).pathname.slice(1);
  expect(await ask(keeper.url, `select 1 from pg_database where datname = '${name}'`)).toEqual([]);
});
