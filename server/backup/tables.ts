/** The tables of all owners: the content of a backup, and the order in which rows can be inserted. */
import { type Kysely, sql } from 'kysely';
import type { Migrations } from '../../router/capabilities/state.ts';
import { openLog } from '../log/log.ts';
import { openState } from '../state/index.ts';
import { MIGRATIONS_TABLE } from '../state/migrations-table.ts';

export type AllMigrations = Readonly<Record<string, Migrations>>;

/** Lists the product's tables, referenced tables first. Determined on an empty state in memory. */
export async function productTables(migrations: AllMigrations): Promise<readonly string[]> {
  const state = await openState({ url: undefined, sqliteFile: ':memory:', log: openLog('silent') });
  try {
    await state.migrate(migrations);
    const database = state.tables<unknown>();
    const names = (await database.introspection.getTables())
      .map(({ name }) => name)
      // The header of the backup has the applied migrations.
      .filter((name) => name !== MIGRATIONS_TABLE);
    const needs = new Map<string, readonly string[]>();
    for (const name of names) needs.set(name, await referredTo(database, name));
    const ordered: string[] = [];
    const add = (name: string): void => {
      if (ordered.includes(name)) return;
      for (const need of needs.get(name) ?? []) if (need !== name) add(need);
      ordered.push(name);
    };
    names.forEach(add);
    return ordered;
  } finally {
    await state.close();
  }
}

async function referredTo(database: Kysely<unknown>, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly table: string }>`select "table" from pragma_foreign_key_list(${table})`.execute(
    database,
  );
  return rows.map((row) => row.table);
}
