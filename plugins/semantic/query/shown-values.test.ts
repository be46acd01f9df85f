/** Values that the service shows, sent back as filters, find their rows: every type, on every engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { ALL_ENGINES, engineMissing, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { COLUMNS_OF, thingsDocument, thingsOf } from '../testing/column-types.ts';
import { Fixture } from '../testing/fixture.ts';

describe.each(ALL_ENGINES.filter((engine) => engineMissing(engine) === undefined))('on %s', (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, thingsOf(engine), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    fixture = await Fixture.open({ warehouse, cache, document: thingsDocument(engine) });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  it.each(Object.keys(COLUMNS_OF[engine]))('%s', async (field) => {
    const at = { dataset: 'things', field };
    const counted = (test: object) => fixture.table({ values: [{ metric: 'things' }], filters: [{ ...at, ...test }] });
    const operations = fixture.operations();
    const { matches } = await operations.searchValues({ connection: 'test', ...at });
    expect(matches).toHaveLength(2);
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
});
