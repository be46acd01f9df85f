import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { type CatalogOptions, type MdxCatalog, openCatalog } from '../index.ts';

/** Sizes from which levels are read as needed: all levels of a test are read whole with the first, in parts with the second. */
export const LARGE_LEVELS = [1_000, 0] as const;

/**
 * Opens the cubes of a schema text on a warehouse.
 *
 * @throws Error with the problems of a text that is no schema
 */
export function openSchema(text: string, warehouse: Warehouse, options: Partial<CatalogOptions> = {}): MdxCatalog {
  const { schema, problems } = readSchema(text);
  if (schema === undefined) throw new Error(JSON.stringify(problems));
  return openCatalog({ schema, warehouse, ...options });
}
