import type { FileFormat, ImportedTable } from '../../router/capabilities/file-import.ts';

/** The message that starts the importing process. */
export interface ImportTask {
  readonly files: readonly {
    /** A path without characters that DuckDB reads as patterns. */
    readonly path: string;
    /** The name that its sender gave. */
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
  /** Rows times columns of one table at most. */
  readonly maxCells: number;
}

export type ImportReply =
  | { readonly kind: 'done'; readonly tables: readonly ImportedTable[] }
  /** The file is to blame; `message` is written for its sender. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };
