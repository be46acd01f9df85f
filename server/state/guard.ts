import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { diskFull, isDiskFull } from '../../router/disk-full.ts';
import { UnavailableError } from '../../router/errors.ts';

/** Time after which a caller may try again, in seconds. */
const RETRY_SECONDS = 5;

/**
 * Makes a dialect report an outage of its database as an `UnavailableError`, so that callers try again instead of seeing an internal error. Every
 * other error is unchanged.
 */
export function guarded(dialect: Dialect, isOutage: (error: unknown) => boolean): Dialect {
  const translateOutage = (error: unknown): unknown => {
    if (isDiskFull(error)) return diskFull(error);
    return isOutage(error)
      ? new UnavailableError('The state of the server cannot be reached at the moment. Ask again in a moment.', {
          code: 'STATE_UNAVAILABLE',
          retryAfterSeconds: RETRY_SECONDS,
          cause: error,
        })
      : error;
  };
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw translateOutage(error);
    }
  };
  return {
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createDriver: () => new GuardedDriver(dialect.createDriver(), guard),
  };
}

type Guard = <T>(work: Promise<T>) => Promise<T>;

class GuardedDriver implements Driver {
  readonly #driver: Driver;
  readonly #guard: Guard;

  constructor(driver: Driver, guard: Guard) {
    this.#driver = driver;
    this.#guard = guard;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    return new GuardedConnection(await this.#guard(this.#driver.acquireConnection()), this.#guard);
  }
  beginTransaction(connection: DatabaseConnection, settings: Parameters<Driver['beginTransaction']>[1]): Promise<void> {
    return this.#guard(this.#driver.beginTransaction(innermost(connection), settings));
  }
  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#guard(this.#driver.commitTransaction(innermost(connection)));
  }
  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#guard(this.#driver.rollbackTransaction(innermost(connection)));
  }
  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#driver.releaseConnection(innermost(connection));
  }
  destroy(): Promise<void> {
    return this.#driver.destroy();
  }
}

class GuardedConnection implements DatabaseConnection {
  readonly connection: DatabaseConnection;
  readonly #guard: Guard;

  constructor(connection: DatabaseConnection, guard: Guard) {
    this.connection = connection;
    this.#guard = guard;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#guard(this.connection.executeQuery<Row>(query));
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery<Row>(query, chunkSize);
  }
}

/** Unwraps a connection: a driver releases and commits only its own connections. */
function innermost(connection: DatabaseConnection): DatabaseConnection {
  return connection instanceof GuardedConnection ? connection.connection : connection;
}
