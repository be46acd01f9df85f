import { availableParallelism, totalmem } from 'node:os';
import type { Config } from './settings.ts';

const MEGABYTE = 1_000_000;
/** The part of the memory that one DuckDB database may take where nobody says. */
const DEFAULT_MEMORY_SHARE = 0.5;

/** What of the configuration the warehouses go by. Where a limit is left to the product, it fits the machine. */
export function warehouseSettings(config: Config) {
  return {
    statementTimeoutMs: config['service.query.timeoutSeconds'] * 1_000,
    poolSize: config['service.warehouse.poolSize'],
    perSharer: config['service.query.maxRunningPerUser'],
    duckdb: {
      threads: config['service.duckdb.threads'] || availableParallelism(),
      memoryBytes: config['service.duckdb.memoryMegabytes'] * MEGABYTE || machineMemory() * DEFAULT_MEMORY_SHARE,
    },
  };
}

/** Bytes that this process may take: those of its container, where it is in one. */
function machineMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed === 0 ? totalmem() : Math.min(allowed, totalmem());
}
