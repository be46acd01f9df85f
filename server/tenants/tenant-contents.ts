/** Counts and removes the contents of a tenant: its rows in the state and its files in the home. */
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Home } from '../home-directory/home-directory.ts';
import type { Tenant } from '../identity/index.ts';
import { placesOf } from './tenant-folders.ts';

export interface TenantContents {
  /** By table; none that is empty. */
  readonly rows: Readonly<Record<string, number>>;
  /** By folder, from the home; none that is empty. */
  readonly files: Readonly<Record<string, number>>;
}

/** Every table with rows of tenants has its owner in this column. */
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
 * Removes a tenant with all it has. Calls in its name are refused from the first step on; the name is free
 * again after the last one, so that a removal that fails midway is done again and nothing is inherited.
 */
export async function removeTenant(state: State, home: Home, { id, name }: Tenant): Promise<void> {
  const database = state.tables<OwnedTables>();
  await deleteRows(database, id);
  await removeFiles(home, { id, name });
  // What was asked before the first step may have been written down after it.
  await deleteRows(database, id);
  await state.tables<{ tenants: { id: string } }>().deleteFrom('tenants').where('id', '=', id).execute();
  // A caller that found the tenant just before has written by now; from now on none finds it.
  await deleteRows(database, id);
  await removeEmptyFolders(home, { id, name });
}

/** Removes what requests that had begun before have written since, of a tenant that is removed. */
export async function removeLeftovers(
  state: State,
  home: Home,
  { id, name }: Pick<Tenant, 'id' | 'name'>,
  isNameFree: boolean,
): Promise<void> {
  await deleteRows(state.tables<OwnedTables>(), id);
  if (isNameFree) await removeFiles(home, { id, name });
}

async function removeFiles(home: Home, { id, name }: Pick<Tenant, 'id' | 'name'>): Promise<void> {
  for (const folder of foldersOf(home, id, name)) await rm(folder, { recursive: true, force: true });
}

/**
 * Removes folders that a concurrent reader made again after their removal. Only empty ones: the name may belong to
 * another tenant by now.
 */
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

/** Returns the tables that have been made so far, whichever parts of the product made them. */
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
  // Earlier versions called the folder by the tenant's id.
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
