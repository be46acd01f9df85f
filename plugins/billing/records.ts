/** What this product keeps of subscriptions: made from the processor's events, in whatever order they come. */
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { PaymentEvent, Subscription, Tier } from '../../router/capabilities/payments.ts';
import type { State } from '../../router/capabilities/state.ts';
import { EVENT_SWEEP_INTERVAL_MS, EVENT_TTL_MS } from './limits.ts';
import { isEnded } from './status.ts';
import type { BillingTables } from './tables.ts';

export type BillingRecord = BillingTables['billing_records'];

/** What a subscription was at an event, or is since. */
export interface Snapshot {
  readonly tenant: TenantId;
  readonly subscription: Subscription;
  readonly tier: Tier;
  /** Read from the processor after the event: right even where the event's second says nothing. */
  readonly isCurrent: boolean;
}

export class BillingRecords {
  readonly #tables: Kysely<BillingTables>;
  readonly #clock: Clock;
  #sweptAtMillis = Number.NEGATIVE_INFINITY;

  constructor(state: State, clock: Clock) {
    this.#tables = state.tables<BillingTables>();
    this.#clock = clock;
  }

  /** Returns the subscription of a tenant; `undefined` where it never had one. */
  async find(tenant: TenantId): Promise<BillingRecord | undefined> {
    return this.#tables.selectFrom('billing_records').selectAll().where('tenant_id', '=', tenant).executeTakeFirst();
  }

  async customerOf(tenant: TenantId): Promise<string | undefined> {
    const row = await this.#tables
      .selectFrom('billing_customers')
      .select('customer_id')
      .where('tenant_id', '=', tenant)
      .executeTakeFirst();
    return row?.customer_id;
  }

  async tenantOf(customer: string): Promise<TenantId | undefined> {
    const row = await this.#tables
      .selectFrom('billing_customers')
      .select('tenant_id')
      .where('customer_id', '=', customer)
      .executeTakeFirst();
    return row?.tenant_id as TenantId | undefined;
  }

  /** Keeps the customer of a tenant unless it has one; returns the one it has. */
  async linkCustomer(tenant: TenantId, customer: string): Promise<string> {
    await link(this.#tables, tenant, customer, this.#clock());
    return (await this.customerOf(tenant)) ?? customer;
  }

  /** Forgets a customer that the processor has no more. */
  async unlinkCustomer(tenant: TenantId, customer: string): Promise<void> {
    await this.#tables
      .deleteFrom('billing_customers')
      .where('tenant_id', '=', tenant)
      .where('customer_id', '=', customer)
      .execute();
  }

  async hasSeen(event: PaymentEvent): Promise<boolean> {
    const row = await this.#tables
      .selectFrom('billing_events')
      .select('id')
      .where('id', '=', event.id)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Takes an event once, with what it says of a subscription. An event that was taken already changes nothing, nor does
   * one that is older than what is kept; all of it happens or nothing.
   */
  async take(event: PaymentEvent, snapshot: Snapshot | undefined): Promise<void> {
    const now = this.#clock();
    await this.#tables.transaction().execute(async (transaction) => {
      const taken = await transaction
        .insertInto('billing_events')
        .values({ id: event.id, type: event.type, created_at: event.createdAtMillis, received_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (taken === undefined || snapshot === undefined) return;
      const { tenant, subscription } = snapshot;
      // Writing the tenant's row locks it, so that two events of one tenant are settled one after the other.
      await link(transaction, tenant, subscription.customer, now);
      const kept = await transaction
        .selectFrom('billing_records')
        .selectAll()
        .where('tenant_id', '=', tenant)
        .executeTakeFirst();
      if (supersedes(event, snapshot, kept)) await keep(transaction, event, snapshot);
    });
    await this.#removeExpired(now);
  }

  /** Removes events that will not come again, at most once in `EVENT_SWEEP_INTERVAL_MS` of this process. */
  async #removeExpired(now: number): Promise<void> {
    if (now - this.#sweptAtMillis < EVENT_SWEEP_INTERVAL_MS) return;
    this.#sweptAtMillis = now;
    await this.#tables
      .deleteFrom('billing_events')
      .where('received_at', '<', now - EVENT_TTL_MS)
      .execute();
  }
}

/** Tells whether the same second of the same subscription has two events, whose order their times do not tell. */
export function isSameSecond(event: PaymentEvent, { id }: Subscription, kept: BillingRecord | undefined): boolean {
  return kept?.subscription_id === id && kept.event_created_at === event.createdAtMillis && kept.event_id !== event.id;
}

/** Tells whether what an event says of a subscription takes the place of what is kept of the tenant. */
function supersedes(
  event: PaymentEvent,
  { subscription, isCurrent }: Snapshot,
  kept: BillingRecord | undefined,
): boolean {
  if (kept === undefined) return true;
  const hasEnded = isEnded(subscription.status);
  if (kept.subscription_id === subscription.id) {
    if (event.createdAtMillis !== kept.event_created_at) return event.createdAtMillis > kept.event_created_at;
    // A subscription that has ended does not begin again, so of two things in one second the end was the later one.
    return isCurrent || hasEnded || !isEnded(kept.status);
  }
  // Another one: that which runs, else the one begun later. The end of an old one does not end a new one.
  if (isEnded(kept.status) !== hasEnded) return isEnded(kept.status);
  return subscription.createdAtMillis > kept.subscription_created_at;
}

async function link(tables: Kysely<BillingTables>, tenant: TenantId, customer: string, now: number): Promise<void> {
  await tables
    .insertInto('billing_customers')
    .values({ tenant_id: tenant, customer_id: customer, created_at: now })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ tenant_id: tenant }))
    .execute();
}

async function keep(
  tables: Transaction<BillingTables>,
  event: PaymentEvent,
  { tenant, subscription, tier }: Snapshot,
): Promise<void> {
  const row = {
    customer_id: subscription.customer,
    subscription_id: subscription.id,
    subscription_created_at: subscription.createdAtMillis,
    status: subscription.status,
    tier,
    current_period_end: subscription.currentPeriodEndMillis,
    trial_end: subscription.trialEndMillis ?? null,
    event_created_at: event.createdAtMillis,
    event_id: event.id,
  };
  await tables
    .insertInto('billing_records')
    .values({ tenant_id: tenant, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();
}
