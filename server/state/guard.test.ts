import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { expect, test } from 'vitest';
import { guarded } from './guard.ts';

/** Makes a database that fails every statement. */
function failing(error: Error): Kysely<unknown> {
  const connection = {
    executeQuery: () => Promise.reject(error),
    async *streamQuery() {
      yield* [];
    },
  };
  const done = async () => undefined;
  return new Kysely({
    dialect: guarded(
      {
        createAdapter: () => new PostgresAdapter(),
        createIntrospector: (database) => new PostgresIntrospector(database),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createDriver: () => ({
          init: done,
          acquireConnection: async () => connection,
          beginTransaction: done,
          commitTransaction: done,
          rollbackTransaction: done,
          releaseConnection: done,
          destroy: done,
        }),
      },
      (error) => error instanceof Error && error.message.startsWith('outage'),
    ),
  });
}

test('an outage of the state is a 503 with a time to retry, also in a transaction', async () => {
  const cause = new Error('outage of 10.0.0.7');
  const expected = { status: 503, code: 'STATE_UNAVAILABLE', retryAfterSeconds: expect.any(Number), cause };
  const database = failing(cause);
  await expect(sql`select 1`.execute(database)).rejects.toMatchObject(expected);
  const inTransaction = database.transaction().execute((transaction) => sql`select 1`.execute(transaction));
  await expect(inTransaction).rejects.toMatchObject(expected);
  await expect(sql`select 1`.execute(database)).rejects.not.toThrow('10.0.0.7');
});

test('another error is unchanged', async () => {
  const error = new Error('duplicate key');
  await expect(sql`select 1`.execute(failing(error))).rejects.toBe(error);
});
