import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLog } from '../log/log.ts';
import { sqliteLibrary } from '../sqlite/library.ts';
import { openWarehouses } from '../warehouse/index.ts';
import { isBelow, isFileOutside, ownFiles } from './protected-files.ts';

let root: string;
let home: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'service-own-files-'));
  home = join(root, 'home');
  mkdirSync(join(home, 'data/sub'), { recursive: true });
  const Database = sqliteLibrary();
  const state = new Database(join(home, 'data/state.sqlite'));
  state.exec('CREATE TABLE users (name TEXT)');
  state.close();
  const shop = new Database(join(home, 'data/shop.sqlite'));
  shop.exec('CREATE TABLE sales (amount INTEGER)');
  shop.close();
  writeFileSync(join(home, 'data/state.sqlite-wal'), '');
  symlinkSync(join(home, 'data/state.sqlite'), join(home, 'data/link.sqlite'));
  symlinkSync(join(home, 'data'), join(home, 'mirror'));
  linkSync(join(home, 'data/state.sqlite'), join(home, 'data/hard.sqlite'));
  symlinkSync(root, join(home, 'data/out'));
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the product’s own state', () => {
  const spellings = [
    'data/state.sqlite',
    './data/../data/state.sqlite',
    'data//state.sqlite',
    'data/state.sqlite-wal',
    'data/state.sqlite-shm',
    'data/state.sqlite-journal',
    'data/link.sqlite',
    'data/hard.sqlite',
    'mirror/state.sqlite',
    'file:data/state.sqlite',
    'FILE:data/state.sqlite?mode=ro',
  ];
  test.each(['jdbc:sqlite:', 'jdbc:duckdb:'].flatMap((prefix) => spellings.map((each) => prefix + each)))(
    'is not opened as a warehouse by the address %s',
    async (jdbcUrl) => {
      const warehouses = openWarehouses({
        statementTimeoutMs: 5_000,
        poolSize: 1,
        home,
        log: openLog('silent'),
        refusesFile: ownFiles([join(home, 'data/state.sqlite')]),
      });
      await expect(warehouses.open({ jdbcUrl })).rejects.toMatchObject({ kind: 'VALIDATION', field: 'jdbcUrl' });
      await warehouses.close();
    },
  );

  test('is not opened either when a link points to it later; another file is opened', async () => {
    const warehouses = openWarehouses({
      statementTimeoutMs: 10_000,
      poolSize: 1,
      home,
      log: openLog('silent'),
      refusesFile: ownFiles([join(home, 'data/state.sqlite')]),
    });
    const turning = join(home, 'data/turning.sqlite');
    symlinkSync(join(home, 'data/shop.sqlite'), turning);
    const warehouse = await warehouses.open({ jdbcUrl: 'jdbc:sqlite:data/turning.sqlite' });
    const tables = async () => (await warehouse.tables()).map(({ name }) => name);
    expect(await tables()).toEqual(['sales']);
    rmSync(turning);
    symlinkSync(join(home, 'data/state.sqlite'), turning);
    await expect(tables()).rejects.toMatchObject({ kind: 'VALIDATION' });
    await warehouses.close();
  });
});

test('a path below a folder is recognized with links resolved', () => {
  const data = join(home, 'data');
  expect(isBelow(join(data, 'shop.sqlite'), data)).toBe(true);
  expect(isBelow(join(home, 'mirror/shop.sqlite'), data)).toBe(true);
  expect(isBelow(join(data, 'out/x.yaml'), data)).toBe(false);
  expect(isBelow(join(home, 'database/x'), data)).toBe(false);
  expect(isBelow(data, data)).toBe(false);
});

test.each([
  ['jdbc:duckdb:data/shop.duckdb', false],
  ['jdbc:sqlite:data/sub/new.sqlite', false],
  ['jdbc:duckdb:', false],
  ['jdbc:postgresql://host/db', false],
  ['jdbc:duckdb:../shop.duckdb', true],
  ['jdbc:duckdb:/etc/passwd', true],
  ['jdbc:sqlite:data/../service.properties', true],
  ['jdbc:sqlite:data/out/shop.sqlite', true],
  ['JDBC:SQLITE:/etc/passwd', true],
])('the address %s names a file outside of the data folder: %s', (jdbcUrl, expected) => {
  expect(isFileOutside(jdbcUrl, join(home, 'data'), home)).toBe(expected);
});
