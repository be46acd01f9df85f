import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AskableWarehouse, checksum, generated, TABLES } from '../testing/warehouse.ts';
import { DEFAULT_FACT_ROWS, DEFAULT_SEED } from './generate.ts';

/** The dates and factors below are written out by hand from `demo/README.md`. */

let warehouse: AskableWarehouse;

beforeAll(async () => {
  const started = performance.now();
  warehouse = await generated({ seed: DEFAULT_SEED, factRows: DEFAULT_FACT_ROWS });
  console.log(`a million sales in ${((performance.now() - started) / 1000).toFixed(1)} s (budget 20 s)`);
  console.log(await checksum(warehouse));
});

afterAll(async () => warehouse?.close());

const count = (from: string): Promise<number> => warehouse.number(`SELECT count(*) FROM ${from}`);

describe('the tables', () => {
  test('have the promised sizes', async () => {
    expect(await count('sales')).toBe(1_000_000);
    expect(await count('stores')).toBe(60);
    expect(await count('products')).toBe(800);
    expect(await count('customers')).toBe(20_000);
    expect(await count('calendar')).toBe(1096);
    expect(await count('inventory')).toBeGreaterThan(500_000);
  });

  test('each have a primary key that the engine enforces', async () => {
    const keyed = await warehouse.rows(
      "SELECT table_name FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY' ORDER BY table_name",
    );
    expect(keyed.flat()).toEqual([...TABLES].sort());
  });

  test.each([
    ['sales', 'date', 'calendar', 'date'],
    ['sales', 'store_id', 'stores', 'store_id'],
    ['sales', 'product_id', 'products', 'product_id'],
    ['sales', 'customer_id', 'customers', 'customer_id'],
    ['inventory', 'snapshot_date', 'calendar', 'date'],
    ['inventory', 'store_id', 'stores', 'store_id'],
    ['inventory', 'product_id', 'products', 'product_id'],
  ])('%s.%s is empty or names a row of %s', async (fact, key, dimension, primary) => {
    const orphans = `${fact} WHERE ${key} IS NOT NULL AND ${key} NOT IN (SELECT ${primary} FROM ${dimension})`;
    expect(await count(orphans)).toBe(0);
  });

  test('have an unknown customer in about a third of the lines, and no other unknown key', async () => {
    const walkIns = (await count('sales WHERE customer_id IS NULL')) / 1_000_000;
    expect(walkIns).toBeGreaterThan(0.3);
    expect(walkIns).toBeLessThan(0.4);
  });

  test("have calendar columns that equal the engine's own computation", async () => {
    const wrong = `calendar WHERE year <> year(date) OR month <> date_trunc('month', date) OR month_number <> month(date)
      OR iso_week <> weekofyear(date) OR weekday_number <> isodow(date) OR weekday <> dayname(date)
      OR month_name <> monthname(date) OR quarter <> year(date) || '-Q' || quarter(date)
      OR is_weekend <> (isodow(date) IN (6, 7)) OR is_holiday <> (holiday_name IS NOT NULL)`;
    expect(await count(wrong)).toBe(0);
  });

  test('balance to the cent: net is gross less discount, and stock value is units times cost', async () => {
    expect(await count('sales WHERE net_amount <> gross_amount - discount_amount')).toBe(0);
    expect(await count('sales WHERE quantity < 1 OR gross_amount <= 0 OR discount_amount < 0 OR net_amount <= 0')).toBe(
      0,
    );
    expect(await count('sales WHERE (promotion IS NULL) <> (discount_amount = 0)')).toBe(0);
    expect(
      await count('inventory JOIN products USING (product_id) WHERE stock_value <> units_on_hand * unit_cost'),
    ).toBe(0);
  });

  test('give every order one day, hour, store, customer and channel', async () => {
    const torn = `(SELECT order_id FROM sales GROUP BY order_id
      HAVING count(DISTINCT (date, hour_of_day, store_id, channel, coalesce(customer_id, 0))) > 1)`;
    expect(await count(torn)).toBe(0);
    expect(await warehouse.number('SELECT count(DISTINCT order_id) FROM sales')).toBeGreaterThan(400_000);
  });

  test('have the hours of stores from 9 to 20 and on Sundays from 12 to 18, and of the web shop at any time', async () => {
    const inStores = "sales WHERE channel <> 'Online'";
    expect(await count(`${inStores} AND (hour_of_day < 9 OR hour_of_day > 19)`)).toBe(0);
    expect(await count(`${inStores} AND isodow(date) = 7 AND (hour_of_day < 12 OR hour_of_day > 17)`)).toBe(0);
    const online = "SELECT count(DISTINCT hour_of_day) FROM sales WHERE channel = 'Online'";
    expect(await warehouse.number(online)).toBe(24);
    // 15 of 128 orders of the web shop, and 20 of 128 of a store's working day.
    const share = (hour: number, where: string) =>
      warehouse.number(
        `SELECT count(DISTINCT order_id) FILTER (hour_of_day = ${hour}) / count(DISTINCT order_id) FROM ${where}`,
      );
    expect(await share(20, "sales WHERE channel = 'Online'")).toBeCloseTo(15 / 128, 2);
    expect(await share(17, `${inStores} AND isodow(date) < 6`)).toBeCloseTo(20 / 128, 2);
  });

  test('have no sale and no stock of a store before it opened', async () => {
    expect(await count('sales JOIN stores USING (store_id) WHERE date < opened_on')).toBe(0);
    expect(await count('inventory JOIN stores USING (store_id) WHERE snapshot_date < opened_on')).toBe(0);
  });
});

