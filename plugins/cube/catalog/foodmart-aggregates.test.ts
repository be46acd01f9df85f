/** FoodMart with aggregate tables: random queries have the answers of loops over the rows. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { openCatalog } from '../mdx/index.ts';
import { readFoodmart } from '../mdx/testing/foodmart-oracle.ts';
import { Choices, NotDecided, QueryMaker, type RandomQuery } from '../mdx/testing/random-foodmart.ts';
import { recorded } from '../mdx/testing/recorded.ts';
import { readSchema } from '../schema/read-schema.ts';
import { foodmartDirectory, foodmartMissing, foodmartSchema, foodmartTables } from '../testing/foodmart.ts';
import {
  FOODMART_AGGREGATE_NAMES,
  FOODMART_AGGREGATES,
  withFoodmartAggregates,
} from '../testing/foodmart-aggregates.ts';
import { bindAggregates } from './bind-aggregates.ts';

const QUERIES = 30;
const DECISIONS = 120;
const WARM_UP = 'SELECT {[Measures].[Unit Sales]} ON 0 FROM [Sales]';

describeEngines(
  titleNeeding('FoodMart with aggregate tables on $engine', foodmartMissing()),
  (engine) => {
    it.skipIf(foodmartMissing() !== undefined)(
      `gives the results of loops over the rows (seed ${SEED})`,
      { timeout: 300_000 },
      async () => {
        const directory = foodmartDirectory() ?? '';
        const started = await startWarehouse(engine, [
          ...foodmartTables(directory),
          ...FOODMART_AGGREGATES,
          // Without statistics PostgreSQL joins these tables row by row.
          'ANALYZE',
        ]);
        const { schema: written } = readSchema(withFoodmartAggregates(foodmartSchema(directory)));
        if (written === undefined) throw new Error('FoodMart has no schema');
        const { schema, problems } = await bindAggregates(written, started.warehouse);
        expect(problems).toEqual([]);
        const ran = recorded(started.warehouse);
        const catalog = openCatalog({ schema, warehouse: ran.warehouse });
        try {
          await catalog.query(WARM_UP);
          await catalog.aggregatesCompared();
          const rows = await readFoodmart(started.warehouse);
          ran.clear();
          let queries = 0;
          for (const numbers of fc.sample(fc.array(fc.nat(), { minLength: DECISIONS, maxLength: DECISIONS }), {
            numRuns: QUERIES,
            seed: SEED,
          })) {
            const query = made(() => new QueryMaker(rows, new Choices(numbers)).make());
            if (query === undefined) continue;
            queries++;
            const { axes, cells } = await catalog.query(query.mdx);
            const names = (axes[1]?.tuples ?? []).map(([member]) => member?.uniqueName);
            expect(names, query.mdx).toEqual(query.rows);
            const values = query.rows.map((_, row) => cells.slice(row * 3, row * 3 + 3).map(({ value }) => value));
            expect(values, query.mdx).toEqual(query.cells);
          }
          expect(queries).toBeGreaterThan(QUERIES / 2);
          const read = ran.statements.filter((text) => FOODMART_AGGREGATE_NAMES.test(text));
          expect(read.length).toBeGreaterThan(3);
        } finally {
          await catalog.close();
          await started.stop();
        }
      },
    );
  },
  { engines: ['duckdb', 'postgresql'] },
);

/** Makes a query; `undefined` if the language does not define its answer. */
function made(make: () => RandomQuery): RandomQuery | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NotDecided) return undefined;
    throw error;
  }
}
