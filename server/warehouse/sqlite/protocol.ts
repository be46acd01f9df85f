/**
 * The messages between a reader process and its owner, over Node's own channel with structured clones. One request,
 * one reply, then the next: the process does one thing at a time.
 */

/** SQLite's storage classes of values. */
export type SqliteValue = null | bigint | number | string | Uint8Array;

export type ReaderRequest =
  | { readonly kind: 'open'; readonly file: string }
  /** Starts a statement; the reply has its first rows. */
  | { readonly kind: 'start'; readonly sql: string; readonly values: readonly SqliteValue[] }
  | { readonly kind: 'next' }
  /** Ends the statement before its last row. */
  | { readonly kind: 'end' };

export interface DeclaredColumn {
  readonly name: string;
  /** The type in CREATE TABLE; null for a computed column, because SQLite types values and not expressions. */
  readonly declared: string | null;
}

/** Rows column by column. */
export interface Rows {
  readonly rowCount: number;
  readonly values: readonly (readonly SqliteValue[])[];
  /** True when the statement has ended with these rows. */
  readonly last: boolean;
}

export type ReaderReply =
  | { readonly kind: 'done' }
  | { readonly kind: 'started'; readonly columns: readonly DeclaredColumn[]; readonly rows: Rows }
  | { readonly kind: 'rows'; readonly rows: Rows }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** The product's message: the statement does not only read. */
export const NOT_A_QUERY = 'NOT_A_QUERY';
