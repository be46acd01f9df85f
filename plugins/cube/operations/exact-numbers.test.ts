import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import {
  ALL_ENGINES,
  type AnyEngineName,
  startWarehouse,
  type TestWarehouse,
} from '../../../server/warehouse/testing/engines.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';

const SCHEMA = `<Schema name="Deals"><Cube name="Deals"><Table name="deal"/>
  <Dimension name="Time" type="TimeDimension"><Hierarchy hasAll="true"><Level name="Year" column="y" type="Numeric" uniqueMembers="true" levelType="TimeYears"/></Hierarchy></Dimension>
  <Measure name="Units" column="units" aggregator="sum" formatString="0"/><Measure name="Amount" column="amount" aggregator="sum" formatString="0.00"/>
</Cube></Schema>`;

// SQLite has no decimals: they are doubles there.
describeEngines('on $engine', suite, { engines: ALL_ENGINES.filter((engine) => engine !== 'sqlite') });

function suite(engine: AnyEngineName): void {
  let on: TestWarehouse;
  let state: StateStore;
  let folder: string;
  let cubes: Fixture;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-cube-exact-'));
    on = await startWarehouse(engine, [
      'CREATE TABLE deal (y INTEGER, units BIGINT, amount DECIMAL(30, 2))',
      ...Array.from(
        { length: 8 },
        (_, index) => `INSERT INTO deal VALUES (${2016 + index}, 9007199254740993, 90071992547409930.25)`,
      ),
    ]);
    state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
    await state.migrate({ cube: recentQueryMigrations });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    cubes = await Fixture.open({ warehouses: on.warehouses, address: on.address, cache, state, schema: SCHEMA });
  });
  afterAll(async () => {
    await cubes.close();
    await state.close();
    await on.stop();
    await rm(folder, { recursive: true });
  });

  const query = {
    cube: 'test/Deals/Deals/Deals',
    measures: [{ name: 'Units' }, { name: 'Amount' }],
    rows: [{ dimension: 'Time', level: 'Year' }],
  };

  it('a sum beyond 2^53 is the text of its digits in records and in a matrix', async () => {
    const total = { ...query, rows: [] };
    const units = { value: '72057594037927944', formatted: '72057594037927944', unit: null };
    const amount = { value: '720575940379279442', formatted: '720575940379279442.00', unit: null };
    expect((await cubes.call('POST /query', total)).body.data).toEqual([{ Units: units, Amount: amount }]);
    expect((await cubes.call('POST /query?format=matrix', total)).body.matrix).toEqual([{ 0: units, 1: amount }]);
  });

  it('so is a column of numbers in embeds and exports', async () => {
    const { columns, records } = await cubes.surface.source.prepare(query).run(scope('ROLE_ADMIN'), {});
    expect(columns.map(({ key, dataType }) => `${key} ${dataType}`)).toEqual([
      'Time.Year text',
      'Units integer',
      'Amount decimal',
    ]);
    expect(records[0]).toMatchObject({
      Units: { value: '9007199254740993' },
      Amount: { value: '90071992547409930.25' },
    });
  });

  it('so is a number of a series', async () => {
    const { status, body } = await cubes.call('POST /forecast', {
      query: { ...query, measures: [{ name: 'Units' }] },
      timeAxis: 'Time/Year',
      horizon: 1,
    });
    expect([status, body.forecast.Units.reason]).toEqual([200, 'constant']);
  });
}
