import type { Kysely } from 'kysely';
import type { Tier } from '../../router/capabilities/payments.ts';
import type { Migrations } from '../../router/capabilities/state.ts';

/** Instants are epoch milliseconds. */
export interface BillingTables {
  /** The processor's customer of a tenant, from its first checkout on. */
  billing_customers: { tenant_id: string; customer_id: string; created_at: number };
  /** The subscription of a tenant, as of its newest event. */
  billing_records: {
    tenant_id: string;
    customer_id: string;
    subscription_id: string;
    subscription_created_at: number;
    status: string;
    tier: Tier;
    current_period_end: number;
    trial_end: number | null;
    /** When the event happened that this row is from. */
    event_created_at: number;
    event_id: string;
  };
  /** Events that were applied or need no more attention, so that a repeated one changes nothing. */
  billing_events: { id: string; type: string; created_at: number; received_at: number };
  /** Subscriptions that have ended: later events about them are out of date. */
  billing_ended_subscriptions: { subscription_id: string; tenant_id: string; ended_at: number };
  /** Calls of a tenant since the beginning of a minute or an hour. */
  rate_windows: { tenant_id: string; length_ms: number; begins_at: number; calls: number };
}

export const billingMigrations: Migrations = {
  '0001_billing': {
    async up(database: Kysely<unknown>) {
      await database.schema
        .createTable('billing_customers')
        .addColumn('tenant_id', 'text', (column) => column.primaryKey())
        .addColumn('customer_id', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      // Not unique: two constraints of one row make concurrent upserts of it fail on PostgreSQL.
      await database.schema
        .createIndex('billing_customers_customer')
        .on('billing_customers')
        .column('customer_id')
        .execute();
      await database.schema
        .createTable('billing_records')
        .addColumn('tenant_id', 'text', (column) => column.primaryKey())
        .addColumn('customer_id', 'text', (column) => column.notNull())
        .addColumn('subscription_id', 'text', (column) => column.notNull())
        .addColumn('subscription_created_at', 'bigint', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('tier', 'text', (column) => column.notNull())
        .addColumn('current_period_end', 'bigint', (column) => column.notNull())
        .addColumn('trial_end', 'bigint')
        .addColumn('event_created_at', 'bigint', (column) => column.notNull())
        .addColumn('event_id', 'text', (column) => column.notNull())
        .execute();
      await database.schema
        .createTable('billing_events')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema.createIndex('billing_events_received').on('billing_events').column('received_at').execute();
      await database.schema
        .createTable('rate_windows')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('length_ms', 'bigint', (column) => column.notNull())
        .addColumn('begins_at', 'bigint', (column) => column.notNull())
        .addColumn('calls', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('rate_windows_key', ['tenant_id', 'length_ms', 'begins_at'])
        .execute();
    },
  },
  '0002_ended_subscriptions': {
    async up(database: Kysely<unknown>) {
      await database.schema
        .createTable('billing_ended_subscriptions')
        .addColumn('subscription_id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('ended_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
};
