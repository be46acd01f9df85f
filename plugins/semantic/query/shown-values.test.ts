/** Values that the service shows, sent back as filters, find their rows: every type, on every engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import {
  ALL_ENGINES,
  type AnyEngineName,
  engineMissing,
  startWarehouse,
} from '../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../testing/fixture.ts';

const COMMON = { whole: ['BIGINT', '9007199254740993', '-5'], word: ['VARCHAR(40)', "'a''b'", "'100%'"] } as const;
const PLAIN = {
  ...COMMON,
  amount: ['DECIMAL(20,2)', '2.50', '123456789012345678.25'],
  ratio: ['DOUBLE PRECISION', '0.1', '1.5'],
  day: ['DATE', "'2024-02-29'", "'1999-12-31'"],
  instant: ['TIMESTAMP', "'2024-01-01 10:00:00'", "'2024-01-01 10:00:00.123'"],
} as const;
/** Column -> type and two values, as SQL. */
const COLUMNS: Readonly<Record<AnyEngineName, Readonly<Record<string, readonly [string, string, string]>>>> = {
  duckdb: {
    ...PLAIN,
    single: ['FLOAT', '0.1', '16777216'],
    nanos: ['TIMESTAMP_NS', "'2024-01-01 10:00:00.123456789'", "'2024-01-01 10:00:00'"],
    millis: ['TIMESTAMP_MS', "'2024-01-01 10:00:00.5'", "'2024-01-01 10:00:00'"],
    zoned: ['TIMESTAMPTZ', "'2024-01-01 10:00:00+02'", "'2024-01-01 10:00:00.5+00'"],
    huge: ['HUGEINT', '170141183460469231731687303715884105727', '-1'],
    unsigned_huge: ['UHUGEINT', '340282366920938463463374607431768211455', '1'],
    list: ['VARCHAR[]', "['x', 'y']", "['z']"],
    bytes: ['BLOB', "'ab'::BLOB", "'\\x00'::BLOB"],
    flag: ['BOOLEAN', 'true', 'false'],
    clock: ['TIME', "'10:00:00.5'", "'23:59:00'"],
  },
  postgresql: {
    ...PLAIN,
    single: ['REAL', '0.1', '1.5'],
    zoned: ['TIMESTAMPTZ', "'2024-01-01 10:00:00+02'", "'2024-01-01 10:00:00.5+00'"],
    wide: ['NUMERIC(60,0)', '170141183460469231731687303715884105727', '-1'],
    list: ['TEXT[]', "'{x,y}'", "'{z}'"],
    flag: ['BOOLEAN', 'true', 'false'],
    bytes: ['BYTEA', "'ab'", "'\\x00'"],
  },
  sqlite: { ...COMMON, ratio: ['REAL', '0.1', '1.5'], day: PLAIN.day, instant: PLAIN.instant },
  mariadb: {
    ...PLAIN,
    instant: ['DATETIME(6)', "'2024-01-01 10:00:00'", "'2024-01-01 10:00:00.123'"],
    single: ['FLOAT', '0.1', '1.5'],
  },
  clickhouse: {
    whole: ['Nullable(Int64)', '9007199254740993', '-5'],
    word: ['Nullable(String)', "'a''b'", "'100%'"],
    single: ['Nullable(Float32)', '0.1', '1.5'],
    wide: ['Nullable(Int128)', "toInt128('17014118346046923173168730371588410572')", '-1'],
    instant: ['Nullable(DateTime64(6))', "'2024-01-01 10:00:00'", "'2024-01-01 10:00:00.123'"],
  },
};

describe.each(ALL_ENGINES.filter((engine) => engineMissing(engine) === undefined))('on %s', (engine) => {
  const columns = Object.entries(COLUMNS[engine]);
  let fixture: Fixture;
  beforeAll(async () => {
    const storage = engine === 'clickhouse' ? ' ENGINE = MergeTree ORDER BY tuple()' : '';
    const row = (id: number, at: 1 | 2) => `(${[id, ...columns.map(([, column]) => column[at])].join(', ')})`;
    const statements = [
      `CREATE TABLE things (id INTEGER, ${columns.map(([name, [type]]) => `${name} ${type}`).join(', ')})${storage}`,
      `INSERT INTO things VALUES ${row(1, 1)}, ${row(2, 2)}`,
    ];
    const fields = columns.map(
      ([name]) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`,
    );
    const document = `
semantic_model:
  - name: things
    datasets: [{ name: things, source: things, primary_key: [id], fields: [${fields.join(', ')}] }]
    metrics: [{ name: things, expression: [{ dialect: ANSI_SQL, expression: COUNT(things.id) }] }]
`;
    const warehouse = await startWarehouse(engine, statements, { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    fixture = await Fixture.open({ warehouse, cache, document });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  it.each(columns.map(([name]) => name))('%s', async (field) => {
    const at = { dataset: 'things', field };
    const counted = (test: object) => fixture.table({ values: [{ metric: 'things' }], filters: [{ ...at, ...test }] });
    const operations = fixture.operations();
    const { matches } = await operations.searchValues({ connection: 'test', ...at });
    expect(matches).toHaveLength(2);
    const { datasets } = await operations.schema({ connection: 'test', model: 'things' });
    const samples = datasets.things?.fields[field]?.sampleValues ?? [];
    expect(samples).toHaveLength(2);
    for (const value of [...matches, ...samples]) {
      expect([value, await counted({ op: 'EQ', value })]).toEqual([value, [[1]]]);
      expect([value, await counted({ op: 'IN', values: [value] })]).toEqual([value, [[1]]]);
    }
    for (const q of matches) {
      expect((await operations.searchValues({ connection: 'test', ...at, q })).matches).toContain(q);
    }
  });
});
