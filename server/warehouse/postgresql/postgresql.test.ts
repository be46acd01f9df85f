import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse, WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import {
  CancelledError,
  TimeoutError,
  ValidationError,
  WarehouseError,
  WarehouseUnreachableError,
} from '../../../router/errors.ts';
import { leastMillis } from '../../../router/testing/least-millis.ts';
import { eventually, oneRow, sql, startWarehouse, type TestWarehouse } from '../testing/engines.ts';

const POOL_SIZE = 2;
const OUT = '/tmp/service-warehouse-written-by-postgresql';

const SET_UP = [
  'CREATE SCHEMA sales',
  "CREATE TYPE mood AS ENUM ('it''s fine', 'bad')",
  'CREATE DOMAIN price AS numeric(10,2) NOT NULL',
  'CREATE TABLE t (x integer)',
  'INSERT INTO t VALUES (1), (2), (3)',
  'CREATE TABLE sales.ordered (id integer NOT NULL, state mood, paid price, tags text[], at timestamp(3) with time zone)',
  "INSERT INTO sales.ordered VALUES (1, 'it''s fine', 9.90, '{a,NULL}', '2024-01-02 03:04:05.678+00')",
  'CREATE MATERIALIZED VIEW sales.total AS SELECT sum(paid) AS paid FROM sales.ordered',
  'CREATE TABLE parted (d date) PARTITION BY RANGE (d)',
  "CREATE TABLE parted_2024 PARTITION OF parted FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')",
  'CREATE TABLE no_columns ()',
  'CREATE TABLE guarded (x integer)',
  'INSERT INTO guarded VALUES (1)',
  'ALTER TABLE guarded ENABLE ROW LEVEL SECURITY',
];

const HEAVY =
  'SELECT count(*) FROM generate_series(1, 100000) a (x), generate_series(1, 100000) b (y) WHERE (a.x * b.y) % 7 = 3';

let on: TestWarehouse;
let warehouse: Warehouse;
let reader: string;

beforeAll(async () => {
  on = await startWarehouse('postgresql', SET_UP, { poolSize: POOL_SIZE });
  warehouse = on.warehouse;
  // Roles belong to the server and not to the database, so this role has a unique name and is dropped at the end.
  reader = `reader_${process.pid}_${Date.now()}`;
  await on.administer([
    `CREATE ROLE ${reader} LOGIN PASSWORD 'of the reader'`,
    `GRANT USAGE ON SCHEMA sales TO ${reader}`,
    `GRANT SELECT ON sales.ordered TO ${reader}`,
  ]);
});
afterAll(async () => {
  if (reader !== undefined) await on?.administer([`DROP OWNED BY ${reader}`, `DROP ROLE ${reader}`]);
  await on?.stop();
});

const asReader = (query = ''): WarehouseAddress => ({
  jdbcUrl: `${on.address.jdbcUrl}${query}`,
  username: reader,
  password: 'of the reader',
});

/** Counts the connections of the product to the test's database, by state. */
async function sessions(): Promise<readonly string[]> {
  const rows = await on.administer([
    "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'service' ORDER BY state",
  ]);
  return rows.map(({ state }) => String(state));
}

