/** Imports files of tables into a database, in a process that can be stopped. */

export const FILE_FORMATS = ['csv', 'parquet', 'json'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export interface ImportFile {
  /** Absolute path. */
  readonly path: string;
  /** The sender's name of the file: the extension decides the format. */
  readonly name: string;
  /** The table that it becomes. */
  readonly table: string;
}

/** Findings about a column during the import. */
export interface ImportedColumn {
  readonly name: string;
  /** The notation of the values where they are not plain values of their type, such as `decimal comma`. */
  readonly notes: readonly string[];
  /** A currency or `%` beside every number. */
  readonly unit?: string | undefined;
}

export interface ImportedTable {
  readonly table: string;
  readonly rowCount: number;
  readonly columns: readonly ImportedColumn[];
}

export interface FileImport {
  /**
   * Reads files into a new DuckDB database at `target`, one table each. Removes the database when it fails.
   *
   * @throws ValidationError at `file` when a file cannot be read in the format of its name
   * @throws CancelledError once the signal is aborted
   */
  load(
    files: readonly ImportFile[],
    target: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly ImportedTable[]>;
}
