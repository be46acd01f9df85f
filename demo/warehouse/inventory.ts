import type { DuckDBConnection } from '@duckdb/node-api';
import { isStocked, type Plan } from './demand.ts';
import { createTable, double, integer } from './load.ts';
import { type Product, popularity } from './products.ts';
import { STORE_FORMATS, type Store } from './stores.ts';
import { STOCK_OUT } from './story.ts';

/**
 * The inventory fact: the stock of each product in each store at the end of each month in which the store was open. It
 * is a snapshot: units add up over stores and products, never over dates.
 */

interface StockPlace {
  readonly store: Store;
  readonly product: Product;
}

function* stockPlaces({ stores, products }: Plan): Generator<StockPlace> {
  for (const store of stores) {
    for (const product of products) {
      if (isStocked(product, store.format, products.length)) yield { store, product };
    }
  }
}

/** Returns the pieces of a product that a store plans to stock in an average month. */
function targetUnits({ store, product }: StockPlace): number {
  const affinity = product.category.formats[STORE_FORMATS.indexOf(store.format)] ?? 1;
  return 3 + 420 * popularity(product) * store.demand * affinity;
}

interface CategorySeason {
  readonly productId: number;
  readonly month: number;
  readonly season: number;
}

/** Yields the seasons of stock. Stock is bought ahead, so a month's end follows the coming month's demand. */
function* seasons({ products }: Plan): Generator<CategorySeason> {
  for (const { productId, category } of products) {
    for (let month = 1; month <= 12; month++) {
      yield { productId, month, season: 0.45 + 0.55 * (category.season[month % 12] ?? 1) };
    }
  }
}

export async function createInventory(connection: DuckDBConnection, plan: Plan, seed: number): Promise<void> {
  await createTable<StockPlace>(
    connection,
    {
      name: 'plan_stock',
      temporary: true,
      columns: {
        store_id: integer(({ store }) => store.storeId),
        product_id: integer(({ product }) => product.productId),
        target: double(targetUnits),
      },
    },
    [...stockPlaces(plan)],
  );
  await createTable<CategorySeason>(
    connection,
    {
      name: 'plan_season',
      temporary: true,
      columns: {
        product_id: integer(({ productId }) => productId),
        month: integer(({ month }) => month),
        season: double(({ season }) => season),
      },
    },
    [...seasons(plan)],
  );
  await connection.run(`
    CREATE TABLE inventory (
      snapshot_date DATE NOT NULL,
      store_id INTEGER NOT NULL,
      product_id INTEGER NOT NULL,
      units_on_hand INTEGER NOT NULL,
      units_on_order INTEGER NOT NULL,
      stock_value DECIMAL(12,2) NOT NULL,
      PRIMARY KEY (snapshot_date, store_id, product_id)
    )`);
  await connection.run(`
    INSERT INTO inventory
    WITH month_end AS (
      SELECT max(date) AS snapshot_date, year::BIGINT AS year, month_number AS month FROM calendar GROUP BY year, month_number
    ), drawn AS (
      SELECT snapshot_date, month, store_id, product_id, target,
        md5_number_lower('${seed}:stock:' || (((year * 12 + month) * 1000 + store_id) * 10000 + product_id)) AS draw
      FROM month_end JOIN stores ON opened_on <= snapshot_date JOIN plan_stock USING (store_id)
    ), counted AS (
      SELECT snapshot_date, store_id, product_id, unit_cost,
        CASE WHEN region = '${STOCK_OUT.region}' AND category = '${STOCK_OUT.category}' AND snapshot_date = DATE '${STOCK_OUT.on}' THEN 0
             WHEN (draw & 1023) < 31 THEN 0
             ELSE greatest(1, floor(target * season * (0.5 + ((draw >> 16) & 65535) / 65536.0::DOUBLE)))::INTEGER END AS units_on_hand,
        CEIL(target * season)::INTEGER AS planned_units
      FROM drawn JOIN plan_season USING (product_id, month) JOIN stores USING (store_id) JOIN products USING (product_id)
    )
    SELECT snapshot_date, store_id, product_id, units_on_hand, greatest(0, planned_units - units_on_hand),
      (units_on_hand * unit_cost)::DECIMAL(12,2)
    FROM counted ORDER BY snapshot_date, store_id, product_id`);
}
