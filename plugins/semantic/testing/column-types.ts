/** Columns of every type that a model may have, with two values each, in the SQL of each engine. */

/** The names of engines in tests. */
type AnyEngineName = 'duckdb' | 'postgresql' | 'sqlite' | 'mariadb' | 'clickhouse' | 'trino';

const COMMON = { whole: ['BIGINT', '9007199254740993', '-5'], word: ['VARCHAR(40)', "'a''b'", "'100%'"] } as const;
const PLAIN = {
  ...COMMON,
  tiny: ['SMALLINT', '1', '-32768'],
  amount: ['DECIMAL(20,2)', '2.50', '123456789012345678.25'],
  ratio: ['DOUBLE PRECISION', '0.1', '1e300'],
  day: ['DATE', "'2024-02-29'", "'1999-12-31'"],
  instant: ['TIMESTAMP', "'2024-01-01 10:00:00'", "'2024-01-01 10:00:00.123'"],
  padded: ['CHAR(8)', "'ab'", "'a c'"],
} as const;
const KEYS = ["'0d8a8d2c-3c1e-4b7e-9f0a-1b2c3d4e5f60'", "'ffffffff-3c1e-4b7e-9f0a-1b2c3d4e5f60'"] as const;

type Columns = Readonly<Record<string, readonly [type: string, first: string, second: string]>>;

/** Statements that create the types that an engine does not have built in. */
const TYPES_OF: Partial<Readonly<Record<AnyEngineName, readonly string[]>>> = {
  postgresql: ["CREATE TYPE mood AS ENUM ('glad', 'sad')", 'CREATE DOMAIN share AS NUMERIC(4,3) CHECK (VALUE < 1)'],
};

