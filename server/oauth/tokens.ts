/** The tokens of agents: a code becomes a short access token and a refresh token, which is replaced at each use. */
import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope, UserCaller } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { UnauthenticatedError } from '../../router/errors.ts';
import type { AccessTokenCallers, Audience } from '../identity/authentication.ts';
import { attributesFromColumn, rolesFromColumn, tenantIdFromColumn } from '../identity/names.ts';
import { equalInConstantTime, randomSecret, sha256 } from '../identity/secrets.ts';
import type { IdentityTables } from '../identity/tables.ts';
import type { AgentScope } from './authorization-request.ts';
import { scopesFromColumn } from './grants.ts';
import { ACCESS_TTL_MS, GRANT_TTL_MS, REFRESH_LEEWAY_MS } from './limits.ts';
import { OAuthError } from './oauth-error.ts';
import type { OAuthTables } from './tables.ts';

/** Prefixes by which people and secret scanners recognise tokens. */
const ACCESS_PREFIX = 'serviceagent_';
const REFRESH_PREFIX = 'servicerefresh_';
const ACCESS_TOKEN = /^serviceagent_[A-Za-z0-9_-]{43}$/;
/** The first secret is the same in all refresh tokens of a permission, so that an old one is always recognised. */
const REFRESH_TOKEN = /^servicerefresh_([A-Za-z0-9_-]{43})\.[A-Za-z0-9_-]{43}$/;

/** Minimum interval between two recorded uses of a permission. */
const NOTED_EVERY_MS = 60_000;

type Tables = OAuthTables & IdentityTables;
type GrantRow = OAuthTables['oauth_grants'];

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly AgentScope[];
  /** The user in whose name the agent calls. */
  readonly owner: Scope;
}

export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly resource: string | undefined;
}

export class Tokens implements AccessTokenCallers {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #resources: readonly string[];

  /** @param resources the addresses that tokens are issued for */
  constructor(
    { state, clock }: { readonly state: State; readonly clock: Clock },
    resources: readonly [string, ...string[]],
  ) {
    this.#state = state;
    this.#clock = clock;
    this.#resources = resources;
  }

