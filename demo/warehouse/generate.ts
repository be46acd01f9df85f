import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { calendar } from './calendar.ts';
import { customers } from './customers.ts';
import { createDemand, type Plan } from './demand.ts';
import { createCalendar, createCustomers, createProducts, createStores } from './dimensions.ts';
import { createInventory } from './inventory.ts';
import { products } from './products.ts';
import { seededRandom } from './random.ts';
import { createSales } from './sales.ts';
import { stores } from './stores.ts';

export const DEFAULT_SEED = 20_260_101;
export const DEFAULT_FACT_ROWS = 1_000_000;
const CUSTOMERS = 20_000;

/** Receives the progress: `done` of `total` steps, and the next step. */
export type OnProgress = (done: number, total: number, what: string) => void;

export interface WarehouseOptions {
  /** Any whole number. The same seed and number of rows give the same data on every machine. */
  readonly seed: number;
  /** Rows of `sales`. The other tables do not depend on it. */
  readonly factRows: number;
  /** Threads of the engine; default one per core. The data does not depend on it. */
  readonly threads?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Share of each step in the whole work, in hundredths. */
const STEPS = { dimensions: 8, sales: 72, inventory: 18, saving: 2 } as const;

async function fill(
  connection: DuckDBConnection,
  { seed, factRows, onProgress, signal }: WarehouseOptions,
): Promise<void> {
  const report = (done: number, what: string): void => {
    signal?.throwIfAborted();
    onProgress?.(done, 100, what);
  };

  report(0, 'stores, products, customers, calendar');
  const days = calendar();
  const allStores = stores(seededRandom(`${seed}:stores`));
  const allProducts = products(seededRandom(`${seed}:products`));
  const everybody = customers(allStores, CUSTOMERS, seededRandom(`${seed}:customers`));
  await createCalendar(connection, days);
  await createStores(connection, allStores);
  await createProducts(connection, allProducts);
  await createCustomers(connection, everybody.customers);
  const plan: Plan = { days, stores: allStores, products: allProducts, clienteles: everybody.clienteles };
  await createDemand(connection, plan);

  report(STEPS.dimensions, 'sales');
  const onRows = (rows: number): void =>
    report(STEPS.dimensions + Math.floor((STEPS.sales * rows) / factRows), 'sales');
  await createSales(connection, { seed, factRows, onRows });

  report(STEPS.dimensions + STEPS.sales, 'inventory');
  await createInventory(connection, plan, seed);

  report(100 - STEPS.saving, 'saving');
  await connection.run('CHECKPOINT');
  report(100, 'done');
}

/** Writes the demo warehouse into a new DuckDB file. `file` must not exist. */
export async function generateWarehouse(file: string, options: WarehouseOptions): Promise<void> {
  const instance = await DuckDBInstance.create(
    file,
    options.threads === undefined ? {} : { threads: `${options.threads}` },
  );
  try {
    const connection = await instance.connect();
    const interrupt = () => connection.interrupt();
    options.signal?.addEventListener('abort', interrupt, { once: true });
    try {
      await fill(connection, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', interrupt);
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}
