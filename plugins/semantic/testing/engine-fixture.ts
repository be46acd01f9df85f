/** Opens the fixture on a real engine. Only this file below `plugins` starts engines. */
import { openCache } from '../../../server/cache/cache.ts';
import { type AnyEngineName, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture, type FixtureOptions } from './fixture.ts';
import { statementsFor, type Table } from './tables.ts';

/**
 * Opens a fixture over a new warehouse.
 *
 * @param setUp tables, or statements that create them
 */
export async function openOn(
  engine: AnyEngineName,
  setUp: readonly (Table | string)[],
  options: Omit<FixtureOptions, 'warehouse' | 'cache'>,
): Promise<Fixture> {
  const statements = setUp.flatMap((each) => (typeof each === 'string' ? [each] : statementsFor(engine, [each])));
  const warehouse = await startWarehouse(engine, statements, { poolSize: 2 });
  return Fixture.open({ ...options, warehouse, cache: openCache({ maxBytes: 1_000_000, clock: Date.now }) });
}
