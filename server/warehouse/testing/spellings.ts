import type { Parameter, Scalar } from '../../../router/capabilities/warehouse.ts';
import type { AnyEngineName } from './engines.ts';

/** An expression and its expected cell. */
type Case = readonly [expression: string, cell: Scalar];

/**
 * How an engine spells the expressions of the shared suite, and which it does not have. Expected cells follow from the engine's documentation and
 * `router/capabilities/scalar.ts`.
 */
export interface Spelling {
  /** The shared tables; `archive.store` only where the engine has schemas. */
  readonly setUp: readonly string[];
  /** The schema of the tables without a schema in their names. */
  readonly mainSchema: RegExp;
  readonly hasSchemas: boolean;
  readonly product: string;
  readonly version: RegExp;
  readonly exactNumbers: readonly Case[];
  readonly floats: readonly Case[];
  readonly instants: readonly Case[];
  /** Booleans, UUIDs, JSON and bytes, each with its type. */
  readonly others: readonly (readonly [expression: string, type: string, cell: Scalar])[];
  readonly arrays: readonly Case[];
  /** Returns the cell of a bound value; `undefined` where the engine cannot represent it. */
  echo(parameter: Parameter): Scalar | undefined;
  /** Fails only after thousands of rows. */
  readonly failsLate: string;
  /** Fails for some of its values. */
  readonly impossible: string;
  readonly true: Scalar;
  /** Column names may repeat in one answer. */
  readonly repeatsNames: boolean;
  /** The reported type of a view's or a table's decimal. */
  readonly decimalType: RegExp;
  /** Rows 0 to 9,999 as a table `t (x)`, in FROM. */
  readonly tenThousand: string;
  /** Writes a one-column table `t (x)` of these expressions, in FROM. */
  rows(...expressions: readonly string[]): string;
  readonly date: string;
  readonly nullText: string;
}

const STORE_ROWS = (date: (text: string) => string): string =>
  `INSERT INTO store VALUES (1, 'North', ${date('2020-01-31')}, 120.50), (2, 'South', NULL, NULL), (3, '007', ${date('1999-12-31')}, 0.10)`;
const STORE = 'CREATE TABLE store (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, opened DATE, area DECIMAL(18,2))';
const BIG_STORE = 'CREATE VIEW big_store AS SELECT id, name FROM store WHERE area > 100';
const literal = (text: string): string => `DATE '${text}'`;

const EXACT: readonly Case[] = [
  ['9007199254740991', 9007199254740991],
  ['CAST(9007199254740992 AS BIGINT)', 9007199254740992n],
  ['CAST(-9223372036854775807 AS BIGINT)', -9223372036854775807n],
  ['CAST(1234567890123.45 AS DECIMAL(38,10))', 1234567890123.45],
  ["CAST('1234567890123456789.0123456789' AS DECIMAL(38,10))", '1234567890123456789.0123456789'],
  ["CAST('-0.0000000001' AS DECIMAL(38,10))", -0.0000000001],
  ["CAST('0.00' AS DECIMAL(18,2))", 0],
  ["CAST('-12345678901234567.10' AS DECIMAL(38,2))", '-12345678901234567.10'],
];

