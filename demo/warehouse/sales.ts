import type { DuckDBConnection } from '@duckdb/node-api';
import { SHELF_SLOTS } from './demand.ts';
import { COST_INCREASE, DATA_ENTRY_SPIKE, PRICING_ERROR } from './story.ts';

/**
 * The sales fact, drawn in SQL. Every draw is 16 bits of an MD5 of seed and row number, and every share is a
 * cumulative sum of whole numbers, so the rows depend neither on threads nor on the engine's own hash or random().
 */

/** Twelve lines of a block fall to five orders; each text says which line goes to which. */
const BASKETS = [
  '012233344444',
  '011223334444',
  '001222344444',
  '000122334444',
  '011112233344',
  '000001233344',
  '012222223344',
  '001122333444',
];
const LINES_PER_BLOCK = 12;
const ORDERS_PER_BLOCK = 5;
/** Rows of one INSERT: each gives a step of progress. */
const SLICE_ROWS = LINES_PER_BLOCK * 20_480;

/** Writes the piece of a draw at `index` (0 to 3) as a number in [0, 1). */
const uniform = (draw: string, index: number): string => `(((${draw} >> ${16 * index}) & 65535) / 65536.0::DOUBLE)`;

/** Writes `cents` (a whole number) as money, without passing through a double. */
const money = (cents: string): string => `((${cents})::INTEGER * 0.01::DECIMAL(3,2))::DECIMAL(12,2)`;

/** Writes `amount` times a percentage, in cents, rounded half up. */
const writePercentage = (amount: string, percent: string): string => `((${amount}) * (${percent}) + 50) // 100`;

/** Receipts of 128 in each hour of the day, by where and when they are written. Stores sell at noon and after work, the web shop in the evening. */
const HOURS: Readonly<Record<'weekday' | 'saturday' | 'sunday' | 'online', Readonly<Record<number, number>>>> = {
  weekday: { 9: 4, 10: 8, 11: 12, 12: 16, 13: 12, 14: 8, 15: 8, 16: 12, 17: 20, 18: 20, 19: 8 },
  saturday: { 9: 6, 10: 12, 11: 18, 12: 18, 13: 16, 14: 16, 15: 16, 16: 12, 17: 8, 18: 4, 19: 2 },
  sunday: { 12: 20, 13: 28, 14: 30, 15: 26, 16: 16, 17: 8 },
  online: {
    ...{ 0: 2, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 4, 8: 5, 9: 5, 10: 5, 11: 5, 12: 8, 13: 6, 14: 4, 15: 4 },
    ...{ 16: 5, 17: 6, 18: 8, 19: 12, 20: 15, 21: 16, 22: 8, 23: 3 },
  },
};

/** Writes the hour of a receipt that a draw of seven bits falls on. */
function hourOf(profile: keyof typeof HOURS, draw: string): string {
  const hours = Object.entries(HOURS[profile]).flatMap(([hour, share]) => Array.from({ length: share }, () => hour));
  return `[${hours.join(',')}][1 + (${draw} & 127)::INTEGER]`;
}

async function drawLines(connection: DuckDBConnection, seed: number, factRows: number): Promise<void> {
  await connection.run(`
    CREATE TEMP TABLE draw_line AS
    SELECT line_no, block * ${ORDERS_PER_BLOCK} + substr(basket, place + 1, 1)::BIGINT AS order_no
    FROM (
      SELECT block, [${BASKETS.map((basket) => `'${basket}'`).join(', ')}][1 + (md5_number_lower('${seed}:basket:' || block) & 7)::INTEGER] AS basket
      FROM range(${Math.ceil(factRows / LINES_PER_BLOCK)}) AS blocks(block)
    ) CROSS JOIN range(${LINES_PER_BLOCK}) AS places(place), LATERAL (SELECT block * ${LINES_PER_BLOCK} + place AS line_no)
    WHERE line_no < ${factRows}`);
}

/** Orders follow each other in time: each store and day gets its share of the order numbers. */
async function drawOrders(connection: DuckDBConnection, seed: number): Promise<void> {
  const draw = 'draw';
  await connection.run(`
    CREATE TEMP TABLE draw_order AS
    WITH weighted AS (
      SELECT date, store_id,
        round(1000 * demand * (0.55 + 0.45 * (${uniform('noise', 0)} + ${uniform('noise', 1)})))::BIGINT AS weight
      FROM (SELECT *, md5_number_lower('${seed}:store-day:' || store_id || ':' || date) AS noise FROM plan_store_day)
    ), reached AS (
      SELECT *, (sum(weight) OVER (ORDER BY date, store_id ROWS UNBOUNDED PRECEDING))::BIGINT AS upto,
        (sum(weight) OVER ())::BIGINT AS total, (SELECT max(order_no) + 1 FROM draw_line) AS orders
      FROM weighted
    ), placed AS (
      SELECT date, store_id,
        unnest(range(((upto - weight)::HUGEINT * orders // total)::BIGINT, (upto::HUGEINT * orders // total)::BIGINT)) AS order_no
      FROM reached
    ), drawn AS (
      SELECT *, md5_number_lower('${seed}:order:' || order_no) AS draw FROM placed
    ), channelled AS (
      SELECT order_no, date, month, store_id, format, price_level, promotion, promotion_percent, promotion_share, promotion_category,
        cost_increase, price_divisor,
        CASE WHEN ${uniform(draw, 0)} < online_share THEN 'Online'
             WHEN ${uniform(draw, 0)} < online_share + 0.07 THEN 'Click & Collect' ELSE 'In Store' END AS channel,
        first_customer_id, customer_count, draw
      FROM drawn JOIN plan_day USING (date) JOIN plan_store USING (store_id)
    )
    SELECT channelled.* EXCLUDE (first_customer_id, customer_count, draw),
      CASE WHEN channel <> 'In Store' OR ${uniform(draw, 1)} < 0.55
           THEN first_customer_id + floor(${uniform(draw, 2)} * ${uniform(draw, 3)} * customer_count)::INTEGER END AS customer_id,
      CASE WHEN channel = 'Online' THEN ${hourOf('online', 'hour_draw')}
           WHEN isodow(date) = 7 THEN ${hourOf('sunday', 'hour_draw')}
           WHEN isodow(date) = 6 THEN ${hourOf('saturday', 'hour_draw')}
           ELSE ${hourOf('weekday', 'hour_draw')} END AS hour_of_day
    FROM channelled, LATERAL (SELECT md5_number_lower('${seed}:hour:' || order_no) AS hour_draw)`);
}

