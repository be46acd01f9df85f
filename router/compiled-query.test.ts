import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { compiledOnce, type TextPlace } from './compiled-query.ts';

interface Tables {
  readonly people: { readonly tenant: string; readonly name: string; readonly age: number };
}

let executed: CompiledQuery[];
let compiled: number;

class RecordingDriver extends DummyDriver {
  override async acquireConnection() {
    return {
      async executeQuery(query: CompiledQuery) {
        executed.push(query);
        return { rows: [] };
      },
      streamQuery: () => {
        throw new Error('nothing is streamed');
      },
    };
  }
}

const database = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new RecordingDriver(),
    createIntrospector: (of) => new SqliteIntrospector(of),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
const state = { tables: <Of>() => database as unknown as Kysely<Of> };

const older = (tables: Kysely<Tables>, text: TextPlace<'tenant' | 'name'>) => {
  compiled++;
  return tables
    .selectFrom('people')
    .selectAll()
    .where('name', '=', text('name'))
    .where('age', '>', 7)
    .where('tenant', '=', text('tenant'));
};

beforeEach(() => {
  executed = [];
  compiled = 0;
});

it('executes a query with other texts, which it compiles once', async () => {
  const find = compiledOnce(state, older);
  expect(await find({ tenant: 'a', name: "x'" })).toBeUndefined();
  await find({ tenant: 'name', name: '\u0001tenant' });
  expect(executed.map(({ parameters }) => parameters)).toEqual([
    ["x'", 7, 'a'],
    ['\u0001tenant', 7, 'name'],
  ]);
  expect(new Set(executed.map(({ sql }) => sql)).size).toBe(1);
  expect(compiled).toBe(1);
});

it('reads the committed rows at once, and again only after a commit', () => {
  let version = 1;
  const committed = {
    version: () => version,
    rows<Row>(query: CompiledQuery<Row>): readonly Row[] {
      executed.push(query);
      return [];
    },
  };
  const find = compiledOnce({ ...state, committed }, older);
  expect(find({ tenant: 'a', name: 'x' })).toBeUndefined();
  find({ tenant: 'a', name: 'x' });
  find({ tenant: 'x', name: 'a' });
  expect(executed.map(({ parameters }) => parameters)).toEqual([
    ['x', 7, 'a'],
    ['a', 7, 'x'],
  ]);
  version = 2;
  find({ tenant: 'a', name: 'x' });
  expect(executed).toHaveLength(3);
});

it('waits for the state where the committed rows cannot be read at once', async () => {
  const refuse = () => {
    throw new Error('the database is locked');
  };
  const found = compiledOnce(
    { ...state, committed: { version: () => 1, rows: refuse } },
    older,
  )({ tenant: 'a', name: 'x' });
  expect(found).toBeInstanceOf(Promise);
  expect(await found).toBeUndefined();
  expect(executed).toHaveLength(1);
});
