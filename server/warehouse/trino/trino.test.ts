import type { ServerResponse } from 'node:http';
import { Dialect, init, parse } from '@polyglot-sql/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Parameter, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { CancelledError, TimeoutError, WarehouseError } from '../../../router/errors.ts';
import { InvalidAddressError, parseJdbcUrl } from '../jdbc-url.ts';
import { openWarehouses } from '../open-warehouses.ts';
import { eventually, oneRow, quietLog, sql } from '../testing/engines.ts';
import { type HttpStandIn, type SentRequest, startHttpStandIn } from '../testing/http-stand-in.ts';
import { trinoAddress } from './address.ts';
import { TrinoClient } from './client.ts';
import { trinoDialect } from './dialect.ts';
import { literalOf } from './literals.ts';

/**
 * Tests the driver with a stand-in that plays the documented client protocol page by page, for answers that a server does not produce on demand.
 * `dialects.test.ts`, `warehouse.test.ts` and `grains.test.ts` run on a real Trino.
 */

type Page = Readonly<Record<string, unknown>> | ((response: ServerResponse) => void);

let standIn: HttpStandIn;
let warehouse: Warehouse;
/** The following answers, the first one to the statement itself. */
let pages: Page[] = [];

beforeAll(async () => {
  standIn = await startHttpStandIn((request, response) => {
    if (request.method === 'DELETE') return void response.writeHead(204).end();
    const page = pages.shift();
    if (page === undefined) return; // The server is still working.
    if (typeof page === 'function') return page(response);
    const more = (pages.length > 0 && page.isLast !== true) || page.endless === true;
    // Like a server behind a proxy: under another host name.
    const nextUri = more
      ? { nextUri: `http://elsewhere.invalid:1/v1/statement/executing/q1/${pages.length}?slug=x` }
      : {};
    response.end(
      JSON.stringify({ id: 'q1', infoUri: 'http://x/ui', stats: { state: 'RUNNING' }, ...page, ...nextUri }),
    );
  });
});
beforeEach(async () => {
  pages = [];
  const warehouses = openWarehouses({ statementTimeoutMs: 5_000, poolSize: 2, home: '/nowhere', log: quietLog });
  warehouse = await warehouses.open({
    jdbcUrl: `jdbc:trino://127.0.0.1:${standIn.port}/lake/shop`,
    username: 'reader',
  });
});
afterAll(() => standIn?.stop());

const lastRequest = (method: string): SentRequest =>
  standIn.requests.findLast((request) => request.method === method) ?? expect.fail(`no ${method}`);
const column = (name: string, type: string) => ({ name, type, typeSignature: {} });
const raw =
  (text: string): Page =>
  (response) =>
    response.end(text);