const DUCKDB: Spelling = {
  setUp: [
    STORE,
    STORE_ROWS(literal),
    BIG_STORE,
    'CREATE SCHEMA archive',
    'CREATE TABLE archive.store (closed TIMESTAMP)',
    'CREATE TABLE counted AS SELECT n FROM generate_series(1, 10000) AS s (n)',
  ],
  mainSchema: /^main$/,
  hasSchemas: true,
  product: 'DuckDB',
  version: /^\d+\.\d+/,
  exactNumbers: [['CAST(-32768 AS SMALLINT)', -32768], ...EXACT],
  floats: [
    ['0.1::double precision', 0.1],
    ['1e300::double precision', 1e300],
    ["'NaN'::double precision", Number.NaN],
    ["'Infinity'::double precision", Number.POSITIVE_INFINITY],
    ["'-Infinity'::double precision", Number.NEGATIVE_INFINITY],
    ['1.5::real', 1.5],
  ],
  instants: [
    ["DATE '2024-02-29'", '2024-02-29'],
    ["TIME '23:59:59'", '23:59:59'],
    ["TIME '00:00:00.000001'", '00:00:00.000001'],
    ["TIMESTAMP '2024-02-29 12:34:56'", '2024-02-29T12:34:56'],
    ["TIMESTAMP '1969-12-31 23:59:59.999999'", '1969-12-31T23:59:59.999999'],
    ["TIMESTAMPTZ '2024-02-29 12:34:56.5+02'", '2024-02-29T10:34:56.500000Z'],
    ["TIMESTAMPTZ '0001-01-01 00:00:00+00'", '0001-01-01T00:00:00Z'],
    ['CAST(NULL AS DATE)', null],
  ],
  others: [
    ['true', 'boolean', true],
    ['false', 'boolean', false],
    ["CAST('6b29fc40-ca47-1067-b31d-00dd010662da' AS UUID)", 'text', '6b29fc40-ca47-1067-b31d-00dd010662da'],
    [`CAST('{"a": [1, null]}' AS JSON)`, 'json', '{"a": [1, null]}'],
    [String.raw`'\x00\xFFa'::BLOB`, 'binary', 'AP9h'],
  ],
  arrays: [
    ['[1, NULL, 9007199254740993]', '[1,null,9007199254740993]'],
    [`['a"b', NULL, 'NULL']`, String.raw`["a\"b",null,"NULL"]`],
    ['[[1], [2]]', '[[1],[2]]'],
    ['[1.10::DECIMAL(4,2)]', '[1.1]'],
    ["[DATE '2024-01-01']", '["2024-01-01"]'],
  ],
  echo: ({ value }) => value,
  failsLate:
    'SELECT 1 / (CASE WHEN n < 9000 THEN 1 ELSE CAST(substr(name, 1, 1) AS INTEGER) END) FROM counted, store WHERE id = 1',
  impossible: "SELECT CAST(name AS INTEGER) FROM store WHERE name = 'North'",
  true: true,
  repeatsNames: true,
  decimalType: /^(DECIMAL|NUMERIC)\(18,2\)$/i,
  tenThousand: 'range(10000) AS t (x)',
  rows: (...expressions) => `(VALUES ${expressions.map((expression) => `(${expression})`).join(', ')}) AS t (x)`,
  date: "DATE '2024-02-29'",
  nullText: 'CAST(NULL AS VARCHAR)',
};

const POSTGRESQL: Spelling = {
  ...DUCKDB,
  mainSchema: /^public$/,
  product: 'PostgreSQL',
  others: [...DUCKDB.others.slice(0, 4), [String.raw`'\x00ff61'::bytea`, 'binary', 'AP9h']],
  arrays: DUCKDB.arrays.map(([expression, cell]) => [`ARRAY${expression}`, cell]),
  tenThousand: 'generate_series(0, 9999) AS t (x)',
};

/** No decimals beyond a double, no types of booleans and instants in expressions, no schemas. */
const SQLITE: Spelling = {
  ...DUCKDB,
  setUp: [
    STORE,
    STORE_ROWS((text) => `'${text}'`),
    BIG_STORE,
    'CREATE TABLE counted AS WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 10000) SELECT n FROM s',
    `CREATE TABLE typed (flag BOOLEAN, at DATETIME, zoned TIMESTAMPTZ, clock TIME, doc JSON, bytes BLOB)`,
    `INSERT INTO typed VALUES (1, '2024-02-29 12:34:56.5', '2024-02-29T12:34:56Z', '23:59', '{"a": [1, null]}', x'00ff61')`,
  ],
  hasSchemas: false,
  product: 'SQLite',
  exactNumbers: EXACT.slice(0, 1).concat([
    ['9007199254740992', 9007199254740992n],
    ['-9223372036854775807', -9223372036854775807n],
  ]),
  floats: [
    ['0.1', 0.1],
    ['1e300', 1e300],
    ['9e999', Number.POSITIVE_INFINITY],
    ['-9e999', Number.NEGATIVE_INFINITY],
  ],
  instants: [
    ['(SELECT opened FROM store WHERE id = 1)', '2020-01-31'],
    ["date('2024-02-29', '+1 day')", '2024-03-01'],
  ],
  others: [
    ['(SELECT flag FROM typed)', 'boolean', true],
    ['(SELECT at FROM typed)', 'timestamp', '2024-02-29T12:34:56.500000'],
    ['(SELECT zoned FROM typed)', 'timestamptz', '2024-02-29T12:34:56Z'],
    ['(SELECT clock FROM typed)', 'time', '23:59:00'],
    ['(SELECT doc FROM typed)', 'json', '{"a": [1, null]}'],
    ['(SELECT bytes FROM typed)', 'binary', 'AP9h'],
    ["x'00ff61'", 'binary', 'AP9h'],
  ],
  arrays: [['json_array(1, NULL, 9007199254740993)', '[1,null,9007199254740993]']],
  echo({ type, value }) {
    if (type === 'boolean') return value === true ? 1 : 0;
    if (type === 'decimal') return value === '12345678901234567890.12' ? undefined : value;
    if (type === 'timestamp' && value !== null) return '2024-02-29 12:34:56.789';
    return type === 'timestamptz' && value !== null ? '2024-02-29 12:34:56' : value;
  },
  failsLate: 'SELECT abs(-9223372036854775807 - (n > 9000)) FROM counted',
  impossible: "SELECT json_extract(name, '$') FROM store WHERE id = 1",
  true: 1,
  tenThousand: '(SELECT n - 1 AS x FROM counted) AS t',
  rows: (...expressions) =>
    `(${expressions.map((expression) => `SELECT ${expression} AS x`).join(' UNION ALL ')}) AS t`,
  date: "'2024-02-29'",
  nullText: 'CAST(NULL AS TEXT)',
};

