import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { CancelledError, WarehouseError, WarehouseUnreachableError } from '../../../router/errors.ts';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { InvalidAddressError, parseJdbcUrl } from '../jdbc-url.ts';
import { openWarehouses } from '../open-warehouses.ts';
import { clickhouseMissing } from '../testing/clickhouse.ts';
import { eventually, oneRow, quietLog, sql, startWarehouse, type TestWarehouse } from '../testing/engines.ts';
import { type HttpStandIn, type SentRequest, startHttpStandIn } from '../testing/http-stand-in.ts';
import { clickhouseAddress } from './address.ts';
import { FORMAT } from './settings.ts';
import { checkStatement } from './statement-check.ts';

const missing = clickhouseMissing();

if (missing !== undefined)
  describe.skip(titleNeeding("on ClickHouse's engine", missing), () => it('answers', () => undefined));
else
  describe("on ClickHouse's engine", { timeout: 300_000 }, () => {
    let on: TestWarehouse;
    beforeAll(async () => {
      on = await startWarehouse(
        'clickhouse',
        [
          'CREATE TABLE a (k Int32, v Nullable(Int32)) ENGINE = MergeTree ORDER BY k',
          'INSERT INTO a VALUES (1, 10), (2, 20), (3, NULL)',
          'CREATE TABLE b (k Int32, w String) ENGINE = MergeTree ORDER BY k',
          "INSERT INTO b VALUES (1, 'one')",
        ],
        { poolSize: 1, statementTimeoutMs: 40_000 },
      );
    });
    afterAll(() => on?.stop());
    const rows = async (text: string) => (await on.warehouse.query(sql(text), { maxRows: 100 })).values;

    it('follows standard SQL', async () => {
      expect(await rows('SELECT b.w FROM a LEFT JOIN b ON a.k = b.k ORDER BY a.k')).toEqual([['one', null, null]]);
      expect(await rows('SELECT sum(v), max(v), count(v), count(*) FROM a WHERE k > 9')).toEqual([
        [null],
        [null],
        [0],
        [0],
      ]);
      expect(await rows('SELECT 1 AS x UNION SELECT 1')).toEqual([[1]]);
      expect(await rows('SELECT CAST(NULL AS INTEGER)')).toEqual([[null]]);
      // An alias that hides the column would double twice and filter by the doubled value.
      expect(await rows('SELECT k * 2 AS k FROM a WHERE k <= 2 ORDER BY a.k')).toEqual([[2, 4]]);
      expect(await rows('SELECT k FROM a ORDER BY v NULLS LAST')).toEqual([[1, 2, 3]]);
    });

    it.each([
      "SELECT file('/etc/passwd')",
      "SELECT FILE ( '/etc/passwd' )",
      "SELECT file/* x */('/etc/passwd')",
      String.raw`SELECT "\x66ile"('/etc/passwd')`,
      "SELECT * FROM file('/etc/passwd', 'LineAsString')",
      "SELECT * FROM url('http://127.0.0.1:1/x', 'LineAsString')",
      "SELECT * FROM remote('127.0.0.1:1', system.one)",
      "SELECT * FROM s3('http://127.0.0.1:1/bucket/x', 'LineAsString')",
      "SELECT * FROM executable('x', 'TSV', 'a String')",
      "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
      'INSERT INTO a VALUES (4, 4)',
      'CREATE TABLE c (x Int8) ENGINE = Memory',
      'DROP TABLE a',
      'ALTER TABLE a DELETE WHERE 1',
      'SYSTEM SHUTDOWN',
      'SET readonly = 0',
      'SHOW TABLES',
      'EXPLAIN SELECT 1',
      'SELECT 1; DROP TABLE a',
    ])('refuses %s', async (text) => {
      await expect(on.warehouse.query(sql(text), { maxRows: 1 })).rejects.toThrow(WarehouseError);
      expect(await rows('SELECT count(*) FROM a')).toEqual([[3]]);
    });

    it.each(['numbers(3)', 'generateSeries(1, 3)', "values('x Int8', 1, 2, 3)", 'view(SELECT arrayJoin([1, 2, 3]))'])(
      'allows %s, which only generates rows',
      async (call) => {
        expect((await rows(`SELECT * FROM ${call}`))[0]).toHaveLength(3);
      },
    );

    it("refuses a table function by the server's own settings, too, if the product's check missed it", async () => {
      // `zookeeper` and similar functions are not on the product's list; `sqlite` through a view would be another way.
      await expect(rows("SELECT * FROM redis/*\n*/\t('127.0.0.1:1', 'k', 'k String, v String')")).rejects.toThrow(
        WarehouseError,
      );
      await expect(rows("SELECT * FROM dictionary('nothing')")).rejects.toThrow(WarehouseError);
    });
  });

