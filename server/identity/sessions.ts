import type { UserCaller } from '../../router/capabilities/identity.ts';
import type { IdentityDependencies } from './dependencies.ts';
import { DEFAULT_MAX_SESSIONS } from './limits.ts';
import { attributesFromColumn, rolesFromColumn, tenantIdFromColumn } from './names.ts';
import { isRandomSecret, randomSecret, sha256 } from './secrets.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './users.ts';

/** The cookie that carries a session id: HttpOnly, SameSite=Lax, Path=/, Secure behind TLS, no Max-Age. */
export const SESSION_COOKIE = 'SERVICE_SESSION';

const HOUR = 60 * 60_000;
/** Lifetime of a session after its last request, in milliseconds. */
const SESSION_IDLE_MS = 12 * HOUR;
/** Maximum lifetime of a session, in milliseconds. */
const SESSION_LONGEST_MS = 7 * 24 * HOUR;
/** Minimum interval between two recorded requests, so that reading a page does not cause a stream of writes. */
const NOTED_EVERY_MS = 60_000;

export interface NewSession {
  /** 256 random bits, only for the cookie: the store has a hash of it. */
  readonly id: string;
  readonly expiresAtMillis: number;
}

/** Sessions of browsers. They are in the state store, so any node can read them. */
export class Sessions {
  readonly #deps: IdentityDependencies;
  readonly #maxPerUser: number;
  #purgedAt = Number.NEGATIVE_INFINITY;

  /** @param maxPerUser maximum number of a user's sessions; 0 sets no limit */
  constructor(deps: IdentityDependencies, maxPerUser = DEFAULT_MAX_SESSIONS) {
    this.#deps = deps;
    this.#maxPerUser = maxPerUser;
  }

  /** Starts a session for a user with proved identity. Beyond the limit, the user's oldest sessions end. */
  async create(user: User): Promise<NewSession> {
    const now = this.#deps.clock();
    await this.#purge(now);
    const id = randomSecret();
    const expiresAtMillis = now + SESSION_LONGEST_MS;
    await this.#tables
      .insertInto('sessions')
      .values({
        id_hash: sha256(id),
        user_id: user.id,
        password_version: user.passwordVersion,
        created_at: now,
        last_seen_at: now,
        expires_at: expiresAtMillis,
      })
      .execute();
    if (this.#maxPerUser > 0) await this.#endOldest(user, sha256(id), now);
    return { id, expiresAtMillis };
  }

  /** Ends the user's sessions beyond the limit, so that the new one fits. */
  async #endOldest(user: User, newest: string, now: number): Promise<void> {
    await this.#tables
      .deleteFrom('sessions')
      .where('user_id', '=', user.id)
      .where('id_hash', '!=', newest)
      .where('id_hash', 'not in', (rows) =>
        rows
          .selectFrom('sessions as kept')
          .select('kept.id_hash')
          .where('kept.user_id', '=', user.id)
          .where('kept.id_hash', '!=', newest)
          // Expired sessions do not count.
          .where('kept.expires_at', '>', now)
          .where('kept.last_seen_at', '>', now - SESSION_IDLE_MS)
          .orderBy('kept.created_at', 'desc')
          .orderBy('kept.id_hash')
          .limit(this.#maxPerUser - 1),
      )
      .execute();
  }

  /** Returns the owner of a session, with the current roles; `undefined` when it is unknown, ended or expired. */
  async resolve(id: string): Promise<UserCaller | undefined> {
    if (!isRandomSecret(id)) return undefined;
    const now = this.#deps.clock();
    const row = await this.#tables
      .selectFrom('sessions')
      .innerJoin('users', (join) =>
        join
          .onRef('users.id', '=', 'sessions.user_id')
          // A session that started with an old password, while the password was being changed, does not count.
          .onRef('users.password_version', '=', 'sessions.password_version'),
      )
      .select([
        'users.tenant_id',
        'users.name',
        'users.roles',
        'users.attributes',
        'sessions.id_hash',
        'sessions.last_seen_at',
      ])
      .where('sessions.id_hash', '=', sha256(id))
      // A sign-in of the moment in which the user was disabled leaves no session that counts.
      .where('users.disabled_at', 'is', null)
      .where('sessions.expires_at', '>', now)
      .where('sessions.last_seen_at', '>', now - SESSION_IDLE_MS)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (now - row.last_seen_at >= NOTED_EVERY_MS) {
      await this.#tables
        .updateTable('sessions')
        .set({ last_seen_at: now })
        .where('id_hash', '=', row.id_hash)
        .where('last_seen_at', '<', now)
        .execute();
    }
    return {
      kind: 'user',
      via: 'session',
      tenant: tenantIdFromColumn(row.tenant_id),
      user: row.name,
      roles: rolesFromColumn(row.roles),
      attributes: attributesFromColumn(row.attributes),
      isAccount: true,
    };
  }

  /** Ends a session; has no effect on an unknown one. */
  async end(id: string): Promise<void> {
    await this.#tables.deleteFrom('sessions').where('id_hash', '=', sha256(id)).execute();
  }

  /** Deletes expired sessions, at most once an hour on each node. */
  async #purge(now: number): Promise<void> {
    if (now - this.#purgedAt < HOUR) return;
    this.#purgedAt = now;
    await this.#tables
      .deleteFrom('sessions')
      .where((row) => row.or([row('expires_at', '<=', now), row('last_seen_at', '<=', now - SESSION_IDLE_MS)]))
      .execute();
  }

  get #tables() {
    return this.#deps.state.tables<IdentityTables>();
  }
}
