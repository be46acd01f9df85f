/** Tests random requests over random data against loops over the rows in memory. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import { Fixture } from '../testing/fixture.ts';
import {
  expectedOf,
  randomQueries,
  requestOf,
  rounded,
  SHOP_DOCUMENT,
  shops,
  shopTables,
} from '../testing/random-shop.ts';
import { statementsFor } from '../testing/tables.ts';

/** DuckDB and PostgreSQL, which are always available, get 2,040 requests together; every other engine gets some more. */
const MAX_REQUESTS = 1_360;
const MAX_OF_A_SHOP = 170;

describeEngines(`random requests on $engine (SEED=${SEED})`, (engine) => {
  const all = runsOn(engine, MAX_REQUESTS);
  const requests = Math.min(all, MAX_OF_A_SHOP);
  fc.sample(shops, { seed: SEED, numRuns: Math.ceil(all / requests) }).forEach((shop, index) => {
    it(`give what loops over the rows of shop ${index + 1} give`, { timeout: 120_000 }, async () => {
      const statements = statementsFor(engine, shopTables(shop));
      const warehouse = await startWarehouse(engine, statements, { poolSize: 2 });
      const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
      const fixture = await Fixture.open({ warehouse, cache, document: SHOP_DOCUMENT });
      try {
        expect(fixture.problems).toEqual([]);
        let answered = 0;
        let answeredInRoles = 0;
        await fc.assert(
          fc.asyncProperty(randomQueries, async (query) => {
            const expected = expectedOf(query, shop);
            if (expected === undefined) {
              await expect(fixture.run(requestOf(query))).rejects.toBeInstanceOf(ValidationError);
              return;
            }
            answered += 1;
            if ([...query.groups, ...query.filters].some(({ via }) => via !== undefined)) answeredInRoles += 1;
            const table = await fixture.table(requestOf(query));
            expect(table.map((row) => row.map(rounded))).toEqual(expected.map((row) => row.map(rounded)));
          }),
          { seed: SEED + index, numRuns: requests },
        );
        expect(answered).toBeGreaterThan(requests / 6);
        expect(answeredInRoles).toBeGreaterThan(requests / 20);
      } finally {
        await fixture.close();
      }
    });
  });
});
