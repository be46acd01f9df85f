import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../router/testing/silent-log.ts';
import { type OpenWarehouses, openWarehouses } from './open-warehouses.ts';
import { isSamePlace } from './same-warehouse.ts';

let home: string;
let warehouses: OpenWarehouses;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'service-same-'));
  mkdirSync(join(home, 'data'));
  writeFileSync(join(home, 'data/shop.db'), 'x');
  writeFileSync(join(home, 'data/other.db'), 'x');
  symlinkSync(join(home, 'data/shop.db'), join(home, 'data/symbolic.db'));
  symlinkSync(join(home, 'data'), join(home, 'folder'));
  linkSync(join(home, 'data/shop.db'), join(home, 'hard.db'));
  warehouses = openWarehouses({ statementTimeoutMs: 1_000, poolSize: 1, home, log: silentLog });
});
afterAll(async () => {
  await warehouses.close();
  rmSync(home, { recursive: true });
});

const isSame = (one: string, other: string) =>
  warehouses.isSame(
    { jdbcUrl: one.replace('HOME', home), username: 'one' },
    { jdbcUrl: other.replace('HOME', home), username: 'other' },
  );

describe('two addresses have the same warehouse', () => {
  it.each([
    ['jdbc:duckdb:HOME/data/shop.db', 'jdbc:duckdb:data/shop.db'],
    ['jdbc:duckdb:HOME/data/shop.db', 'jdbc:duckdb:HOME/data/../data/./shop.db'],
    ['jdbc:duckdb:HOME/data/shop.db', 'jdbc:duckdb:HOME/data/symbolic.db'],
    ['jdbc:sqlite:HOME/data/shop.db', 'jdbc:sqlite:HOME/folder/shop.db'],
    ['jdbc:sqlite:HOME/data/shop.db', 'jdbc:sqlite:HOME/hard.db'],
    ['jdbc:postgresql://127.0.0.1/shop', 'jdbc:postgresql://LOCALHOST:5432/shop?user=x&sslmode=disable'],
    ['jdbc:postgresql:shop', 'jdbc:postgresql://[::1]:5432/shop'],
    ['jdbc:postgresql://127.0.0.2/shop', 'jdbc:postgresql://localhost./shop'],
    ['jdbc:mysql://127.0.0.1/shop', 'jdbc:mariadb://localhost:3306/other'],
    ['jdbc:clickhouse://127.0.0.1', 'jdbc:clickhouse:http://localhost:8123/other?user=x'],
    ['jdbc:trino://127.0.0.1/tpch/tiny?user=x', 'jdbc:trino://localhost:80/tpch?user=y'],
  ])('%s and %s', async (one, other) => {
    expect(await isSame(one, other)).toBe(true);
    expect(await isSame(other, one)).toBe(true);
  });

  it.each([
    ['jdbc:duckdb:HOME/data/shop.db', 'jdbc:duckdb:HOME/data/other.db'],
    ['jdbc:duckdb:', 'jdbc:duckdb:'],
    ['jdbc:duckdb:HOME/data/none.db', 'jdbc:duckdb:HOME/data/nothing.db'],
    ['jdbc:postgresql://127.0.0.1/shop', 'jdbc:postgresql://127.0.0.1/other'],
    ['jdbc:postgresql://127.0.0.1/shop', 'jdbc:postgresql://127.0.0.1:5433/shop'],
    ['jdbc:postgresql://127.0.0.1/shop', 'jdbc:postgresql://192.0.2.7/shop'],
    ['jdbc:mysql://127.0.0.1:5432/shop', 'jdbc:postgresql://127.0.0.1:5432/shop'],
    ['jdbc:trino://127.0.0.1/tpch?user=x', 'jdbc:trino://127.0.0.1/hive?user=x'],
  ])('not %s and %s', async (one, other) => {
    expect(await isSame(one, other)).toBe(false);
  });

  it('also when two host names have one address', async () => {
    const server = { kind: 'server', protocol: 'mysql', port: 3306, database: undefined } as const;
    const addresses: Readonly<Record<string, readonly string[]>> = {
      'db.example': ['192.0.2.7'],
      'alias.example': ['192.0.2.8', '192.0.2.7'],
      'far.example': ['192.0.2.9'],
    };
    const resolve = async (host: string) => addresses[host] ?? [];
    const same = (host: string) => isSamePlace({ ...server, host: 'db.example' }, { ...server, host }, resolve);
    expect(await same('alias.example')).toBe(true);
    expect(await same('192.0.2.7')).toBe(true);
    expect(await same('far.example')).toBe(false);
  });
});
