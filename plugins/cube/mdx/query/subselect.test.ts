import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../../router/testing/not-run.ts';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { foodmartMissing } from '../../testing/foodmart.ts';
import type { MdxCatalog, QueryOptions } from '../index.ts';
import { names } from '../testing/ask.ts';
import { type OpenFoodmart, openFoodmart } from '../testing/open-foodmart.ts';
import { LARGE_LEVELS } from '../testing/open-schema.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

describe.each(LARGE_LEVELS)('a query in FROM, levels of more than %i members read in parts,', (largeLevel) => {
  let started: TestWarehouse;
  let shop: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', SHOP_TABLES);
    shop = openShop(started.warehouse, { largeLevel });
  });
  afterAll(async () => {
    await shop.close();
    await started.stop();
  });
  const ask = async (mdx: string, options: QueryOptions = {}) => {
    const result = await shop.query(mdx, options);
    return `${names(result)}: ${result.cells.map(({ formatted }) => formatted).join(' ')}`;
  };

  // Units: Oslo 10 (2023 Q1), 20 (2023 Q2); Bergen 5 (2023 Q1), 4 (2024 Q2); Rome 7 (2023 Q1), 1 (2024 Q1).
  it.each([
    [
      'leaves the members, those above and those below, and totals of them',
      'select [Store].Members on 0 from (select {[Store].[North].[Oslo]} on 0 from Sales)',
      'All Stores North North.Oslo: 30 30 30',
    ],
    [
      'includes the members below its own',
      'select [Store].Members on 0 from (select {[Store].[North]} on 0 from Sales)',
      'All Stores North North.Bergen North.Oslo: 35 35 5 30',
    ],
    [
      'leaves the current member where it was',
      'with member Measures.N as [Store].CurrentMember.Name select {Measures.N} on 0 from (select {[Store].[North]} on 0 from Sales)',
      'N: All Stores',
    ],
    [
      'takes several axes and a slicer',
      'select {[Store]} on 0 from (select {[Store].[North]} on 0, {[Customer].[ann]} on 1 from Sales where [Time].[2023].[Q1])',
      'All Stores: 15',
    ],
    [
      'takes tuples that are no product',
      'select [Store].[Region].Members on 0 from (select {([Store].[North], [Customer].[ann]), ([Store].[South], [Customer].[cat])} on 0 from Sales)',
      'North South: 15 7',
    ],
    [
      'takes sets in parentheses',
      'select [Store].[Region].Members on 0 from (select ({[Store].[North]}, {[Customer].[ann], [Customer].[bob]}) on 0 from Sales)',
      'North: 35',
    ],
    [
      'stands in another one',
      `select [Store].Members on 0 from (select {[Store].[North].[Oslo], [Store].[South]} on 0
         from (select {[Store].[North]} on 0 from (select {[Customer].[ann]} on 0 from Sales)))`,
      'All Stores North North.Oslo: 10 10 10',
    ],
    [
      'has members outside of it left out of sets',
      'select {[Store].[South], [Store].[North], [Store].[South].[Rome]} on 0 from (select {[Store].[North]} on 0 from Sales)',
      'North: 35',
    ],
    [
      'has nothing at members outside of it',
      'with member Measures.S as ([Measures].[Units], [Store].[South]) select {[Measures].[Units], Measures.S} on 0 from (select {[Store].[North]} on 0 from Sales)',
      'Units S: 35 ',
    ],
    [
      'restricts distinct counts',
      'select {[Measures].[Customers]} on 0 from (select {[Store].[South]} on 0, {[Time].[2023], [Time].[2024]} on 1 from Sales)',
      'Customers: 1',
    ],
    [
      'makes another default member where it leaves out the old one',
      'select {[Time]} on 0 from (select {[Time].[2024].[Q2]} on 0 from Sales)',
      '2024: 4',
    ],
    [
      'ranks by values within the query in FROM',
      'select [Store].[Name].Members on 0 from (select TopCount([Store].[Name].Members, 2, ([Measures].[Units], [Customer].[ann])) on 0 from Sales)',
      'North.Bergen North.Oslo: 5 30',
    ],
    [
      'drops what is empty where its axis is NON EMPTY',
      'select [Customer].[Customer].Members on 0 from (select non empty [Customer].[Customer].Members on 0 from Sales where [Store].[South])',
      'cat: 7',
    ],
    [
      'leaves measures',
      'select [Measures].Members on 0 from (select {[Measures].[Amount]} on 0 from Sales)',
      'Amount: 420.50',
    ],
    [
      'leaves nothing where it is empty',
      'select {[Store]} on 0 from (select {} * {[Store].[North]} on 0 from Sales)',
      'All Stores: ',
    ],
    [
      'is drilled in',
      'select Hierarchize(DrilldownMember({DrilldownLevel({[Store].[All Stores]},,,INCLUDE_CALC_MEMBERS)}, {[Store].[North]},,,INCLUDE_CALC_MEMBERS)) on 0 from (select {[Store].[North].[Oslo], [Store].[South]} on 0 from Sales)',
      'All Stores North North.Oslo South: 37 30 30 7',
    ],
    [
      'stands beside WHERE and NON EMPTY',
      'select non empty [Store].[Name].Members on 0 from (select {[Store].[North]} on 0 from Sales) where [Time].[2024]',
      'North.Bergen: 4',
    ],
    [
      'keeps the own data of parent-child members and the members below',
      'select [Employee].Members on 0 from (select {[Employee].[Ada].[Bo]} on 0 from Staff)',
      'All Staff Ada Ada.Bo Ada.Bo.Di: 60 60 60 10',
    ],
    [
      'keeps to it without a closure table too',
      'select [Employee].Members on 0 from (select {[Employee].[Ada].[Bo]} on 0 from [Staff without closure])',
      'All Staff Ada Ada.Bo Ada.Bo.Di: 60 60 60 10',
    ],
  ])('%s', async (_, mdx, expected) => {
    expect(await ask(mdx)).toBe(expected);
    // The second time, the sub-cube's kept data must be the same.
    expect(await ask(mdx)).toBe(expected);
  });

  it('does not change the cube for other queries', async () => {
    await ask('select {[Store]} on 0 from (select {[Store].[North]} on 0 from Sales)');
    expect(await ask('select [Store].Members on 0 from Sales')).toBe(
      'All Stores North North.Bergen North.Oslo South South.Rome: 42 35 5 30 7 7',
    );
  });

  it('shows a role no more than it sees', async () => {
    const roles = ['north']; // The role is without Bergen and the South. Totals include only what it sees.
    expect(await ask('select [Store].Members on 0 from (select {[Store].[North]} on 0 from Sales)', { roles })).toBe(
      'All Stores North North.Oslo: 30 30 30',
    );
    for (const hidden of ['[Store].[South]', '[Store].[North].[Bergen]', '[Customer].[ann]']) {
      const refused = shop.query(`select {[Store]} on 0 from (select {${hidden}} on 0 from Sales)`, { roles });
      await expect(refused).rejects.toThrow(/not found/);
    }
    const stripped =
      'with member Measures.N as Count([Store].[Name].Members) select {Measures.N} on 0 from (select {[Store]} on 0 from Sales)';
    expect(await ask(stripped, { roles })).toBe('N: 1');
  });

  it('restricts a drill-through', async () => {
    const { rows } = await shop.drillthrough(
      'select {[Measures].[Units]} on 0 from (select {[Store].[North]} on 0, {[Customer].[bob]} on 1 from Sales) where [Time].[2023]',
      { maxRows: 10 },
    );
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['select {} on 0 from (select {[Store].[Norht]} on 0 from Sales)', /\[Store\]\.\[Norht\]' not found/],
    [
      'select {} on 0 from (select {[Measures].[Price]} on 0 from Sales)',
      /is a calculated member; a query in FROM takes stored members/,
    ],
    ['select {} on 0 from (select {[Store].[North]} on 0 from Sales', /expected/],
    ['select {} on 0 from (with member Measures.X as 1 select {Measures.X} on 0 from Sales)', /WITH/i],
    [`select {} on 0 from ${'(select from '.repeat(21)} Sales${')'.repeat(21)}`, /More than 20 queries in FROM/],
  ])('is refused: %s', async (mdx, message) => {
    await expect(shop.query(mdx)).rejects.toThrow(message);
  });
});

