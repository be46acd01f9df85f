/** Arrays, maps, structs, documents and bytes are grouped, listed, found and filtered by their text, on every engine. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { STRUCTURED, structuredTable } from '../../../server/warehouse/testing/structured-columns.ts';
import { Fixture } from '../testing/fixture.ts';

describeEngines('on $engine', (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    const fields = ['id', ...Object.keys(STRUCTURED[engine])].map(
      (name) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`,
    );
    const document = `
semantic_model:
  - name: things
    datasets: [{ name: things, source: things, primary_key: [id], fields: [${fields.join(', ')}] }]
    metrics: [{ name: total, expression: [{ dialect: ANSI_SQL, expression: SUM(things.id) }] }]
`;
    const warehouse = await startWarehouse(engine, structuredTable(engine), { poolSize: 2 });
    fixture = await Fixture.open({ warehouse, cache: openCache({ maxBytes: 1_000_000, clock: Date.now }), document });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture?.close());
  const others = engine === 'clickhouse' ? 0 : 3; // The id of the row of nulls.

  it.each(Object.entries(STRUCTURED[engine]))('%s', async (field, [, [, first], [, second]]) => {
    const at = { dataset: 'things', field };
    const byField = await fixture.table({ rows: [at], values: [{ metric: 'total' }] });
    const expected = [[first, 1], [second, 2], ...(others === 0 ? [] : [[null, 3]])];
    expect(byField.map((row) => JSON.stringify(row)).toSorted()).toEqual(
      expected.map((row) => JSON.stringify(row)).toSorted(),
    );

    const total = (filter: object) => fixture.table({ values: [{ metric: 'total' }], filters: [{ ...at, ...filter }] });
    expect(await total({ op: 'EQ', value: first })).toEqual([[1]]);
    expect(await total({ op: 'NEQ', value: first })).toEqual([[2]]);
    expect(await total({ op: 'IN', values: [first, second, 'none'] })).toEqual([[3]]);
    expect(await total({ op: 'IS_NULL' })).toEqual([[others === 0 ? null : 3]]);

    const operations = fixture.operations();
    const search = async (q?: string) => (await operations.searchValues({ connection: 'test', ...at, q })).matches;
    expect([...(await search())].toSorted()).toEqual([first, second].toSorted());
    expect(await search(first)).toEqual([first]);

    const { datasets } = await operations.schema({ connection: 'test', model: 'things' });
    const facts = datasets.things?.fields[field];
    expect([...(facts?.sampleValues ?? [])].toSorted()).toEqual([first, second].toSorted());
    expect(facts?.cardinality).toBe('low');
  });

  it('are shown in row detail', async () => {
    const names = Object.keys(STRUCTURED[engine]);
    const rows = ['id', ...names].map((field) => ({ dataset: 'things', field }));
    const { columns, records } = await fixture.operations().rowDetail({ connection: 'test', rows });
    const texts = records.map((record) => columns.map(({ key }) => String(record[key]))).toSorted();
    expect(texts.slice(0, 2)).toEqual(
      ([1, 2] as const).map((place) => [String(place), ...names.map((name) => STRUCTURED[engine][name]?.[place][1])]),
    );
  });
});
