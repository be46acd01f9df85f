import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compiledOnce, type RowFinder, type TextPlace } from '../../router/compiled-query.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { openState, type StateStore } from './index.ts';

interface Tables {
  readonly people: { readonly name: string; readonly age: number };
}
type Person = Tables['people'];

let folder: string;
let state: StateStore;
/** The state as another process opens it. */
let other: StateStore;
let find: RowFinder<Person, 'name'>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-committed-'));
  const open = () => openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silentLog });
  state = await open();
  await state.migrate({
    test: {
      '0001_people': {
        up: (database) =>
          database.schema.createTable('people').addColumn('name', 'text').addColumn('age', 'integer').execute(),
      },
    },
  });
  await state.tables<Tables>().insertInto('people').values({ name: 'ann', age: 1 }).execute();
  other = await open();
  find = compiledOnce(state, (tables: Kysely<Tables>, text: TextPlace<'name'>) =>
    tables.selectFrom('people').selectAll().where('name', '=', text('name')),
  );
});

afterEach(async () => {
  await state.close();
  await other.close();
  rmSync(folder, { recursive: true, force: true });
});

const age = (of: StateStore, years: number) => of.tables<Tables>().updateTable('people').set({ age: years }).execute();

test('a row is there at once, and is the same object until something is committed', async () => {
  const row = find({ name: 'ann' });
  expect(row).toEqual({ name: 'ann', age: 1 });
  expect(find({ name: 'ann' })).toBe(row);
  expect(find({ name: 'bob' })).toBeUndefined();
  await age(state, 2);
  expect(find({ name: 'ann' })).toEqual({ name: 'ann', age: 2 });
});

test('what another process commits is seen at once', async () => {
  expect(find({ name: 'ann' })).toEqual({ name: 'ann', age: 1 });
  await age(other, 3);
  expect(find({ name: 'ann' })).toEqual({ name: 'ann', age: 3 });
});

test('what an open transaction has written is not seen, before and after it is rolled back', async () => {
  const rolledBack = state
    .tables<Tables>()
    .transaction()
    .execute(async (transaction) => {
      await transaction.updateTable('people').set({ age: 99 }).execute();
      expect(find({ name: 'ann' })).toEqual({ name: 'ann', age: 1 });
      throw new Error('no');
    });
  await expect(rolledBack).rejects.toThrow('no');
  expect(find({ name: 'ann' })).toEqual({ name: 'ann', age: 1 });
});

test('a closed state is read no more', async () => {
  expect(find({ name: 'ann' })).toBeDefined();
  await state.close();
  await expect(async () => find({ name: 'ann' })).rejects.toThrow();
});
