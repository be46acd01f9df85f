import type { FileFormat, ImportedTable, TableChoices } from '../../router/capabilities/file-import.ts';

/** The message that starts the importing process. */
export interface ImportTask {
  readonly files: readonly {
    /** A path without characters that DuckDB reads as patterns. */
    readonly path: string;
    /** The file name from its sender. */
    readonly name: string;
    readonly table: string;
    readonly format: FileFormat;
  }[];
  /** The database file to create. */
  readonly target: string;
  /** A folder for temporary files; the parent process removes it. */
  readonly scratch: string;
  readonly memoryBytes: number;
  readonly threads: number;
  /** Maximum of rows times columns of one table. */
  readonly maxCells: number;
  /** Choices by the name of the table. */
  readonly choices: Readonly<Record<string, TableChoices>>;
}

export type ImportReply =
  | { readonly kind: 'done'; readonly tables: readonly ImportedTable[] }
  /** The file has a problem; `message` is for its sender. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };
