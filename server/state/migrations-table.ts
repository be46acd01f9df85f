/** The table of applied migrations, and its lock, for migrations and restores. */
import type { Kysely } from 'kysely';

export const MIGRATIONS_TABLE = 'service_migrations';

/** The owner of marks in the table that are no migrations: when a backup was restored. */
export const RESTORED = 'restored';

export interface MigrationTables {
  [MIGRATIONS_TABLE]: { owner: string; name: string; applied_at: number };
}

/** Locks a PostgreSQL for migrating. Any number will do as long as every version of the product uses the same one. */
export const MIGRATION_LOCK = 7_364_530_011;

/** Makes the table where it does not exist. */
export async function createMigrationsTable(database: Kysely<MigrationTables>): Promise<void> {
  await database.schema
    .createTable(MIGRATIONS_TABLE)
    .ifNotExists()
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('service_migrations_pk', ['owner', 'name'])
    .execute();
}