describe('types of PostgreSQL', () => {
  it.each([
    ["'it''s fine'::mood", 'text', 'mood', "it's fine"],
    ['9.90::price', 'decimal', 'numeric(10,2)', 9.9],
    ['sum(x)', 'integer', 'bigint', 6],
    ['sum(x::bigint)', 'decimal', 'numeric', 6],
    ["'NaN'::numeric", 'decimal', 'numeric', Number.NaN],
    ["'12345678901234567890.5'::numeric", 'decimal', 'numeric', '12345678901234567890.5'],
    ['0.1::real', 'float', 'real', 0.1],
    ['1e23::double precision', 'float', 'double precision', 1e23],
    ["'ab'::char(4)", 'text', 'character(4)', 'ab  '],
    ["'ab'::name", 'text', 'name', 'ab'],
    [
      "TIMESTAMP(3) '2024-01-02 03:04:05.678'",
      'timestamp',
      'timestamp(3) without time zone',
      '2024-01-02T03:04:05.678000',
    ],
    ["DATE '0044-03-15 BC'", 'date', 'date', '-000043-03-15'],
    ["DATE '12024-01-01'", 'date', 'date', '+012024-01-01'],
    ["'infinity'::timestamptz", 'timestamptz', 'timestamp with time zone', 'infinity'],
    ["TIMETZ '01:02:03+02'", 'other', 'time with time zone', '01:02:03+02'],
    ["INTERVAL '25 hours'", 'other', 'interval', '25:00:00'],
    ["'10.0.0.1'::inet", 'other', 'inet', '10.0.0.1'],
    ['\'{"b": 1, "a": 2}\'::jsonb', 'json', 'jsonb', '{"a": 2, "b": 1}'],
    [`ARRAY['it''s fine'::mood]`, 'json', 'mood[]', `["it's fine"]`],
    [`'[0:1]={"a,}","{\\\\\\"b"}'::text[]`, 'json', 'text[]', String.raw`["a,}","{\\\"b"]`],
    ["'{}'::int[]", 'json', 'integer[]', '[]'],
    ['ARRAY[\'{"a": 1}\'::jsonb]', 'json', 'jsonb[]', '[{"a": 1}]'],
    ["ARRAY['NaN'::float8, 0.5]", 'json', 'double precision[]', '["NaN",0.5]'],
    ['ARRAY[true, NULL]', 'json', 'boolean[]', '[true,null]'],
  ])('%s has the type %s (%s)', async (expression, type, nativeType, value) => {
    const { columns, values } = await warehouse.query(sql(`SELECT ${expression} AS v FROM t`), { maxRows: 1 });
    expect(columns).toEqual([{ name: 'v', type, nativeType }]);
    expect(values).toEqual([[value]]);
  });

  it('has the same columns in streams', async () => {
    const { columns, chunks } = await warehouse.stream(sql('SELECT * FROM sales.ordered'), { maxRows: 1 });
    for await (const chunk of chunks)
      expect(chunk.values.map(([cell]) => cell)).toEqual([
        1,
        "it's fine",
        9.9,
        '["a",null]',
        '2024-01-02T03:04:05.678000Z',
      ]);
    expect(columns.map(({ type }) => type)).toEqual(['integer', 'text', 'decimal', 'json', 'timestamptz']);
  });

  it('refuses a name that the server would truncate', () => {
    expect(warehouse.dialect.identifier('x'.repeat(63))).toBe(`"${'x'.repeat(63)}"`);
    expect(() => warehouse.dialect.identifier('ä'.repeat(32))).toThrow(ValidationError);
  });
});

describe('introspection of PostgreSQL', () => {
  it('lists materialized and partitioned tables, and no partitions', async () => {
    expect(await warehouse.tables()).toEqual([
      { schema: 'public', name: 'guarded', kind: 'TABLE' },
      { schema: 'public', name: 'no_columns', kind: 'TABLE' },
      { schema: 'public', name: 'parted', kind: 'TABLE' },
      { schema: 'public', name: 't', kind: 'TABLE' },
      { schema: 'sales', name: 'ordered', kind: 'TABLE' },
      { schema: 'sales', name: 'total', kind: 'MATERIALIZED VIEW' },
    ]);
  });

  it('lists the columns of enumerations, domains, arrays and materialized views, and of a table without any', async () => {
    expect(await warehouse.columns({ schema: 'sales', name: 'ordered' })).toEqual([
      { name: 'id', type: 'integer', nativeType: 'integer', nullable: false },
      { name: 'state', type: 'text', nativeType: 'mood', nullable: true },
      { name: 'paid', type: 'decimal', nativeType: 'price', nullable: false },
      { name: 'tags', type: 'json', nativeType: 'text[]', nullable: true },
      { name: 'at', type: 'timestamptz', nativeType: 'timestamp(3) with time zone', nullable: true },
    ]);
    expect((await warehouse.columns({ schema: 'sales', name: 'total' }))?.map(({ name }) => name)).toEqual(['paid']);
    expect(await warehouse.columns({ name: 'no_columns' })).toEqual([]);
  });

  it('has no version of the data', async () => {
    expect(await warehouse.dataVersion()).toBeUndefined();
  });
});

