import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { foodmartMissing } from '../testing/foodmart.ts';
import { type FoodmartRows, readEmployees, readFoodmart } from './testing/foodmart-oracle.ts';
import { type OpenFoodmart, openFoodmart } from './testing/open-foodmart.ts';
import { Choices, NotDecided, QueryMaker, type RandomQuery } from './testing/random-foodmart.ts';

const QUERIES = 150;
const DECISIONS = 120;

describe.skipIf(foodmartMissing() !== undefined)(
  titleNeeding('random queries over FoodMart', foodmartMissing()),
  () => {
    let foodmart: OpenFoodmart;
    let rows: FoodmartRows;
    beforeAll(async () => {
      foodmart = await openFoodmart(startWarehouse);
      rows = await readFoodmart(foodmart.warehouse);
    });
    afterAll(() => foodmart.stop());

    it(`yield what loops over the rows yield (seed ${SEED})`, { timeout: 300_000 }, async () => {
      let asked = 0;
      for (const numbers of draws()) {
        const query = made(rows, numbers);
        if (query === undefined) continue;
        asked++;
        const { axes, cells } = await foodmart.catalog.query(query.mdx);
        const found = (axes[1]?.tuples ?? []).map(([member]) => member?.uniqueName);
        expect(found, query.mdx).toEqual(query.rows);
        const values = query.rows.map((_, row) => cells.slice(row * 3, row * 3 + 3).map(({ value }) => value));
        expect(values, query.mdx).toEqual(query.cells);
      }
      expect(asked).toBeGreaterThan(QUERIES / 2);
    });

    it(`find the employees that the tree of leaders has (seed ${SEED})`, { timeout: 300_000 }, async () => {
      const tree = await readEmployees(foodmart.warehouse);
      let found = 0;
      for (const numbers of draws()) {
        const { mdx, value } = new QueryMaker(rows, new Choices(numbers)).makeSet(tree);
        const { axes } = await foodmart.catalog.query(`SELECT {${mdx}} ON 0 FROM [HR]`);
        const names = (axes[0]?.tuples ?? []).map(([member]) => member?.uniqueName);
        expect(names, mdx).toEqual(value.map(({ uniqueName }) => uniqueName));
        found += names.length;
      }
      expect(found).toBeGreaterThan(QUERIES);
    });
  },
);

function draws(): readonly (readonly number[])[] {
  const decisions = fc.array(fc.nat(), { minLength: DECISIONS, maxLength: DECISIONS });
  return fc.sample(decisions, { numRuns: QUERIES, seed: SEED });
}

/** Makes a query; `undefined` for one whose answer the language leaves open. */
function made(rows: FoodmartRows, numbers: readonly number[]): RandomQuery | undefined {
  try {
    return new QueryMaker(rows, new Choices(numbers)).make();
  } catch (error) {
    if (error instanceof NotDecided) return undefined;
    throw error;
  }
}
