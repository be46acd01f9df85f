import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { PaymentProcessor, Tier } from '../../router/capabilities/payments.ts';
import type { RateLimits } from '../../router/capabilities/rate-limits.ts';
import type { State } from '../../router/capabilities/state.ts';
import { accountErrorFormat } from '../../router/error-body.ts';
import { type Plugin, plugin } from '../../router/plugin.ts';
import { billingOperations } from './operations.ts';
import { type RatesByTier, StoredRateLimits } from './rate-limits.ts';
import { BillingRecords } from './records.ts';
import { isActive } from './subscription-status.ts';
import { Subscriptions } from './subscriptions.ts';
import { billingMigrations } from './tables.ts';

export interface BillingCapabilities {
  readonly state: State;
  /** `undefined` where none is configured: every operation then answers 503 `billing_disabled`. */
  readonly processor: PaymentProcessor | undefined;
  readonly rates: RatesByTier;
  readonly hasTenant: (tenant: TenantId) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface BillingSurface {
  readonly plugin: Plugin<'billing', ReturnType<typeof billingOperations>>;
  /** Limits the calls of a tenant by its current subscription. */
  readonly rateLimits: RateLimits;
}

/** Makes the billing surface. */
export function billing({ state, processor, rates, hasTenant, clock, log }: BillingCapabilities): BillingSurface {
  const records = new BillingRecords(state, clock);
  const readTier = async (tenant: TenantId): Promise<Tier> => {
    const record = await records.find(tenant);
    return record !== undefined && isActive(record.status) ? record.tier : 'starter';
  };
  const rateLimits = new StoredRateLimits(state, clock, rates, readTier);
  const enabled =
    processor === undefined
      ? undefined
      : { processor, rateLimits, subscriptions: new Subscriptions(records, processor, hasTenant, log) };
  return {
    plugin: plugin({
      name: 'billing',
      title: 'Billing',
      router: billingOperations(enabled),
      errorFormat: accountErrorFormat,
      migrations: billingMigrations,
    }),
    rateLimits,
  };
}
