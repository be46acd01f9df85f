import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { CancelledError, WarehouseError } from '../../../router/errors.ts';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { InvalidAddressError, parseJdbcUrl } from '../jdbc-url.ts';
import { type OpenWarehouses, openWarehouses } from '../open-warehouses.ts';
import { eventually, oneRow, quietLog, sql } from '../testing/engines.ts';
import { freePort, mysqlMissing, startMysql, type TestMysql } from '../testing/mysql.ts';
import { mysqlAddress } from './address.ts';

const missing = mysqlMissing();
const HEAVY = 'SELECT count(*) FROM many a, many b, many c WHERE (a.n * b.n + c.n) % 7 = 3';

if (missing !== undefined)
  describe.skip(titleNeeding('on a MariaDB server', missing), () => it('answers', () => undefined));
else
  describe('on a MariaDB server', () => {
    let server: TestMysql;
    let warehouses: OpenWarehouses;
    let asReader: Warehouse;
    /** Has all rights on the server, so that every refusal is the product's. */
    let asRoot: Warehouse;

    beforeAll(async () => {
      server = await startMysql([
        'CREATE TABLE many AS SELECT seq AS n FROM seq_1_to_5000',
        'CREATE TABLE t (x INT)',
        'INSERT INTO t VALUES (1)',
        'CREATE SEQUENCE s',
        `CREATE TABLE typed (
          flag BOOLEAN, bits BIT(12), small SMALLINT UNSIGNED, big BIGINT UNSIGNED, y YEAR, f FLOAT, d DOUBLE,
          price DECIMAL(65,30), day DATE, at DATETIME(6), stamp TIMESTAMP(3) NULL, clock TIME(2), c CHAR(3), e ENUM('a','b'), se SET('a','b'),
          txt LONGTEXT, bin VARBINARY(3), blo BLOB, doc JSON, id UUID, ip INET6)`,
        `SET time_zone = '+02:00'`,
        `INSERT INTO typed VALUES (TRUE, b'101010101010', 65535, 18446744073709551615, 2024, 0.5, 0.1,
          12345678901234567890123456789012345.000000000000000000000000000001, '2024-02-29', '2024-02-29 12:34:56.789', '2024-02-29 12:34:56.5', '12:34:56.78',
          'abc', 'b', 'a,b', 'текст 🦆', x'00ff61', x'00ff61', '{"a": 9007199254740993}', '6b29fc40-ca47-1067-b31d-00dd010662da', '::1')`,
      ]);
      warehouses = openWarehouses({ statementTimeoutMs: 15_000, poolSize: 2, home: '/nowhere', log: quietLog });
      asReader = await warehouses.open({ jdbcUrl: `jdbc:mariadb://${server.place}`, ...server.reader });
      asRoot = await warehouses.open({ jdbcUrl: `jdbc:mysql://${server.place}`, ...server.administrator });
    });
    afterAll(async () => {
      await warehouses?.close();
      await server?.stop();
    });

    it('reads every type of column', async () => {
      const { columns, values } = await asReader.query(sql('SELECT * FROM typed'), { maxRows: 2 });
      expect(columns.map(({ type, nativeType }, i) => [type, nativeType, values[i]?.[0]])).toEqual([
        ['boolean', 'tinyint(1)', true],
        ['integer', 'bit(12)', 0b101010101010],
        ['integer', 'smallint', 65535],
        ['integer', 'bigint', 18446744073709551615n],
        ['integer', 'year', 2024],
        ['float', 'float', 0.5],
        ['float', 'double', 0.1],
        ['decimal', 'decimal(65,30)', '12345678901234567890123456789012345.000000000000000000000000000001'],
        ['date', 'date', '2024-02-29'],
        ['timestamp', 'datetime', '2024-02-29T12:34:56.789000'],
        // Written at 12:34 with clocks two hours ahead of UTC.
        ['timestamptz', 'timestamp', '2024-02-29T10:34:56.500000Z'],
        ['time', 'time', '12:34:56.780000'],
        ['text', 'char', 'abc'],
        ['text', 'char', 'b'],
        ['text', 'char', 'a,b'],
        ['text', 'text', 'текст 🦆'],
        ['binary', 'varbinary', 'AP9h'],
        ['binary', 'blob', 'AP9h'],
        ['json', 'json', '{"a": 9007199254740993}'],
        ['text', 'uuid', '6b29fc40-ca47-1067-b31d-00dd010662da'],
        ['other', 'inet6', '::1'],
      ]);
    });

    it.each([
      'INSERT INTO t VALUES (2)',
      'WITH a AS (SELECT 2 AS x) DELETE FROM t',
      'CREATE TABLE u (x INT)',
      'DROP TABLE t',
      'TRUNCATE t',
      'SET @x = 1',
      'SET SESSION TRANSACTION READ WRITE',
      'COMMIT',
      'DO SLEEP(1)',
      'CALL p()',
      'SHOW TABLES',
      'EXPLAIN SELECT 1',
      'HANDLER t OPEN',
      'KILL 1',
      "LOAD DATA INFILE '/etc/passwd' INTO TABLE t",
      'SET STATEMENT max_statement_time = 1 FOR SELECT 1',
      'SELECT 1; DROP TABLE t',
      'SELECT 1; SELECT 2',
      '/*! DROP TABLE t */',
      'SELECT 1 /*! INTO @x */',
      'SELECT 1 /*M!100000 , 2 */',
      'SELECT @x := 1',
      'SELECT 1 INTO @x',
      'SELECT NEXTVAL(s)',
      'SELECT NEXT VALUE FOR s',
      'SELECT SETVAL(s, 100)',
      "SELECT GET_LOCK('x', 1)",
      "SELECT LOAD_FILE('/etc/passwd')",
      "SELECT load_file/**/('/etc/passwd')",
      "SELECT `LOAD_FILE`('/etc/passwd')",
      "SELECT x FROM t INTO OUTFILE '/tmp/service-outfile'",
      "SELECT x FROM t INTO/**/DUMPFILE '/tmp/service-outfile'",
    ])("refuses %s, also for the server's own administrator", async (text) => {
      await expect(asRoot.query(sql(text), { maxRows: 1 })).rejects.toThrow(WarehouseError);
      expect(await server.administer(['SELECT count(*) AS n FROM t'])).toEqual([{ n: 1 }]);
    });

    it('refuses files itself: the server would read and write them for its administrator', async () => {
      const [row] = await server.administer(["SELECT LOAD_FILE('/etc/passwd') IS NOT NULL AS readable"]);
      expect(row).toEqual({ readable: 1 });
      expect(existsSync('/tmp/service-outfile')).toBe(false);
    });

    it('limits the rows of an answer, not the rows that it is computed from', async () => {
      const one = async (text: string) => (await asReader.query(sql(text), { maxRows: 1 })).values[0]?.[0];
      expect(await one('SELECT count(*) FROM (SELECT n FROM many) AS a')).toBe(5000);
      expect(await one('WITH a AS (SELECT n FROM many) SELECT count(*) FROM a')).toBe(5000);
      expect(await one('SELECT n FROM many WHERE n IN (SELECT n FROM many) ORDER BY n DESC')).toBe(5000);
      const union = await asReader.query(sql('SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3'), { maxRows: 2 });
      expect(union).toMatchObject({ rowCount: 2, truncated: true });
    });

    const running = async () => {
      const rows = await server.administer([
        "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE '%many a, many b%' AND info NOT LIKE '%processlist%'",
      ]);
      return Number(rows[0]?.n);
    };

    it('stops cancelled and abandoned statements in the server', async () => {
      const cancel = new AbortController();
      const heavy = asReader.query(sql(HEAVY), { maxRows: 1, signal: cancel.signal });
      heavy.catch(() => undefined);
      await eventually(async () => (await running()) === 1, 20_000);
      cancel.abort();
      await expect(heavy).rejects.toThrow(CancelledError);
      await eventually(async () => (await running()) === 0, 20_000);

      const { chunks } = await asReader.stream(sql('SELECT a.n FROM many a, many b, many c'), { maxRows: 1e9 });
      for await (const chunk of chunks) {
        expect(chunk.rowCount).toBeGreaterThan(0);
        expect(await running()).toBe(1);
        break;
      }
      await eventually(async () => (await running()) === 0, 20_000);
    });

    it('compares bound numbers with all their digits', async () => {
      const matches = async (condition: string, type: 'decimal' | 'integer', value: string | bigint) =>
        (await oneRow(asReader, sql(`SELECT count(*) FROM typed WHERE ${condition}`, [{ type, value }])))[0];
      expect(
        await matches('price = ?', 'decimal', '12345678901234567890123456789012345.000000000000000000000000000001'),
      ).toBe(1);
      expect(
        await matches('price = ?', 'decimal', '12345678901234567890123456789012345.000000000000000000000000000002'),
      ).toBe(0);
      expect(await matches('big = ?', 'integer', 18446744073709551615n)).toBe(1);
      expect(await matches('big = ?', 'integer', 18446744073709551614n)).toBe(0);
      await expect(matches('price = ?', 'decimal', '1e-31')).rejects.toThrow('30 of them after the point');
    });

    it('explains why it cannot be reached', async () => {
      const ping = async (jdbcUrl: string, username: string, password: string) =>
        (await warehouses.open({ jdbcUrl, username, password })).ping();
      const { username, password } = server.reader;
      const [hostAndPort] = server.place.split('/');
      await expect(ping(`jdbc:mysql://${server.place}`, username, 'wrong')).rejects.toThrow(
        'user name or the password',
      );
      await expect(ping(`jdbc:mysql://${hostAndPort}/nowhere`, username, password)).rejects.toThrow(
        'cannot be reached',
      );
      await expect(ping(`jdbc:mysql://127.0.0.1:${await freePort()}/x`, username, password)).rejects.toThrow(
        'nothing answers',
      );
      await expect(ping(`jdbc:mysql://${server.place}?sslMode=REQUIRED`, username, password)).rejects.toThrow(
        'does not speak TLS',
      );
    });
  });

