/**
 * Queries of FoodMart's cubes through POST /ai/query. Two engines must give the same answers, and some answers are
 * checked by SQL.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerRecord } from '../../../router/capabilities/query-source.ts';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';
import {
  foodmartCopies,
  foodmartDirectory,
  foodmartMissing,
  foodmartSchema,
  foodmartTables,
} from '../testing/foodmart.ts';
import { foodmartRequests, recordsBySql, writtenOut } from '../testing/foodmart-requests.ts';

const SALES = 'test/FoodMart/FoodMart/Sales';
const WAREHOUSE = 'test/FoodMart/FoodMart/Warehouse';
const BOTH = 'test/FoodMart/FoodMart/Warehouse and Sales';
const RAGGED = 'test/FoodMart/FoodMart/Sales Ragged';
const HR = 'test/FoodMart/FoodMart/HR';

const measures = (...names: string[]) => names.map((name) => ({ name }));
const by = (dimension: string, level: string) => ({ dimension, level });
const unitSales = { cube: SALES, measures: measures('Unit Sales') };
const top = (by: string, limit: number) => ({ order: [{ by, direction: 'DESC' }], limit });

const QUERIES: readonly (readonly [name: string, request: object])[] = [
  ['the grand total', unitSales],
  [
    'all measures',
    {
      cube: SALES,
      measures: measures('Unit Sales', 'Store Cost', 'Store Sales', 'Sales Count', 'Customer Count', 'Profit'),
    },
  ],
  ['by state', { ...unitSales, rows: [by('Store', 'Store State')] }],
  ['by state and city', { ...unitSales, rows: [by('Store', 'Store State'), by('Store', 'Store City')] }],
  ['by family', { ...unitSales, rows: [by('Product', 'Product Family')] }],
  [
    'by department with profit',
    { cube: SALES, measures: measures('Profit', 'Store Sales'), rows: [by('Product', 'Product Department')] },
  ],
  ['by month', { ...unitSales, rows: [by('Time', 'Month')] }],
  ['by quarter and gender', { ...unitSales, rows: [by('Time', 'Quarter'), by('Gender', 'Gender')] }],
  ['quarters across', { ...unitSales, rows: [by('Product', 'Product Family')], columns: [by('Time', 'Quarter')] }],
  [
    'two hierarchies across',
    {
      ...unitSales,
      rows: [by('Store', 'Store State')],
      columns: [by('Gender', 'Gender'), by('Marital Status', 'Marital Status')],
    },
  ],
  ['the top ten customers', { ...unitSales, rows: [by('Customers', 'Name')], ...top('Unit Sales', 10) }],
  [
    'the top five brands by profit',
    { cube: SALES, measures: measures('Profit'), rows: [by('Product', 'Brand Name')], ...top('Profit', 5) },
  ],
  [
    'the lowest five cities',
    { ...unitSales, rows: [by('Store', 'Store City')], order: [{ by: 'Unit Sales' }], limit: 5 },
  ],
  [
    'ordered by two measures',
    {
      cube: SALES,
      measures: measures('Customer Count', 'Unit Sales'),
      rows: [by('Education Level', 'Education Level')],
      order: [{ by: 'Customer Count', direction: 'desc' }, { by: 'Unit Sales' }],
    },
  ],
  ['the first seven', { ...unitSales, rows: [by('Customers', 'City')], limit: 7 }],
  [
    'top with columns',
    {
      ...unitSales,
      rows: [by('Product', 'Product Category')],
      columns: [by('Gender', 'Gender')],
      ...top('Unit Sales', 4),
    },
  ],
  [
    'top with some columns',
    {
      ...unitSales,
      rows: [by('Product', 'Product Category')],
      columns: [{ ...by('Time', 'Quarter'), members: ['[Time].[1997].[Q4]', '[Time].[1997].[Q1]'] }],
      ...top('Unit Sales', 4),
    },
  ],
  [
    'filtered by a state',
    {
      ...unitSales,
      rows: [by('Product', 'Product Family')],
      filters: [{ ...by('Store', 'Store State'), members: ['[Store].[USA].[CA]'] }],
    },
  ],
  [
    'filtered by two cities',
    {
      ...unitSales,
      rows: [by('Product', 'Product Family')],
      filters: [{ ...by('Store', 'Store City'), members: ['Los Angeles', 'Seattle'] }],
    },
  ],
  [
    'filtered without a state',
    {
      ...unitSales,
      rows: [by('Store', 'Store City')],
      filters: [{ ...by('Store', 'Store State'), op: 'not_in', members: ['WA'] }],
    },
  ],
  [
    'filtered by a range of months',
    {
      ...unitSales,
      rows: [by('Time', 'Month')],
      filters: [
        { ...by('Time', 'Month'), op: 'between', members: ['[Time].[1997].[Q1].[2]', '[Time].[1997].[Q3].[7]'] },
      ],
    },
  ],
  [
    'filtered by descendants',
    {
      ...unitSales,
      rows: [by('Gender', 'Gender')],
      filters: [{ ...by('Product', 'Product Category'), op: 'descendants_of', members: ['[Product].[Drink]'] }],
    },
  ],
  [
    'filtered below what is shown',
    {
      ...unitSales,
      rows: [by('Store', 'Store State')],
      filters: [{ ...by('Store', 'Store City'), members: ['Los Angeles', 'Seattle', 'Tacoma'] }],
    },
  ],
  [
    'customers filtered below what is shown',
    {
      cube: SALES,
      measures: measures('Customer Count'),
      rows: [by('Time', 'Quarter')],
      filters: [{ ...by('Time', 'Month'), members: ['[Time].[1997].[Q1].[1]', '[Time].[1997].[Q1].[2]'] }],
    },
  ],
  [
    'filtered by two hierarchies',
    {
      ...unitSales,
      rows: [by('Store', 'Store State')],
      filters: [
        { ...by('Gender', 'Gender'), members: ['F'] },
        { ...by('Time', 'Quarter'), members: ['[Time].[1997].[Q2]'] },
      ],
    },
  ],
  [
    'distinct customers of two quarters',
    {
      cube: SALES,
      measures: measures('Customer Count'),
      filters: [{ ...by('Time', 'Quarter'), members: ['[Time].[1997].[Q1]', '[Time].[1997].[Q2]'] }],
    },
  ],
  [
    'the last three months of August',
    {
      ...unitSales,
      rows: [by('Time', 'Month')],
      filters: [{ ...by('Time', 'Month'), op: 'relative', value: 'last_n_months', n: 3 }],
    },
  ],
  ['the year so far', { ...unitSales, filters: [{ ...by('Time', 'Month'), op: 'relative', value: 'ytd' }] }],
  [
    'the previous quarter',
    {
      ...unitSales,
      rows: [by('Time', 'Quarter')],
      filters: [{ ...by('Time', 'Quarter'), op: 'relative', value: 'previous_period' }],
    },
  ],
  ['by week', { ...unitSales, rows: [{ dimension: 'Time', hierarchy: 'Weekly', level: 'Week' }], limit: 5 }],
  ['empty states too', { ...unitSales, rows: [by('Store', 'Store State')], nonEmpty: false }],
  [
    'members of several levels',
    {
      ...unitSales,
      rows: [{ dimension: 'Store', members: ['[Store].[USA]', '[Store].[USA].[OR]', '[Store].[USA].[OR].[Salem]'] }],
    },
  ],
  [
    'visual totals',
    {
      ...unitSales,
      rows: [{ dimension: 'Store', members: ['[Store].[USA]', '[Store].[USA].[OR]'] }],
      visualTotals: true,
    },
  ],
  ['by store type', { ...unitSales, rows: [by('Store Type', 'Store Type')] }],
  [
    'by promotion media, the top four',
    { ...unitSales, rows: [by('Promotion Media', 'Media Type')], ...top('Unit Sales', 4) },
  ],
  [
    'by yearly income',
    { cube: SALES, measures: measures('Customer Count', 'Store Sales'), rows: [by('Yearly Income', 'Yearly Income')] },
  ],
  [
    'of the warehouse',
    {
      cube: WAREHOUSE,
      measures: measures('Store Invoice', 'Units Shipped', 'Warehouse Sales'),
      rows: [by('Warehouse', 'Country'), by('Warehouse', 'State Province')],
    },
  ],
  [
    'average warehouse sales',
    {
      cube: WAREHOUSE,
      measures: measures('Warehouse Cost', 'Warehouse Sales'),
      rows: [by('Product', 'Product Family')],
      columns: [by('Time', 'Quarter')],
    },
  ],
  [
    'over two facts',
    { cube: BOTH, measures: measures('Unit Sales', 'Units Shipped'), rows: [by('Product', 'Product Family')] },
  ],
  [
    'ranked over two facts',
    {
      cube: BOTH,
      measures: measures('Store Sales', 'Warehouse Sales'),
      rows: [by('Store', 'Store City')],
      ...top('Warehouse Sales', 6),
    },
  ],
  [
    'of a ragged hierarchy',
    { cube: RAGGED, measures: measures('Unit Sales'), rows: [by('Store', 'Store Country'), by('Store', 'Store City')] },
  ],
  [
    'of employees',
    {
      cube: HR,
      measures: measures('Org Salary', 'Number of Employees'),
      rows: [by('Employees', 'Employee Id')],
      limit: 12,
    },
  ],
  [
    'of departments',
    { cube: HR, measures: measures('Org Salary', 'Count'), rows: [by('Department', 'Department Description')] },
  ],
];

const directory = foodmartDirectory();

if (directory === undefined) {
  it.skip(titleNeeding('FoodMart', foodmartMissing()), () => undefined);
} else {
  describe('FoodMart', () => {
    const engines = ['duckdb', 'postgresql'] as const;
    let folder: string;
    let state: StateStore;
    const started = new Map<string, { readonly warehouse: TestWarehouse; readonly cubes: Fixture }>();

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'service-foodmart-'));
      state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
      await state.migrate({ cube: recentQueryMigrations });
      // DuckDB reads the files itself, twenty times faster than statements.
      const tables = { duckdb: foodmartCopies(directory), postgresql: foodmartTables(directory) };
      for (const engine of engines) {
        const warehouse = await startWarehouse(engine, tables[engine]);
        const cubes = await Fixture.open({
          warehouses: warehouse.warehouses,
          address: warehouse.address,
          cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
          state,
          // The clock is in the year of the data.
          clock: () => Date.UTC(1997, 7, 20),
          schema: foodmartSchema(directory),
        });
        started.set(engine, { warehouse, cubes });
      }
    });
    afterAll(async () => {
      for (const { warehouse, cubes } of started.values()) {
        await cubes.close();
        await warehouse.stop();
      }
      await state.close();
      await rm(folder, { recursive: true });
    });

    function on(engine: (typeof engines)[number]) {
      const warehouse = started.get(engine);
      if (warehouse === undefined) throw new Error(`${engine} was not started`);
      return warehouse;
    }

    async function sql(
      statement: string,
      engine: (typeof engines)[number] = 'postgresql',
    ): Promise<readonly (readonly unknown[])[]> {
      const result = await on(engine).warehouse.warehouse.query(
        { sql: statement, parameters: [] },
        { maxRows: 100_000 },
      );
      return Array.from({ length: result.rowCount }, (_, row) => result.values.map((column) => plain(column[row])));
    }

    it('is read with at most warnings', () => {
      expect(on('duckdb').cubes.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    });

    it.each(QUERIES)('answers %s the same on both engines', async (_, request) => {
      const [duckdb, postgresql] = await Promise.all(
        engines.map((engine) => on(engine).cubes.call('POST /query', request)),
      );
      expect(duckdb?.status, JSON.stringify(duckdb?.body)).toBe(200);
      expect(duckdb?.body.totalRows).toBeGreaterThan(0);
      expect(rounded(postgresql?.body.data)).toEqual(rounded(duckdb?.body.data));
    });

    it("drills through to the facts of a virtual cube's measure, with the levels that they reach", async () => {
      const request = {
        cube: BOTH,
        measures: measures('Units Shipped', 'Unit Sales'),
        rows: [by('Product', 'Product Family')],
      };
      const { cubes } = on('duckdb');
      const { body } = await cubes.call('POST /query', request);
      const drilled = async (position: string) => {
        const { status, body: rows } = await cubes.call(
          `GET /query/${body.queryId}/drillthrough?position=${position}&maxrows=10000`,
        );
        expect(status, JSON.stringify(rows)).toBe(200);
        return rows;
      };
      const shipped = await drilled('0:0'); // Drink
      const [[facts, units] = []] = await sql(
        `SELECT COUNT(*), SUM(f.units_shipped) FROM inventory_fact_1997 f JOIN product p ON p.product_id = f.product_id
         JOIN product_class c ON c.product_class_id = p.product_class_id WHERE c.product_family = 'Drink'`,
      );
      expect(shipped.rowCount).toBe(facts);
      const sum = shipped.rows.reduce(
        (all: number, row: Record<string, number>) => all + Number(row['Units Shipped']),
        0,
      );
      expect(sum).toBe(units);
      expect(Object.keys(shipped.rows[0])).toContain('Warehouse Name');
      const sold = await drilled('1:0');
      expect(sold.rows[0]).toMatchObject({ 'Product Family': 'Drink' });
      expect(Object.keys(sold.rows[0])).not.toContain('Warehouse Name');
    });

    const SALES_ROWS = `FROM sales_fact_1997 f JOIN store s ON s.store_id = f.store_id JOIN time_by_day t ON t.time_id = f.time_id
      JOIN product p ON p.product_id = f.product_id JOIN product_class c ON c.product_class_id = p.product_class_id
      JOIN customer u ON u.customer_id = f.customer_id`;

    it.each<[name: string, statement: string]>([
      ['by state', `SELECT s.store_state, SUM(f.unit_sales) ${SALES_ROWS} GROUP BY 1 ORDER BY 1`],
      ['by family', `SELECT c.product_family, SUM(f.unit_sales) ${SALES_ROWS} GROUP BY 1 ORDER BY 1`],
      [
        'filtered by two cities',
        `SELECT c.product_family, SUM(f.unit_sales) ${SALES_ROWS} WHERE s.store_city IN ('Los Angeles', 'Seattle') GROUP BY 1 ORDER BY 1`,
      ],
      [
        'filtered below what is shown',
        `SELECT s.store_state, SUM(f.unit_sales) ${SALES_ROWS} WHERE s.store_city IN ('Los Angeles', 'Seattle', 'Tacoma') GROUP BY 1 ORDER BY 1`,
      ],
      [
        'customers filtered below what is shown',
        `SELECT t.quarter, COUNT(DISTINCT f.customer_id) ${SALES_ROWS} WHERE t.month_of_year IN (1, 2) GROUP BY 1`,
      ],
      [
        'distinct customers of two quarters',
        `SELECT COUNT(DISTINCT f.customer_id) ${SALES_ROWS} WHERE t.quarter IN ('Q1', 'Q2')`,
      ],
      [
        'filtered by descendants',
        `SELECT u.gender, SUM(f.unit_sales) ${SALES_ROWS} WHERE c.product_family = 'Drink' GROUP BY 1 ORDER BY 1`,
      ],
      [
        'the last three months of August',
        `SELECT CAST(t.month_of_year AS VARCHAR), SUM(f.unit_sales) ${SALES_ROWS} WHERE t.month_of_year IN (6, 7, 8) GROUP BY t.month_of_year ORDER BY t.month_of_year`,
      ],
      ['the year so far', `SELECT SUM(f.unit_sales) ${SALES_ROWS} WHERE t.month_of_year <= 8`],
      ['the lowest five cities', `SELECT s.store_city, SUM(f.unit_sales) ${SALES_ROWS} GROUP BY 1 ORDER BY 2 LIMIT 5`],
      [
        'the top five brands by profit',
        `SELECT p.brand_name, SUM(f.store_sales) - SUM(f.store_cost) ${SALES_ROWS} GROUP BY c.product_family, c.product_department, c.product_category, c.product_subcategory, p.brand_name ORDER BY 2 DESC LIMIT 5`,
      ],
      [
        'top with some columns',
        `SELECT c.product_category, SUM(CASE WHEN t.quarter = 'Q4' THEN f.unit_sales END), SUM(CASE WHEN t.quarter = 'Q1' THEN f.unit_sales END)
         ${SALES_ROWS} WHERE t.quarter IN ('Q1', 'Q4') GROUP BY c.product_family, c.product_department, c.product_category ORDER BY SUM(f.unit_sales) DESC LIMIT 4`,
      ],
    ])('answers %s like SQL written by hand', async (name, statement) => {
      const request = QUERIES.find(([each]) => each === name)?.[1];
      if (request === undefined) throw new Error(`there is no query ${name}`);
      expect(rounded(await on('duckdb').cubes.table(request))).toEqual(rounded(await sql(statement)));
    });

    it(`answers random requests like SQL on both engines (SEED=${SEED})`, { timeout: 900_000 }, async () => {
      const seen = { order: 0, limit: 0, columns: 0, filters: 0 };
      // Both engines are compared with SQL on one of them. DuckDB joins the six tables twenty times faster.
      const plainSql = (statement: string) => sql(statement, 'duckdb');
      await fc.assert(
        fc.asyncProperty(foodmartRequests, async (drawn) => {
          const { request, where } = await writtenOut(drawn, SALES, plainSql);
          const expected = await recordsBySql(drawn, where, plainSql);
          for (const engine of engines) {
            const answer = await on(engine).cubes.surface.source.prepare(request).run(scope('ROLE_ADMIN'), {});
            const records = answer.records.map((record) => answer.columns.map(({ key }) => cellValue(record[key])));
            // An answer has at most as many rows as the server allows.
            const cut = answer.meta.truncated ? MAX_ROWS : expected.length;
            expect(rounded(records), `${engine}: ${JSON.stringify(request)}`).toEqual(rounded(expected.slice(0, cut)));
            expect(answer.meta.truncated).toBe(expected.length > MAX_ROWS);
          }
          for (const member of ['order', 'limit', 'columns', 'filters'] as const)
            if (request[member] !== undefined) seen[member]++;
        }),
        { seed: SEED, numRuns: REQUESTS },
      );
      for (const times of [seen.order, seen.limit, seen.columns, seen.filters])
        expect(times).toBeGreaterThan(REQUESTS / 8);
    });
  });
}

const REQUESTS = Number(process.env.REQUESTS ?? 48);
/** The maximum of rows in the settings of the fixture. */
const MAX_ROWS = 10_000;

function cellValue(cell: AnswerRecord[string] | undefined): unknown {
  return typeof cell === 'object' && cell !== null ? cell.value : cell;
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+\.\d+$/.test(value)) ? Number(value) : value;
}

/** Rounds numbers. Sums of decimals differ in their last bits, depending on the order in which an engine adds. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
}
