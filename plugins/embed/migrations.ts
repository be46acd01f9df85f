import type { Kysely } from 'kysely';
import type { Migrations } from '../../router/capabilities/state.ts';
import type { PublicGrantRow } from './tables.ts';

interface OldAndNew {
  readonly public_grants: PublicGrantRow;
  readonly public_grants_by_tenant: PublicGrantRow;
}

export const embedMigrations: Migrations = {
  '0001_embed_tokens_and_public_grants': {
    async up(database: Kysely<unknown>) {
      await database.schema
        .createTable('embed_tokens')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('token_hash', 'text', (column) => column.notNull().unique())
        .addColumn('resource_kind', 'text', (column) => column.notNull())
        .addColumn('resource_path', 'text', (column) => column.notNull())
        .addColumn('label', 'text')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('owner_roles', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .addColumn('last_used_at', 'bigint')
        .execute();
      await database.schema
        .createIndex('embed_tokens_of_owner')
        .on('embed_tokens')
        .columns(['tenant_id', 'owner', 'expires_at'])
        .execute();
      await database.schema
        .createTable('embed_owners')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('embed_owners_key', ['tenant_id', 'owner'])
        .execute();
      await database.schema
        .createTable('public_grants')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('resource_kind', 'text', (column) => column.notNull())
        .addColumn('resource_path', 'text', (column) => column.notNull())
        .addColumn('label', 'text')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('owner_roles', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        // An anonymous read names no tenant, so a kind and a path identify one grant in the whole system.
        .addUniqueConstraint('public_grants_resource', ['resource_kind', 'resource_path'])
        .execute();
    },
  },
  '0002_public_grants_of_tenants': {
    // SQLite takes no constraint off a table: a new table takes the place of the old one.
    async up(database: Kysely<OldAndNew>) {
      await database.schema
        .createTable('public_grants_by_tenant')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('resource_kind', 'text', (column) => column.notNull())
        .addColumn('resource_path', 'text', (column) => column.notNull())
        .addColumn('label', 'text')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('owner_roles', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        // The path of a read names its tenant, so a kind and a path identify one grant in each tenant.
        .addUniqueConstraint('public_grants_of_tenant', ['tenant_id', 'resource_kind', 'resource_path'])
        .execute();
      const columns = [
        'id',
        'resource_kind',
        'resource_path',
        'label',
        'tenant_id',
        'owner',
        'owner_roles',
        'created_at',
      ] as const;
      await database
        .insertInto('public_grants_by_tenant')
        .columns(columns)
        .expression(database.selectFrom('public_grants').select(columns))
        .execute();
      await database.schema.dropTable('public_grants').execute();
      await database.schema.alterTable('public_grants_by_tenant').renameTo('public_grants').execute();
    },
  },
  '0003_viewers': {
    async up(database: Kysely<unknown>) {
      for (const table of ['embed_tokens', 'public_grants'])
        await database.schema.alterTable(table).addColumn('owner_attributes', 'text').execute();
      await database.schema.alterTable('embed_tokens').addColumn('viewer_id', 'text').execute();
      await database.schema.alterTable('embed_tokens').addColumn('viewer_attributes', 'text').execute();
      await database.schema
        .createTable('revoked_signed_tokens')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('jti_hash', 'text', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('revoked_signed_tokens_key', ['tenant_id', 'jti_hash'])
        .execute();
    },
  },
};