describe('an address of MySQL or MariaDB', () => {
  const read = (rest: string, username: string | undefined = 'reader') => {
    const jdbcUrl = `jdbc:mysql:${rest}`;
    return mysqlAddress({ jdbcUrl, username }, parseJdbcUrl('jdbc:mysql:', jdbcUrl), quietLog);
  };

  it('has server, database and TLS', () => {
    expect(read('//db.example:3307/shop')).toMatchObject({
      host: 'db.example',
      port: 3307,
      database: 'shop',
      sslMode: 'preferred',
    });
    expect(read('//[::1]/')).toMatchObject({ host: '::1', port: 3306, database: undefined });
    expect(read('//h/d?sslMode=VERIFY_IDENTITY').sslMode).toBe('verify-identity');
    expect(read('//h/d?sslMode=verify-full').sslMode).toBe('verify-identity');
    expect(read('//h/d?useSSL=false').sslMode).toBe('disabled');
    expect(read('//h/d?user=a&password=p%26q')).toMatchObject({ user: 'reader', password: 'p&q' });
  });

  it.each([
    'shop',
    '//h1,h2/d',
    '//h:99999/d',
    '//h/d/e',
    '//h/%zz',
    '//h/d?sslMode=maybe',
    '//h/d?connectTimeout=soon',
  ])('%s is refused', (rest) => {
    expect(() => read(rest)).toThrow(InvalidAddressError);
  });

  it('without a user is refused', () => {
    expect(() => read('//h/d', '')).toThrow(InvalidAddressError);
  });
});
