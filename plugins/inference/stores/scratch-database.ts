import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';

export interface ScratchDatabases {
  readonly warehouses: Pick<Warehouses, 'release'>;
  /** A folder below the data folder that the next start clears. */
  readonly directory: string;
}

/** Runs `work` with the file of a database that lives no longer than it. */
export async function inScratchDatabase<T>(
  { warehouses, directory }: ScratchDatabases,
  work: (file: string, address: WarehouseAddress) => Promise<T>,
): Promise<T> {
  const file = join(directory, `profile-${randomUUID()}.duckdb`);
  const address = { jdbcUrl: `jdbc:duckdb:${file}` };
  try {
    return await work(file, address);
  } finally {
    await warehouses.release(address);
    await rm(file, { force: true });
  }
}
