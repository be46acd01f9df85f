import type { Migrations } from '../../../router/capabilities/state.ts';

export interface InferenceTables {
  readonly saved_connections: SavedConnectionRow;
  readonly inference_traces: TraceRow;
  readonly upload_origins: UploadOriginRow;
}

export interface UploadOriginRow {
  readonly tenant_id: string;
  /** The name of the database file in the folder of uploads. */
  readonly file: string;
  /** JSON of `Origin`, encrypted. */
  readonly sealed_content: string;
  readonly created_at: number;
}

export interface TraceRow {
  /** A UUID. */
  readonly id: string;
  readonly tenant_id: string;
  readonly created_at: number;
  readonly status: string;
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number;
  readonly prompt: string;
  readonly response: string;
}

export interface SavedConnectionRow {
  /** A UUID. */
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  /** The kind of warehouse: `postgresql`. */
  readonly type: string;
  /** JSON of the address, encrypted in the context of tenant and id: a JDBC URL may have a password, too. */
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
  '0002_traces': {
    async up(database) {
      await database.schema
        .createTable('inference_traces')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('model', 'text', (column) => column.notNull())
        .addColumn('input_tokens', 'integer', (column) => column.notNull())
        .addColumn('output_tokens', 'integer', (column) => column.notNull())
        .addColumn('cost_usd', 'real', (column) => column.notNull())
        .addColumn('prompt', 'text', (column) => column.notNull())
        .addColumn('response', 'text', (column) => column.notNull())
        .execute();
      await database.schema
        .createIndex('inference_traces_by_time')
        .on('inference_traces')
        .column('created_at')
        .execute();
    },
  },
  '0003_origins': {
    async up(database) {
      await database.schema
        .createTable('upload_origins')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('file', 'text', (column) => column.notNull())
        .addColumn('sealed_content', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('upload_origins_key', ['tenant_id', 'file'])
        .execute();
    },
  },
};
