import type { Scalar, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { MAX_CELL_LENGTH, MAX_SAMPLE_VALUES } from '../limits.ts';

/** A value as JSON has it. */
export type JsonScalar = string | number | boolean | null;

/** Returns a value as JSON: numbers beyond a double as text, long text cut. */
export function jsonScalar(value: Scalar): JsonScalar {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string' && value.length > MAX_CELL_LENGTH) return `${value.slice(0, MAX_CELL_LENGTH)}…`;
  return value;
}

/** Returns the first different values of a column that are not null. */
export function sampleValues(values: readonly Scalar[]): JsonScalar[] {
  const seen = new Set<JsonScalar>();
  for (const value of values) {
    if (seen.size === MAX_SAMPLE_VALUES) break;
    const written = jsonScalar(value);
    if (written !== null) seen.add(written);
  }
  return [...seen];
}

/** Returns the first rows of a table, at most `rows`: all columns, or the given ones. */
export async function sampleRows(
  warehouse: Warehouse,
  table: string,
  rows: number,
  signal: AbortSignal | undefined,
  columns?: readonly string[],
): Promise<{ readonly columns: string[]; readonly rows: JsonScalar[][] }> {
  const { dialect } = warehouse;
  if (columns?.length === 0) return { columns: [], rows: [] };
  const selected = columns === undefined ? '*' : columns.map((name) => dialect.identifier(name)).join(', ');
  const result = await warehouse.query(
    { sql: `SELECT ${selected} FROM ${table} ${dialect.limit(rows)}`, parameters: [] },
    { maxRows: rows, signal },
  );
  return {
    columns: result.columns.map(({ name }) => name),
    rows: Array.from({ length: result.rowCount }, (_, row) =>
      result.values.map((column) => jsonScalar(column[row] ?? null)),
    ),
  };
}
