/** The webhooks of all tenants and their deliveries, in the state. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Vault } from '../../router/capabilities/vault.ts';
import { ConflictError, InternalError, NotFoundError } from '../../router/errors.ts';
import { FORMER_SECRET_MS, MAX_WEBHOOKS } from './limits.ts';
import { newSecret } from './signature.ts';
import type { WebhookRow, WebhookTables } from './tables.ts';

export interface NewWebhook {
  readonly url: string;
  readonly label: string;
  readonly events: readonly string[];
}

export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly label?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly isPaused?: boolean | undefined;
}

export class WebhookStore {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #vault: Vault;

  constructor({ state, clock, vault }: { readonly state: State; readonly clock: Clock; readonly vault: Vault }) {
    this.#state = state;
    this.#clock = clock;
    this.#vault = vault;
  }

  get #tables() {
    return this.#state.tables<WebhookTables>();
  }

  list(tenant: TenantId): Promise<readonly WebhookRow[]> {
    return this.#tables
      .selectFrom('webhooks')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }

  /** @throws NotFoundError */
  async get(tenant: TenantId, id: string): Promise<WebhookRow> {
    const row = await this.#tables
      .selectFrom('webhooks')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new NotFoundError('There is no such webhook.');
    return row;
  }

  /**
   * Adds a webhook. Returns its secret, which no later answer contains.
   *
   * @throws ConflictError where the tenant has too many
   */
  async add({ tenant, user }: Scope, { url, label, events }: NewWebhook) {
    if ((await this.list(tenant)).length >= MAX_WEBHOOKS)
      throw new ConflictError(`There are ${MAX_WEBHOOKS} webhooks already. Remove one first.`, {
        code: 'webhook_limit',
      });
    const id = randomUUID();
    const secret = newSecret();
    const row: WebhookRow = {
      id,
      tenant_id: tenant,
      url,
      label,
      events: JSON.stringify(events),
      secret: this.#vault.seal(secret, contextOf({ id, tenant_id: tenant })),
      former_secret: null,
      former_until: null,
      is_paused: 0,
      paused_reason: null,
      failed_in_a_row: 0,
      user_name: user,
      created_at: this.#clock(),
    };
    await this.#tables.insertInto('webhooks').values(row).execute();
    return { row, secret };
  }

  /** Changes a webhook. One that goes on begins with no failures. @throws NotFoundError */
  async change(tenant: TenantId, id: string, { url, label, events, isPaused }: WebhookChanges): Promise<WebhookRow> {
    await this.get(tenant, id);
    const set = {
      ...(url === undefined ? {} : { url }),
      ...(label === undefined ? {} : { label }),
      ...(events === undefined ? {} : { events: JSON.stringify(events) }),
      ...(isPaused === undefined ? {} : { is_paused: isPaused ? 1 : 0, paused_reason: null, failed_in_a_row: 0 }),
    };
    if (Object.keys(set).length > 0)
      await this.#tables
        .updateTable('webhooks')
        .set(set)
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .execute();
    return this.get(tenant, id);
  }

  /** Gives a webhook another secret and returns it. The former one signs for a day, too. @throws NotFoundError */
  async renewSecret(tenant: TenantId, id: string): Promise<{ readonly secret: string; readonly formerUntil: number }> {
    const row = await this.get(tenant, id);
    const secret = newSecret();
    const formerUntil = this.#clock() + FORMER_SECRET_MS;
    await this.#tables
      .updateTable('webhooks')
      .set({
        secret: this.#vault.seal(secret, contextOf(row)),
        former_secret: row.secret,
        former_until: formerUntil,
      })
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .execute();
    return { secret, formerUntil };
  }

  /** Removes a webhook with its deliveries. @throws NotFoundError */
  async remove(tenant: TenantId, id: string): Promise<void> {
    await this.get(tenant, id);
    await this.#tables.deleteFrom('webhooks').where('tenant_id', '=', tenant).where('id', '=', id).execute();
    await this.#tables
      .deleteFrom('webhook_deliveries')
      .where('tenant_id', '=', tenant)
      .where('webhook_id', '=', id)
      .execute();
  }

  /** Returns the secrets that sign now, the newest first. */
  secretsOf(row: WebhookRow): readonly string[] {
    const { secret, former_secret: former, former_until: until } = row;
    const sealed = former !== null && until !== null && until > this.#clock() ? [secret, former] : [secret];
    return sealed.map((each) => {
      const opened = this.#vault.open(each, contextOf(row));
      if (opened === undefined) throw new InternalError('The secret of a webhook was sealed with another key.');
      return opened;
    });
  }
}

function contextOf({ id, tenant_id }: Pick<WebhookRow, 'id' | 'tenant_id'>): string {
  return `${tenant_id}/webhook/${id}`;
}
