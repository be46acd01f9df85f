import type { Migrations } from '../../router/capabilities/state.ts';

export interface InferenceTables {
  readonly saved_connections: SavedConnectionRow;
}

export interface SavedConnectionRow {
  /** A UUID. */
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  /** The kind of warehouse: `postgresql`. */
  readonly type: string;
  /** JSON of the address, encrypted in the context of tenant and id: a JDBC URL may hold a password, too. */
  readonly sealed_address: string;
  readonly default_schema: string | null;
  readonly created_at: number;
}

export const inferenceMigrations: Migrations = {
  '0001_connections': {
    async up(database) {
      await database.schema
        .createTable('saved_connections')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('sealed_address', 'text', (column) => column.notNull())
        .addColumn('default_schema', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('saved_connections_name', ['tenant_id', 'name'])
        .execute();
    },
  },
};