describe('the HTTP interface of ClickHouse, with a stand-in', () => {
  let standIn: HttpStandIn;
  let warehouse: Warehouse;
  let answer: (request: SentRequest, response: ServerResponse) => void;

  const respond = (response: ServerResponse, ...lines: readonly string[]): void => {
    response.writeHead(200, { 'x-clickhouse-format': FORMAT }).end(`${lines.join('\n')}\n`);
  };
  const exception = (response: ServerResponse, status: number, code: number, text: string): void => {
    response.writeHead(status, { 'x-clickhouse-exception-code': String(code) });
    response.end(`Code: ${code}. DB::Exception: ${text}`);
  };

  beforeAll(async () => {
    standIn = await startHttpStandIn((request, response) => answer(request, response));
    const warehouses = openWarehouses({ statementTimeoutMs: 10_000, poolSize: 2, home: '/nowhere', log: quietLog });
    warehouse = await warehouses.open({
      jdbcUrl: `jdbc:clickhouse://127.0.0.1:${standIn.port}/my%20shop`,
      username: 'reader',
      password: 'pä:ss',
    });
  });
  afterAll(async () => {
    await warehouse?.close();
    await standIn?.stop();
  });

  it('receives user, database, read-only settings and escaped parameters', async () => {
    answer = (_request, response) => respond(response, '["x"]', '["String"]', '["a"]');
    await oneRow(
      warehouse,
      sql('SELECT {p0:String}', [
        { type: 'text', value: 'a\tb\\N\n\u0000' },
        { type: 'text', value: null },
      ]),
    );
    const { url, headers, body, method } = standIn.requests.at(-1) ?? expect.fail('no request');
    expect([method, body]).toEqual(['POST', 'SELECT {p0:String}']);
    expect(Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString()).toBe('reader:pä:ss');
    expect(url.searchParams.get('database')).toBe('my shop');
    expect(url.searchParams.get('param_p0')).toBe(String.raw`a\tb\\N\n\0`);
    expect(url.searchParams.get('param_p1')).toBe(String.raw`\N`);
    expect(url.searchParams.get('readonly')).toBe('1');
    expect(url.searchParams.get('cancel_http_readonly_queries_on_client_close')).toBe('1');
    expect(url.searchParams.get('max_result_rows')).toBe('3');
    expect(url.searchParams.get('max_execution_time')).toBe('11');
  });

  it('is disconnected and receives a kill request when the caller stops', async () => {
    answer = (request, response) => {
      if (request.body.startsWith('KILL QUERY')) response.end();
    };
    const cancel = new AbortController();
    const heavy = warehouse.query(sql('SELECT heavy'), { maxRows: 1, signal: cancel.signal });
    setTimeout(() => cancel.abort(), 50);
    await expect(heavy).rejects.toThrow(CancelledError);
    await eventually(async () => standIn.hungUp.some(({ body }) => body === 'SELECT heavy'), 20_000);
    const id = standIn.hungUp.at(-1)?.url.searchParams.get('query_id');
    await eventually(async () => standIn.requests.some(({ body }) => body.includes(`query_id = '${id}'`)), 20_000);
    expect(standIn.requests.at(-1)?.url.searchParams.has('readonly')).toBe(false);
  });

  it('may fail after its first rows, which is an error and not the end of the answer', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'x-clickhouse-format': FORMAT });
      response.write('["x"]\n["Int64"]\n[1]\n[2]\n');
      setTimeout(() => response.end('Code: 395. DB::Exception: Value passed to throwIf. (FUNCTION_THROW_IF)\n'), 20);
    };
    await expect(warehouse.query(sql('SELECT 1'), { maxRows: 10 })).rejects.toThrow('with the values it met');
    answer = (_request, response) => {
      response.writeHead(200, { 'x-clickhouse-format': FORMAT });
      response.write('["x"]\n["Int64"]\n[1]\n');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(warehouse.query(sql('SELECT 1'), { maxRows: 10 })).rejects.toThrow(WarehouseUnreachableError);
  });

  it('may send a line in pieces, also pieces of characters', async () => {
    const bytes = Buffer.from('["x","y"]\n["String","Int64"]\n["группа 🦆",9007199254740993]\n["]",2]\n');
    answer = (_request, response) => {
      response.writeHead(200, { 'x-clickhouse-format': FORMAT });
      let at = 0;
      const next = (): void => {
        if (at >= bytes.length) return void response.end();
        response.write(bytes.subarray(at, at + 3));
        at += 3;
        setImmediate(next);
      };
      next();
    };
    const { values } = await warehouse.query(sql('SELECT 1'), { maxRows: 10 });
    expect(values).toEqual([
      ['группа 🦆', ']'],
      [9007199254740993n, 2],
    ]);
  });

  it('is refused when it answers in another format, which only a statement with FORMAT gets', async () => {
    answer = (_request, response) => response.writeHead(200, { 'x-clickhouse-format': 'CSV' }).end('1,2\n');
    await expect(warehouse.query(sql('SELECT 1 FORMAT CSV'), { maxRows: 1 })).rejects.toThrow('one SELECT');
  });

  it('reports errors by number', async () => {
    const failing = async (status: number, code: number) => {
      answer = (_request, response) => exception(response, status, code, 'secret words');
      const error: unknown = await warehouse.query(sql('SELECT 1'), { maxRows: 1 }).catch((thrown: unknown) => thrown);
      expect(String(error)).not.toContain('secret');
      return String(error);
    };
    expect(await failing(404, 60)).toContain('does not know a table');
    expect(await failing(400, 62)).toContain('does not understand');
    expect(await failing(500, 241)).toContain('no memory');
    expect(await failing(403, 497)).toContain('does not allow');
    expect(await failing(403, 516)).toContain('cannot be reached: it refused the user name');
  });

  it('cannot be reached where its database does not exist, unlike a database that a statement names', async () => {
    const failing = async (database: string) => {
      answer = (_request, response) => exception(response, 404, 81, `Database ${database} does not exist.`);
      return warehouse.query(sql('SELECT 1'), { maxRows: 1 }).catch((thrown: unknown) => thrown);
    };
    expect(await failing('my shop')).toMatchObject({ kind: 'WAREHOUSE_UNREACHABLE', part: 'database' });
    expect(await failing('`my shop`')).toMatchObject({ kind: 'WAREHOUSE_UNREACHABLE', part: 'database' });
    expect(await failing('elsewhere')).toMatchObject({ kind: 'WAREHOUSE_ERROR' });
  });

  it('gets no settings for a user with readonly = 2, after the first refusal', async () => {
    answer = (request, response) => {
      if (request.url.searchParams.has('readonly'))
        exception(response, 500, 164, "Cannot modify 'readonly' setting in readonly mode. (READONLY)");
      else respond(response, '["x"]', '["Int8"]', '[7]');
    };
    expect(await oneRow(warehouse, sql('SELECT 7'))).toEqual([7]);
    const before = standIn.requests.length;
    expect(await oneRow(warehouse, sql('SELECT 7'))).toEqual([7]);
    expect(standIn.requests.length).toBe(before + 1);
  });
});

