/** Requests at the limits of the surface, on a cube of days. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { MAX_MEMBERS_IN_ALL } from '../limits.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { Fixture, silent } from '../testing/fixture.ts';

/** 15 November 2025, the last of 12,000 consecutive days. One unit was sold on each day. */
const TODAY = Date.UTC(2025, 10, 15, 12);
const TABLES = [
  `CREATE TABLE sold AS SELECT DATE '2025-11-15' - n::INTEGER AS day, 1 AS units, 'shop ' || (n % 2) AS shop
   FROM range(12000) t(n)`,
];
const SCHEMA = `<Schema name="Days">
  <Cube name="Sold">
    <Table name="sold"/>
    <Dimension name="Day" type="TimeDimension">
      <Hierarchy hasAll="true"><Level name="Date" column="day" type="Date" uniqueMembers="true" levelType="TimeDays"/></Hierarchy>
    </Dimension>
    <Dimension name="Shop">
      <Hierarchy hasAll="true"><Level name="Shop" column="shop" uniqueMembers="true"/></Hierarchy>
    </Dimension>
    <Measure name="Units" column="units" aggregator="sum"/>
  </Cube>
</Schema>`;
const CUBE = { cube: 'test/Days/Days/Sold', measures: [{ name: 'Units' }] };

let warehouse: TestWarehouse;
let state: StateStore;
let folder: string;
let cubes: Fixture;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-cube-'));
  warehouse = await startWarehouse('duckdb', TABLES);
  state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
  await state.migrate({ cube: recentQueryMigrations });
  cubes = await Fixture.open({
    warehouses: warehouse.warehouses,
    address: warehouse.address,
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    state,
    clock: () => TODAY,
    schema: SCHEMA,
  });
  expect(cubes.problems).toEqual([]);
});
afterAll(async () => {
  await cubes.close();
  await state.close();
  await warehouse.stop();
  await rm(folder, { recursive: true });
});

it('the last 10,000 days are a range with two ends', async () => {
  const body = { ...CUBE, filters: [{ dimension: 'Day', op: 'relative', value: 'last_n_days', n: 10_000 }] };
  const preview = await cubes.call('POST /query/preview', body);
  expect(preview.body.generatedMdx.length).toBeLessThan(2_000);
  expect(await cubes.table(body)).toEqual([[10_000]]);
});

it('a request with the maximum of members is answered, and one more member is refused', async () => {
  const days = Array.from({ length: MAX_MEMBERS_IN_ALL + 1 }, (_, index) =>
    new Date(TODAY - index * 86_400_000).toISOString().slice(0, 10),
  );
  const ask = (members: readonly string[]) => ({ ...CUBE, filters: [{ dimension: 'Day', level: 'Date', members }] });
  expect(await cubes.table(ask(days.slice(1)))).toEqual([[MAX_MEMBERS_IN_ALL]]);
  expect(await cubes.call('POST /query', ask(days))).toMatchObject({
    status: 400,
    body: { field: 'filters[0].members' },
  });
  const rows = [{ dimension: 'Day', level: 'Date', members: days.slice(0, 300) }];
  const two = await cubes.call('POST /query', { ...ask(days.slice(0, 300)), rows });
  expect(two).toMatchObject({ status: 400, body: { field: 'filters[0].members' } });
});

describe.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])('%s', (name) => {
  it.each([
    ['measures[0].name', 'Units', { measures: [{ name }] }],
    ['rows[0].dimension', 'Shop', { rows: [{ dimension: name }] }],
    ['rows[0].hierarchy', 'Shop', { rows: [{ dimension: 'Shop', hierarchy: name }] }],
    ['rows[0].level', 'Shop', { rows: [{ dimension: 'Shop', level: name }] }],
    ['rows[0].members[0]', expect.any(String), { rows: [{ dimension: 'Shop', level: 'Shop', members: [name] }] }],
    ['columns[0].dimension', 'Shop', { columns: [{ dimension: name }] }],
    ['filters[0].dimension', 'Shop', { filters: [{ dimension: name, members: ['shop 1'] }] }],
    ['order[0].by', 'Units', { order: [{ by: name }] }],
  ])('at %s is unknown', async (field, candidate, request) => {
    const { status, body } = await cubes.call('POST /query', { ...CUBE, ...request });
    expect([status, body]).toMatchObject([400, { status: 'VALIDATION_ERROR', field }]);
    expect(body.available).toContainEqual(candidate);
  });

  it('as a cube is unknown', async () => {
    const { status, body } = await cubes.call('POST /query', { ...CUBE, cube: `test/Days/Days/${name}` });
    expect([status, body.available]).toEqual([404, [CUBE.cube]]);
  });
});
