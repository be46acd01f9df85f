import { describe, expect, it } from 'vitest';
import { InvalidAddressError } from './jdbc-url.ts';
import { openWarehouses } from './open-warehouses.ts';
import { oneRow, quietLog, sql } from './testing/engines.ts';

const warehouses = () => openWarehouses({ statementTimeoutMs: 5_000, poolSize: 2, home: '/nowhere', log: quietLog });

describe('opening a warehouse', () => {
  it.each(['jdbc:oracle:thin:@host', 'jdbc:duckdbx', 'postgres://u:secret@h/d', '', 'file:///etc/passwd'])(
    'refuses %j with the legal addresses',
    async (jdbcUrl) => {
      const error: unknown = await warehouses()
        .open({ jdbcUrl })
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidAddressError);
      expect(error).toMatchObject({
        status: 400,
        available: [
          'jdbc:duckdb:',
          'jdbc:postgresql:',
          'jdbc:sqlite:',
          'jdbc:mysql:',
          'jdbc:mariadb:',
          'jdbc:clickhouse:',
          'jdbc:trino:',
        ],
        message: expect.stringContaining('jdbc:duckdb:, jdbc:postgresql:'),
      });
      expect(String(error)).not.toContain('secret');
    },
  );

  it('does not connect', async () => {
    await warehouses().open({ jdbcUrl: 'jdbc:duckdb:missing.duckdb' });
    await warehouses().open({ jdbcUrl: 'jdbc:postgresql://127.0.0.1:1/shop', username: 'u', password: 'p' });
  });

  it('separates the warehouses of different users', async () => {
    const open = warehouses();
    const jdbcUrl = 'jdbc:postgresql://127.0.0.1:1/shop';
    const one = await open.open({ jdbcUrl, username: 'one' });
    expect(await open.open({ jdbcUrl, username: 'two' })).not.toBe(one);
    expect(await open.open({ jdbcUrl, username: 'one', password: 'x' })).not.toBe(one);
    expect(await open.open({ jdbcUrl, username: 'one' })).toBe(one);
    await open.close();
  });

  it('opens an empty database in memory with the shortest address', async () => {
    const open = warehouses();
    const warehouse = await open.open({ jdbcUrl: 'jdbc:duckdb:' });
    expect(await oneRow(warehouse, sql('SELECT 1'))).toEqual([1]);
    expect(await warehouse.tables()).toEqual([]);
    await expect(warehouse.query(sql('CREATE TABLE x (i INTEGER)'), { maxRows: 1 })).rejects.toThrow('reading only');
    await open.close();
  });

  it.each(['jdbc:duckdb:md:shop', 'jdbc:duckdb:s3://bucket/x.duckdb', 'jdbc:duckdb:/x.duckdb?access_mode=READ_WRITE'])(
    'refuses %s, which is not a file of this machine',
    async (jdbcUrl) => {
      await expect(warehouses().open({ jdbcUrl })).rejects.toThrow(InvalidAddressError);
    },
  );
});