describe.skipIf(foodmartMissing() !== undefined)(titleNeeding('a query in FROM of FoodMart', foodmartMissing()), () => {
  let foodmart: OpenFoodmart;
  beforeAll(async () => {
    foodmart = await openFoodmart(startWarehouse);
  });
  afterAll(() => foodmart.stop());

  it('adds up the same facts as SQL with the same condition', async () => {
    const { cells, axes } = await foodmart.catalog.query(
      `SELECT {[Measures].[Unit Sales], [Measures].[Customer Count]} ON 0, NON EMPTY [Product].[Product Family].Members * [Gender].Members ON 1
       FROM (SELECT ({[Store].[USA].[CA], [Store].[USA].[OR].[Portland]}, {[Education Level].[Bachelors Degree]}) ON 0
         FROM (SELECT {[Time].[1997].[Q1], [Time].[1997].[Q3].[8]} ON 0 FROM [Sales]))`,
    );
    const { values, rowCount } = await foodmart.warehouse.query(
      {
        sql: `SELECT pc.product_family, coalesce(c.gender, 'All Gender') AS g, sum(f.unit_sales), count(DISTINCT f.customer_id)
          FROM sales_fact_1997 f JOIN store s USING (store_id) JOIN time_by_day t USING (time_id) JOIN customer c USING (customer_id)
            JOIN product p USING (product_id) JOIN product_class pc USING (product_class_id)
          WHERE (s.store_state = 'CA' OR s.store_city = 'Portland') AND c.education = 'Bachelors Degree'
            AND t.the_year = 1997 AND (t.quarter = 'Q1' OR t.month_of_year = 8)
          GROUP BY GROUPING SETS ((pc.product_family, c.gender), (pc.product_family)) ORDER BY 1, 2`,
        parameters: [],
      },
      { maxRows: 100 },
    );
    expect(rowCount).toBe(9);
    const rows = (axes[1]?.tuples ?? []).map((tuple, row) =>
      [...tuple.map(({ name }) => name), cells[row * 2]?.value, cells[row * 2 + 1]?.value].map(String),
    );
    expect(rows).toEqual(Array.from({ length: rowCount }, (_, row) => values.map((column) => String(column[row]))));
  });
});