  /**
   * Exchanges a code for tokens, once. A second exchange, and one with another client, address or verifier, ends the
   * permission and its tokens (RFC 6749, section 4.1.2).
   *
   * @throws OAuthError
   */
  async exchange({ code, clientId, redirectUri, verifier, resource }: CodeExchange): Promise<IssuedTokens> {
    const now = this.#clock();
    const challenge = createHash('sha256').update(verifier, 'ascii').digest('base64url');
    return this.#settled(async (transaction) => {
      const grant = await this.#locked(transaction, 'code_hash', sha256(code));
      if (grant === undefined) return badCode();
      const isReuse = grant.code_used_at !== null;
      const isRight =
        !isReuse &&
        grant.client_id === clientId &&
        grant.redirect_uri === redirectUri &&
        grant.code_expires_at > now &&
        equalInConstantTime(challenge, grant.code_challenge);
      if (!isRight) {
        await end(transaction, grant.id);
        return badCode(isReuse);
      }
      if (resource !== undefined && resource !== grant.resource) return otherResource(grant);
      const owner = await ownerOf(transaction, grant);
      if (owner === undefined) return badCode();
      const family = randomSecret();
      await transaction
        .updateTable('oauth_grants')
        .set({ code_used_at: now, family_hash: sha256(family) })
        .where('id', '=', grant.id)
        .execute();
      return issue(transaction, { grant, owner, family, now });
    });
  }

  /**
   * Replaces a refresh token. A token that was replaced before is a sign of theft, and ends the permission (OAuth 2.1, section
   * 4.3.1).
   *
   * @throws OAuthError
   */
  async refresh(token: string, clientId: string, resource: string | undefined): Promise<IssuedTokens> {
    const now = this.#clock();
    const [, family = ''] = REFRESH_TOKEN.exec(token) ?? [];
    if (family === '') throw badRefresh();
    const hash = sha256(token);
    return this.#settled(async (transaction) => {
      const grant = await this.#locked(transaction, 'family_hash', sha256(family));
      if (grant === undefined) return badRefresh();
      const row = await transaction
        .selectFrom('oauth_tokens')
        .select('spent_at')
        .where('hash', '=', hash)
        .where('grant_id', '=', grant.id)
        .executeTakeFirst();
      const isReuse = row === undefined || (row.spent_at !== null && now - row.spent_at > REFRESH_LEEWAY_MS);
      if (isReuse || grant.client_id !== clientId || grant.expires_at <= now) {
        await end(transaction, grant.id);
        return badRefresh(isReuse);
      }
      if (resource !== undefined && resource !== grant.resource) return otherResource(grant);
      const owner = await ownerOf(transaction, grant);
      if (owner === undefined) return badRefresh();
      await transaction
        .updateTable('oauth_tokens')
        .set({ spent_at: now })
        .where('hash', '=', hash)
        .where('spent_at', 'is', null)
        .execute();
      await transaction
        .deleteFrom('oauth_tokens')
        .where('grant_id', '=', grant.id)
        .where((each) => each.or([each('expires_at', '<=', now), each('spent_at', '<', now - REFRESH_LEEWAY_MS)]))
        .execute();
      return issue(transaction, { grant, owner, family, now });
    });
  }

  /** Ends the permission of a token; does nothing for an unknown token (RFC 7009, section 2.2). Returns its user, where one was known. */
  async revoke(token: string, clientId: string): Promise<Scope | undefined> {
    const [, family = ''] = REFRESH_TOKEN.exec(token) ?? [];
    if (family === '' && !ACCESS_TOKEN.test(token)) return undefined;
    return this.#tables.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('oauth_tokens')
        .select('grant_id')
        .where('hash', '=', sha256(token))
        .executeTakeFirst();
      const grant =
        family === ''
          ? row && (await this.#locked(transaction, 'id', row.grant_id))
          : await this.#locked(transaction, 'family_hash', sha256(family));
      if (grant === undefined || grant.client_id !== clientId) return undefined;
      const owner = await ownerOf(transaction, grant);
      await end(transaction, grant.id);
      return owner;
    });
  }

  /** Returns whether a credential has the form of an access token of this server. */
  recognises(credential: string): boolean {
    return credential.startsWith(ACCESS_PREFIX);
  }

  /** @throws UnauthenticatedError */
  async resolve(token: string, audience?: Audience): Promise<UserCaller> {
    if (audience !== 'mcp')
      throw new UnauthenticatedError('This access token is for the MCP endpoint. Use an API key for other addresses.');
    const now = this.#clock();
    const row = ACCESS_TOKEN.test(token)
      ? await this.#tables
          .selectFrom('oauth_tokens')
          .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
          .innerJoin('users', (join) =>
            join
              .onRef('users.id', '=', 'oauth_grants.user_id')
              .onRef('users.password_version', '=', 'oauth_grants.password_version'),
          )
          .select([
            'oauth_grants.id',
            'oauth_grants.scopes',
            'oauth_grants.resource',
            'oauth_grants.last_used_at',
            'users.tenant_id',
            'users.name',
            'users.roles',
            'users.attributes',
          ])
          .where('oauth_tokens.hash', '=', sha256(token))
          .where('oauth_tokens.kind', '=', 'access')
          .where('oauth_tokens.expires_at', '>', now)
          .where('users.disabled_at', 'is', null)
          .executeTakeFirst()
      : undefined;
    if (row === undefined) throw new UnauthenticatedError('This access token is unknown, has expired or was revoked.');
    if (!this.#resources.includes(row.resource))
      throw new UnauthenticatedError('This access token is meant for another address.');
    if (now - row.last_used_at >= NOTED_EVERY_MS)
      await this.#tables.updateTable('oauth_grants').set({ last_used_at: now }).where('id', '=', row.id).execute();
    return {
      kind: 'user',
      via: 'access-token',
      tenant: tenantIdFromColumn(row.tenant_id),
      user: row.name,
      roles: rolesFromColumn(row.roles),
      attributes: attributesFromColumn(row.attributes),
      isAccount: true,
      scopes: scopesFromColumn(row.scopes),
    };
  }

  /** Runs `work` in a transaction. A refusal commits, because it may have ended a permission, and is thrown afterwards. */
  async #settled(
    work: (transaction: Transaction<Tables>) => Promise<IssuedTokens | OAuthError>,
  ): Promise<IssuedTokens> {
    const outcome = await this.#tables.transaction().execute(work);
    if (outcome instanceof OAuthError) throw outcome;
    return outcome;
  }

  /** Returns a permission, which no other transaction changes until this one ends. SQLite's transactions exclude each other. */
  async #locked(
    transaction: Transaction<Tables>,
    column: 'id' | 'code_hash' | 'family_hash',
    value: string,
  ): Promise<GrantRow | undefined> {
    return transaction
      .selectFrom('oauth_grants')
      .selectAll()
      .where(column, '=', value)
      .$if(this.#state.engine === 'postgresql', (query) => query.forUpdate())
      .executeTakeFirst();
  }

  get #tables(): Kysely<Tables> {
    return this.#state.tables<Tables>();
  }
}

