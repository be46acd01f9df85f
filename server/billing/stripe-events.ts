/** Checks the used parts of Stripe's objects: even signed events come from outside. */
import { z } from 'zod';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { PaymentEvent, Subscription, Tier } from '../../router/capabilities/payments.ts';

/** The metadata member of customers, sessions and subscriptions that contains the tenant. */
export const TENANT_METADATA = 'tenantId';

const MAX_ID_LENGTH = 255;
/** Printable ASCII, as all of Stripe's ids and names are. */
const Word = z.string().regex(new RegExp(`^[!-~]{1,${MAX_ID_LENGTH}}$`));
/** Seconds up to the year 9999. */
const Instant = z.int().min(0).max(253_402_300_799);
const Reference = z.union([Word, z.object({ id: Word }).transform(({ id }) => id)]);
/** A tenant id of another format belongs to another product. */
const Metadata = z
  .object({ [TENANT_METADATA]: Word.optional().catch(undefined) })
  .nullish()
  .transform((metadata) => metadata?.[TENANT_METADATA] as TenantId | undefined);

const Item = z.object({ price: z.object({ id: Word }), current_period_end: Instant.nullish() });
const StripeSubscription = z.object({
  id: Word,
  customer: Reference,
  status: Word,
  created: Instant,
  trial_end: Instant.nullish(),
  current_period_end: Instant.nullish(),
  metadata: Metadata,
  items: z.object({ data: z.array(Item) }),
});
const Checkout = z.object({
  customer: Reference.nullish(),
  subscription: Reference.nullish(),
  client_reference_id: Word.nullish().catch(undefined),
  metadata: Metadata,
});
const Invoice = z.object({
  parent: z.object({ subscription_details: z.object({ subscription: Reference.nullish() }).nullish() }).nullish(),
});
const Event = z.object({
  id: Word,
  type: Word,
  created: Instant,
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
});

/** Returns the tier of a price; `undefined` for the price of another product. */
export type FindTier = (price: string) => Tier | undefined;

/** Reads a subscription. @throws ZodError where the object is not one */
export function readSubscription(object: unknown, findTier: FindTier): Subscription {
  const { id, customer, status, created, trial_end, metadata, items, ...subscription } =
    StripeSubscription.parse(object);
  // Stripe has moved the end of the period to the items; the format of an event depends on the account's API version.
  const periodEnd =
    subscription.current_period_end ?? Math.max(0, ...items.data.map((item) => item.current_period_end ?? 0));
  return {
    id,
    customer,
    status,
    tier: items.data.flatMap(({ price }) => findTier(price.id) ?? [])[0],
    createdAtMillis: millis(created),
    currentPeriodEndMillis: millis(periodEnd),
    trialEndMillis: typeof trial_end === 'number' ? millis(trial_end) : undefined,
    tenant: metadata,
  };
}

/** Reads an event. @throws ZodError where the body is not one */
export function readStripeEvent(body: unknown, findTier: FindTier): PaymentEvent {
  const { id, type, created, data } = Event.parse(body);
  const head = { id, type, createdAtMillis: millis(created) };
  switch (type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.trial_will_end':
      return { ...head, kind: 'subscription', subscription: readSubscription(data.object, findTier) };
    case 'checkout.session.completed': {
      const { customer, subscription, client_reference_id, metadata } = Checkout.parse(data.object);
      return {
        ...head,
        kind: 'checkout-completed',
        tenant: metadata ?? ((client_reference_id ?? undefined) as TenantId | undefined),
        customer: customer ?? undefined,
        subscription: subscription ?? undefined,
      };
    }
    case 'invoice.paid':
    case 'invoice.payment_succeeded':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required': {
      const subscription = Invoice.parse(data.object).parent?.subscription_details?.subscription ?? undefined;
      return subscription === undefined ? { ...head, kind: 'other' } : { ...head, kind: 'payment', subscription };
    }
    default:
      return { ...head, kind: 'other' };
  }
}

function millis(seconds: number): number {
  return seconds * 1_000;
}
