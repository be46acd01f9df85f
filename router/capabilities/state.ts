import type { CompiledQuery, Kysely, Migration } from 'kysely';

/**
 * The state store: SQLite when self-hosted, PostgreSQL when hosted; the same migrations and queries on both.
 * Portable column types: `text`, `integer` (32 bit), `bigint` (read as number), `real`. Instants are epoch
 * milliseconds in a `bigint`; booleans are `integer` 0/1; JSON is `text`.
 */
export interface State {
  /** Returns the store with a plugin's own tables. Column names are in snake case. */
  tables<Tables>(): Kysely<Tables>;
  /** The engine's name; only for locking clauses that one engine lacks. */
  readonly engine: 'sqlite' | 'postgresql';
  /** Reads the last committed state at once; absent where the state answers over a network. */
  readonly committed?: CommittedState | undefined;
}

/** The state as every process has committed it, without what an unfinished transaction has written. */
export interface CommittedState {
  /** Returns a number that is another one after each commit, of whichever process. */
  version(): number;
  /** Returns the rows of a query. */
  rows<Row>(query: CompiledQuery<Row>): readonly Row[];
}

/** Migrations a plugin owns. Names are `NNNN_what` and unique in the plugin; the server runs everybody's in order. */
export type Migrations = Readonly<Record<string, Migration>>;
