import type { DuckDBConnection } from '@duckdb/node-api';
import type { Day } from './calendar.ts';
import type { Clientele } from './customers.ts';
import { createTable, date, double, integer, text } from './load.ts';
import { type Product, popularity } from './products.ts';
import { promotionOn } from './promotions.ts';
import { STORE_FORMATS, type Store } from './stores.ts';
import { CLOSED_STORE, COST_INCREASE, PRICING_ERROR } from './story.ts';

/** Number of equal slots on a format's shelf in one month. Each line of a sale draws one of them. */
export const SHELF_SLOTS = 8192;
/** Share of the range, by popularity, that each of `STORE_FORMATS` stocks. */
const ASSORTMENT = [1, 0.45, 0.22];
/** Price of each year in permille of the current list price. */
const PRICE_LEVEL: Readonly<Record<number, number>> = { 2023: 945, 2024: 972 };

export function isStocked(product: Product, format: Store['format'], productCount: number): boolean {
  return product.rank <= Math.ceil((ASSORTMENT[STORE_FORMATS.indexOf(format)] ?? 1) * productCount);
}

export interface Plan {
  readonly days: readonly Day[];
  readonly stores: readonly Store[];
  readonly products: readonly Product[];
  readonly clienteles: readonly Clientele[];
}

/** Describes a product's share of one month's shelf. */
interface ShelfPlace {
  readonly format: number;
  readonly month: number;
  readonly productId: number;
  readonly firstSlot: number;
  readonly endSlot: number;
}

function* shelves(products: readonly Product[]): Generator<ShelfPlace> {
  for (const [format, name] of STORE_FORMATS.entries()) {
    const stocked = products.filter((product) => isStocked(product, name, products.length));
    for (let month = 1; month <= 12; month++) {
      const weight = (product: Product): number =>
        popularity(product) * (product.category.season[month - 1] ?? 1) * (product.category.formats[format] ?? 1);
      const total = stocked.reduce((sum, product) => sum + weight(product), 0);
      let reached = 0;
      for (const product of stocked) {
        const firstSlot = Math.round((reached / total) * SHELF_SLOTS);
        reached += weight(product);
        const endSlot = Math.round((reached / total) * SHELF_SLOTS);
        yield { format, month, productId: product.productId, firstSlot, endSlot };
      }
    }
  }
}

interface StoreDay {
  readonly day: Day;
  readonly store: Store;
  readonly demand: number;
}

function* storeDays({ days, stores }: Plan): Generator<StoreDay> {
  for (const day of days) {
    for (const store of stores) {
      const closed = store.name === CLOSED_STORE.store && day.date >= CLOSED_STORE.from && day.date <= CLOSED_STORE.to;
      if (day.date < store.openedOn || closed) continue;
      yield { day, store, demand: day.demand * store.demand };
    }
  }
}

/** Creates temporary tables from which the facts are drawn. They disappear with the connection. */
export async function createDemand(connection: DuckDBConnection, plan: Plan): Promise<void> {
  await createTable<StoreDay>(
    connection,
    {
      name: 'plan_store_day',
      temporary: true,
      columns: {
        date: date(({ day }) => day.date),
        store_id: integer(({ store }) => store.storeId),
        demand: double(({ demand }) => demand),
      },
    },
    [...storeDays(plan)],
  );
  await createTable<Day>(
    connection,
    {
      name: 'plan_day',
      temporary: true,
      columns: {
        date: date((day) => day.date),
        month: integer((day) => day.monthNumber),
        price_level: integer((day) => PRICE_LEVEL[day.year] ?? 1000),
        online_share: double((day) => day.onlineShare),
        promotion: text((day) => promotionOn(day.date)?.name),
        promotion_percent: integer((day) => promotionOn(day.date)?.percent),
        promotion_share: double((day) => promotionOn(day.date)?.share),
        promotion_category: text((day) => promotionOn(day.date)?.category),
        cost_increase: integer((day) => (day.date >= COST_INCREASE.from ? COST_INCREASE.percent : 0)),
        price_divisor: integer((day) =>
          day.date >= PRICING_ERROR.from && day.date <= PRICING_ERROR.to ? PRICING_ERROR.priceDivisor : 1,
        ),
      },
    },
    plan.days,
  );
  await createTable<Store>(
    connection,
    {
      name: 'plan_store',
      temporary: true,
      columns: {
        store_id: integer((store) => store.storeId),
        format: integer((store) => STORE_FORMATS.indexOf(store.format)),
        first_customer_id: integer((store) => plan.clienteles.find(({ city }) => city === store.city)?.firstCustomerId),
        customer_count: integer((store) => plan.clienteles.find(({ city }) => city === store.city)?.count),
      },
    },
    plan.stores,
  );
  await createTable<Product>(
    connection,
    {
      name: 'plan_product',
      temporary: true,
      columns: {
        product_id: integer((product) => product.productId),
        category: text((product) => product.category.name),
        list_cents: integer((product) => product.listCents),
        cost_cents: integer((product) => product.costCents),
        rank: integer((product) => product.rank),
      },
    },
    plan.products,
  );
  await createTable<ShelfPlace>(
    connection,
    {
      name: 'plan_shelf_place',
      temporary: true,
      columns: {
        format: integer((place) => place.format),
        month: integer((place) => place.month),
        product_id: integer((place) => place.productId),
        first_slot: integer((place) => place.firstSlot),
        end_slot: integer((place) => place.endSlot),
      },
    },
    [...shelves(plan.products)],
  );
}