describe('a PostgreSQL warehouse is only read, also by a superuser', () => {
  it.each([
    'INSERT INTO t VALUES (9)',
    'INSERT INTO t VALUES (9) RETURNING x',
    'UPDATE t SET x = 9',
    'DELETE FROM t',
    'DROP TABLE t',
    'TRUNCATE t',
    'CREATE TABLE u (x integer)',
    'CREATE TEMP TABLE u (x integer)',
    'SELECT 1 AS x INTO u',
    'WITH a AS (INSERT INTO t VALUES (9) RETURNING x) SELECT * FROM a',
    'SELECT x FROM t FOR UPDATE',
    'REFRESH MATERIALIZED VIEW sales.total',
    'COMMIT',
    'COMMIT; INSERT INTO t VALUES (9)',
    'SELECT 1; COMMIT; INSERT INTO t VALUES (9)',
    'SELECT 1) AS a; COMMIT; INSERT INTO t VALUES (9); SELECT * FROM (SELECT 1',
    'SELECT 1) AS a; COMMIT; INSERT INTO t VALUES (9); --',
    'SELECT 1) AS a FOR UPDATE --',
    'SET TRANSACTION READ WRITE',
    'RESET ROLE',
    'SET ROLE postgres',
    "SELECT set_config('transaction_read_only', 'off', true)",
    "SELECT set_config('role', 'none', true), query_to_xml('SELECT 1', true, true, '')",
    "SELECT SET_CONFIG('role', 'none', true)",
    `SELECT pg_catalog."set_config"('role', 'none', true)`,
    String.raw`SELECT U&"set\005fconfig"('role', 'none', true)`,
    "SELECT query_to_xml('INSERT INTO t VALUES (9)', true, true, '')",
    "SELECT * FROM ts_stat('SELECT to_tsvector(pg_read_file(''/etc/passwd''))')",
    "COPY t TO '/tmp/service-warehouse-written-by-postgresql'",
    "COPY (SELECT 1) TO PROGRAM 'touch /tmp/service-warehouse-written-by-postgresql'",
    "COPY t FROM '/etc/passwd'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_read_binary_file('/etc/passwd')",
    "SELECT pg_ls_dir('/')",
    "SELECT pg_stat_file('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_export(lo_from_bytea(0, 'x'), '/tmp/service-warehouse-written-by-postgresql')",
    'SELECT pg_reload_conf()',
    'SELECT pg_rotate_logfile()',
    'SELECT pg_switch_wal()',
    'EXPLAIN ANALYZE SELECT 1',
    'DECLARE c CURSOR FOR SELECT 1',
    "DO 'BEGIN END'",
    'CALL nothing()',
    'LISTEN x',
    'VACUUM',
    "LOAD 'plpgsql'",
    '',
    ';',
    '/*',
  ])('%s is refused and writes nothing', async (text) => {
    await expect(warehouse.query(sql(text), { maxRows: 1 })).rejects.toThrow(WarehouseError);
    await expect(warehouse.stream(sql(text), { maxRows: 1 })).rejects.toThrow(WarehouseError);
    expect(
      await on.administer([
        "SELECT count(*)::int AS tables, (SELECT sum(x)::int FROM t) AS sum FROM pg_class WHERE relname IN ('t', 'u')",
      ]),
    ).toEqual([{ tables: 1, sum: 6 }]);
    expect(existsSync(OUT)).toBe(false);
    expect(await oneRow(warehouse, sql('SELECT sum(x), current_user::text FROM t'))).toEqual([6, 'pg_read_all_data']);
  });

  it('has the right to read every table, and all rows', async () => {
    expect(await oneRow(warehouse, sql('SELECT count(*) FROM sales.ordered'))).toEqual([1]);
    await expect(oneRow(warehouse, sql('SELECT count(*) FROM guarded'))).rejects.toThrow(WarehouseError);
  });

  it('resets settings, locks and cursors after a statement', async () => {
    for (let i = 0; i < POOL_SIZE; i++)
      await oneRow(warehouse, sql('SELECT 1 FROM (SELECT pg_advisory_lock(42)) AS locked'));
    expect(await on.administer(["SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory'"])).toEqual([
      { locks: 0 },
    ]);
    expect(new Set(await sessions())).toEqual(new Set(['idle']));
  });
});

