import { type Kysely, type Migration, sql, type Transaction } from 'kysely';
import type { Log } from '../../router/capabilities/log.ts';
import type { Migrations, State } from '../../router/capabilities/state.ts';
import { StateUnusableError } from './unusable.ts';

interface MigrationTables {
  service_migrations: { owner: string; name: string; applied_at: number };
}

interface Applied {
  readonly owner: string;
  readonly name: string;
}

interface Step extends Applied {
  readonly migration: Migration;
}

/** Any number will do as long as every version of the product uses the same one. */
const ADVISORY_LOCK = 7_364_530_011;

/**
 * Runs what has not run yet, owners in the order of `byOwner`, within an owner by name. All of it is one transaction
 * under one lock: of several nodes that start at once one migrates and the others wait and find nothing to do, and a
 * migration that fails leaves the database as it was.
 *
 * @throws StateUnusableError when the database holds a migration of one of these owners that this version does not know.
 */
export async function migrate(
  state: State,
  byOwner: Readonly<Record<string, Migrations>>,
  now: () => number,
  log: Log,
): Promise<void> {
  const steps = stepsOf(byOwner);
  await state
    .tables<MigrationTables>()
    .transaction()
    .execute(async (transaction) => {
      // On SQLite the transaction itself is the lock: it begins immediate.
      if (state.engine === 'postgresql') await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(transaction);
      const applied = await appliedMigrations(transaction);
      refuseUnknown(byOwner, applied);
      const done = new Set(applied.map(({ owner, name }) => `${owner}/${name}`));
      for (const { owner, name, migration } of steps) {
        if (done.has(`${owner}/${name}`)) continue;
        await migration.up(transaction);
        await transaction.insertInto('service_migrations').values({ owner, name, applied_at: now() }).execute();
        log.info({ owner, migration: name }, 'state migrated');
      }
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
  await createTable(transaction);
  return transaction.selectFrom('service_migrations').select(['owner', 'name']).execute();
}

async function createTable(database: Kysely<MigrationTables>): Promise<void> {
  await database.schema
    .createTable('service_migrations')
    .ifNotExists()
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('service_migrations_pk', ['owner', 'name'])
    .execute();
}

/** Looks at the owners at hand only: a command that opens the accounts knows nothing of the plugins' tables. */
function refuseUnknown(byOwner: Readonly<Record<string, Migrations>>, applied: readonly Applied[]): void {
  const unknown = applied
    .filter(({ owner, name }) => byOwner[owner] !== undefined && byOwner[owner][name] === undefined)
    .map(({ owner, name }) => `${owner}/${name}`)
    .sort();
  if (unknown.length === 0) return;
  throw new StateUnusableError(
    `The state database was written by a newer version of service: it holds ${unknown.join(', ')}, which this version ` +
      'does not know. Start the newer version, or restore a backup of the state made before it ran.',
  );
}