describe('a statement for Trino', () => {
  it('is sent with user, catalog, schema, zone and time limit, and followed page by page', async () => {
    const columns = [column('n', 'bigint')];
    pages = [{ stats: { state: 'QUEUED' } }, { columns }, { columns, data: [[1], [2]] }, { columns, data: [[3]] }, {}];
    const answer = await warehouse.query(sql('SELECT n FROM t;\n'), { maxRows: 10 });
    expect(answer).toMatchObject({ rowCount: 3, truncated: false, values: [[1, 2, 3]] });
    const { url, headers, body } = lastRequest('POST');
    expect([url.pathname, body]).toEqual(['/v1/statement', 'SELECT n FROM t']);
    expect(headers).toMatchObject({
      'x-trino-user': 'reader',
      'x-trino-catalog': 'lake',
      'x-trino-schema': 'shop',
      'x-trino-time-zone': 'UTC',
      'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
      'x-trino-session': 'query_max_run_time=6s',
    });
    // Only pages of the address's server are requested, whatever server an answer names.
    expect(lastRequest('GET').url.pathname).toBe('/v1/statement/executing/q1/1');
    expect(lastRequest('GET').url.search).toBe('?slug=x');
  });

  it('sends its values as typed literals', async () => {
    pages = [{ columns: [column('x', 'varchar')], data: [['a']] }];
    const parameters: readonly Parameter[] = [
      { type: 'text', value: "O'Brien" },
      { type: 'integer', value: -5 },
      { type: 'integer', value: 2n ** 64n },
      { type: 'decimal', value: 1.5e-7 },
      { type: 'float', value: 0.1 },
      { type: 'float', value: Number.NaN },
      { type: 'boolean', value: false },
      { type: 'date', value: '2024-02-29' },
      { type: 'timestamp', value: '2024-02-29T12:34:56.789000' },
      { type: 'timestamptz', value: '2024-02-29T12:34:56Z' },
      { type: 'binary', value: 'AP9h' },
      { type: 'text', value: null },
    ];
    await oneRow(warehouse, sql("SELECT '?', ?", parameters));
    expect(lastRequest('POST').body).toBe(
      "EXECUTE IMMEDIATE 'SELECT ''?'', ?' USING 'O''Brien', BIGINT '-5', DECIMAL '18446744073709551616', DECIMAL '0.00000015', " +
        "DOUBLE '0.1', nan(), false, DATE '2024-02-29', TIMESTAMP '2024-02-29 12:34:56.789000', " +
        "TIMESTAMP '2024-02-29 12:34:56 UTC', X'00ff61', CAST(NULL AS VARCHAR)",
    );
    expect(() => literalOf({ type: 'integer', value: "1' OR '1" })).toThrow(WarehouseError);
    expect(() => literalOf({ type: 'decimal', value: "1'" })).toThrow(WarehouseError);
  });

  it.each([
    'INSERT INTO t VALUES (1)',
    'DELETE FROM t',
    'CREATE TABLE t AS SELECT 1',
    'CALL system.runtime.kill_query()',
    'SET SESSION x = 1',
    "EXECUTE IMMEDIATE 'DROP TABLE t'",
    'EXPLAIN ANALYZE SELECT 1',
    '/* SELECT */ DROP TABLE t',
    '-- SELECT\nDROP TABLE t',
    "SELECT * FROM TABLE(shop.system.query(query => 'DROP TABLE t'))",
    'SELECT * FROM TABLE(shop."system"/**/ . "query" (query => \'x\'))',
  ])('is refused before it is sent: %j', async (text) => {
    const before = standIn.requests.length;
    await expect(warehouse.query(sql(text), { maxRows: 1 })).rejects.toThrow(WarehouseError);
    expect(standIn.requests.length).toBe(before);
  });
});

describe('the columns of tables in Trino', () => {
  it('are read in one statement a catalog, whatever the number of tables', async () => {
    const posts = () => standIn.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    const before = posts().length;
    const columns = ['table_schema', 'table_name', 'column_name', 'data_type', 'data_type', 'nullable'].map((name) =>
      column(name, 'varchar'),
    );
    pages = [
      {
        columns,
        data: [
          ['shop', 'sales', 'id', 'bigint', 'bigint', false],
          ['crm', 'people', 'name', 'varchar', 'varchar', true],
        ],
      },
      { columns, data: [['tiny', 'nation', 'nationkey', 'bigint', 'bigint', false]] },
    ].map((page) => ({ ...page, isLast: true }));
    const names = Array.from({ length: 30 }, (_, index) => ({ name: `table_${index}` }));
    const tables = [
      { name: 'Sales' },
      { schema: 'crm', name: 'people' },
      ...names,
      { catalog: 'TPCH', schema: 'tiny', name: 'nation' },
    ];
    const columnsOfTables = await warehouse.columnsByName(tables);
    expect(columnsOfTables.flatMap((each) => each?.map(({ name, type }) => `${name} ${type}`) ?? [])).toEqual([
      'id integer',
      'name text',
      'nationkey integer',
    ]);
    expect([
      columnsOfTables[0]?.length,
      columnsOfTables[1]?.length,
      columnsOfTables[2],
      columnsOfTables.at(-1)?.length,
    ]).toEqual([1, 1, undefined, 1]);
    expect(posts().slice(before)).toEqual([
      expect.stringContaining('FROM "lake".information_schema.columns'),
      expect.stringContaining('FROM "tpch".information_schema.columns'),
    ]);
  });
});

