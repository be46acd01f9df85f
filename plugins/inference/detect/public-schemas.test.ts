/** Foreign keys of Chinook, Northwind and Sakila: all if the tables declare them, and nearly all if they do not. */
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { profileSchema } from '../profile/profile-schema.ts';
import { setUpOf } from '../testing/public-schema.ts';
import { PUBLIC_SCHEMAS } from '../testing/public-schemas.ts';
import { InferenceWork } from '../work/work.ts';
import { detectAll } from './findings.ts';

async function keysOf(engine: 'duckdb' | 'postgresql', setUp: readonly string[]) {
  const started = await startWarehouse(engine, setUp);
  try {
    const profile = await profileSchema({
      warehouse: started.warehouse,
      schema: undefined,
      maxTables: 100,
      tableTypes: ['TABLE'],
      clock: Date.now,
      log: silentLog,
      work: new InferenceWork(undefined),
    });
    return detectAll(profile)
      .foreignKeys.map(
        ({ table, column, refTable, refColumn, columns = [column], refColumns = [refColumn] }) =>
          `${table}(${columns.join(',')}) -> ${refTable}(${refColumns.join(',')})`,
      )
      .sort();
  } finally {
    await started.stop();
  }
}

describe('without declared keys', () => {
  const keysBySchema = new Map<string, readonly string[]>();
  it.each(PUBLIC_SCHEMAS.map((schema) => [schema.name, schema] as const))(
    'the keys of %s are found, and none that is wrong',
    async (name, schema) => {
      const keys = await keysOf('duckdb', setUpOf(schema, false));
      const right = [...schema.declared, ...schema.undeclared];
      keysBySchema.set(
        name,
        keys.filter((key) => schema.declared.includes(key)),
      );
      expect(keys.filter((key) => !right.includes(key))).toEqual([]);
    },
  );

  it('of all three, all of the 43 that their rows show', () => {
    const seen = PUBLIC_SCHEMAS.flatMap(({ declared, unseen }) => declared.filter((key) => !unseen.includes(key)));
    expect(seen.length).toBe(43);
    expect([...keysBySchema.values()].flat().length).toBe(43);
  });
});

describe('with declared keys', () => {
  it.each(PUBLIC_SCHEMAS.map((schema) => [schema.name, schema] as const))(
    'finds all keys of %s, also of empty tables, and no wrong one',
    async (_, schema) => {
      const keys = await keysOf('postgresql', setUpOf(schema, true));
      expect(keys.filter((key) => !schema.undeclared.includes(key))).toEqual(schema.declared.toSorted());
    },
  );
});

it('codes that the world gives are keys: of countries, articles and offers, and one that adds to a table refers to it', async () => {
  const keys = await keysOf('duckdb', [
    "CREATE TABLE countries AS SELECT chr(65 + CAST(range % 26 AS INTEGER)) || chr(65 + CAST(range // 26 AS INTEGER)) AS iso2, 'Country ' || range AS name FROM range(60)",
    "CREATE TABLE products AS SELECT range + 1 AS product_id, 4000000000017 + range * 911 AS ean, 'S-' || (range * 37) AS sku, 'Product ' || range AS title FROM range(300)",
    "CREATE TABLE product_prices AS SELECT 'S-' || (range * 37) AS sku, CAST(1 + range AS DECIMAL(9,2)) AS price FROM range(300)",
    'CREATE TABLE scans AS SELECT range + 1 AS scan_no, 4000000000017 + (range * 7 % 300) * 911 AS ean, chr(65 + CAST(range % 26 AS INTEGER)) || chr(65 + CAST(range % 2 AS INTEGER)) AS ship_country_iso2, range % 9 AS quantity FROM range(4000)',
  ]);
  expect(keys).toEqual([
    'product_prices(sku) -> products(sku)',
    'scans(ean) -> products(ean)',
    'scans(ship_country_iso2) -> countries(iso2)',
  ]);
});
