import type { Migrations } from '../../router/capabilities/state.ts';

/**
 * - `prepared`: new data that waits for its confirmation
 * - `replaced`: old data that an undo puts back
 * - `removed`: files of a removed datasource that an undo puts back
 */
export const CHANGE_STATES = ['prepared', 'replaced', 'removed'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

export interface DataChangeRow {
  /** A UUID, which names the files of the change, too. */
  readonly id: string;
  readonly tenant_id: string;
  readonly state: ChangeState;
  /** Id and name of the datasource. */
  readonly datasource_id: string;
  readonly name: string;
  readonly user_name: string;
  /** JSON; its shape depends on the state. */
  readonly content: string;
  readonly created_at: number;
  readonly expires_at: number;
}

export interface DataTables {
  readonly data_changes: DataChangeRow;
}

export const dataMigrations: Migrations = {
  '0001_changes': {
    async up(database) {
      await database.schema
        .createTable('data_changes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('datasource_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('user_name', 'text', (column) => column.notNull())
        .addColumn('content', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema.createIndex('data_changes_by_tenant').on('data_changes').column('tenant_id').execute();
      await database.schema.createIndex('data_changes_by_time').on('data_changes').column('expires_at').execute();
    },
  },
};
