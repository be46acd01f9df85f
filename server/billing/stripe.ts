/** Stripe as a payment processor, through its own library. */
import Stripe from 'stripe';
import type { TenantId } from '../../router/capabilities/identity.ts';
import {
  CustomerGoneError,
  type PaymentEvent,
  type PaymentProcessor,
  SignatureError,
  type Subscription,
  TIERS,
  type Tier,
} from '../../router/capabilities/payments.ts';
import { ServiceError, TimeoutError, UpstreamError } from '../../router/errors.ts';

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Base address of what speaks Stripe's protocol; `undefined` for Stripe itself. */
  readonly endpoint: string | undefined;
  /** Price ids by tier. */
  readonly prices: Readonly<Partial<Record<Tier, string>>>;
  /** Days before the first payment; 0 for none. */
  readonly trialDays: number;
  readonly timeoutMs: number;
  /** What the metadata and the library's agent header say of us. */
  readonly version: string;
}

const MAX_RETRIES = 2;
/** Objects of a list that are asked for in one call: Stripe's most. */
const PAGE = 100;
/** Statuses of subscriptions that cannot be ended, because they have. */
const OVER: readonly Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired'];
/** Seconds that a signature may be old, as Stripe recommends. */
const SIGNATURE_TOLERANCE = 300;
/** The member of the metadata of customers, sessions and subscriptions that names the tenant. */
const TENANT_METADATA = 'tenantId';
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

export function stripeProcessor(options: StripeOptions): PaymentProcessor {
  const { webhookSecret, prices, trialDays } = options;
  const stripe = clientOf(options);
  const tierOf = (price: string): Tier | undefined => TIERS.find((tier) => prices[tier] === price);
  const read = (subscription: Stripe.Subscription) => subscriptionOf(subscription, tierOf);

  return {
    tiers: TIERS.filter((tier) => prices[tier] !== undefined),

    async createCustomer({ tenant, email, name, idempotencyKey }) {
      const customer = await asked(() =>
        stripe.customers.create(
          {
            ...(email === undefined ? {} : { email }),
            ...(name === undefined ? {} : { name }),
            metadata: { [TENANT_METADATA]: tenant },
          },
          { idempotencyKey },
        ),
      );
      return customer.id;
    },

    async createCheckoutSession({ customer, tenant, tier, successUrl, cancelUrl, idempotencyKey }) {
      const metadata = { [TENANT_METADATA]: tenant };
      const session = await asked(() =>
        stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer,
            client_reference_id: tenant,
            line_items: [{ price: prices[tier] ?? '', quantity: 1 }],
            success_url: successUrl,
            cancel_url: cancelUrl,
            metadata,
            subscription_data: { metadata, ...(trialDays === 0 ? {} : { trial_period_days: trialDays }) },
          },
          idempotencyKey === undefined ? {} : { idempotencyKey: `checkout|${tenant}|${idempotencyKey}` },
        ),
      );
      if (session.url === null) throw new UpstreamError('The payment processor gave no address for this checkout.');
      return { url: session.url, sessionId: session.id };
    },

    async createPortalSession({ customer, returnUrl }) {
      const { url } = await asked(() => stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }));
      return { url };
    },

    async subscription(id) {
      try {
        return read(await stripe.subscriptions.retrieve(id));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw failure(error);
      }
    },

    async endAllOf(customer) {
      try {
        // Those first: a checkout that is completed later would begin a subscription of nobody.
        for await (const { id } of stripe.checkout.sessions.list({ customer, status: 'open', limit: PAGE }))
          await stripe.checkout.sessions.expire(id);
        const ended: string[] = [];
        for await (const { id, status } of stripe.subscriptions.list({ customer, limit: PAGE })) {
          if (!OVER.includes(status) && (await end(stripe, id))) ended.push(id);
        }
        return ended;
      } catch (error) {
        if (isMissing(error)) return [];
        throw failure(error);
      }
    },

    async readEvent(body, signature) {
      let event: Stripe.Event;
      try {
        event = await stripe.webhooks.constructEventAsync(body, signature, webhookSecret, SIGNATURE_TOLERANCE);
      } catch (error) {
        // What is signed rightly but is no JSON is no event either.
        throw new SignatureError('unsigned event', { cause: error });
      }
      return eventOf(event, read);
    },
  };
}

