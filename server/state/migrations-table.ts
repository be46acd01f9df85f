/** The table of applied migrations, and its lock, for migrations and restores. */
import type { Kysely } from 'kysely';

export const MIGRATIONS_TABLE = 'service_migrations';

/** The owner of rows in the table that are no migrations: the times of restores. */
export const RESTORED = 'restored';

export interface MigrationTables {
  [MIGRATIONS_TABLE]: { owner: string; name: string; applied_at: number };
}

/** The key of PostgreSQL's lock for migrations. Every version of the product must use the same number. */
export const MIGRATION_LOCK = 7_364_530_011;

/** Creates the table where it does not exist. */
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
