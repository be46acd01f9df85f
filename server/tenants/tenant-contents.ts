/** Counts and removes the contents of a tenant: its rows in the state and its files in the home. */
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { type Home, keptResultsDirectory } from '../home-directory/home-directory.ts';
import type { Tenant } from '../identity/index.ts';
import { placesOf } from './tenant-folders.ts';

export interface TenantContents {
  /** Row counts by table, without empty tables. */
  readonly rows: Readonly<Record<string, number>>;
  /** File counts by folder from the home, without empty folders. */
  readonly files: Readonly<Record<string, number>>;
}

/** The column with the owner, in every table with rows of tenants. */
const OWNER = 'tenant_id';

type OwnedTables = Readonly<Record<string, { readonly [OWNER]: string }>>;

/** Counts the contents of a tenant. */
export async function contentsOf(state: State, home: Home, { id, name }: Tenant): Promise<TenantContents> {
  const database = state.tables<OwnedTables>();
  const rows: Record<string, number> = {};
  for (const table of await ownedTables(database)) {
    const { count } = await database
      .selectFrom(table)
      .where(OWNER, '=', id)
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) > 0) rows[table] = Number(count);
  }
  const files: Record<string, number> = {};
  for (const folder of foldersOf(home, id, name)) {
    const count = await countFiles(folder);
    if (count > 0) files[relative(home.root, folder)] = count;
  }
  return { rows, files };
}

/**
 * Removes a tenant with all its contents. Its callers are refused from the first step on. Its name is free after the last step, so that a removal
 * that fails midway is repeated and nothing is inherited.
 */
export async function removeTenant(state: State, home: Home, { id, name }: Tenant): Promise<void> {
  const database = state.tables<OwnedTables>();
  await deleteRows(database, id);
  await removeFiles(home, { id, name });
  // Requests from before the first step may have written rows after it.
  await deleteRows(database, id);
  await state.tables<{ tenants: { id: string } }>().deleteFrom('tenants').where('id', '=', id).execute();
  // A caller that found the tenant just before has written by now; from now on no caller finds it.
  await deleteRows(database, id);
  await whileNameIsFree(state, name, () => removeEmptyFolders(home, { id, name }));
}

/** Removes what unfinished requests have written for a removed tenant. */
export async function removeLeftovers(
  state: State,
  home: Home,
  { id, name }: Pick<Tenant, 'id' | 'name'>,
): Promise<void> {
  await deleteRows(state.tables<OwnedTables>(), id);
  await whileNameIsFree(state, name, () => removeFiles(home, { id, name }));
}

/** Acts unless a tenant has the name. No node creates one until the end of the action: the folders would be its own. */
async function whileNameIsFree(state: State, name: string, act: () => Promise<void>): Promise<void> {
  await state
    .tables<{ tenants: { name: string } }>()
    .transaction()
    .execute(async (transaction) => {
      // On SQLite the transaction itself is the lock: it begins immediate.
      if (state.engine === 'postgresql') await sql`lock table tenants in share row exclusive mode`.execute(transaction);
      const holder = await transaction.selectFrom('tenants').select('name').where('name', '=', name).executeTakeFirst();
      if (holder === undefined) await act();
    });
}

async function removeFiles(home: Home, { id, name }: Pick<Tenant, 'id' | 'name'>): Promise<void> {
  // What documents were found to contain is kept for all tenants together, and can be made again.
  for (const folder of [...foldersOf(home, id, name), keptResultsDirectory(home)])
    await rm(folder, { recursive: true, force: true, maxRetries: MAX_REMOVALS, retryDelay: REMOVAL_DELAY_MS });
}

/** A server that runs beside a command writes results meanwhile: the folder is then emptied again. */
const MAX_REMOVALS = 15;
const REMOVAL_DELAY_MS = 20;

/** Removes folders that a concurrent reader made again after their removal. */
async function removeEmptyFolders(home: Home, { id, name }: Pick<Tenant, 'id' | 'name'>): Promise<void> {
  for (const folder of foldersOf(home, id, name)) await rmdir(folder).catch(ignoreIfMissingOrFilled);
}

function ignoreIfMissingOrFilled(error: unknown): void {
  if (!(error instanceof Error && 'code' in error)) throw error;
  if (error.code !== 'ENOENT' && error.code !== 'ENOTEMPTY') throw error;
}

async function deleteRows(database: Kysely<OwnedTables>, tenant: TenantId): Promise<void> {
  const tables = await ownedTables(database);
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) await transaction.deleteFrom(table).where(OWNER, '=', tenant).execute();
  });
}

/** Returns all existing tables of the product. */
async function ownedTables(database: Kysely<OwnedTables>): Promise<readonly string[]> {
  const tables = await database.introspection.getTables();
  const schema = tables.some((table) => table.schema !== undefined)
    ? (await sql<{ name: string }>`select current_schema() as name`.execute(database)).rows[0]?.name
    : undefined;
  return tables
    .filter((table) => !table.isView && table.schema === schema && table.columns.some(({ name }) => name === OWNER))
    .map(({ name }) => name)
    .sort();
}

function foldersOf(home: Home, id: TenantId, name: string): readonly string[] {
  const { datasources, repository, skills, data } = placesOf(home, name);
  // Earlier versions named the folder after the tenant's id.
  return [datasources, repository, skills, data, join(home.data, id)];
}

async function countFiles(folder: string): Promise<number> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
