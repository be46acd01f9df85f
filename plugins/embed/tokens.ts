import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Attributes } from '../../router/capabilities/attributes.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope, TenantId, Viewer } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { compiledOnce, type RowFinder, type TextPlace } from '../../router/compiled-query.ts';
import { ConflictError } from '../../router/errors.ts';
import { type Awaitable, type Steps, settled } from '../../router/steps.ts';
import type { Resource } from './schemas.ts';
import { type EmbedTables, type EmbedTokenRow, ownedBy } from './tables.ts';
import { hashOfToken, looksLikeToken, newToken } from './token-text.ts';

/** Tokens that can be used no more are kept this long, so that their owner still sees them in the list. */
const KEEP_DEAD_MS = 30 * 24 * 3_600_000;
/** `lastUsedAt` is true to this many milliseconds; in between, reading writes nothing. */
const LAST_USED_STEP_MS = 60_000;

export interface NewEmbedToken {
  /** Shown this once. */
  readonly token: string;
  readonly expiresAtMillis: number;
}

/** The embed tokens. They are stored in the state, so that several nodes serve the same tokens. */
export class EmbedTokens {
  readonly #tables: Kysely<EmbedTables>;
  readonly #clock: Clock;
  readonly #byHash: RowFinder<EmbedTokenRow, 'hash'>;

  constructor(state: State, clock: Clock) {
    const tables = state.tables<EmbedTables>();
    this.#tables = tables;
    this.#clock = clock;
    this.#byHash = compiledOnce(state, (of: Kysely<EmbedTables>, text: TextPlace<'hash'>) =>
      of.selectFrom('embed_tokens').selectAll().where('token_hash', '=', text('hash')),
    );
  }

  /** @throws ConflictError TOKEN_LIMIT when the owner has `limit` active tokens; exact under any number of calls at once */
  async create(
    owner: Scope,
    resource: Resource,
    {
      label,
      ttlMs,
      limit,
      viewer,
    }: {
      readonly label: string | undefined;
      readonly ttlMs: number;
      readonly limit: number;
      readonly viewer?: (Viewer & { readonly attributes: Attributes }) | undefined;
    },
  ): Promise<NewEmbedToken> {
    const token = newToken();
    const now = this.#clock();
    const expiresAtMillis = now + ttlMs;
    const owned = ownedBy(owner);
    const { tenant_id, owner: user } = owned;
    await this.#tables.transaction().execute(async (transaction) => {
      // Writing the owner's row locks it on PostgreSQL and the database on SQLite, so that nobody else counts and
      // inserts this owner's tokens meanwhile. It must be the first statement of the transaction.
      await transaction
        .insertInto('embed_owners')
        .values({ tenant_id, owner: user })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'owner']).doUpdateSet({ owner: user }))
        .execute();
      const { active } = await transaction
        .selectFrom('embed_tokens')
        .where('tenant_id', '=', tenant_id)
        .where('owner', '=', user)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .select(({ fn }) => fn.countAll<number | string>().as('active'))
        .executeTakeFirstOrThrow();
      if (Number(active) >= limit)
        throw new ConflictError(`You have ${limit} active embed tokens, the most a user may have. Revoke one first.`, {
          code: 'TOKEN_LIMIT',
        });
      await transaction
        .insertInto('embed_tokens')
        .values({
          ...owned,
          id: randomUUID(),
          token_hash: hashOfToken(token),
          resource_kind: resource.kind,
          resource_path: resource.path,
          label: label ?? null,
          created_at: now,
          expires_at: expiresAtMillis,
          revoked_at: null,
          last_used_at: null,
          viewer_id: viewer?.id ?? null,
          viewer_attributes: viewer === undefined ? null : JSON.stringify(viewer.attributes),
        })
        .execute();
      await transaction
        .deleteFrom('embed_tokens')
        .where('tenant_id', '=', tenant_id)
        .where('owner', '=', user)
        .where('expires_at', '<', now - KEEP_DEAD_MS)
        .execute();
    });
    return { token, expiresAtMillis };
  }

  /**
   * Lists tokens of one user, or of all users of the tenant, the newest first; used, expired and revoked ones too.
   */
  async list(tenant: TenantId, owner: string | undefined): Promise<readonly EmbedTokenRow[]> {
    const ofTenant = this.#tables.selectFrom('embed_tokens').selectAll().where('tenant_id', '=', tenant);
    return (owner === undefined ? ofTenant : ofTenant.where('owner', '=', owner))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
  }

  /**
   * Revokes by token or by id, from the next request on. Returns false when that owner has no such token; without an
   * owner, when the tenant has none. Revoking again changes nothing and returns true.
   */
  async revoke(tenant: TenantId, owner: string | undefined, tokenOrId: string): Promise<boolean> {
    const ofTenant = this.#tables.selectFrom('embed_tokens').select('id').where('tenant_id', '=', tenant);
    const ofOwner = owner === undefined ? ofTenant : ofTenant.where('owner', '=', owner);
    const record = await (looksLikeToken(tokenOrId)
      ? ofOwner.where('token_hash', '=', hashOfToken(tokenOrId))
      : ofOwner.where('id', '=', tokenOrId)
    ).executeTakeFirst();
    if (record === undefined) return false;
    await this.#tables
      .updateTable('embed_tokens')
      .set({ revoked_at: this.#clock() })
      .where('id', '=', record.id)
      .where('revoked_at', 'is', null)
      .execute();
    return true;
  }

  /** Returns the token's record if it opens this very resource now. One look-up, whatever is wrong with the token. */
  *open(token: string, resource: Resource): Steps<EmbedTokenRow | undefined> {
    const row = yield* settled(this.#byHash({ hash: hashOfToken(token) }));
    if (row === undefined || row.revoked_at !== null || row.expires_at <= this.#clock()) return undefined;
    return row.resource_kind === resource.kind && row.resource_path === resource.path ? row : undefined;
  }

  /** Notes that a token was used, at most once a minute however many tiles a page reads. */
  used({ id, last_used_at }: EmbedTokenRow): Awaitable<void> {
    const now = this.#clock();
    const stale = now - LAST_USED_STEP_MS;
    if (last_used_at === null || last_used_at <= stale) return this.#noteUse(id, now, stale);
  }

  async #noteUse(id: string, now: number, stale: number): Promise<void> {
    await this.#tables
      .updateTable('embed_tokens')
      .set({ last_used_at: now })
      .where('id', '=', id)
      .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', stale)]))
      .execute();
  }
}
