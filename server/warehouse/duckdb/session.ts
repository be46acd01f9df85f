import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';

/** Kept statements of a connection. */
const MAX_KEPT_STATEMENTS = 100;
/** Characters of all kept statements of a connection. A longer statement, such as a list of ten thousand values, is not kept. */
const MAX_KEPT_CHARACTERS = 200_000;

/**
 * A connection with its last prepared statements. DuckDB plans a statement when it is prepared, and its values are bound afterwards, so that the same
 * question about another value is not planned again. DuckDB itself plans a kept statement again where the types of its values or the tables changed.
 */
export class Session {
  readonly connection: DuckDBConnection;
  readonly #kept = new LRUCache<string, DuckDBPreparedStatement>({
    max: MAX_KEPT_STATEMENTS,
    maxSize: MAX_KEPT_CHARACTERS,
    sizeCalculation: (_, sql) => Math.max(1, sql.length),
    dispose: (prepared) => prepared.destroySync(),
  });

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  /**
   * Runs `work` with the prepared statement of `sql`, which `prepare` makes where it is not kept. A statement that failed is prepared anew the next
   * time. Only one `work` at a time may use the session, and it ends before its result is read.
   */
  async prepared<Result>(
    sql: string,
    prepare: () => Promise<DuckDBPreparedStatement>,
    work: (prepared: DuckDBPreparedStatement) => Promise<Result>,
  ): Promise<Result> {
    const kept = this.#kept.get(sql);
    const prepared = kept ?? (await prepare());
    let isGood = false;
    try {
      const result = await work(prepared);
      isGood = true;
      return result;
    } finally {
      if (kept !== undefined) {
        if (!isGood) this.#kept.delete(sql);
      } else if (isGood && sql.length <= MAX_KEPT_CHARACTERS) this.#kept.set(sql, prepared);
      else prepared.destroySync();
    }
  }

  closeSync(): void {
    this.#kept.clear();
    this.connection.closeSync();
  }
}
