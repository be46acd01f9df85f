/** The fixture on a real engine, as most tests of queries want it. The one place below `plugins` that starts engines. */
import { openCache } from '../../../server/cache/cache.ts';
import { type AnyEngineName, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture, type FixtureOptions } from './fixture.ts';
import { statementsFor, type Table } from './tables.ts';

/**
 * Opens a fixture over a warehouse of its own.
 *
 * @param setUp tables, or statements that make them
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