describe('values from Trino', () => {
  it('are exact and in UTC', async () => {
    const cells: readonly (readonly [type: string, json: string, scalar: string, cell: unknown])[] = [
      ['bigint', '9007199254740993', 'integer', 9007199254740993n],
      ['decimal(38,2)', '"12345678901234567890.10"', 'decimal', '12345678901234567890.10'],
      ['decimal(18,2)', '"120.50"', 'decimal', 120.5],
      ['double', '"NaN"', 'float', Number.NaN],
      ['double', '1.0E-7', 'float', 1e-7],
      ['boolean', 'true', 'boolean', true],
      ['date', '"2024-02-29"', 'date', '2024-02-29'],
      ['time(3)', '"12:34:56.789"', 'time', '12:34:56.789000'],
      ['timestamp(6)', '"2024-02-29 12:34:56.000001"', 'timestamp', '2024-02-29T12:34:56.000001'],
      ['timestamp(0)', '"2024-02-29 12:34:56"', 'timestamp', '2024-02-29T12:34:56'],
      ['timestamp(3) with time zone', '"2024-02-29 12:34:56.000 UTC"', 'timestamptz', '2024-02-29T12:34:56Z'],
      [
        'timestamp(3) with time zone',
        '"2024-07-01 12:00:00.500 Europe/Berlin"',
        'timestamptz',
        '2024-07-01T10:00:00.500000Z',
      ],
      ['timestamp(3) with time zone', '"2024-01-01 00:30:00.000 Europe/Berlin"', 'timestamptz', '2023-12-31T23:30:00Z'],
      // An hour after New York's clocks went back: UTC-5 again.
      [
        'timestamp(3) with time zone',
        '"2024-11-03 02:30:00.000 America/New_York"',
        'timestamptz',
        '2024-11-03T07:30:00Z',
      ],
      ['timestamp(3) with time zone', '"2024-02-29 12:00:00.000 -03:30"', 'timestamptz', '2024-02-29T15:30:00Z'],
      ['varchar(40)', '"007"', 'text', '007'],
      ['varbinary', '"AP9h"', 'binary', 'AP9h'],
      ['json', String.raw`"{\"a\": 1}"`, 'json', '{"a": 1}'],
      ['array(bigint)', '[1,null,9007199254740993]', 'json', '[1,null,9007199254740993]'],
      ['row(a varchar)', '["]"]', 'json', '["]"]'],
      ['interval day to second', '"1 00:00:00.000"', 'other', '1 00:00:00.000'],
      ['unknown', 'null', 'text', null],
    ];
    const columns = JSON.stringify(cells.map(([type], i) => column(`c${i}`, type)));
    pages = [raw(`{"id":"q1","columns":${columns},"data":[[${cells.map(([, json]) => json).join(',')}]],"stats":{}}`)];
    const { columns: described, values } = await warehouse.query(sql('SELECT 1'), { maxRows: 5 });
    expect(described.map(({ type }) => type)).toEqual(cells.map(([, , scalar]) => scalar));
    expect(values.map(([cell]) => cell)).toEqual(cells.map(([, , , cell]) => cell));
  });
});