describe('the story', () => {
  test('has sales that grow each year, peak each December, and are highest on Saturdays', async () => {
    const years = await warehouse.rows(
      'SELECT year, sum(net_amount)::DOUBLE FROM sales JOIN calendar USING (date) GROUP BY year ORDER BY 2',
    );
    expect(years.map(([year]) => year)).toEqual([2023, 2024, 2025]);
    const best = await warehouse.rows(
      `SELECT arg_max(month_number, net) FROM (SELECT year, month_number, sum(net_amount) AS net
       FROM sales JOIN calendar USING (date) GROUP BY ALL) GROUP BY year`,
    );
    expect(best.flat()).toEqual([12, 12, 12]);
    const weekdays = await warehouse.rows(
      'SELECT weekday FROM sales JOIN calendar USING (date) GROUP BY weekday ORDER BY sum(net_amount) DESC',
    );
    expect(weekdays[0]).toEqual(['Saturday']);
    expect(weekdays.at(-1)).toEqual(['Sunday']);
  });

  test('has a long tail: a fifth of the products makes most of the lines, and every product is sold', async () => {
    const [[head, sold] = []] = await warehouse.rows(
      `SELECT sum(lines) FILTER (place <= 160) / sum(lines), count(*)
       FROM (SELECT count(*) AS lines, row_number() OVER (ORDER BY count(*) DESC) AS place FROM sales GROUP BY product_id)`,
    );
    expect(head).toBeGreaterThan(0.6);
    expect(sold).toBe(800n);
  });

  test('has Garden sales in spring and Toys & Games sales before Christmas', async () => {
    const share = (category: string, month: number): Promise<number> =>
      warehouse.number(`SELECT avg((category = '${category}')::INTEGER) FROM sales JOIN products USING (product_id)
        JOIN calendar USING (date) WHERE month_number = ${month}`);
    expect(await share('Garden', 5)).toBeGreaterThan(3 * (await share('Garden', 12)));
    expect(await share('Toys & Games', 12)).toBeGreaterThan(2 * (await share('Toys & Games', 2)));
  });
});

