import type { Migrations } from '../../router/capabilities/state.ts';

/** Identity's tables. A released migration is never edited; a change is a new migration. */
export const identityMigrations: Migrations = {
  '0001_accounts': {
    up: async (db) => {
      await db.schema
        .createTable('tenants')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('tier', 'text', (column) => column.notNull().defaultTo('starter'))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('users')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('name_key', 'text', (column) => column.notNull())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('password_version', 'integer', (column) => column.notNull())
        .addColumn('weak_password', 'integer', (column) => column.notNull())
        .addColumn('roles', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('users_name', ['tenant_id', 'name_key'])
        .execute();
      await db.schema
        .createTable('sessions')
        .addColumn('id_hash', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('password_version', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
      await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();
      await db.schema
        .createTable('api_keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('key_hash', 'text', (column) => column.notNull().unique())
        .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
        .addColumn('label', 'text', (column) => column.notNull())
        .addColumn('roles', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_used_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .execute();
      await db.schema.createIndex('api_keys_tenant').on('api_keys').column('tenant_id').execute();
      await db.schema
        .createTable('login_failures')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('account_hash', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('login_failures_account')
        .on('login_failures')
        .columns(['account_hash', 'at'])
        .execute();
      await db.schema.createIndex('login_failures_at').on('login_failures').column('at').execute();
      await db.schema
        .createTable('server_secrets')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute();
    },
  },
  '0002_external_accounts': {
    up: async (db) => {
      await db.schema
        .createTable('external_accounts')
        .addColumn('issuer', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('external_accounts_key', ['issuer', 'subject'])
        .execute();
      await db.schema.createIndex('external_accounts_user').on('external_accounts').column('user_id').execute();
    },
  },
  '0003_attributes': {
    up: async (db) => {
      for (const table of ['users', 'api_keys'])
        await db.schema
          .alterTable(table)
          .addColumn('attributes', 'text', (column) => column.notNull().defaultTo('{}'))
          .execute();
    },
  },
  '0004_account_ends': {
    up: async (db) => {
      await db.schema.alterTable('users').addColumn('disabled_at', 'bigint').execute();
      await db.schema.alterTable('api_keys').addColumn('expires_at', 'bigint').execute();
      await db.schema.alterTable('api_keys').addColumn('scopes', 'text').execute();
    },
  },
};
