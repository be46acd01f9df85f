/** Agents that have registered themselves: public clients, which have no secret (RFC 7591, OAuth 2.1). */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { State } from '../../router/capabilities/state.ts';
import {
  ENDED_CLIENT_TTL_MS,
  MAX_CLIENT_NAME_LENGTH,
  MAX_REDIRECT_URI_LENGTH,
  MAX_REDIRECT_URIS,
  MAX_UNUSED_CLIENTS,
  UNUSED_CLIENT_TTL_MS,
} from './limits.ts';
import { OAuthError } from './oauth-error.ts';
import { checkRedirectUri } from './redirect-uris.ts';
import type { OAuthTables } from './tables.ts';

export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAtMillis: number;
}

const NAMELESS = 'An agent without a name';
/** Agents that one registration removes at most. */
const REMOVED_AT_ONCE = 100;

const RedirectUris = z.array(z.string().max(MAX_REDIRECT_URI_LENGTH)).min(1).max(MAX_REDIRECT_URIS);
const Registration = z.object({
  client_name: z.string().max(MAX_CLIENT_NAME_LENGTH).default(''),
  redirect_uris: RedirectUris,
  token_endpoint_auth_method: z.string().max(100).optional(),
});

export class Clients {
  readonly #state: State;
  readonly #clock: Clock;

  constructor({ state, clock }: { readonly state: State; readonly clock: Clock }) {
    this.#state = state;
    this.#clock = clock;
  }

  /**
   * Registers an agent. Where it asks for a secret, it gets none and reads so in the answer (RFC 7591, section 3.2.1).
   *
   * @throws OAuthError for metadata that this server does not accept
   */
  async register(metadata: unknown): Promise<OAuthClient> {
    const { data, error } = Registration.safeParse(metadata);
    if (data === undefined) {
      const [issue] = error.issues;
      const isRedirect = issue?.path[0] === 'redirect_uris';
      throw new OAuthError(
        isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata',
        `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'is not accepted'}`,
      );
    }
    for (const uri of data.redirect_uris) checkRedirectUri(uri);
    await this.#makePlace();
    const client: OAuthClient = {
      id: randomUUID(),
      // People read the name: controls and marks of direction would let it pretend to be something else.
      name: data.client_name.replace(/[\p{C}\s]+/gu, ' ').trim() || NAMELESS,
      redirectUris: [...new Set(data.redirect_uris)],
      createdAtMillis: this.#clock(),
    };
    await this.#tables
      .insertInto('oauth_clients')
      .values({
        id: client.id,
        name: client.name,
        redirect_uris: JSON.stringify(client.redirectUris),
        created_at: client.createdAtMillis,
        used_at: null,
      })
      .execute();
    return client;
  }

  async find(id: string): Promise<OAuthClient | undefined> {
    // PostgreSQL refuses to compare with a NUL, so nothing but an id is looked up.
    if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
    const row = await this.#tables.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst();
    return (
      row && {
        id: row.id,
        name: row.name,
        redirectUris: RedirectUris.parse(JSON.parse(row.redirect_uris)),
        createdAtMillis: row.created_at,
      }
    );
  }

  /** Removes agents that nobody uses, and of too many unused ones the oldest. */
  async #makePlace(): Promise<void> {
    const now = this.#clock();
    const withoutGrant = this.#tables
      .selectFrom('oauth_clients')
      .leftJoin('oauth_grants', 'oauth_grants.client_id', 'oauth_clients.id')
      .select('oauth_clients.id')
      .where('oauth_grants.id', 'is', null);
    const stale = await withoutGrant
      .where((row) =>
        row.or([
          row.and([
            row('oauth_clients.used_at', 'is', null),
            row('oauth_clients.created_at', '<', now - UNUSED_CLIENT_TTL_MS),
          ]),
          row('oauth_clients.used_at', '<', now - ENDED_CLIENT_TTL_MS),
        ]),
      )
      .limit(REMOVED_AT_ONCE)
      .execute();
    await this.#remove(stale);
    const { count } = await this.#tables
      .selectFrom('oauth_clients')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    const excess = Number(count) + 1 - MAX_UNUSED_CLIENTS;
    if (excess <= 0) return;
    const oldest = await withoutGrant
      .where('oauth_clients.used_at', 'is', null)
      .orderBy('oauth_clients.created_at')
      .limit(Math.min(excess, REMOVED_AT_ONCE))
      .execute();
    await this.#remove(oldest);
  }

  async #remove(clients: readonly { readonly id: string }[]): Promise<void> {
    if (clients.length === 0) return;
    const ids = clients.map(({ id }) => id);
    await this.#tables.deleteFrom('oauth_clients').where('id', 'in', ids).execute();
  }

  get #tables() {
    return this.#state.tables<OAuthTables>();
  }
}
