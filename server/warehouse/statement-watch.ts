/** Watches the statements of warehouses, so that people see and stop those that run long. */
import type { Statement } from '../../router/capabilities/warehouse.ts';
import type { EngineName } from '../../router/warehouse-engines.ts';

/** A statement that begins. */
export interface BegunStatement {
  /** Such as `postgresql`. */
  readonly engine: string;
  /** The warehouse's address, without user and password. */
  readonly warehouse: string;
  readonly sql: string;
  /** Asks the engine how it runs the statement; values of the caller are left out. */
  readonly plan: () => Promise<string>;
}

/** A statement that runs. */
export interface RunningStatement {
  /** Aborted to stop the statement. */
  readonly signal: AbortSignal;
  /** @param error undefined for a success */
  end(error?: unknown): void;
}

export interface StatementWatch {
  begin(statement: BegunStatement): RunningStatement;
}

/** How each engine is asked for its plan. */
const EXPLAIN: Readonly<Record<EngineName, string>> = {
  duckdb: 'EXPLAIN ',
  postgresql: 'EXPLAIN ',
  sqlite: 'EXPLAIN QUERY PLAN ',
  mysql: 'EXPLAIN ',
  mariadb: 'EXPLAIN ',
  clickhouse: 'EXPLAIN ',
  trino: 'EXPLAIN ',
};

export function explained({ sql, parameters }: Statement, engine: EngineName): Statement {
  return { sql: EXPLAIN[engine] + sql, parameters };
}

/** Returns the text of a plan from its rows, with `?` for the texts of the caller. */
export function planText(rows: readonly (readonly unknown[])[], { parameters }: Statement): string {
  const lines = rows.map((row) => {
    const cells = row.filter((cell) => cell !== null && cell !== '').map(String);
    // DuckDB draws its plan in one cell, beside its name.
    return cells.join(cells.some((cell) => cell.includes('\n')) ? '\n' : '  ');
  });
  const texts = parameters.flatMap(({ value }) => (typeof value === 'string' && value !== '' ? [value] : []));
  return texts.reduce((plan, text) => plan.replaceAll(`'${text}'`, '?'), lines.join('\n'));
}
