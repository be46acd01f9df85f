/** Identity's tables, as `migrations.ts` creates them. Instants are epoch milliseconds. */
export interface IdentityTables {
  tenants: TenantsTable;
  users: UsersTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  login_failures: LoginFailuresTable;
  server_secrets: ServerSecretsTable;
  external_accounts: ExternalAccountsTable;
}

interface TenantsTable {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly tier: string;
  readonly created_at: number;
}

interface UsersTable {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  /** The name in lower case, unique in the tenant: `homes/Ann` and `homes/ann` are one folder on some file systems. */
  readonly name_key: string;
  /** argon2id in PHC form; empty for a user without a local password. */
  password_hash: string;
  /** Number of passwords that this user has had. Proofs with an earlier password are no longer valid. */
  password_version: number;
  /** 1 when the password was weak by `weakPassword` at the time it was set. */
  weak_password: number;
  /** JSON: an array of role names. */
  roles: string;
  /** JSON: an object of lists of values by attribute. */
  attributes: string;
  readonly created_at: number;
  /** Since when the user may not sign in; null for a user who may. */
  disabled_at: number | null;
}

interface SessionsTable {
  /** SHA-256 of the session id, in hex. The id itself is only in the cookie. */
  readonly id_hash: string;
  readonly user_id: string;
  readonly password_version: number;
  readonly created_at: number;
  last_seen_at: number;
  /** The absolute end, however busy the session is. */
  readonly expires_at: number;
}

interface ApiKeysTable {
  readonly id: string;
  /** SHA-256 of the key, in hex. */
  readonly key_hash: string;
  readonly tenant_id: string;
  readonly label: string;
  readonly roles: string;
  /** JSON, as of users. */
  attributes: string;
  readonly created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  /** Null for a key without an end. */
  readonly expires_at: number | null;
  /** JSON: an array of scopes; null for a key that may call everything. */
  readonly scopes: string | null;
}

interface LoginFailuresTable {
  readonly id: string;
  /** SHA-256 of the name and the address of the attempt. */
  readonly account_hash: string;
  readonly at: number;
}

interface ServerSecretsTable {
  readonly name: string;
  /** Base64-URL. */
  readonly value: string;
}

interface ExternalAccountsTable {
  /** The identity provider, by its issuer (OpenID Connect Core 1.0, section 2: `iss`). */
  readonly issuer: string;
  /** The provider's id of the user: `sub`. */
  readonly subject: string;
  readonly user_id: string;
  readonly created_at: number;
}
