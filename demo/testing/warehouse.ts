import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type JS } from '@duckdb/node-api';
import { generateWarehouse, type WarehouseOptions } from '../warehouse/generate.ts';

/** Gives tests access to a generated warehouse in its own folder. */
export interface AskableWarehouse {
  rows(sql: string): Promise<readonly (readonly JS[])[]>;
  /** Returns the only cell of the result as a number. */
  number(sql: string): Promise<number>;
  close(): Promise<void>;
}

export async function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'demo-'));
}

export async function openWarehouse(file: string): Promise<Omit<AskableWarehouse, 'close'> & { close(): void }> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const rows = async (sql: string): Promise<readonly (readonly JS[])[]> =>
    (await connection.runAndReadAll(sql)).getRowsJS();
  return {
    rows,
    async number(sql) {
      const [[cell] = []] = await rows(sql);
      return Number(cell);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

export async function generated(options: WarehouseOptions): Promise<AskableWarehouse> {
  const directory = await temporaryDirectory();
  const file = join(directory, 'shop.duckdb');
  await generateWarehouse(file, options);
  const warehouse = await openWarehouse(file);
  return {
    ...warehouse,
    async close() {
      warehouse.close();
      await rm(directory, { recursive: true });
    },
  };
}

export const TABLES = ['calendar', 'stores', 'products', 'customers', 'sales', 'inventory'] as const;

/** Computes one number over every cell of every table, independent of the order of rows. */
export async function checksum(warehouse: Pick<AskableWarehouse, 'rows'>): Promise<string> {
  const parts: string[] = [];
  for (const table of TABLES) {
    const [[count, sum] = []] = await warehouse.rows(
      `SELECT count(*), sum(md5_number_lower(t::VARCHAR)::HUGEINT) FROM ${table} AS t`,
    );
    parts.push(`${table}:${count}:${sum}`);
  }
  return parts.join(' ');
}