/** Ends a subscription. False for one that somebody else has ended since it was listed. */
async function end(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await stripe.subscriptions.cancel(id);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function clientOf({ secretKey, endpoint, timeoutMs, version }: StripeOptions): Stripe {
  const url = endpoint === undefined ? undefined : new URL(endpoint);
  return new Stripe(secretKey, {
    maxNetworkRetries: MAX_RETRIES,
    timeout: timeoutMs,
    telemetry: false,
    appInfo: { name: 'service', version },
    ...(url === undefined
      ? {}
      : {
          host: url.hostname,
          protocol: url.protocol === 'http:' ? ('http' as const) : ('https' as const),
          port: url.port || (url.protocol === 'http:' ? HTTP_PORT : HTTPS_PORT),
        }),
  });
}

function subscriptionOf(subscription: Stripe.Subscription, tierOf: (price: string) => Tier | undefined): Subscription {
  const { id, customer, status, created, trial_end, metadata, items } = subscription;
  const tiers = items.data.flatMap(({ price }) => tierOf(price.id) ?? []);
  return {
    id,
    customer: typeof customer === 'string' ? customer : customer.id,
    status,
    tier: tiers[0],
    createdAtMillis: millis(created),
    currentPeriodEndMillis: millis(periodEnd(subscription)),
    trialEndMillis: trial_end === null ? undefined : millis(trial_end),
    tenant: tenantIn(metadata),
  };
}

/**
 * Returns the end of the period. Stripe moved it from the subscription to its items; an event has the shape of its
 * account's API version.
 */
function periodEnd({ items, ...subscription }: Stripe.Subscription): number {
  const own = 'current_period_end' in subscription ? subscription.current_period_end : undefined;
  if (typeof own === 'number') return own;
  return Math.max(0, ...items.data.map(({ current_period_end }) => current_period_end));
}

function eventOf(event: Stripe.Event, read: (subscription: Stripe.Subscription) => Subscription): PaymentEvent {
  const head = { id: event.id, type: event.type, createdAtMillis: millis(event.created) };
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.trial_will_end':
      return { ...head, kind: 'subscription', subscription: read(event.data.object) };
    case 'checkout.session.completed': {
      const { customer, subscription, client_reference_id, metadata } = event.data.object;
      return {
        ...head,
        kind: 'checkout-completed',
        tenant: tenantIn(metadata) ?? ((client_reference_id ?? undefined) as TenantId | undefined),
        customer: idOf(customer),
        subscription: idOf(subscription),
      };
    }
    case 'invoice.paid':
    case 'invoice.payment_succeeded':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required': {
      const subscription = idOf(event.data.object.parent?.subscription_details?.subscription);
      return subscription === undefined ? { ...head, kind: 'other' } : { ...head, kind: 'payment', subscription };
    }
    default:
      return { ...head, kind: 'other' };
  }
}

function idOf(reference: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}

function tenantIn(metadata: Stripe.Metadata | null): TenantId | undefined {
  return metadata?.[TENANT_METADATA] as TenantId | undefined;
}

function millis(seconds: number): number {
  return seconds * 1_000;
}

async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isMissing(error) && error.param === 'customer' ? new CustomerGoneError('no such customer') : failure(error);
  }
}

function isMissing(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
}

/**
 * Translates what Stripe's library throws to our own errors: the messages say whose turn it is and repeat nothing of
 * Stripe's.
 */
function failure(cause: unknown): unknown {
  const { errors } = Stripe;
  if (cause instanceof ServiceError || !(cause instanceof errors.StripeError)) return cause;
  if (cause instanceof errors.StripeConnectionError) {
    return /timed? ?out|aborted/i.test(`${cause.message} ${String(cause.detail)}`)
      ? new TimeoutError('The payment processor did not answer in time. Try again.', { cause })
      : new UpstreamError('The payment processor cannot be reached. Try again in a minute.', { cause });
  }
  if (cause instanceof errors.StripeRateLimitError) {
    return new UpstreamError('The payment processor takes no more calls for the moment. Try again in a minute.', {
      cause,
      retryAfterSeconds: 60,
    });
  }
  if (cause instanceof errors.StripeAuthenticationError || cause instanceof errors.StripePermissionError) {
    return new UpstreamError('The payment processor refuses the key of this server: its administrator must mend it.', {
      cause,
    });
  }
  if (cause instanceof errors.StripeIdempotencyError) {
    return new UpstreamError('The same Idempotency-Key was sent with another request. Send a new one.', { cause });
  }
  if (isMissing(cause)) {
    return new UpstreamError(
      'The payment processor does not know the price of this tier: the administrator must mend service.billing.price.',
      { cause },
    );
  }
  return new UpstreamError('The payment processor refused the request.', { cause });
}
