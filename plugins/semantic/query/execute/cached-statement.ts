/** The one step of a query with effects: a statement to a warehouse, through the cache. */
import type { Cache, Cached } from '../../../../router/capabilities/cache.ts';
import type { ColumnarResult, Statement, Warehouse } from '../../../../router/capabilities/warehouse.ts';

export interface Execution {
  readonly warehouse: Warehouse;
  readonly cache: Cache;
  /** Leading parts of the cache key: a `drop` of the datasource's answers names them. */
  readonly keyPrefix: readonly string[];
  readonly ttlMs: number;
  readonly maxRows: number;
  readonly refresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True where `statement` may be wrong because the data have changed since it was written. */
  readonly fallbackStatement?: Statement | undefined;
}

/**
 * Runs a statement or takes its kept result. The key needs no part for the caller's row-level scope: its predicates are in
 * the statement.
 */
export async function execute(statement: Statement, run: Execution): Promise<Cached<ColumnarResult>> {
  return executeOn(await run.warehouse.dataVersion(), statement, run);
}

/** Executes with a version of the data that the caller has already queried. */
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
 * Estimates the bytes of a result: cells cost a pointer or a number; text costs its letters beside. An estimate is
 * enough to bound the cache.
 */
function sizeOf({ values }: ColumnarResult): number {
  let bytes = 256;
  for (const column of values) {
    for (const cell of column) bytes += typeof cell === 'string' ? 24 + 2 * cell.length : 8;
  }
  return bytes;
}