describe('a user of PostgreSQL who may read some tables', () => {
  it('sees only these, under its own name', async () => {
    const limited = await on.warehouses.open(asReader());
    expect(await oneRow(limited, sql('SELECT current_user::text'))).toEqual([reader]);
    expect(await limited.tables()).toEqual([{ schema: 'sales', name: 'ordered', kind: 'TABLE' }]);
    const error: unknown = await oneRow(limited, sql('SELECT count(*) FROM public.t')).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ kind: 'WAREHOUSE_ERROR', message: expect.stringContaining('does not allow') });
    await on.warehouses.release(asReader());
  });

  it('finds unqualified names in the schemas of the address', async () => {
    const address = asReader('?currentSchema=sales&sslmode=disable');
    const limited = await on.warehouses.open(address);
    expect(await oneRow(limited, sql('SELECT id, paid FROM ordered'))).toEqual([1, 9.9]);
    expect(await limited.columns({ name: 'ordered' })).toHaveLength(5);
    await on.warehouses.release(address);
  });
});

describe('stopping a statement of PostgreSQL', () => {
  const active = async () => (await sessions()).includes('active');

  it.each(['cancel', 'time limit'] as const)('by %s stops it in the server', async (how) => {
    const cancel = new AbortController();
    const running = warehouse.query(sql(HEAVY), {
      maxRows: 1,
      signal: cancel.signal,
      ...(how === 'time limit' ? { timeoutMs: 4_000 } : {}),
    });
    const end = expect(running).rejects.toThrow(how === 'cancel' ? CancelledError : TimeoutError);
    await eventually(active, 3_900);
    if (how === 'cancel') cancel.abort();
    await end;
    await eventually(async () => !(await active()), 10_000);
    expect(new Set(await sessions())).toEqual(new Set(['idle']));
  });

  it('is left to the server, too, if this process does not stop it', async () => {
    const [limit] = await oneRow(warehouse, sql("SELECT current_setting('statement_timeout')"));
    expect(limit).toBe('61s'); // 60 s of the test's warehouse and 1 s in which the product's own timer comes first
  });

  it('by another session is an error of the warehouse, and the connection stays usable', async () => {
    const running = warehouse.query(sql(HEAVY), { maxRows: 1 });
    const end = expect(running).rejects.toThrow(WarehouseError);
    await eventually(active, 10_000);
    await on.administer([
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()",
    ]);
    await end;
    expect(await oneRow(warehouse, sql('SELECT 1'))).toEqual([1]);
  });

  it('works in the middle of a stream', async () => {
    const cancel = new AbortController();
    const { chunks } = await warehouse.stream(
      sql(
        'SELECT x FROM generate_series(1, 5000) a (x) UNION ALL SELECT count(*) FROM generate_series(1, 100000) a (x), generate_series(1, 100000) b (y) WHERE (x * y) % 7 = 3',
      ),
      {
        maxRows: 10_000,
        signal: cancel.signal,
      },
    );
    let rows = 0;
    const cancelWhenBusy = async () => {
      await eventually(active, 10_000);
      cancel.abort();
    };
    const reading = (async () => {
      for await (const chunk of chunks) {
        rows += chunk.rowCount;
        if (rows === 4_000) void cancelWhenBusy();
      }
    })();
    await expect(reading).rejects.toThrow(CancelledError);
    expect(rows).toBe(4_000);
    await eventually(async () => !(await active()), 10_000);
  });
});

