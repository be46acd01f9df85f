import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { expect, it } from 'vitest';
import { compiledOnce } from './compiled-query.ts';

interface Tables {
  readonly people: { readonly tenant: string; readonly name: string; readonly age: number };
}

it('executes a query with other texts, which it compiles once', async () => {
  const tables = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const executed: CompiledQuery[] = [];
  let compiled = 0;
  const find = compiledOnce(
    {
      async executeQuery(query) {
        executed.push('compile' in query ? query.compile() : query);
        return { rows: [] };
      },
    },
    (text) => {
      compiled++;
      return tables
        .selectFrom('people')
        .selectAll()
        .where('name', '=', text('name'))
        .where('age', '>', 7)
        .where('tenant', '=', text('tenant'));
    },
  );
  expect(await find({ tenant: 'a', name: "x'" })).toBeUndefined();
  await find({ tenant: 'name', name: '\u0001tenant' });
  expect(executed.map(({ parameters }) => parameters)).toEqual([
    ["x'", 7, 'a'],
    ['\u0001tenant', 7, 'name'],
  ]);
  expect(new Set(executed.map(({ sql }) => sql)).size).toBe(1);
  expect(compiled).toBe(1);
});