describe('the planted anomalies', () => {
  test('Lyon Part-Dieu sold nothing from 2024-03-11 to 2024-03-17, but did in the weeks before and after', async () => {
    const lines = (from: string, to: string): Promise<number> =>
      count(
        `sales JOIN stores USING (store_id) WHERE store_name = 'Lyon Part-Dieu' AND date BETWEEN '${from}' AND '${to}'`,
      );
    expect(await lines('2024-03-11', '2024-03-17')).toBe(0);
    expect(await lines('2024-03-04', '2024-03-10')).toBeGreaterThan(40);
    expect(await lines('2024-03-18', '2024-03-24')).toBeGreaterThan(40);
  });

  test('Rotterdam Witte de With has ten times the pieces on 2025-02-18, on every line', async () => {
    const day =
      "sales JOIN stores USING (store_id) WHERE store_name = 'Rotterdam Witte de With' AND date = '2025-02-18'";
    expect(await count(day)).toBeGreaterThan(0);
    expect(await count(`${day} AND quantity % 10 <> 0`)).toBe(0);
    const usual = await warehouse.number(
      "SELECT avg(quantity) FROM sales JOIN stores USING (store_id) WHERE store_name = 'Rotterdam Witte de With' AND date <> '2025-02-18'",
    );
    const spike = await warehouse.number(`SELECT avg(quantity) FROM ${day}`);
    expect(spike / usual).toBeGreaterThan(6);
    expect(spike / usual).toBeLessThan(15);
  });

  test('the Terracotta Planter cost a tenth from 2025-05-09 to 2025-05-11 and was bought five at a time', async () => {
    const sold = (days: string): string =>
      `sales JOIN products USING (product_id) WHERE product_name = 'Terracotta Planter' AND ${days}`;
    const wrong = sold("date BETWEEN '2025-05-09' AND '2025-05-11'");
    expect(await count(wrong)).toBeGreaterThan(10);
    expect(
      await count(`${wrong} AND (gross_amount <> quantity * trunc(list_price * 10) / 100 OR quantity % 5 <> 0)`),
    ).toBe(0);
    const around = sold("(date BETWEEN '2025-05-01' AND '2025-05-08' OR date BETWEEN '2025-05-12' AND '2025-05-20')");
    expect(await count(`${around} AND gross_amount <> quantity * list_price`)).toBe(0);
    expect(await warehouse.number(`SELECT sum(net_amount - cost_amount) FROM ${wrong}`)).toBeLessThan(0);
  });

  test('the web shop has no order on 2024-11-29, and many on the days around', async () => {
    const online = (date: string): Promise<number> => count(`sales WHERE channel = 'Online' AND date = '${date}'`);
    expect(await online('2024-11-29')).toBe(0);
    expect(await online('2024-11-28')).toBeGreaterThan(100);
    expect(await online('2024-11-30')).toBeGreaterThan(100);
  });

  test('Lighting costs 18 % more from 2025-07-01, and nothing else changes its price', async () => {
    const ratio = (where: string): Promise<number> =>
      warehouse.number(
        `SELECT sum(cost_amount) / sum(quantity * unit_cost) FROM sales JOIN products USING (product_id) WHERE ${where}`,
      );
    expect(await ratio("category = 'Lighting' AND date BETWEEN '2025-01-01' AND '2025-06-30'")).toBeCloseTo(1, 2);
    expect(await ratio("category = 'Lighting' AND date >= '2025-07-01'")).toBeCloseTo(1.18, 2);
    expect(await ratio("category <> 'Lighting' AND date >= '2025-07-01'")).toBeCloseTo(1, 2);
  });

  test('stores in the South had no Garden stock at the end of June 2025; elsewhere few did', async () => {
    const empty = (region: string): Promise<number> =>
      warehouse.number(`SELECT avg((units_on_hand = 0)::INTEGER) FROM inventory JOIN stores USING (store_id)
        JOIN products USING (product_id) WHERE category = 'Garden' AND snapshot_date = '2025-06-30' AND region = '${region}'`);
    expect(await empty('South')).toBe(1);
    for (const region of ['North', 'West', 'Central']) expect(await empty(region)).toBeLessThan(0.06);
  });
});
