/** Runs a statement on a warehouse, through the cache. No other step of a query has effects. */
import type { Cache, Cached } from '../../../../router/capabilities/cache.ts';
import type { ColumnarResult, Statement, Warehouse } from '../../../../router/capabilities/warehouse.ts';

export interface Execution {
  readonly warehouse: Warehouse;
  readonly cache: Cache;
  /** Leading parts of the cache key, which also select the answers to drop when a datasource changes. */
  readonly keyPrefix: readonly string[];
  readonly ttlMs: number;
  readonly maxRows: number;
  readonly refresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The statement to run instead if the data have changed since `statement` was written, so that it may be wrong. */
  readonly fallbackStatement?: Statement | undefined;
}

/**
 * Runs a statement, or returns its cached result. The key needs no part for the caller's roles, because their row
 * predicates are in the statement.
 */
export async function execute(statement: Statement, run: Execution): Promise<Cached<ColumnarResult>> {
  return executeOn(await run.warehouse.dataVersion(), statement, run);
}

/** Runs a statement for a version of the data that has already been read. */
export async function executeOn(
  version: string | undefined,
  statement: Statement,
  run: Execution,
): Promise<Cached<ColumnarResult>> {
  const { warehouse, maxRows, fallbackStatement } = run;
  return run.cache.through({
    key: [...run.keyPrefix, version ?? '', statement.sql, parametersKey(statement), String(maxRows)],
    ttlMs: run.ttlMs,
    refresh: run.refresh,
    signal: run.signal,
    sizeOf,
    async compute(signal) {
      const result = await warehouse.query(statement, { signal, maxRows });
      if (fallbackStatement === undefined || (await warehouse.dataVersion()) === version) return result;
      return warehouse.query(fallbackStatement, { signal, maxRows });
    },
  });
}

function parametersKey({ parameters }: Statement): string {
  return JSON.stringify(
    parameters.map(({ type, value }) => [type, typeof value, typeof value === 'bigint' ? String(value) : value]),
  );
}

/**
 * Estimates the bytes of a result, to bound the cache: a pointer or a number for each cell, and the characters of texts.
 */
function sizeOf({ values }: ColumnarResult): number {
  let bytes = 256;
  for (const column of values) {
    for (const cell of column) bytes += typeof cell === 'string' ? 24 + 2 * cell.length : 8;
  }
  return bytes;
}