export const COLUMNS_OF: Readonly<Record<AnyEngineName, Columns>> = {
  duckdb: {
    ...PLAIN,
    small_amount: ['DECIMAL(4,1)', '2.5', '-999.9'],
    wide_amount: ['DECIMAL(38,10)', '2.5', '1234567890123456789012345678.0123456789'],
    tinyint: ['TINYINT', '127', '-128'],
    unsigned: ['UBIGINT', '18446744073709551615', '0'],
    single: ['FLOAT', '0.1', '16777216'],
    nanos: ['TIMESTAMP_NS', "'2024-01-01 10:00:00.123456789'", "'2024-01-01 10:00:00'"],
    millis: ['TIMESTAMP_MS', "'2024-01-01 10:00:00.5'", "'2024-01-01 10:00:00'"],
    seconds: ['TIMESTAMP_S', "'2024-01-01 10:00:05'", "'2024-01-01 10:00:00'"],
    zoned: ['TIMESTAMPTZ', "'2024-01-01 10:00:00+02'", "'2024-01-01 10:00:00.5+00'"],
    huge: ['HUGEINT', '170141183460469231731687303715884105727', '-1'],
    unsigned_huge: ['UHUGEINT', '340282366920938463463374607431768211455', '1'],
    list: ['VARCHAR[]', "['x', 'y']", "['z']"],
    record: ['STRUCT(a INTEGER)', '{ a: 1 }', '{ a: 2 }'],
    document: ['JSON', `'{"a":1}'`, "'[2]'"],
    bytes: ['BLOB', "'ab'::BLOB", "'\\x00'::BLOB"],
    flag: ['BOOLEAN', 'true', 'false'],
    clock: ['TIME', "'10:00:00.5'", "'23:59:00'"],
    key: ['UUID', ...KEYS],
    mood: ["ENUM ('glad', 'sad')", "'glad'", "'sad'"],
    span: ['INTERVAL', "INTERVAL '1' DAY", "INTERVAL '90' MINUTE"],
    bits: ['BIT', "'101'", "'0'"],
  },
  postgresql: {
    ...PLAIN,
    single: ['REAL', '0.1', '16777216'],
    zoned: ['TIMESTAMPTZ', "'2024-01-01 10:00:00+02'", "'2024-01-01 10:00:00.5+00'"],
    wide: ['NUMERIC(60,0)', '170141183460469231731687303715884105727', '-1'],
    list: ['TEXT[]', "'{x,y}'", "'{z}'"],
    flag: ['BOOLEAN', 'true', 'false'],
    bytes: ['BYTEA', "'ab'", "'\\x00'"],
    clock: ['TIME', "'10:00:00.5'", "'23:59:00'"],
    zoned_clock: ['TIMETZ', "'10:00:00.5+02'", "'23:59:00+00'"],
    key: ['UUID', ...KEYS],
    mood: ['mood', "'glad'", "'sad'"],
    share: ['share', '0.5', '0.125'],
    span: ['INTERVAL', "INTERVAL '1' DAY", "INTERVAL '90' MINUTE"],
    document: ['JSONB', `'{"a":1}'`, "'[2]'"],
    plain_document: ['JSON', `'{"a": 1}'`, "'[2]'"],
    address: ['INET', "'10.0.0.1'", "'10.0.0.0/8'"],
    money: ['MONEY', '12.5', '1000'],
    name: ['NAME', "'ann'", "'bob'"],
    letter: ['"char"', "'a'", "'b'"],
    range: ['INT4RANGE', "'[1,3)'", "'empty'"],
    bits: ['BIT(3)', "B'101'", "B'000'"],
    oid: ['OID', '1', '4294967295'],
  },
  sqlite: {
    ...COMMON,
    ratio: ['REAL', '0.1', '1e300'],
    day: PLAIN.day,
    instant: PLAIN.instant,
    clock: ['TIME', "'10:00:00'", "'23:59:00'"],
    amount: ['DECIMAL(20,2)', '2.5', '1000'],
    flag: ['BOOLEAN', '1', '0'],
    key: ['UUID', ...KEYS],
    bytes: ['BLOB', "x'6162'", "x'6364'"],
  },
  mariadb: {
    ...PLAIN,
    instant: ['DATETIME(6)', "'2024-01-01 10:00:00'", "'2024-01-01 10:00:00.123'"],
    zoned: ['TIMESTAMP(6) NULL', "'2024-01-01 10:00:00'", "'2024-01-01 10:00:00.5'"],
    single: ['FLOAT', '0.1', '16777216'],
    clock: ['TIME(3)', "'10:00:00.5'", "'23:59:00'"],
    unsigned: ['BIGINT UNSIGNED', '18446744073709551615', '0'],
    wide: ['DECIMAL(65,0)', '170141183460469231731687303715884105727', '-1'],
    flag: ['BOOLEAN', 'true', 'false'],
    exact: ['VARCHAR(40) COLLATE utf8mb4_bin', "'Abc'", "'abc'"],
    mood: ["ENUM ('glad', 'sad')", "'glad'", "'sad'"],
    several: ["SET ('glad', 'sad')", "'glad,sad'", "'sad'"],
    key: ['UUID', ...KEYS],
    document: ['JSON', `'{"a": 1}'`, "'[2]'"],
    bytes: ['VARBINARY(20)', "x'6162'", "x'6364'"],
    year: ['YEAR', '2024', '1999'],
    latin: ['VARCHAR(20) CHARACTER SET latin1', "'é'", "'z'"],
  },
  clickhouse: {
    whole: ['Nullable(Int64)', '9007199254740993', '-5'],
    tiny: ['Nullable(Int8)', '1', '-128'],
    word: ['Nullable(String)', "'a''b'", "'100%'"],
    padded: ['FixedString(4)', "'ab'", "'abcd'"],
    few: ['LowCardinality(String)', "'ab'", "'cd'"],
    single: ['Nullable(Float32)', '0.1', '16777216'],
    bare_single: ['Float32', '0.1', '1.5'],
    ratio: ['Nullable(Float64)', '0.1', '1e300'],
    amount: ['Nullable(Decimal(20, 2))', '2.5', "toDecimal128('123456789012345678.25', 2)"],
    wide: ['Nullable(Int128)', "toInt128('17014118346046923173168730371588410572')", '-1'],
    wider: [
      'UInt256',
      "toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935')",
      '1',
    ],
    unsigned: ['UInt64', '18446744073709551615', '0'],
    day: ['Nullable(Date32)', "'2024-02-29'", "'1999-12-31'"],
    short_day: ['Date', "'2024-02-29'", "'1999-12-31'"],
    instant: ['Nullable(DateTime64(6))', "'2024-01-01 10:00:00'", "'2024-01-01 10:00:00.123'"],
    nanos: ['Nullable(DateTime64(9))', "'2024-01-01 10:00:00.123456789'", "'2024-01-01 10:00:00'"],
    seconds: ['DateTime', "'2024-01-01 10:00:00'", "'2024-01-01 10:00:01'"],
    zoned: ["DateTime64(3, 'Europe/Rome')", "'2024-01-01 10:00:00.5'", "'2024-01-01 10:00:01'"],
    flag: ['Bool', 'true', 'false'],
    key: ['UUID', ...KEYS],
    mood: ["Enum8('glad' = 1, 'sad' = 2)", "'glad'", "'sad'"],
    address: ['IPv4', "'10.0.0.1'", "'10.0.0.2'"],
    list: ['Array(String)', "['x', 'y']", "['z']"],
  },
  trino: {
    ...PLAIN,
    small_amount: ['DECIMAL(4,1)', '2.5', '-999.9'],
    wide_amount: ['DECIMAL(38,10)', '2.5', '1234567890123456789012345678.0123456789'],
    tinyint: ['TINYINT', '127', '-128'],
    single: ['REAL', '0.1', '16777216'],
    picos: ['TIMESTAMP(12)', "'2024-01-01 10:00:00.123456789012'", "'2024-01-01 10:00:00'"],
    nanos: ['TIMESTAMP(9)', "'2024-01-01 10:00:00.123456789'", "'2024-01-01 10:00:00.000000001'"],
    millis: ['TIMESTAMP(3)', "'2024-01-01 10:00:00.5'", "'2024-01-01 10:00:00'"],
    seconds: ['TIMESTAMP(0)', "'2024-01-01 10:00:05'", "'2024-01-01 10:00:00'"],
    zoned: ['TIMESTAMP(3) WITH TIME ZONE', "'2024-01-01 10:00:00 +02:00'", "'2024-01-01 10:00:00.5 UTC'"],
    // One hour apart: the clock of the zone shows 02:30 twice.
    named_zone: [
      'TIMESTAMP(9) WITH TIME ZONE',
      "TIMESTAMP '2024-10-27 00:30:00.123456789 UTC' AT TIME ZONE 'Europe/Berlin'",
      "TIMESTAMP '2024-10-27 01:30:00.123456789 UTC' AT TIME ZONE 'Europe/Berlin'",
    ],
    flag: ['BOOLEAN', 'true', 'false'],
    clock: ['TIME(3)', "'10:00:00.5'", "'23:59:00'"],
    fine_clock: ['TIME(12)', "'10:00:00.123456789012'", "'23:59:00.000000000001'"],
    zoned_clock: ['TIME(3) WITH TIME ZONE', "'10:00:00.5 +02:00'", "'23:59:00 +00:00'"],
    key: ['UUID', ...KEYS],
    bytes: ['VARBINARY', "X'6162'", "X'00'"],
    list: ['ARRAY(VARCHAR)', "ARRAY['x', 'y']", "ARRAY['z']"],
    record: ['ROW(a INTEGER)', 'ROW(1)', 'ROW(2)'],
    lookup: ['MAP(VARCHAR, INTEGER)', "MAP(ARRAY['a'], ARRAY[1])", "MAP(ARRAY['b'], ARRAY[2])"],
    document: ['JSON', `'{"a": 1}'`, "'[2]'"],
    address: ['IPADDRESS', "'10.0.0.1'", "'2001:db8::1'"],
    span: ['INTERVAL DAY TO SECOND', "INTERVAL '1' DAY", "INTERVAL '90' MINUTE"],
    months: ['INTERVAL YEAR TO MONTH', "INTERVAL '1' MONTH", "INTERVAL '2' YEAR"],
  },
};

