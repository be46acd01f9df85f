/** Tests that the largest allowed answers are laid out without holding the event loop. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonText } from '../../../router/json-pieces.ts';
import { isHeld, longestHold } from '../../../router/testing/loop-delay.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';

/** Person n bought n, and is in a group of 10,000. */
const PEOPLE = 100_000;
const GROUPS = 10_000;
const TABLES = [
  `CREATE TABLE bought AS SELECT n::INTEGER AS person, (n % ${GROUPS})::INTEGER AS grp, n::INTEGER AS amount FROM range(${PEOPLE}) p(n)`,
];
const SCHEMA = `<Schema name="Big"><Cube name="Big"><Table name="bought"/>
  <Dimension name="Person"><Hierarchy hasAll="true"><Level name="Person" column="person" type="Numeric" uniqueMembers="true"/></Hierarchy></Dimension>
  <Dimension name="Group"><Hierarchy hasAll="true"><Level name="Group" column="grp" type="Numeric" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Amount" column="amount" aggregator="sum" formatString="#,##0 EUR"/>
  <Measure name="Sales" column="amount" aggregator="count"/>
</Cube></Schema>`;

const CUBE = 'test/Big/Big/Big';
const measures = ['Amount', 'Sales'].map((name) => ({ name }));
const people = [{ dimension: 'Person', level: 'Person' }];
const groups = [{ dimension: 'Group', level: 'Group' }];

describe('an answer', () => {
  let warehouse: TestWarehouse;
  let state: StateStore;
  let cubes: Fixture;
  beforeAll(async () => {
    warehouse = await startWarehouse('duckdb', TABLES);
    state = await openState({ url: undefined, sqliteFile: ':memory:', log: silent });
    await state.migrate({ cube: recentQueryMigrations });
    cubes = await Fixture.open({
      warehouses: warehouse.warehouses,
      address: warehouse.address,
      cache: openCache({ maxBytes: 2_000_000_000, clock: Date.now }),
      state,
      schema: SCHEMA,
      settings: { cacheTtlMs: 3_600_000, timeoutMs: 120_000 },
    });
  });
  afterAll(async () => {
    await cubes.close();
    await state.close();
    await warehouse.stop();
  });

  describe.each([
    ['of 100,000 rows', { cube: CUBE, measures, rows: people, limit: PEOPLE }, PEOPLE, 2],
    ['of one row and 20,000 columns', { cube: CUBE, measures, columns: groups }, 1, 2 * GROUPS],
  ])('%s', (_, request, rowCount, width) => {
    it.each(['records', 'matrix'])('as %s does not hold the event loop', { timeout: 240_000 }, async (format) => {
      const ask = () => cubes.call(`POST /query?format=${format}`, request);
      // The first answer is computed. The measured one is laid out from the cached result.
      const { status, body } = await ask();
      expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
      expect(body.totalRows).toBe(rowCount);
      const rows = body.data ?? body.matrix;
      expect(Object.keys(rows.at(-1)).length).toBe(width + body.metadata.rows.length);
      const hold = await longestHold(async () => jsonText((await ask()).body));
      expect(isHeld(hold), JSON.stringify(hold)).toBe(false);
    });

    it('as an embed does not hold the event loop', { timeout: 240_000 }, async () => {
      const run = () => cubes.surface.source.prepare(request).run(scope('ROLE_ADMIN'), {});
      await run();
      const hold = await longestHold(run);
      expect(isHeld(hold), JSON.stringify(hold)).toBe(false);
    });
  });

  it('of more columns is refused', async () => {
    const { status, body } = await cubes.call('POST /query', { cube: CUBE, measures, columns: people });
    expect({ status, field: body.field }).toEqual({ status: 400, field: 'columns' });
    expect(body.error).toContain('200000 columns');
  });
});