async function stockShelves(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    CREATE TEMP TABLE draw_shelf AS
    SELECT format, month, unnest(range(first_slot, end_slot))::INTEGER AS slot, product_id, category, list_cents, cost_cents
    FROM plan_shelf_place JOIN plan_product USING (product_id)`);
}

function insertSlice(seed: number, from: number, to: number): string {
  return `
    INSERT INTO sales
    WITH drawn AS (
      SELECT line_no, order_no, md5_number_lower('${seed}:line:' || line_no) AS draw
      FROM draw_line WHERE line_no >= ${from} AND line_no < ${to}
    ), filled AS (
      SELECT line_no, o.*, product_id, category, list_cents, cost_cents, draw,
        (product_id = (SELECT product_id FROM products WHERE product_name = '${PRICING_ERROR.product}') AND price_divisor > 1) AS mispriced,
        (store_id = (SELECT store_id FROM stores WHERE store_name = '${DATA_ENTRY_SPIKE.store}')
          AND date = DATE '${DATA_ENTRY_SPIKE.on}') AS miskeyed,
        ${uniform('draw', 1)} AS many, ${uniform('draw', 2)} AS promoted
      FROM drawn JOIN (
        SELECT * FROM draw_order WHERE order_no >= ${(from / LINES_PER_BLOCK) * ORDERS_PER_BLOCK} AND order_no < ${Math.ceil(to / LINES_PER_BLOCK) * ORDERS_PER_BLOCK}
      ) AS o USING (order_no)
      JOIN draw_shelf AS s ON s.format = o.format AND s.month = o.month AND s.slot = (draw & ${SHELF_SLOTS - 1})::INTEGER
    ), priced AS (
      SELECT *,
        CASE WHEN many < 0.64 OR (list_cents > 6000 AND many < 0.95) THEN 1 WHEN list_cents > 6000 THEN 2 WHEN many < 0.86 THEN 2 WHEN many < 0.95 THEN 3 WHEN many < 0.985 THEN 4 WHEN many < 0.997 THEN 6 ELSE 12 END
          * CASE WHEN mispriced THEN ${PRICING_ERROR.quantityFactor} ELSE 1 END
          * CASE WHEN miskeyed THEN ${DATA_ENTRY_SPIKE.factor} ELSE 1 END AS quantity,
        CASE WHEN mispriced THEN (list_cents * price_level // 1000) // price_divisor ELSE list_cents * price_level // 1000 END AS unit_cents,
        CASE WHEN promotion IS NOT NULL AND promoted < promotion_share AND category = coalesce(promotion_category, category) THEN promotion
             WHEN customer_id IS NOT NULL AND promoted > 0.94 THEN 'Member Offer' END AS applied,
        (cost_cents * price_level // 1000) * (100 + CASE WHEN category = '${COST_INCREASE.category}' THEN cost_increase ELSE 0 END) // 100
          AS unit_cost_cents
      FROM filled
    ), discounted AS (
      SELECT *, quantity * unit_cents AS gross_cents,
        CASE WHEN applied IS NULL THEN 0
             WHEN applied = 'Member Offer' THEN ${writePercentage('quantity * unit_cents', '10')}
             ELSE ${writePercentage('quantity * unit_cents', 'promotion_percent')} END AS discount_cents
      FROM priced
    )
    SELECT line_no + 1, order_no + 100001, date, hour_of_day, store_id, product_id, customer_id, channel, applied, quantity,
      ${money('gross_cents')}, ${money('discount_cents')}, ${money('gross_cents - discount_cents')}, ${money('quantity * unit_cost_cents')}
    FROM discounted ORDER BY line_no`;
}

/** Fills `sales` with exactly `factRows` rows. `onRows` hears how many are there after each slice. */
export async function createSales(
  connection: DuckDBConnection,
  options: { readonly seed: number; readonly factRows: number; readonly onRows: (rows: number) => void },
): Promise<void> {
  const { seed, factRows, onRows } = options;
  await connection.run(`
    CREATE TABLE sales (
      sale_id BIGINT PRIMARY KEY,
      order_id BIGINT NOT NULL,
      date DATE NOT NULL,
      hour_of_day INTEGER NOT NULL,
      store_id INTEGER NOT NULL,
      product_id INTEGER NOT NULL,
      customer_id INTEGER,
      channel VARCHAR NOT NULL,
      promotion VARCHAR,
      quantity INTEGER NOT NULL,
      gross_amount DECIMAL(12,2) NOT NULL,
      discount_amount DECIMAL(12,2) NOT NULL,
      net_amount DECIMAL(12,2) NOT NULL,
      cost_amount DECIMAL(12,2) NOT NULL
    )`);
  await drawLines(connection, seed, factRows);
  await drawOrders(connection, seed);
  await stockShelves(connection);
  for (let from = 0; from < factRows; from += SLICE_ROWS) {
    const to = Math.min(factRows, from + SLICE_ROWS);
    await connection.run(insertSlice(seed, from, to));
    onRows(to);
  }
}