interface Issue {
  readonly grant: GrantRow;
  readonly owner: Scope;
  readonly family: string;
  readonly now: number;
}

async function issue(transaction: Transaction<Tables>, { grant, owner, family, now }: Issue): Promise<IssuedTokens> {
  const accessToken = ACCESS_PREFIX + randomSecret();
  const refreshToken = `${REFRESH_PREFIX}${family}.${randomSecret()}`;
  const expiresAt = now + GRANT_TTL_MS;
  await transaction
    .updateTable('oauth_grants')
    .set({ last_used_at: now, expires_at: expiresAt })
    .where('id', '=', grant.id)
    .execute();
  await transaction.updateTable('oauth_clients').set({ used_at: now }).where('id', '=', grant.client_id).execute();
  const token = { grant_id: grant.id, spent_at: null };
  await transaction
    .insertInto('oauth_tokens')
    .values([
      { ...token, hash: sha256(accessToken), kind: 'access', expires_at: now + ACCESS_TTL_MS },
      { ...token, hash: sha256(refreshToken), kind: 'refresh', expires_at: expiresAt },
    ])
    .execute();
  return {
    accessToken,
    refreshToken,
    expiresInSeconds: ACCESS_TTL_MS / 1_000,
    scopes: scopesFromColumn(grant.scopes),
    owner,
  };
}

/** Returns the user of a permission; `undefined` for a disabled user, and after a change of the password. */
async function ownerOf(transaction: Transaction<Tables>, grant: GrantRow): Promise<Scope | undefined> {
  const row = await transaction
    .selectFrom('users')
    .select(['tenant_id', 'name', 'roles'])
    .where('id', '=', grant.user_id)
    .where('password_version', '=', grant.password_version)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row && { tenant: tenantIdFromColumn(row.tenant_id), user: row.name, roles: rolesFromColumn(row.roles) };
}

async function end(transaction: Transaction<Tables>, id: string): Promise<void> {
  await transaction.deleteFrom('oauth_grants').where('id', '=', id).execute();
}

const badCode = (isReuse = false) =>
  new OAuthError('invalid_grant', 'This code is unknown, has expired or was used. Ask for another.', { isReuse });
const badRefresh = (isReuse = false) =>
  new OAuthError('invalid_grant', 'This refresh token is not valid any more. Sign in again.', { isReuse });
const otherResource = ({ resource }: GrantRow) =>
  new OAuthError('invalid_target', `This permission is for ${resource}.`);
