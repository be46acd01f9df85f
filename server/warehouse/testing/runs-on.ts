import type { AnyEngineName } from './engines.ts';

/**
 * Shares of the random requests of a test that each engine gets. What is random is in the product's own rules, which are the same for all
 * engines; what differs between them is in their dialects, which the fixed cases cover. A statement costs a few milliseconds of processor
 * time on DuckDB, and on Trino a third of a second.
 */
const SHARES: Readonly<Record<AnyEngineName, number>> = {
  duckdb: 1,
  postgresql: 0.5,
  sqlite: 0.25,
  mariadb: 0.25,
  clickhouse: 0.25,
  trino: 0.05,
};
const MIN_RUNS = 2;

/**
 * Returns how many random requests an engine gets.
 *
 * @param most the number on DuckDB; `RUNS=n` multiplies it, for long runs
 */
export function runsOn(engine: AnyEngineName, most: number): number {
  return Math.max(MIN_RUNS, Math.ceil(most * SHARES[engine] * Number(process.env.RUNS ?? 1)));
}
