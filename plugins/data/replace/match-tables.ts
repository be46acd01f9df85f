/** Finds the table of a model that each new table takes the place of. */
import { MIN_COLUMN_OVERLAP } from '../limits.ts';

export interface TableColumns {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Returns the present table of each new table: of the same name, else the only one of both sides, else the one with most
 * columns in common. A new table without one keeps its name.
 */
export function matchTables(
  present: readonly TableColumns[],
  fresh: readonly TableColumns[],
): ReadonlyMap<string, string> {
  const matched = new Map<string, string>();
  const free = new Map(present.map((table) => [table.name, table] as const));
  for (const { name } of fresh) if (free.delete(name)) matched.set(name, name);
  const left = fresh.filter(({ name }) => !matched.has(name));
  const pairs = left
    .flatMap((table) => [...free.values()].map((other) => ({ table, other, share: overlap(table, other) })))
    .filter(({ share }) => share >= MIN_COLUMN_OVERLAP || (present.length === 1 && fresh.length === 1))
    .sort((one, other) => other.share - one.share);
  for (const { table, other } of pairs) {
    if (matched.has(table.name) || !free.has(other.name)) continue;
    free.delete(other.name);
    matched.set(table.name, other.name);
  }
  return matched;
}

/** Returns the share of the column names that two tables have in common, from 0 to 1. */
function overlap(one: TableColumns, other: TableColumns): number {
  const names = new Set(one.columns.map((name) => name.toLowerCase()));
  const all = new Set([...names, ...other.columns.map((name) => name.toLowerCase())]);
  const both = other.columns.filter((name) => names.has(name.toLowerCase()));
  return all.size === 0 ? 0 : both.length / all.size;
}

/** Returns the table that a file belongs to by its name: `orders_2024_02` belongs to `orders`. */
export function tableOfFile(name: string, tables: readonly string[]): string | undefined {
  return tables
    .filter((each) => name === each || name.startsWith(`${each}_`))
    .sort((one, other) => other.length - one.length)[0];
}