describe('the connections to PostgreSQL', () => {
  it('are replaced after the server has ended them, idle or busy', async () => {
    const terminate = [
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'service'",
    ];
    const running = warehouse.query(sql(HEAVY), { maxRows: 1 });
    const end = expect(running).rejects.toThrow(WarehouseUnreachableError);
    await eventually(async () => (await sessions()).includes('active'), 10_000);
    await on.administer(terminate);
    await end;
    expect(await oneRow(warehouse, sql('SELECT 1'))).toEqual([1]);
    await on.administer(terminate);
    await eventually(async () => (await sessions()).length === 0, 10_000);
    expect(await oneRow(warehouse, sql('SELECT 2'))).toEqual([2]);
  });

  it("are at most as many as the pool's size, and all closed after close", async () => {
    const address = asReader();
    const limited = await on.warehouses.open(address);
    const before = (await sessions()).length;
    await Promise.all(Array.from({ length: 20 }, () => oneRow(limited, sql('SELECT pg_sleep(0.02)::text'))));
    expect((await sessions()).length - before).toBeLessThanOrEqual(POOL_SIZE);
    await on.warehouses.release(address);
    await eventually(async () => (await sessions()).length === before, 10_000);
  });
});

describe('a PostgreSQL server that cannot be reached', () => {
  const attempt = async (address: WarehouseAddress): Promise<unknown> => {
    const opened = await on.warehouses.open(address);
    const error: unknown = await opened.ping().catch((thrown: unknown) => thrown);
    await on.warehouses.release(address);
    return error;
  };

  it.each([
    ['a wrong password', () => ({ ...asReader(), password: 'top secret' }), 'user name or the password'],
    ['an unknown user', () => ({ ...asReader(), username: 'nobody-of-this-name' }), 'user name or the password'],
    [
      'an unknown database',
      () => ({ ...asReader(), jdbcUrl: `${on.address.jdbcUrl}_missing` }),
      'no database of this name',
    ],
    ['a closed port', () => ({ ...asReader(), jdbcUrl: 'jdbc:postgresql://127.0.0.1:1/shop' }), 'nothing answers'],
    ['a server without TLS where TLS is required', () => asReader('?sslmode=require'), 'TLS'],
  ] as const)('for %s reports the reason, without secrets or paths', async (_, address, why) => {
    const error = await attempt(address());
    expect(error).toBeInstanceOf(WarehouseUnreachableError);
    expect(error).toMatchObject({ message: expect.stringContaining(why), cause: expect.any(Error) });
    expect(String(error)).not.toMatch(/secret|127\.0\.0\.1|nobody|missing|reader_/);
  });

  it("because it never answers is abandoned after the address's time limit, and at once when cancelled", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const place = silent.address();
    const port = typeof place === 'object' && place !== null ? place.port : 0;
    const address = { jdbcUrl: `jdbc:postgresql://127.0.0.1:${port}/shop?connectTimeout=1`, username: 'u' };
    const opened = await on.warehouses.open(address);
    const took = await leastMillis(500, async () => {
      const start = performance.now();
      await expect(opened.ping(AbortSignal.timeout(50))).rejects.toThrow(CancelledError);
      return performance.now() - start;
    });
    expect(took).toBeLessThan(500);
    await expect(opened.ping()).rejects.toThrow(WarehouseUnreachableError);
    await on.warehouses.release(address);
    silent.close();
  });
});