/** Writes the statements that create a table `things` of all these columns, with two rows. */
export function thingsOf(engine: AnyEngineName): readonly string[] {
  const columns = Object.entries(COLUMNS_OF[engine]);
  const storage = engine === 'clickhouse' ? ' ENGINE = MergeTree ORDER BY tuple()' : '';
  const quote = engine === 'mariadb' ? '`' : '"';
  const row = (id: number, at: 1 | 2) => `(${[id, ...columns.map(([, column]) => column[at])].join(', ')})`;
  const shape = columns.map(([name, [type]]) => `${quote}${name}${quote} ${type}`).join(', ');
  return [
    ...(TYPES_OF[engine] ?? []),
    `CREATE TABLE things (id INTEGER, ${shape})${storage}`,
    `INSERT INTO things VALUES ${row(1, 1)}, ${row(2, 2)}`,
  ];
}

/** Writes a model over that table: a field for each column, and a metric that counts. */
export function thingsDocument(engine: AnyEngineName): string {
  const fields = Object.keys(COLUMNS_OF[engine]).map(
    (name) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: '"${name}"' }] }`,
  );
  return `
semantic_model:
  - name: things
    datasets: [{ name: things, source: things, primary_key: [id], fields: [${fields.join(', ')}] }]
    metrics: [{ name: things, expression: [{ dialect: ANSI_SQL, expression: COUNT(things.id) }] }]
`;
}
