/** Tests that values from answers find their rows as filters: every type, on every engine. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { COLUMNS_OF, thingsDocument, thingsOf } from '../../testing/column-types.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';

describeEngines('on $engine', (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openOn(engine, thingsOf(engine), { document: thingsDocument(engine) });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  it.each(Object.keys(COLUMNS_OF[engine]))('%s', async (field) => {
    const at = { dataset: 'things', field };
    const counted = (test: object) => fixture.table({ values: [{ metric: 'things' }], filters: [{ ...at, ...test }] });
    const operations = fixture.operations();
    const { matches } = await operations.searchValues({ connection: 'test', ...at });
    expect(new Set(matches).size).toBe(2);
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

  it('of a group and of row detail find exactly their row, all fields at once', async () => {
    const fields = Object.keys(COLUMNS_OF[engine]);
    const rows = fields.map((field) => ({ dataset: 'things', field }));
    const values = [{ metric: 'things' }];
    const filtersOf = (shown: readonly unknown[]) =>
      rows.map((at, index) => ({ ...at, op: 'EQ', value: shown[index] }));

    const groups = await fixture.table({ rows, values });
    expect(groups.map((group) => group.at(-1))).toEqual([1, 1]);
    for (const group of groups) {
      const filters = filtersOf(group);
      expect(await fixture.table({ values, filters })).toEqual([[1]]);
      const { records } = await fixture.operations().rowDetail({ connection: 'test', rows, filters });
      expect(records).toHaveLength(1);
    }

    const { columns, records } = await fixture.operations().rowDetail({ connection: 'test', rows });
    expect(records).toHaveLength(2);
    for (const record of records) {
      const filters = filtersOf(columns.map(({ key }) => record[key]));
      const found = await fixture.operations().rowDetail({ connection: 'test', rows, filters });
      expect(found.records).toEqual([record]);
    }
  });
});
