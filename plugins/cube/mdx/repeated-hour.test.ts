/** Instants in the hour that a clock shows twice are two members. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { engineMissing, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { checkTables } from '../catalog/check-tables.ts';
import { readSchema } from '../schema/read-schema.ts';
import { openCatalog } from './index.ts';
import { LARGE_LEVELS } from './testing/open-schema.ts';

const SCHEMA = `<Schema name="S"><Cube name="Events"><Table name="events"/>
  <Dimension name="At"><Hierarchy hasAll="true"><Level name="At" column="at" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Total" column="amount" aggregator="sum" formatString="0"/>
</Cube></Schema>`;

const missing = engineMissing('trino');
describe.skipIf(missing !== undefined)(titleNeeding('on trino', missing), () => {
  let on: TestWarehouse;
  beforeAll(async () => {
    // The clocks of Berlin show 02:30 for both: summer time ends between them.
    on = await startWarehouse('trino', [
      'CREATE TABLE events (at TIMESTAMP(6) WITH TIME ZONE, amount INTEGER)',
      `INSERT INTO events VALUES (TIMESTAMP '2024-10-27 00:30:00 UTC' AT TIME ZONE 'Europe/Berlin', 1),
         (TIMESTAMP '2024-10-27 01:30:00 UTC' AT TIME ZONE 'Europe/Berlin', 2)`,
    ]);
  });
  afterAll(() => on?.stop());

  it.each(LARGE_LEVELS)('where levels are large from %s members', async (largeLevel) => {
    const { schema } = readSchema(SCHEMA);
    if (schema === undefined) throw new Error('There is no schema.');
    const checked = await checkTables(schema, on.warehouse);
    const catalog = openCatalog({ schema: checked.schema, warehouse: on.warehouse, largeLevel });
    const { axes, cells } = await catalog.query('select At.At.Members on 0 from Events');
    expect(axes[0]?.tuples.map(([member], index) => [member?.name, cells[index]?.value])).toEqual([
      ['2024-10-27T00:30:00Z', 1],
      ['2024-10-27T01:30:00Z', 2],
    ]);
  });
});
