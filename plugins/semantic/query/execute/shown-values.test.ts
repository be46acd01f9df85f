/** Tests that values from answers find their rows as filters: every type, on every engine. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { COLUMNS_OF, thingsDocument, thingsOf } from '../../testing/column-types.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import { expectOneRow } from '../../testing/find-one-row.ts';
import type { Fixture } from '../../testing/fixture.ts';

describeEngines('on $engine', (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openOn(engine, thingsOf(engine), { document: thingsDocument(engine) });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  /** The values to search for: on Trino, which takes a tenth of a second for each, only the longer of two texts, which has all digits. */
  const searched = (matches: readonly string[]) =>
    engine === 'trino' ? matches.toSorted((one, other) => other.length - one.length).slice(0, 1) : matches;
  /** A filter by a value of a field. */
  const equals = (field: string, value: unknown) => ({ dataset: 'things', field, op: 'EQ', value });
  const inList = (field: string, value: unknown) => ({ dataset: 'things', field, op: 'IN', values: [value] });
  const fields = Object.keys(COLUMNS_OF[engine]);

  it('of a search and of the samples, one field at a time and all of a row together', {
    timeout: 300_000,
  }, async () => {
    const operations = fixture.operations();
    const { datasets } = await operations.schema({ connection: 'test', model: 'things' });
    const shown = await fixture.table({ rows: fields.map((field) => ({ dataset: 'things', field })) });
    expect(shown).toHaveLength(2);
    /** Fields and values of each row. */
    const found: readonly [string, unknown][][] = [[], []];
    for (const [at, field] of fields.entries()) {
      const { matches } = await operations.searchValues({ connection: 'test', dataset: 'things', field });
      expect([field, new Set(matches).size]).toEqual([field, 2]);
      const samples = datasets.things?.fields[field]?.sampleValues ?? [];
      expect([field, samples.length]).toEqual([field, 2]);
      for (const q of searched(matches)) {
        const again = await operations.searchValues({ connection: 'test', dataset: 'things', field, q });
        expect([field, again.matches]).toEqual([field, expect.arrayContaining([q])]);
      }
      for (const value of new Set([...matches, ...samples])) {
        const row = shown.findIndex((cells) => String(cells[at]) === String(value));
        const values = found[row];
        if (values !== undefined) values.push([field, value]);
        // A number of single precision is another text in an answer.
        else for (const filter of [equals, inList]) await expectOneRow(fixture, [filter(field, value)]);
      }
    }
    for (const values of found) {
      for (const filter of [equals, inList])
        await expectOneRow(
          fixture,
          values.map(([field, value]) => filter(field, value)),
        );
    }
  });

  it('of a group and of row detail find exactly their row, all fields at once', async () => {
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