describe('the check of a statement for ClickHouse', () => {
  it.each([
    'SELECT file, url FROM t',
    "SELECT 'file' (x)",
    'SELECT domain(url) FROM t',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    '(SELECT 1) UNION ALL (SELECT 2)',
    '/* a */ -- b\n(SELECT 1)',
    'SELECT profile(1)',
  ])('accepts %s', (text) => {
    expect(() => checkStatement(text)).not.toThrow();
  });
});

describe('an address of ClickHouse', () => {
  const read = (rest: string) => {
    const jdbcUrl = `jdbc:clickhouse:${rest}`;
    return clickhouseAddress({ jdbcUrl }, parseJdbcUrl('jdbc:clickhouse:', jdbcUrl), quietLog);
  };

  it('has server, database and TLS', () => {
    expect(read('//ch.example/shop')).toMatchObject({
      endpoint: new URL('http://ch.example:8123/'),
      database: 'shop',
      user: 'default',
    });
    expect(read('//ch.example?ssl=true').endpoint.href).toBe('https://ch.example:8443/');
    expect(read('https://ch.example:9443/shop').endpoint.href).toBe('https://ch.example:9443/');
    expect(read('//[::1]:8123').endpoint.href).toBe('http://[::1]:8123/');
    expect(read('//h/?sslmode=none').checksCertificate).toBe(false);
  });

  it.each(['shop', '//h/a/b', '//h:0/a', '//h/a?sslmode=maybe'])('%s is refused', (rest) => {
    expect(() => read(rest)).toThrow(InvalidAddressError);
  });
});
