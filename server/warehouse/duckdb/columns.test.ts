import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scalar } from '../../../router/capabilities/warehouse.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { columnReader } from './columns.ts';
import { scalarOf } from './values.ts';

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});

afterAll(() => {
  connection.closeSync();
});

/** Reads the first column of a statement by our reader and by the library's values. */
async function readTwice(sql: string): Promise<readonly [ours: readonly Scalar[], theirs: readonly Scalar[]]> {
  const result = await connection.stream(sql);
  const type = result.columnType(0);
  const read = columnReader(type);
  const [ours, theirs]: [Scalar[], Scalar[]] = [[], []];
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return [ours, theirs];
    ours.push(...read(chunk, 0));
    const vector = chunk.getColumnVector(0);
    for (let row = 0; row < chunk.rowCount; row++) theirs.push(scalarOf(vector.getItem(row), type));
  }
}

const edges = (bits: bigint) => {
  const end = 2n ** (bits - 1n);
  const all = [0n, 1n, -1n, end - 1n, -end];
  for (const exponent of [15n, 16n, 31n, 32n, 33n, 52n, 53n, 54n, 63n, 64n, 65n, 96n])
    all.push(...[-1n, 0n, 1n].flatMap((by) => [2n ** exponent + by, -(2n ** exponent) + by]));
  for (const exponent of [14n, 15n, 16n, 18n]) all.push(10n ** exponent, 10n ** exponent - 1n, 1n - 10n ** exponent);
  return all.filter((each) => each >= -end && each < end);
};

const integer = (bits: bigint) => {
  const end = 2n ** (bits - 1n);
  return fc.oneof(fc.constantFrom(...edges(bits)), fc.bigInt({ min: -end, max: end - 1n }));
};

const decimal = (digits: number, scale: number) => {
  const end = 10n ** BigInt(digits);
  const scaled = fc.oneof(
    fc.constantFrom(...edges(128n).filter((each) => each > -end && each < end)),
    fc.bigInt({ min: 1n - end, max: end - 1n }),
  );
  return scaled.map((each) => `${each < 0n ? '-' : ''}${shifted(each < 0n ? -each : each, scale)}`);
};

function shifted(value: bigint, scale: number): string {
  const digits = value.toString().padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a',
    '2025-01-01',
    'twelve bytes',
    'thirteen byte',
    'Zürich',
    'naïve café',
    '東京',
    '👩‍🚀👩‍🚀',
    'e\u0301',
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }).filter((each) => !each.includes('\0') && !each.startsWith('\ufeff')),
  fc.integer({ min: 0, max: 5_000 }).map((each) => `city ${each}`),
);

const quoted = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`;

const TYPES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  SMALLINT: integer(16n),
  INTEGER: integer(32n),
  BIGINT: integer(64n),
  HUGEINT: integer(128n),
  TINYINT: integer(8n),
  UBIGINT: integer(64n).map((each) => (each < 0n ? -each : each)),
  'DECIMAL(4,2)': decimal(4, 2),
  'DECIMAL(5,2)': decimal(5, 2),
  'DECIMAL(9,0)': decimal(9, 0),
  'DECIMAL(9,4)': decimal(9, 4),
  'DECIMAL(10,4)': decimal(10, 4),
  'DECIMAL(18,2)': decimal(18, 2),
  'DECIMAL(19,2)': decimal(19, 2),
  'DECIMAL(38,2)': decimal(38, 2),
  'DECIMAL(38,0)': decimal(38, 0),
  'DECIMAL(38,30)': decimal(38, 30),
  DOUBLE: fc.oneof(fc.double(), fc.constantFrom(0, -0, 0.1, Number.NaN, Number.POSITIVE_INFINITY)),
  FLOAT: fc.float(),
  BOOLEAN: fc.boolean(),
  DATE: fc.oneof(
    fc.constantFrom('infinity', '-infinity', '1970-01-01', '0001-01-01', '9999-12-31', '1582-10-10'),
    fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((each) => each.toISOString().slice(0, 10)),
  ),
  VARCHAR: text,
};

describe(`the columns of DuckDB are read like the library reads them (SEED=${SEED})`, () => {
  it.each(Object.keys(TYPES))('%s', async (type) => {
    const value = TYPES[type] ?? fc.constant(null);
    // Chunks have 2,048 rows.
    const values = fc.array(fc.option(value, { freq: 5 }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom(1, 3, 70), async (drawn, times) => {
        const rows = drawn.map((each, at) => `(${at}, ${each === null ? 'NULL' : `CAST(${quoted(each)} AS ${type})`})`);
        const [ours, theirs] = await readTwice(
          `SELECT v::${type} FROM (VALUES ${rows.join(', ')}) AS t(i, v), range(${times}) AS r(n) ORDER BY n, i`,
        );
        expect(ours).toHaveLength(drawn.length * times);
        expect(ours).toEqual(theirs);
      }),
      { seed: SEED, numRuns: 40 },
    );
  });

  it('texts of each length, many in the place of another', async () => {
    const sql = `SELECT repeat(chr((97 + i % 26)::INTEGER), (i % 15)::INTEGER) || (hash(i) % 3000)::VARCHAR FROM range(40000) t(i)`;
    const [ours, theirs] = await readTwice(sql);
    expect(ours).toEqual(theirs);
  });

  it('a text keeps its mark of byte order', async () => {
    const [ours] = await readTwice("SELECT chr(65279) || 'x'");
    expect(ours).toEqual(['\ufeffx']);
  });

  it('texts stay when their chunk is gone', async () => {
    const result = await connection.stream("SELECT 'text number ' || i || ' is long' FROM range(20000) t(i)");
    const read = columnReader(result.columnType(0));
    const all: Scalar[] = [];
    for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk())
      all.push(...read(chunk, 0));
    expect(all).toEqual(Array.from({ length: 20_000 }, (_, i) => `text number ${i} is long`));
  });
});
