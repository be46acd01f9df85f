/** The permissions that users have given agents: made on the consent page, listed, and ended. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { NotFoundError } from '../../router/errors.ts';
import { randomSecret, sha256 } from '../identity/secrets.ts';
import type { IdentityTables } from '../identity/tables.ts';
import type { User } from '../identity/users.ts';
import { AGENT_SCOPES, type AgentScope, type Permission } from './authorization-request.ts';
import { CODE_TTL_MS, MAX_GRANTS_OF_USER, MAX_LISTED_GRANTS } from './limits.ts';
import type { OAuthTables } from './tables.ts';

export interface Grant {
  readonly id: string;
  readonly agent: string;
  readonly user: string;
  readonly scopes: readonly AgentScope[];
  readonly createdAtMillis: number;
  /** Exact to the minute. */
  readonly lastUsedAtMillis: number;
}

/** The owner of permissions: a user, or without a name all users of the tenant. */
export interface Owner {
  readonly tenant: TenantId;
  readonly user?: string | undefined;
}

export class Grants {
  readonly #state: State;
  readonly #clock: Clock;

  constructor({ state, clock }: { readonly state: State; readonly clock: Clock }) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Records a permission, and returns the code for it. Beyond the limit, the user's least recently used permissions end. */
  async allow(user: User, { clientId, redirectUri, challenge, scopes, resource }: Permission): Promise<string> {
    const now = this.#clock();
    await this.#tables.deleteFrom('oauth_grants').where('expires_at', '<=', now).execute();
    const code = randomSecret();
    await this.#tables
      .insertInto('oauth_grants')
      .values({
        id: randomUUID(),
        client_id: clientId,
        tenant_id: user.tenant,
        user_id: user.id,
        password_version: user.passwordVersion,
        scopes: JSON.stringify(scopes),
        resource,
        created_at: now,
        last_used_at: now,
        // Until the code is exchanged there is nothing to keep for longer.
        expires_at: now + CODE_TTL_MS,
        code_hash: sha256(code),
        code_expires_at: now + CODE_TTL_MS,
        code_challenge: challenge,
        redirect_uri: redirectUri,
        code_used_at: null,
        family_hash: null,
      })
      .execute();
    const kept = this.#tables
      .selectFrom('oauth_grants')
      .select('id')
      .where('user_id', '=', user.id)
      .orderBy('last_used_at', 'desc')
      .orderBy('id')
      .limit(MAX_GRANTS_OF_USER);
    await this.#tables.deleteFrom('oauth_grants').where('user_id', '=', user.id).where('id', 'not in', kept).execute();
    return code;
  }

  /** Lists permissions, the ones used last first. */
  async list({ tenant, user }: Owner): Promise<readonly Grant[]> {
    const rows = await this.#valid({ tenant, user })
      .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
      .select([
        'oauth_grants.id',
        'oauth_grants.scopes',
        'oauth_grants.created_at',
        'oauth_grants.last_used_at',
        'oauth_clients.name as agent',
        'users.name as user',
      ])
      .orderBy('oauth_grants.last_used_at', 'desc')
      .orderBy('oauth_grants.id')
      .limit(MAX_LISTED_GRANTS)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      agent: row.agent,
      user: row.user,
      scopes: scopesFromColumn(row.scopes),
      createdAtMillis: row.created_at,
      lastUsedAtMillis: row.last_used_at,
    }));
  }

  /** Ends a permission: its tokens stop at once. @throws NotFoundError */
  async revoke(id: string, owner: Owner): Promise<void> {
    const row = /^[0-9a-f-]{36}$/.test(id)
      ? await this.#valid(owner).select('oauth_grants.id').where('oauth_grants.id', '=', id).executeTakeFirst()
      : undefined;
    if (row === undefined) throw new NotFoundError('There is no connected agent with this id.', { path: ['id'] });
    await this.#tables.deleteFrom('oauth_grants').where('id', '=', id).execute();
  }

  /** Returns the query of permissions that agents use. A new password ends the permissions given before it. */
  #valid({ tenant, user }: Owner) {
    return this.#tables
      .selectFrom('oauth_grants')
      .innerJoin('users', (join) =>
        join
          .onRef('users.id', '=', 'oauth_grants.user_id')
          .onRef('users.password_version', '=', 'oauth_grants.password_version'),
      )
      .where('oauth_grants.tenant_id', '=', tenant)
      .where('oauth_grants.code_used_at', 'is not', null)
      .where('oauth_grants.expires_at', '>', this.#clock())
      .$if(user !== undefined, (query) => query.where('users.name', '=', user ?? ''));
  }

  get #tables() {
    return this.#state.tables<OAuthTables & IdentityTables>();
  }
}

export function scopesFromColumn(column: string): readonly AgentScope[] {
  const names: unknown = JSON.parse(column);
  return AGENT_SCOPES.filter((name) => Array.isArray(names) && names.includes(name));
}
