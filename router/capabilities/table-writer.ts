/** Writes computed tables into the product's own database files. */
import type { TableName } from './warehouse.ts';

/** A table that is computed from the other tables of its database. */
export interface ComputedTable {
  readonly table: TableName;
  /** The query with its rows. */
  readonly select: string;
  /** Queries that return no row where the written table has the values that it should. */
  readonly differences: readonly string[];
}

/** How one table was written. A table that was refused is as it was before. */
export type WrittenTable =
  | { readonly kind: 'written'; readonly rows: number }
  | { readonly kind: 'refused'; readonly reason: string };

/** A database with written tables beside the one that is read. */
export interface WrittenDatabase {
  /** Each in the place of its table. */
  readonly tables: readonly WrittenTable[];
  /** The version of the file that is read; see `versionOfFile`. */
  readonly version: string;
  /**
   * Puts the database into the place of the one that is read, at once. Returns its version.
   *
   * @throws ConflictError where the file that is read has changed since
   */
  place(): Promise<string>;
  /** Removes what was not placed. Call it in any case. */
  release(): Promise<void>;
}

export interface TableWriter {
  /**
   * Writes tables into a copy of a database file, and compares each with the rows that it is computed from. Until it is
   * placed, and where this process ends before, readers see the old file.
   *
   * @throws ConflictError where another program writes the file, or it cannot be copied
   */
  write(
    file: string,
    tables: readonly ComputedTable[],
    options: { readonly signal: AbortSignal | undefined },
  ): Promise<WrittenDatabase>;
}
