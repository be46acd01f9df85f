/** The tables of agents that users have allowed to call in their name. Secrets are stored as hashes; instants are epoch milliseconds. */
import type { Migrations } from '../../router/capabilities/state.ts';

export interface OAuthTables {
  /** Agents as they have registered themselves (RFC 7591). They belong to no tenant. */
  oauth_clients: {
    readonly id: string;
    readonly name: string;
    /** JSON: a list of texts. */
    readonly redirect_uris: string;
    readonly created_at: number;
    /** When a user's permission was last used; null for an agent that nobody has allowed anything. */
    used_at: number | null;
  };
  /** The permission of one user for one agent. */
  oauth_grants: {
    readonly id: string;
    readonly client_id: string;
    readonly tenant_id: string;
    readonly user_id: string;
    /** A permission from before a change of the password is no longer valid. */
    readonly password_version: number;
    /** JSON: a list of scopes. */
    readonly scopes: string;
    /** The address that the tokens are for (RFC 8707). */
    readonly resource: string;
    readonly created_at: number;
    last_used_at: number;
    expires_at: number;
    /** SHA-256 of the code, which is exchanged once. */
    readonly code_hash: string;
    readonly code_expires_at: number;
    readonly code_challenge: string;
    readonly redirect_uri: string;
    code_used_at: number | null;
    /** SHA-256 of the part that all refresh tokens of the permission have in common; null before the exchange. */
    family_hash: string | null;
  };
  /** Tokens that may be used, and refresh tokens that have just been used. */
  oauth_tokens: {
    /** SHA-256 of the whole token. */
    readonly hash: string;
    readonly grant_id: string;
    readonly kind: 'access' | 'refresh';
    readonly expires_at: number;
    /** When a refresh token was first used. */
    spent_at: number | null;
  };
}

export const oauthMigrations: Migrations = {
  '0001_oauth': {
    async up(database) {
      await database.schema
        .createTable('oauth_clients')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('redirect_uris', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('used_at', 'bigint')
        .execute();
      await database.schema
        .createTable('oauth_grants')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('client_id', 'text', (column) => column.notNull().references('oauth_clients.id').onDelete('cascade'))
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('password_version', 'integer', (column) => column.notNull())
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('resource', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_used_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('code_hash', 'text', (column) => column.notNull().unique())
        .addColumn('code_expires_at', 'bigint', (column) => column.notNull())
        .addColumn('code_challenge', 'text', (column) => column.notNull())
        .addColumn('redirect_uri', 'text', (column) => column.notNull())
        .addColumn('code_used_at', 'bigint')
        .addColumn('family_hash', 'text', (column) => column.unique())
        .execute();
      await database.schema
        .createIndex('oauth_clients_unused')
        .on('oauth_clients')
        .columns(['used_at', 'created_at'])
        .execute();
      await database.schema.createIndex('oauth_grants_user').on('oauth_grants').column('user_id').execute();
      await database.schema.createIndex('oauth_grants_client').on('oauth_grants').column('client_id').execute();
      await database.schema.createIndex('oauth_grants_expiry').on('oauth_grants').column('expires_at').execute();
      await database.schema
        .createTable('oauth_tokens')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('grant_id', 'text', (column) => column.notNull().references('oauth_grants.id').onDelete('cascade'))
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('spent_at', 'bigint')
        .execute();
      await database.schema.createIndex('oauth_tokens_grant').on('oauth_tokens').column('grant_id').execute();
    },
  },
};
