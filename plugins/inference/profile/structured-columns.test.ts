/** Tables with arrays, maps, structs, documents and bytes are profiled on every engine. */
import { expect, it } from 'vitest';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { STRUCTURED, structuredTable } from '../../../server/warehouse/testing/structured-columns.ts';
import { InferenceWork } from '../work/work.ts';
import { profileSchema } from './profile-schema.ts';

describeEngines('on $engine', (engine) => {
  it('counts rows and missing values, and lists the other columns as they are', async () => {
    const { warehouse, stop } = await startWarehouse(engine, structuredTable(engine), { poolSize: 2 });
    try {
      const { tables } = await profileSchema({
        warehouse,
        schema: undefined,
        maxTables: 5,
        tableTypes: ['TABLE'],
        clock: Date.now,
        log: silentLog,
        work: new InferenceWork(undefined),
      });
      const [table] = tables;
      const rows = engine === 'clickhouse' ? 2 : 3;
      expect(table?.rowCount).toBe(rows);
      expect(table?.columns.map(({ name, nulls }) => [name, nulls])).toEqual([
        ['id', 0],
        ...Object.keys(STRUCTURED[engine]).map((name) => [name, rows - 2]),
      ]);
    } finally {
      await stop();
    }
  });
});
