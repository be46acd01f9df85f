/** Profiles of schemas of many tables: how many statements they take, and whether they still say the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { detectAll } from '../detect/findings.ts';
import type { SchemaProfile } from '../schemas.ts';
import { InferenceWork } from '../work/work.ts';
import { profileSchema } from './profile-schema.ts';

const TABLES = 120;
/** Makes tables of which each refers to the next one; the last one is large, and refers to the first. */
const setUp = (series: (rows: number) => string): string[] => [
  ...Array.from(
    { length: TABLES },
    (_, at) =>
      `CREATE TABLE thing${at} AS SELECT n AS thing${at}_id, n % 40 AS thing${(at + 1) % TABLES}_id, 'kind ' || n % 7 AS kind FROM ${series(50)}`,
  ),
  `CREATE TABLE visits AS SELECT n AS visit_id, n % 50 AS thing0_id, DATE '2024-01-01' + CAST(n % 300 AS INTEGER) AS visited_on, CASE WHEN n % 4 = 0 THEN NULL ELSE n % 10 END AS score FROM ${series(30_000)}`,
];

describe.each([
  ['duckdb', setUp((rows) => `(SELECT range AS n FROM range(${rows})) r`)],
  ['postgresql', [...setUp((rows) => `generate_series(0, ${rows - 1}) AS n`), 'ANALYZE']],
] as const)('on %s', (engine, statements) => {
  let started: TestWarehouse;
  let profile: SchemaProfile;
  const calls: string[] = [];
  beforeAll(async () => {
    started = await startWarehouse(engine, statements);
    const { warehouse } = started;
    const counted: Warehouse = new Proxy(warehouse, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...input: readonly unknown[]) => {
          calls.push(String(name));
          return Reflect.apply(value, target, input);
        };
      },
    });
    profile = await profileSchema({
      warehouse: counted,
      schema: undefined,
      maxTables: 500,
      tableTypes: ['TABLE'],
      clock: Date.now,
      log: silentLog,
      work: new InferenceWork(undefined),
    });
  });
  afterAll(() => started.stop());

  it('small tables take a statement each, their columns and references a few for all of them', () => {
    expect(profile.tables).toHaveLength(TABLES + 1);
    // A statement for each small table, up to four for the large one, five of the catalogue, and the references forty a statement
    // (`thing12_id` might be the key of `thing1`, too). Four a table it was once.
    expect(calls.length).toBeLessThan(TABLES + 40);
    expect(calls.filter((name) => name === 'columnsOf')).toHaveLength(1);
  });

  it('counts, ranges, keys and references match the data', () => {
    const first = profile.tables.find(({ name }) => name === 'thing0');
    expect(first).toMatchObject({ rowCount: 50, keys: [['thing0_id']] });
    expect(first?.columns.map(({ distinctApprox, min, max, nulls }) => [distinctApprox, min, max, nulls])).toEqual([
      [50, 0, 49, 0],
      [40, 0, 39, 0],
      [7, undefined, undefined, 0],
    ]);
    const visits = profile.tables.find(({ name }) => name === 'visits');
    expect(visits).toMatchObject({ rowCount: 30_000, keys: [['visit_id']] });
    const [id, thing, day, score] = visits?.columns ?? [];
    expect(Math.abs((id?.distinctApprox ?? 0) - 30_000)).toBeLessThan(6_000);
    expect(Math.abs((thing?.distinctApprox ?? 0) - 50)).toBeLessThan(13);
    expect([day?.min, day?.max]).toEqual(['2024-01-01', '2024-10-26']);
    expect([score?.min, score?.max]).toEqual([0, 9].map((each) => expect.closeTo(each)));
    const nulls = (score?.nulls ?? 0) / (visits?.sampledRows ?? 30_000);
    expect(nulls).toBeCloseTo(0.25, 1);
  });

  it('all foreign keys are found, and no others', () => {
    const keys = detectAll(profile).foreignKeys.map(({ table, column, refTable }) => `${table} ${column} ${refTable}`);
    expect(keys.sort()).toEqual(
      [
        ...Array.from({ length: TABLES }, (_, at) => {
          const next = (at + 1) % TABLES;
          return `thing${at} thing${next}_id thing${next}`;
        }),
        'visits thing0_id thing0',
      ].sort(),
    );
  });
});
