import { type Migration, sql, type Transaction } from 'kysely';
import type { Log } from '../../router/capabilities/log.ts';
import type { Migrations, State } from '../../router/capabilities/state.ts';
import {
  createMigrationsTable,
  MIGRATION_LOCK,
  MIGRATIONS_TABLE,
  type MigrationTables,
  RESTORED,
} from './migrations-table.ts';
import { StateUnusableError } from './state-unusable-error.ts';

interface Applied {
  readonly owner: string;
  readonly name: string;
}

export interface MigrateOptions {
  /** True if these are all owners of this version: migrations of other owners are refused, too. */
  readonly isAll?: boolean;
}

interface Step extends Applied {
  readonly migration: Migration;
}

/**
 * Runs the outstanding migrations, owners in the order of `byOwner`, within an owner by name. All run in one
 * transaction under one lock: of several nodes that start at once, one migrates, and the others wait and find nothing
 * to do. A failed migration leaves the database unchanged.
 *
 * @throws StateUnusableError when the database has a migration of one of these owners that this version does not know
 */
export async function migrate(
  state: State,
  byOwner: Readonly<Record<string, Migrations>>,
  now: () => number,
  log: Log,
  { isAll = false }: MigrateOptions = {},
): Promise<void> {
  const steps = stepsOf(byOwner);
  await state
    .tables<MigrationTables>()
    .transaction()
    .execute(async (transaction) => {
      // On SQLite the transaction itself is the lock: it begins immediate.
      if (state.engine === 'postgresql')
        await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
      const applied = await appliedMigrations(transaction);
      refuseUnknown(byOwner, applied, isAll);
      const done = new Set(applied.map(({ owner, name }) => `${owner}/${name}`));
      let migrated = 0;
      for (const { owner, name, migration } of steps) {
        if (done.has(`${owner}/${name}`)) continue;
        await migration.up(transaction);
        await transaction.insertInto(MIGRATIONS_TABLE).values({ owner, name, applied_at: now() }).execute();
        log.debug({ owner, migration: name }, 'state migrated');
        migrated += 1;
      }
      if (migrated > 0) log.info({ migrations: migrated }, 'state migrated');
    });
}

function stepsOf(byOwner: Readonly<Record<string, Migrations>>): readonly Step[] {
  return Object.entries(byOwner).flatMap(([owner, migrations]) =>
    Object.entries(migrations)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, migration]) => ({ owner, name, migration })),
  );
}

async function appliedMigrations(transaction: Transaction<MigrationTables>): Promise<readonly Applied[]> {
  await createMigrationsTable(transaction);
  return transaction.selectFrom(MIGRATIONS_TABLE).select(['owner', 'name']).execute();
}

/** Checks only the given owners, unless they are all: a command on accounts does not know the plugins' tables. */
function refuseUnknown(
  byOwner: Readonly<Record<string, Migrations>>,
  applied: readonly Applied[],
  isAll: boolean,
): void {
  const unknown = applied
    .filter(({ owner }) => owner !== RESTORED && (isAll || byOwner[owner] !== undefined))
    .filter(({ owner, name }) => byOwner[owner]?.[name] === undefined)
    .map(({ owner, name }) => `${owner}/${name}`)
    .sort();
  if (unknown.length === 0) return;
  throw new StateUnusableError(
    `The state database was written by a newer version of service: it contains ${unknown.join(', ')}, which this version ` +
      'does not know. Start the newer version, or restore a backup of the state made before it ran.',
  );
}
