/** Tests declared foreign keys on every engine that has them: with one column and with two, to the same table, to another column name. */

import { expect, it } from 'vitest';
import { describeEngines } from './testing/describe-engines.ts';
import { ALL_ENGINES, type AnyEngineName, startWarehouse } from './testing/engines.ts';

const KEYED = [
  'CREATE TABLE plants (code VARCHAR(4) PRIMARY KEY)',
  'CREATE TABLE bins (plant VARCHAR(4), bin_no INTEGER, PRIMARY KEY (plant, bin_no), FOREIGN KEY (plant) REFERENCES plants (code))',
  'CREATE TABLE staff (id INTEGER PRIMARY KEY, boss INTEGER, FOREIGN KEY (boss) REFERENCES staff (id))',
  `CREATE TABLE moves (id INTEGER PRIMARY KEY, at_plant VARCHAR(4), at_bin INTEGER, mover INTEGER,
     FOREIGN KEY (at_plant, at_bin) REFERENCES bins (plant, bin_no), FOREIGN KEY (mover) REFERENCES staff (id))`,
];
const PLAIN = 'CREATE TABLE staff (id INTEGER, boss INTEGER)';
const EXPECTED = {
  bins: [{ columns: ['plant'], refTable: 'plants', refColumns: ['code'] }],
  moves: [
    { columns: ['at_plant', 'at_bin'], refTable: 'bins', refColumns: ['plant', 'bin_no'] },
    { columns: ['mover'], refTable: 'staff', refColumns: ['id'] },
  ],
  plants: [],
  staff: [{ columns: ['boss'], refTable: 'staff', refColumns: ['id'] }],
};

async function keysOf(engine: AnyEngineName, setUp: readonly string[]) {
  const started = await startWarehouse(engine, setUp);
  try {
    const tables = await started.warehouse.tables();
    const keys = await started.warehouse.declaredKeys(tables);
    return tables.map(({ name, schema }, place) => ({ name, schema, keys: keys[place] ?? [] }));
  } finally {
    await started.stop();
  }
}

/** Engines without foreign keys. */
const KEYLESS: readonly AnyEngineName[] = ['clickhouse', 'trino'];

describeEngines(
  'declared foreign keys of $engine',
  (engine) => {
    it('are read with their columns in order', async () => {
      const keysByTable = await keysOf(engine, KEYED);
      expect(keysByTable.every(({ schema, keys }) => keys.every(({ refSchema }) => refSchema === schema))).toBe(true);
      const byTable = keysByTable.map(({ name, keys }) => {
        const plain = keys.map(({ refSchema: _, ...key }) => key);
        return [name, plain.toSorted((left, right) => right.columns.length - left.columns.length)] as const;
      });
      expect(Object.fromEntries(byTable)).toEqual(EXPECTED);
    });
  },
  { engines: ALL_ENGINES.filter((engine) => !KEYLESS.includes(engine)) },
);

describeEngines(
  'declared foreign keys of $engine',
  (engine) => {
    it('are an empty list without an error', async () => {
      expect(
        (await keysOf(engine, [engine === 'clickhouse' ? `${PLAIN} ENGINE = MergeTree ORDER BY id` : PLAIN])).map(
          ({ keys }) => keys,
        ),
      ).toEqual([[]]);
    });
  },
  { engines: KEYLESS },
);

it('a SQLite key without columns, or in other letter case, refers to the primary key', async () => {
  const keysByTable = await keysOf('sqlite', [
    'CREATE TABLE Regions (Region_Id INTEGER PRIMARY KEY)',
    'CREATE TABLE shops (id INTEGER PRIMARY KEY, region INTEGER REFERENCES regions, other INTEGER REFERENCES REGIONS (region_id))',
  ]);
  expect(keysByTable.find(({ name }) => name === 'shops')?.keys).toEqual([
    { columns: ['other'], refSchema: 'main', refTable: 'Regions', refColumns: ['Region_Id'] },
    { columns: ['region'], refSchema: 'main', refTable: 'Regions', refColumns: ['Region_Id'] },
  ]);
});
