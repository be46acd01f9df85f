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

    it(`give the results of loops over the rows (seed ${SEED})`, { timeout: 300_000 }, async () => {
      let queries = 0;
      for (const numbers of draws()) {
        const query = made(rows, numbers);
        if (query === undefined) continue;
        queries++;
        const { axes, cells } = await foodmart.catalog.query(query.mdx);
        const rowNames = (axes[1]?.tuples ?? []).map(([member]) => member?.uniqueName);
        expect(rowNames, query.mdx).toEqual(query.rows);
        const values = query.rows.map((_, row) => cells.slice(row * 3, row * 3 + 3).map(({ value }) => value));
        expect(values, query.mdx).toEqual(query.cells);
      }
      expect(queries).toBeGreaterThan(QUERIES / 2);
    });

    it(`find the employees of the tree of leaders (seed ${SEED})`, { timeout: 300_000 }, async () => {
      const tree = await readEmployees(foodmart.warehouse);
      let employees = 0;
      for (const numbers of draws()) {
        const { mdx, value } = new QueryMaker(rows, new Choices(numbers)).makeSet(tree);
        const { axes } = await foodmart.catalog.query(`SELECT {${mdx}} ON 0 FROM [HR]`);
        const names = (axes[0]?.tuples ?? []).map(([member]) => member?.uniqueName);
        expect(names, mdx).toEqual(value.map(({ uniqueName }) => uniqueName));
        employees += names.length;
      }
      expect(employees).toBeGreaterThan(QUERIES);
    });
  },
);

function draws(): readonly (readonly number[])[] {
  const decisions = fc.array(fc.nat(), { minLength: DECISIONS, maxLength: DECISIONS });
  return fc.sample(decisions, { numRuns: QUERIES, seed: SEED });
}

/** Makes a query; `undefined` if the language does not define its answer. */
function made(rows: FoodmartRows, numbers: readonly number[]): RandomQuery | undefined {
  try {
    return new QueryMaker(rows, new Choices(numbers)).make();
  } catch (error) {
    if (error instanceof NotDecided) return undefined;
    throw error;
  }
}