describe('stopping a statement in Trino', () => {
  const columns = [column('n', 'bigint')];

  it('deletes it when the caller cancels, and at its time limit', async () => {
    for (const [options, error] of [
      [() => ({ timeoutMs: 100 }), TimeoutError],
      [() => ({ signal: AbortSignal.timeout(50) }), CancelledError],
    ] as const) {
      pages = [{ columns, endless: true }];
      const before = standIn.requests.filter(({ method }) => method === 'DELETE').length;
      await expect(warehouse.query(sql('SELECT n FROM t'), { maxRows: 5, ...options() })).rejects.toThrow(error);
      await eventually(
        async () => standIn.requests.filter(({ method }) => method === 'DELETE').length > before,
        20_000,
      );
      expect(lastRequest('DELETE').url.pathname).toBe('/v1/statement/executing/q1/0');
    }
  });

  it('deletes it even when the cancel comes before the server has answered the statement itself', async () => {
    const deleted = () => standIn.requests.filter(({ method }) => method === 'DELETE').length;
    const before = deleted();
    const late = JSON.stringify({ id: 'q1', nextUri: 'http://x/v1/statement/queued/q1/y/1', stats: {} });
    pages = [(response) => setTimeout(() => response.end(late), 400)];
    const signal = AbortSignal.timeout(50);
    await expect(warehouse.query(sql('SELECT n FROM t'), { maxRows: 5, signal })).rejects.toThrow(CancelledError);
    await eventually(async () => deleted() > before, 20_000);
    expect(lastRequest('DELETE').url.pathname).toBe('/v1/statement/queued/q1/y/1');
  });

  it('deletes it when enough rows were read, and when a reader stops', async () => {
    const deleted = () => standIn.requests.filter(({ method }) => method === 'DELETE').length;
    const before = deleted();
    pages = [{ columns, data: [[1], [2], [3]], endless: true }];
    expect(await warehouse.query(sql('SELECT n FROM t'), { maxRows: 2 })).toMatchObject({
      rowCount: 2,
      truncated: true,
    });
    await eventually(async () => deleted() === before + 1, 20_000);

    pages = [
      { columns, data: [[1]] },
      { columns, data: [[2]], endless: true },
    ];
    const { chunks } = await warehouse.stream(sql('SELECT n FROM t'), { maxRows: 1e6 });
    for await (const chunk of chunks) {
      expect(chunk.values).toEqual([[1]]);
      break;
    }
    await eventually(async () => deleted() === before + 2, 20_000);
  });
});

describe('errors of Trino', () => {
  it("are reported without the server's text", async () => {
    const failing = async (errorName: string, errorType = 'USER_ERROR') => {
      pages = [{ error: { message: 'secret words', errorCode: 1, errorName, errorType } }];
      const error: unknown = await warehouse.query(sql('SELECT 1'), { maxRows: 1 }).catch((thrown: unknown) => thrown);
      expect(String(error)).not.toContain('secret');
      return String(error);
    };
    expect(await failing('TABLE_NOT_FOUND')).toContain('does not know a table');
    expect(await failing('SYNTAX_ERROR')).toContain('does not understand');
    expect(await failing('PERMISSION_DENIED')).toContain('does not allow');
    expect(await failing('QUERY_HAS_TOO_MANY_STAGES')).toContain('Ask for fewer metrics');
    expect(await failing('DIVISION_BY_ZERO')).toContain('with the values it met');
    expect(await failing('EXCEEDED_GLOBAL_MEMORY_LIMIT', 'INSUFFICIENT_RESOURCES')).toContain('no memory');
    expect(await failing('GENERIC_INTERNAL_ERROR', 'INTERNAL_ERROR')).toContain('The log has its reason');
  });

  it('that are temporary are tried again', async () => {
    pages = [
      (response) => response.writeHead(503).end(),
      (response) => response.writeHead(502).end(),
      { columns: [column('n', 'bigint')], data: [[1]] },
    ];
    expect(await oneRow(warehouse, sql('SELECT 1'))).toEqual([1]);
  });

  it('of authentication make the warehouse unreachable', async () => {
    pages = [(response) => response.writeHead(401).end('Authentication failed')];
    await expect(warehouse.ping()).rejects.toThrow('cannot be reached: it refused the user name');
    pages = [(response) => response.end('<html>')];
    await expect(warehouse.ping()).rejects.toThrow('not JSON');
  });
});

it.each([
  'HyperLogLog',
  'Geometry',
  'qdigest(double)',
  'array(varbinary)',
  'row(a HyperLogLog, b integer)',
  'map(array(integer), integer)',
])('a value of %s has no text', (nativeType) => {
  expect(trinoDialect.valueText('x', { type: 'other', nativeType })).toBeUndefined();
});

