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

/**
 * A folder of the server, the links that the data was imported from, the tables of a saved connection, or for the table of a
 * roll-up the data itself.
 */
export const REFRESH_SOURCES = ['folder', 'links', 'connection', 'rollup'] as const;
export type RefreshSource = (typeof REFRESH_SOURCES)[number];

/** A scheduled refresh of the data of a model. */
export interface RefreshRow {
  /** A UUID. */
  readonly id: string;
  readonly tenant_id: string;
  readonly datasource_id: string;
  /** The name of the datasource. */
  readonly name: string;
  /** Below the data folder of the tenant; empty where the data comes from elsewhere. */
  readonly folder: string;
  readonly source: RefreshSource;
  /** The id of the saved connection that the tables are copied from. */
  readonly connection_id: string | null;
  /** The roll-up of the model that is refreshed. */
  readonly rollup: string | null;
  /** JSON: `Rhythm`. */
  readonly rhythm: string;
  readonly next_run_at: number;
  /** 0 or 1. */
  readonly is_paused: number;
  readonly last_run_at: number | null;
  readonly last_result: string | null;
  readonly last_message: string | null;
  /** JSON: `Comparison` of the files that were last read, with the data that they found. */
  readonly last_comparison: string | null;
  /** Identifies the files of the last replacement. */
  readonly last_signature: string | null;
  /** The node that runs it, and until when it has it for itself. */
  readonly run_node: string | null;
  readonly run_until: number | null;
  readonly user_name: string;
  readonly created_at: number;
}

export interface DataTables {
  readonly data_changes: DataChangeRow;
  readonly data_refreshes: RefreshRow;
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
  '0002_refreshes': {
    async up(database) {
      await database.schema
        .createTable('data_refreshes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('datasource_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('folder', 'text', (column) => column.notNull())
        .addColumn('rhythm', 'text', (column) => column.notNull())
        .addColumn('next_run_at', 'bigint', (column) => column.notNull())
        .addColumn('is_paused', 'integer', (column) => column.notNull())
        .addColumn('last_run_at', 'bigint')
        .addColumn('last_result', 'text')
        .addColumn('last_message', 'text')
        .addColumn('last_signature', 'text')
        .addColumn('run_node', 'text')
        .addColumn('run_until', 'bigint')
        .addColumn('user_name', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema.createIndex('data_refreshes_due').on('data_refreshes').column('next_run_at').execute();
    },
  },
  '0003_refresh_sources': {
    async up(database) {
      await database.schema
        .alterTable('data_refreshes')
        .addColumn('source', 'text', (column) => column.notNull().defaultTo('folder'))
        .execute();
    },
  },
  '0004_refresh_comparisons': {
    async up(database) {
      await database.schema.alterTable('data_refreshes').addColumn('last_comparison', 'text').execute();
    },
  },
  '0005_refresh_connections': {
    async up(database) {
      await database.schema.alterTable('data_refreshes').addColumn('connection_id', 'text').execute();
    },
  },
  '0006_refresh_rollups': {
    async up(database) {
      await database.schema.alterTable('data_refreshes').addColumn('rollup', 'text').execute();
    },
  },
};
