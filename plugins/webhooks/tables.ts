import type { Migrations } from '../../router/capabilities/state.ts';

/**
 * - `waiting`: for its first or next attempt
 * - `delivered`: its target answered with a success
 * - `failed`: given up
 */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface WebhookRow {
  /** A UUID. */
  readonly id: string;
  readonly tenant_id: string;
  readonly url: string;
  readonly label: string;
  /** JSON: names of events. */
  readonly events: string;
  /** Sealed by the vault. */
  readonly secret: string;
  /** The former secret, sealed, and until when it signs, too. */
  readonly former_secret: string | null;
  readonly former_until: number | null;
  /** 0 or 1. */
  readonly is_paused: number;
  /** Why the server paused it; null where a user did. */
  readonly paused_reason: string | null;
  /** Failed deliveries since the last success. */
  readonly failed_in_a_row: number;
  readonly user_name: string;
  readonly created_at: number;
}

export interface DeliveryRow {
  /** A UUID. */
  readonly id: string;
  readonly tenant_id: string;
  readonly webhook_id: string;
  /** Identifies the event: equal for all deliveries of it. */
  readonly event_id: string;
  readonly event: string;
  /** The text that is sent. */
  readonly body: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_attempt_at: number;
  readonly last_attempt_at: number | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly last_duration_ms: number | null;
  readonly run_node: string | null;
  readonly run_until: number | null;
  readonly created_at: number;
}

export interface WebhookTables {
  readonly webhooks: WebhookRow;
  readonly webhook_deliveries: DeliveryRow;
}

export const webhookMigrations: Migrations = {
  '0001_webhooks': {
    async up(database) {
      await database.schema
        .createTable('webhooks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('label', 'text', (column) => column.notNull())
        .addColumn('events', 'text', (column) => column.notNull())
        .addColumn('secret', 'text', (column) => column.notNull())
        .addColumn('former_secret', 'text')
        .addColumn('former_until', 'bigint')
        .addColumn('is_paused', 'integer', (column) => column.notNull())
        .addColumn('paused_reason', 'text')
        .addColumn('failed_in_a_row', 'integer', (column) => column.notNull())
        .addColumn('user_name', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema.createIndex('webhooks_by_tenant').on('webhooks').column('tenant_id').execute();
      await database.schema
        .createTable('webhook_deliveries')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('webhook_id', 'text', (column) => column.notNull())
        .addColumn('event_id', 'text', (column) => column.notNull())
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
        .addColumn('last_attempt_at', 'bigint')
        .addColumn('last_status', 'integer')
        .addColumn('last_error', 'text')
        .addColumn('last_duration_ms', 'integer')
        .addColumn('run_node', 'text')
        .addColumn('run_until', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema
        .createIndex('webhook_deliveries_due')
        .on('webhook_deliveries')
        .columns(['state', 'next_attempt_at'])
        .execute();
      await database.schema
        .createIndex('webhook_deliveries_of')
        .on('webhook_deliveries')
        .columns(['webhook_id', 'created_at'])
        .execute();
    },
  },
};