/** No infinities and no arrays. */
const MARIADB: Spelling = {
  ...DUCKDB,
  setUp: [
    STORE,
    STORE_ROWS(literal),
    BIG_STORE,
    'CREATE SCHEMA archive',
    'CREATE TABLE archive.store (closed DATETIME)',
    'CREATE TABLE counted AS SELECT seq AS n FROM seq_1_to_10000',
  ],
  mainSchema: /^service_test_/,
  product: 'MariaDB',
  exactNumbers: [
    ['CAST(-32768 AS SIGNED)', -32768],
    ...EXACT.map(([expression, cell]): Case => [expression.replace('BIGINT', 'SIGNED'), cell]),
    ['18446744073709551615', 18446744073709551615n],
  ],
  floats: [
    ['CAST(0.1 AS DOUBLE)', 0.1],
    ['1e300', 1e300],
    ['CAST(1.5 AS FLOAT)', 1.5],
  ],
  instants: [
    ...DUCKDB.instants.slice(0, 5),
    // A day of no calendar: returned as the server writes it. It is not NULL.
    ["CAST('0000-00-00' AS DATE)", '0000-00-00'],
    ["TIME '838:59:59'", '838:59:59'],
    ['CAST(NULL AS DATE)', null],
  ],
  others: [
    ["CAST('6b29fc40-ca47-1067-b31d-00dd010662da' AS UUID)", 'text', '6b29fc40-ca47-1067-b31d-00dd010662da'],
    [`JSON_COMPACT('{"a": [1, null]}')`, 'json', '{"a":[1,null]}'],
    ["x'00ff61'", 'binary', 'AP9h'],
  ],
  arrays: [['JSON_ARRAY(1, NULL, 9007199254740993)', '[1, null, 9007199254740993]']],
  echo({ type, value }) {
    if (type === 'boolean') return value === true ? 1 : value === null ? null : 0;
    return type === 'timestamptz' && value !== null ? '2024-02-29T12:34:56' : value;
  },
  failsLate: 'SELECT 9223372036854766807 + CAST(n AS SIGNED) FROM counted',
  impossible: 'SELECT 9223372036854775807 + id FROM store',
  true: 1,
  tenThousand: '(SELECT n - 1 AS x FROM counted) AS t',
  rows: (...expressions) =>
    `(${expressions.map((expression) => `SELECT ${expression} AS x`).join(' UNION ALL ')}) AS t`,
  nullText: 'CAST(NULL AS CHAR)',
};

const CLICKHOUSE: Spelling = {
  ...DUCKDB,
  setUp: [
    'CREATE TABLE store (id Int32, name String, opened Nullable(Date32), area Nullable(Decimal(18,2))) ENGINE = MergeTree ORDER BY id',
    STORE_ROWS((text) => `'${text}'`),
    BIG_STORE,
    'CREATE DATABASE archive',
    'CREATE TABLE archive.store (closed DateTime) ENGINE = MergeTree ORDER BY closed',
    'CREATE TABLE counted ENGINE = MergeTree ORDER BY n AS SELECT toInt64(number + 1) AS n FROM numbers(10000)',
  ],
  mainSchema: /^(default|service_test_.*)$/,
  product: 'ClickHouse',
  exactNumbers: [
    ...DUCKDB.exactNumbers.filter(([expression]) => !expression.includes('1234567890123.45')),
    ["CAST('1234567890123.45' AS DECIMAL(38,10))", 1234567890123.45],
    ['toUInt64(18446744073709551615)', 18446744073709551615n],
    ["toInt256('-170141183460469231731687303715884105729')", -170141183460469231731687303715884105729n],
  ],
  floats: [
    ['0.1', 0.1],
    ['1e300', 1e300],
    ['nan', Number.NaN],
    ['inf', Number.POSITIVE_INFINITY],
    ['-inf', Number.NEGATIVE_INFINITY],
    ['toFloat32(1.5)', 1.5],
  ],
  instants: [
    ["toDate('2024-02-29')", '2024-02-29'],
    ["toDateTime('2024-02-29 12:34:56')", '2024-02-29T12:34:56'],
    ["toDateTime64('1969-12-31 23:59:59.999999', 6)", '1969-12-31T23:59:59.999999'],
    ["toDateTime64('2024-02-29 12:34:56.5', 1, 'Europe/Berlin')", '2024-02-29T11:34:56.500000Z'],
    ['CAST(NULL AS Nullable(Date))', null],
  ],
  others: [
    ['true', 'boolean', true],
    ['false', 'boolean', false],
    ["toUUID('6b29fc40-ca47-1067-b31d-00dd010662da')", 'text', '6b29fc40-ca47-1067-b31d-00dd010662da'],
    ["toLowCardinality(toNullable('x'))", 'text', 'x'],
    ["CAST('a', 'Enum8(\\'a\\' = 1)')", 'text', 'a'],
  ],
  arrays: [
    ['[1, NULL, 9007199254740993]', '[1,null,9007199254740993]'],
    [`['a"b', NULL, 'NULL']`, String.raw`["a\"b",null,"NULL"]`],
    ['[[1], [2]]', '[[1],[2]]'],
    ["[toDate('2024-01-01')]", '["2024-01-01"]'],
    ["map('k', toInt64(9007199254740993))", '{"k":9007199254740993}'],
    ["tuple(1, 'x')", '[1,"x"]'],
  ],
  echo({ type, value }) {
    if (type === 'decimal' && value === '12345678901234567890.12') return `${value}${'0'.repeat(28)}`;
    return type === 'timestamp' && value !== null ? `${String(value)}Z` : value;
  },
  failsLate: 'SELECT intDiv(1, 9500 - n) FROM counted',
  repeatsNames: false,
  true: 1,
  decimalType: /^Nullable\(Decimal\(18, 2\)\)$/,
  tenThousand: '(SELECT number AS x FROM numbers(10000)) AS t',
  rows: (...expressions) =>
    `(${expressions.map((expression) => `SELECT ${expression} AS x`).join(' UNION ALL ')}) AS t`,
  date: "toDate('2024-02-29')",
  nullText: 'CAST(NULL AS Nullable(String))',
};

