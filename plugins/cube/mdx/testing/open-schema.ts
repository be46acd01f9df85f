import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { type CatalogOptions, type MdxCatalog, openCatalog } from '../index.ts';

/**
 * Sizes beyond which levels are read in parts. With the first, all levels of a test are read whole; with the second,
 * all in parts.
 */
export const LARGE_LEVELS = [1_000, 0] as const;

/**
 * Opens the cubes of a schema text on a warehouse.
 *
 * @throws Error with the problems of a text that is not a schema
 */
export function openSchema(text: string, warehouse: Warehouse, options: Partial<CatalogOptions> = {}): MdxCatalog {
  const { schema, problems } = readSchema(text);
  if (schema === undefined) throw new Error(JSON.stringify(problems));
  return openCatalog({ schema, warehouse, ...options });
}
