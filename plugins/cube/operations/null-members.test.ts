/** Tests that the member without a key is shown as a missing value is, wherever an answer has it, and is named as before. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';

/** 10 of Ann, 20 of Bob, and 5 of nobody: 7 on the web and 28 in the shop. */
const TABLES = [
  'CREATE TABLE orders (customer VARCHAR, channel VARCHAR, units INTEGER)',
  "INSERT INTO orders VALUES ('Ann', 'web', 2), ('Ann', 'shop', 8), ('Bob', 'shop', 20), (NULL, 'web', 5)",
];
const SCHEMA = `<Schema name="S"><Cube name="Sales"><Table name="orders"/>
  <Dimension name="Customer"><Hierarchy hasAll="true"><Level name="Name" column="customer" type="String" uniqueMembers="true"/></Hierarchy></Dimension>
  <Dimension name="Channel"><Hierarchy hasAll="true"><Level name="Channel" column="channel" type="String" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Units" column="units" aggregator="sum" formatString="0"/></Cube></Schema>`;
const CUSTOMERS = { dimension: 'Customer', level: 'Name' };
const CHANNELS = { dimension: 'Channel', level: 'Channel' };
const LABELS = { '#null': '' };

let on: TestWarehouse;
let state: StateStore;
let folder: string;
let cubes: Fixture;
beforeAll(async () => {
  on = await startWarehouse('duckdb', TABLES);
  folder = await mkdtemp(join(tmpdir(), 'service-cube-null-'));
  state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
  await state.migrate({ cube: recentQueryMigrations });
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  cubes = await Fixture.open({ warehouses: on.warehouses, address: on.address, cache, state, schema: SCHEMA });
});
afterAll(async () => {
  await cubes?.close();
  await state?.close();
  await on?.stop();
  await rm(folder, { recursive: true, force: true });
});

const prepare = (request: object) =>
  cubes.surface.source.prepare({ cube: 'test/S/S/Sales', measures: [{ name: 'Units' }], ...request });
const units = (value: number) => ({ value, formatted: String(value) });

it('on rows: the column has the empty label of the member', async () => {
  const { columns, records } = await prepare({ rows: [CUSTOMERS] }).run(scope('ROLE_ADMIN'), {});
  expect(columns[0]).toMatchObject({ key: 'Customer.Name', labels: LABELS });
  expect(records).toContainEqual({ 'Customer.Name': '#null', Units: units(5) });
});

it('on columns: the heading does, and a dimension without such a member has no labels', async () => {
  const { columns } = await prepare({ rows: [CHANNELS], columns: [CUSTOMERS] }).run(scope('ROLE_ADMIN'), {});
  expect(columns[0]).not.toHaveProperty('labels');
  expect(columns[1]).toMatchObject({ key: 'Customer.Name', axis: 'columns', labels: LABELS });
});

it('in filters: it is offered with a dash, and chosen by its name', async () => {
  const prepared = prepare({ rows: [CUSTOMERS] });
  const { values } = await prepared.offer(scope('ROLE_ADMIN'), { field: 'Customer.Name', limit: 10 });
  expect(values).toContainEqual({ value: '#null', label: '–' });
  const runtimeFilters = [{ field: 'Customer.Name', op: 'EQ', values: ['#null'] }] as const;
  const { records } = await prepared.run(scope('ROLE_ADMIN'), { runtimeFilters: [...runtimeFilters] });
  expect(records).toEqual([{ 'Customer.Name': '#null', Units: units(5) }]);
});
