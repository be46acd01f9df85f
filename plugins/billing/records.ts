/** What this product keeps of subscriptions: made from the processor's events, in whatever order they come. */
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { PaymentEvent, Subscription, Tier } from '../../router/capabilities/payments.ts';
import type { State } from '../../router/capabilities/state.ts';
import { EVENT_SWEEP_INTERVAL_MS, EVENT_TTL_MS } from './limits.ts';
import { isEnded } from './subscription-status.ts';
import type { BillingTables } from './tables.ts';

export type BillingRecord = BillingTables['billing_records'];

/** A subscription as of an event or a later reading. */
export interface Snapshot {
  readonly tenant: TenantId;
  readonly subscription: Subscription;
  readonly tier: Tier;
  /**
   * Read from the processor after the event, and so newer than what any event of before says; `over` is the event that
   * the record of this subscription was from before the reading, `undefined` where there was none.
   */
  readonly current?: { readonly over: string | undefined };
}

/** Another event was taken between the reading of a subscription and its taking: it has to be read again. */
export const STALE = 'stale';

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
    return recordOf(this.#tables, tenant);
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

  /** Returns the id of the event that the record of a subscription is from; `undefined` where it has none. */
  async eventOf(subscription: string): Promise<string | undefined> {
    const row = await this.#tables
      .selectFrom('billing_records')
      .select('event_id')
      .where('subscription_id', '=', subscription)
      .executeTakeFirst();
    return row?.event_id;
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
   * Records an event and its subscription once, in one transaction. An event that is recorded already, or older than
   * the record, changes nothing. Returns `STALE` and records nothing where another event of the tenant was recorded
   * after the snapshot was read.
   */
  async take(event: PaymentEvent, snapshot: Snapshot | undefined): Promise<typeof STALE | undefined> {
    const now = this.#clock();
    const outcome = await this.#tables.transaction().execute(async (transaction) => {
      // Writing the tenant's row locks it, so that two events of one tenant are settled one after the other.
      if (snapshot !== undefined) await link(transaction, snapshot.tenant, snapshot.subscription.customer, now);
      const kept = snapshot && (await recordOf(transaction, snapshot.tenant));
      if (snapshot?.current !== undefined && snapshot.current.over !== ownEvent(snapshot, kept)) return STALE;
      const taken = await transaction
        .insertInto('billing_events')
        .values({ id: event.id, type: event.type, created_at: event.createdAtMillis, received_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (taken === undefined || snapshot === undefined) return undefined;
      const hasEnded = await isKnownEnded(transaction, snapshot, now);
      if (!(hasEnded && !isEnded(snapshot.subscription.status)) && supersedes(event, snapshot, kept))
        await keep(transaction, event, snapshot, kept);
      return undefined;
    });
    await this.#removeExpired(now);
    return outcome;
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

/**
 * Returns whether times cannot order an event: another event of its subscription has the same second, or the event
 * reports that another subscription runs than the recorded one, which may have ended since.
 */
export function isUnsettled(
  event: PaymentEvent,
  { id, status }: Subscription,
  kept: BillingRecord | undefined,
): boolean {
  if (kept === undefined) return false;
  if (kept.subscription_id !== id) return !isEnded(status);
  return kept.event_created_at === event.createdAtMillis && kept.event_id !== event.id;
}

function ownEvent({ subscription }: Snapshot, kept: BillingRecord | undefined): string | undefined {
  return kept?.subscription_id === subscription.id ? kept.event_id : undefined;
}

/** Returns whether the subscription of an event replaces the recorded one of the tenant. */
function supersedes(
  event: PaymentEvent,
  { subscription, current }: Snapshot,
  kept: BillingRecord | undefined,
): boolean {
  if (kept === undefined) return true;
  const hasEnded = isEnded(subscription.status);
  if (kept.subscription_id === subscription.id) {
    // A subscription that has ended does not begin again, whatever the times say.
    if (isEnded(kept.status) !== hasEnded) return hasEnded;
    return current !== undefined || event.createdAtMillis >= kept.event_created_at;
  }
  // Of two subscriptions the running one wins, else the later one. The end of an old one does not end a new one.
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

function recordOf(tables: Kysely<BillingTables>, tenant: TenantId): Promise<BillingRecord | undefined> {
  return tables.selectFrom('billing_records').selectAll().where('tenant_id', '=', tenant).executeTakeFirst();
}

/** Returns whether this or an earlier snapshot reports that a subscription has ended, and notes it. */
async function isKnownEnded(
  tables: Transaction<BillingTables>,
  { tenant, subscription: { id, status } }: Snapshot,
  now: number,
): Promise<boolean> {
  if (isEnded(status)) {
    await tables
      .insertInto('billing_ended_subscriptions')
      .values({ subscription_id: id, tenant_id: tenant, ended_at: now })
      .onConflict((conflict) => conflict.column('subscription_id').doNothing())
      .execute();
    return true;
  }
  const ended = await tables
    .selectFrom('billing_ended_subscriptions')
    .select('ended_at')
    .where('subscription_id', '=', id)
    .executeTakeFirst();
  return ended !== undefined;
}

async function keep(
  tables: Transaction<BillingTables>,
  event: PaymentEvent,
  { tenant, subscription, tier }: Snapshot,
  kept: BillingRecord | undefined,
): Promise<void> {
  // The present reading is newer than the newest event so far, even if the event that triggered it is older.
  const isSame = kept?.subscription_id === subscription.id;
  const newest = Math.max(event.createdAtMillis, isSame ? kept.event_created_at : 0);
  const row = {
    customer_id: subscription.customer,
    subscription_id: subscription.id,
    subscription_created_at: subscription.createdAtMillis,
    status: subscription.status,
    tier,
    current_period_end: subscription.currentPeriodEndMillis,
    trial_end: subscription.trialEndMillis ?? null,
    event_created_at: newest,
    event_id: event.id,
  };
  await tables
    .insertInto('billing_records')
    .values({ tenant_id: tenant, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();
}
