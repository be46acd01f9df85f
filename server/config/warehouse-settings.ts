import { availableParallelism, totalmem } from 'node:os';
import { BINARY_MEGABYTE } from '../jobs/limits.ts';
import type { Config } from './settings.ts';

const MEGABYTE = 1_000_000;
/** Default share of the memory for one DuckDB database. */
const DEFAULT_MEMORY_SHARE = 0.5;

/** Reads the settings of the warehouses from the configuration. Default limits fit the machine. */
export function warehouseSettings(config: Config) {
  return {
    statementTimeoutMs: config['service.query.timeoutSeconds'] * 1_000,
    poolSize: config['service.warehouse.poolSize'],
    hasViewerComments: config['service.warehouse.viewerComments'],
    perSharer: config['service.query.maxRunningPerUser'],
    duckdb: {
      threads: config['service.duckdb.threads'] || availableParallelism(),
      memoryBytes: config['service.duckdb.memoryMegabytes'] * MEGABYTE || machineMemory() * DEFAULT_MEMORY_SHARE,
    },
  };
}

/** Returns the bytes of memory that this process may use: the limit of its container, if there is one. */
function machineMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed === 0 ? totalmem() : Math.min(allowed, totalmem());
}

/** Maximum share of the memory, and maximum bytes, for a process that imports a file. */
const IMPORT_MEMORY_SHARE = 0.25;
const MAX_IMPORT_MEMORY_BYTES = 1_073_741_824;
const IMPORT_TIMEOUT_MS = 600_000;

/** Reads the settings of the import of files from the configuration. */
export function fileImportSettings(config: Config) {
  return {
    threads: config['service.duckdb.threads'] || availableParallelism(),
    memoryBytes: Math.min(machineMemory() * IMPORT_MEMORY_SHARE, MAX_IMPORT_MEMORY_BYTES),
    timeoutMs: IMPORT_TIMEOUT_MS,
  };
}

const WRITE_TIMEOUT_MS = 3_600_000;

/** Reads the settings of writing computed tables from the configuration. */
export function tableWriterSettings(config: Config) {
  return { ...fileImportSettings(config), timeoutMs: WRITE_TIMEOUT_MS };
}

/** Reads the bounds of uploads from the configuration. */
export function uploadSettings(config: Config) {
  return {
    maxFileBytes: config['service.inference.maxUploadMb'] * BINARY_MEGABYTE,
    maxBytesOfUser: config['service.uploads.maxMegabytesPerUser'] * BINARY_MEGABYTE,
    maxRunningOfUser: config['service.uploads.maxRunningPerUser'],
    maxBytes: config['service.uploads.maxMegabytes'] * BINARY_MEGABYTE,
  };
}
