import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import {
  CustomerGoneError,
  type PaymentEvent,
  type PaymentProcessor,
  type Subscription,
  type Tier,
} from '../../router/capabilities/payments.ts';
import { ConflictError, InternalError, UnavailableError } from '../../router/errors.ts';
import { MAX_READINGS } from './limits.ts';
import { type BillingRecords, isUnsettled, type Snapshot, STALE } from './records.ts';
import type { BillingState } from './schemas.ts';
import { isActive, isEnded, isUnpaidBeginning } from './subscription-status.ts';

export interface Checkout {
  readonly tier: Tier;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly idempotencyKey: string | undefined;
}

/** A tenant's subscription: reads it, begins and changes it, and applies the processor's events to it. */
export class Subscriptions {
  readonly #records: BillingRecords;
  readonly #processor: PaymentProcessor;
  readonly #hasTenant: (tenant: TenantId) => Promise<boolean>;
  readonly #log: Log;

  constructor(
    records: BillingRecords,
    processor: PaymentProcessor,
    hasTenant: (tenant: TenantId) => Promise<boolean>,
    log: Log,
  ) {
    this.#records = records;
    this.#processor = processor;
    this.#hasTenant = hasTenant;
    this.#log = log;
  }

  async state(tenant: TenantId): Promise<BillingState> {
    const record = await this.#records.find(tenant);
    if (record === undefined) {
      return { tenantId: tenant, tier: 'starter', subscriptionStatus: '', billedFeaturesActive: false };
    }
    const { status, tier, customer_id, current_period_end, trial_end } = record;
    return {
      tenantId: tenant,
      tier: isEnded(status) ? 'starter' : tier,
      subscriptionStatus: status,
      processorCustomerId: customer_id,
      currentPeriodEnd: new Date(current_period_end).toISOString(),
      trialEndsAt: status === 'trialing' && trial_end !== null ? new Date(trial_end).toISOString() : null,
      billedFeaturesActive: isActive(status),
    };
  }

  /**
   * Begins a checkout. @throws ConflictError `already_subscribed` where a second subscription would be paid beside the
   * first
   */
  async checkout(tenant: TenantId, checkout: Checkout): Promise<{ readonly url: string; readonly sessionId: string }> {
    const record = await this.#records.find(tenant);
    if (record !== undefined && !isEnded(record.status) && !isUnpaidBeginning(record.status)) {
      throw new ConflictError(
        'This tenant has a subscription: change or pay it in the customer portal (POST /me/billing/portal-session).',
        { code: 'already_subscribed' },
      );
    }
    const kept = await this.#records.customerOf(tenant);
    const customer = kept ?? (await this.#newCustomer(tenant, checkout, 'first'));
    try {
      return await this.#processor.createCheckoutSession({ ...checkout, tenant, customer });
    } catch (error) {
      if (!(error instanceof CustomerGoneError)) throw error;
      await this.#records.unlinkCustomer(tenant, customer);
      const another = await this.#newCustomer(tenant, checkout, customer);
      return await this.#processor.createCheckoutSession({ ...checkout, tenant, customer: another });
    }
  }

  /** Opens the customer portal. @throws ConflictError `no_customer` before a checkout was completed */
  async portal(tenant: TenantId, returnUrl: string): Promise<{ readonly url: string }> {
    const record = await this.#records.find(tenant);
    if (record === undefined) throw noCustomer();
    try {
      return await this.#processor.createPortalSession({ customer: record.customer_id, returnUrl });
    } catch (error) {
      throw error instanceof CustomerGoneError ? noCustomer() : error;
    }
  }

  /** Takes an event of the processor; one that was taken already changes nothing. */
  async take(event: PaymentEvent): Promise<void> {
    for (let readings = 0; readings < MAX_READINGS; readings++) {
      if (await this.#records.hasSeen(event)) return;
      if ((await this.#records.take(event, await this.#snapshotAt(event))) !== STALE) return;
    }
    // The processor sends it again.
    throw new UnavailableError('This tenant has too many events at a time.', {
      code: 'busy',
      retryAfterSeconds: 1,
    });
  }

  /** Returns the subscription that an event reports; `undefined` where it reports none, or one of somebody else. */
  async #snapshotAt(event: PaymentEvent): Promise<Snapshot | undefined> {
    switch (event.kind) {
      case 'other':
        return undefined;
      case 'subscription': {
        const snapshot = await this.#snapshotOf(event, event.subscription);
        if (snapshot === undefined) return undefined;
        const kept = await this.#records.find(snapshot.tenant);
        if (!isUnsettled(event, event.subscription, kept)) return snapshot;
        return (await this.#read(event, event.subscription.id)) ?? snapshot;
      }
      case 'payment': {
        return this.#read(event, event.subscription);
      }
      case 'checkout-completed': {
        const { tenant, customer, subscription } = event;
        if (tenant === undefined || !(await this.#hasTenant(tenant))) return undefined;
        if (customer !== undefined) await this.#records.linkCustomer(tenant, customer);
        return subscription === undefined ? undefined : this.#read(event, subscription, tenant);
      }
      default: {
        const never: never = event;
        throw new InternalError(`unmapped event ${String(never)}`);
      }
    }
  }

  /**
   * Returns the current state of a subscription; `undefined` where the processor has none with that id, or it belongs
   * to no tenant here.
   */
  async #read(event: PaymentEvent, id: string, tenant?: TenantId): Promise<Snapshot | undefined> {
    const over = await this.#records.eventOf(id);
    const subscription = await this.#processor.subscription(id);
    if (subscription === undefined) return undefined;
    const snapshot = await this.#snapshotOf(event, tenant === undefined ? subscription : { ...subscription, tenant });
    return snapshot && { ...snapshot, current: { over } };
  }

  async #snapshotOf({ id, type }: PaymentEvent, subscription: Subscription): Promise<Snapshot | undefined> {
    const tenant = subscription.tenant ?? (await this.#records.tenantOf(subscription.customer));
    if (tenant === undefined || !(await this.#hasTenant(tenant))) {
      this.#log.info({ event: id, type }, 'an event of a subscription that is nobody’s here');
      return undefined;
    }
    const { tier } = subscription;
    if (tier !== undefined) return { tenant, subscription, tier };
    this.#log.warn({ event: id, type, tenant }, 'a subscription has a price that no tier has; its tier stays');
    const kept = await this.#records.find(tenant);
    return { tenant, subscription, tier: kept?.tier ?? 'starter' };
  }

  /**
   * @param occasion distinguishes this customer from others of the tenant: simultaneous calls for the same occasion
   * make one
   */
  async #newCustomer(tenant: TenantId, { email, name }: Checkout, occasion: string): Promise<string> {
    const idempotencyKey = ['customer', tenant, occasion, email ?? '', name ?? ''].join('|');
    const customer = await this.#processor.createCustomer({ tenant, email, name, idempotencyKey });
    return this.#records.linkCustomer(tenant, customer);
  }
}

function noCustomer(): ConflictError {
  return new ConflictError(
    'This tenant has completed no checkout yet: begin one at POST /me/billing/checkout-session.',
    {
      code: 'no_customer',
    },
  );
}
