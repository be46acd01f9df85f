import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { foodmartCopies, foodmartDirectory, foodmartMissing, foodmartSchema } from '../../testing/foodmart.ts';
import type { CatalogOptions, MdxCatalog } from '../index.ts';
import { openSchema } from './open-schema.ts';

/** FoodMart in DuckDB. Tests that need it are skipped if the data set is missing. */
export interface OpenFoodmart {
  readonly catalog: MdxCatalog;
  readonly warehouse: Warehouse;
  readonly stop: () => Promise<void>;
}

/** Starts a warehouse of the server, which plugins do not import. */
type StartWarehouse = (
  engine: 'duckdb',
  statements: readonly string[],
) => Promise<{ readonly warehouse: Warehouse; readonly stop: () => Promise<void> }>;

export async function openFoodmart(
  startWarehouse: StartWarehouse,
  options: Partial<CatalogOptions> = {},
): Promise<OpenFoodmart> {
  const directory = foodmartDirectory();
  if (directory === undefined) throw new Error(foodmartMissing());
  const statements = foodmartCopies(directory).flatMap((text) => text.split(/;\s*\n/));
  const { warehouse, stop } = await startWarehouse(
    'duckdb',
    statements.filter((statement) => statement.trim() !== ''),
  );
  const catalog = openSchema(foodmartSchema(directory), warehouse, options);
  return {
    catalog,
    warehouse,
    stop: async () => {
      await catalog.close();
      await stop();
    },
  };
}