const TRINO: Spelling = {
  ...DUCKDB,
  setUp: [
    STORE,
    STORE_ROWS(literal),
    BIG_STORE,
    'CREATE SCHEMA archive',
    'CREATE TABLE archive.store (closed TIMESTAMP)',
    'CREATE TABLE counted AS SELECT n FROM UNNEST(sequence(1, 10000)) AS s (n)',
  ],
  mainSchema: /^default$/,
  product: 'Trino',
  // As a test server reports itself, and as a release does.
  version: /^(testversion|\d+)$/,
  floats: [
    ['CAST(0.1 AS DOUBLE)', 0.1],
    ['1e300', 1e300],
    ['nan()', Number.NaN],
    ['infinity()', Number.POSITIVE_INFINITY],
    ['-infinity()', Number.NEGATIVE_INFINITY],
    ["REAL '1.5'", 1.5],
  ],
  instants: [
    ...DUCKDB.instants.slice(0, 5),
    ["TIMESTAMP '2024-02-29 12:34:56.5 +02:00'", '2024-02-29T10:34:56.500000Z'],
    ["TIMESTAMP '2024-02-29 12:34:56.5 Europe/Berlin'", '2024-02-29T11:34:56.500000Z'],
    ["TIMESTAMP '0001-01-01 00:00:00 UTC'", '0001-01-01T00:00:00Z'],
    ["TIMESTAMP '2024-02-29 12:34:56.123456789012'", '2024-02-29T12:34:56.123456789012'],
    ['CAST(NULL AS DATE)', null],
  ],
  others: [
    ...DUCKDB.others.slice(0, 3),
    [`JSON '{"a": [1, null]}'`, 'json', '{"a":[1,null]}'],
    ["X'00ff61'", 'binary', 'AP9h'],
  ],
  arrays: [
    ['ARRAY[1, NULL, 9007199254740993]', '[1,null,9007199254740993]'],
    [`ARRAY['a"b', NULL, 'NULL']`, String.raw`["a\"b",null,"NULL"]`],
    ['ARRAY[ARRAY[1], ARRAY[2]]', '[[1],[2]]'],
    ["ARRAY[DATE '2024-01-01']", '["2024-01-01"]'],
    ["MAP(ARRAY['k'], ARRAY[9007199254740993])", '{"k":9007199254740993}'],
    ["ROW(1, 'x')", '[1,"x"]'],
  ],
  // An answer has the blank, and the catalog does not.
  decimalType: /^decimal\(18, ?2\)$/,
  echo: ({ type, value }) => (type === 'json' && value !== null ? '{"a":1}' : value),
  tenThousand: 'UNNEST(sequence(0, 9999)) AS t (x)',
};

export const SPELLINGS: Readonly<Record<AnyEngineName, Spelling>> = {
  duckdb: DUCKDB,
  postgresql: POSTGRESQL,
  sqlite: SQLITE,
  mariadb: MARIADB,
  clickhouse: CLICKHOUSE,
  trino: TRINO,
};