it('its dialect is SQL that the parser library reads as Trino', async () => {
  await init();
  const d = trinoDialect;
  const statement = `SELECT ${d.identifier('a"b')} AS x, ${d.castForDivision('a')} / ${d.castForDivision('b')}, ${d.approximateDistinct('c')},
    ${d.castToText('d')}, ${d.containsIgnoringCase('e', d.placeholder(0, 'text'))}, ${d.nullSafeEquals('f', 'g')}
    FROM t ORDER BY ${d.orderBy('x', 'desc')} ${d.limit(10)}`;
  expect(parse(statement, Dialect.Trino)).toMatchObject({ success: true });
});

describe('an address of Trino', () => {
  const read = (rest: string, password?: string) => {
    const jdbcUrl = `jdbc:trino:${rest}`;
    return trinoAddress({ jdbcUrl, username: 'reader', password }, parseJdbcUrl('jdbc:trino:', jdbcUrl), quietLog);
  };

  it('has coordinator, catalog, schema and TLS', () => {
    expect(read('//trino.example:8080/lake/shop')).toMatchObject({
      catalog: 'lake',
      schema: 'shop',
      endpoint: new URL('http://trino.example:8080'),
    });
    expect(read('//trino.example/lake?SSL=true', 'p')).toMatchObject({
      schema: undefined,
      endpoint: new URL('https://trino.example:443'),
      password: 'p',
    });
    expect(read('//h/c?SSL=true&SSLVerification=NONE').checksCertificate).toBe(false);
  });

  it.each(['//h', 'lake', '//h/a/b/c', '//h/a?SSLVerification=maybe'])('%s is refused', (rest) => {
    expect(() => read(rest)).toThrow(InvalidAddressError);
  });

  it('accepts a password only over TLS', () => {
    expect(() => read('//h/c', 'p')).toThrow('over TLS only');
  });
});

describe('a password for Trino', () => {
  /** Answers 401 to all credentials but these, as bytes. */
  const answered = async (password: string, expected: Buffer | undefined) => {
    const sent: string[] = [];
    const server = await startHttpStandIn((request, response) => {
      const [, credentials = ''] = (request.headers.authorization ?? '').split(' ');
      sent.push(credentials);
      if (expected === undefined || credentials !== expected.toString('base64'))
        return void response.writeHead(401).end();
      response.end(JSON.stringify({ id: 'q1', columns: [column('n', 'bigint')], data: [[1]], stats: {} }));
    });
    const endpoint = new URL(`http://127.0.0.1:${server.port}`);
    const address = { endpoint, catalog: 'lake', schema: undefined, user: 'ann', password, checksCertificate: true };
    const client = new TrinoClient(address, quietLog, undefined);
    const start = () =>
      client.start('SELECT 1', {}, new AbortController().signal).then(
        (page) => page.rows.length,
        (error) => error.status,
      );
    const outcomes = [await start(), await start()];
    client.close();
    await server.stop();
    return { outcomes, requests: sent.length };
  };

  it.each([
    ['Zürich', 'latin1', 2],
    ['Zürich', 'utf8', 3],
    ['naïve€', 'utf8', 2],
    ['plain', 'utf8', 2],
  ] as const)('%s is sent as %s, which is remembered', async (password, encoding, requests) => {
    expect(await answered(password, Buffer.from(`ann:${password}`, encoding))).toEqual({ outcomes: [1, 1], requests });
  });

  it('that is wrong is tried in each encoding once, and refused', async () => {
    expect(await answered('Zürich', undefined)).toEqual({ outcomes: [401, 401], requests: 4 });
    expect(await answered('plain', undefined)).toEqual({ outcomes: [401, 401], requests: 2 });
  });

  it.each(['//h/カタログ', '//h/lake/схема'])(
    'needs an address of characters that a header can have, not %s',
    (rest) => {
      const jdbcUrl = `jdbc:trino:${rest}`;
      expect(() => trinoAddress({ jdbcUrl, username: 'ann' }, parseJdbcUrl('jdbc:trino:', jdbcUrl), quietLog)).toThrow(
        'beyond Latin-1',
      );
    },
  );
});
