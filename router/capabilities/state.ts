import type { Kysely, Migration } from 'kysely';

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
}

/** Migrations a plugin owns. Names are `NNNN_what` and unique in the plugin; the server runs everybody's in order. */
export type Migrations = Readonly<Record<string, Migration>>;
