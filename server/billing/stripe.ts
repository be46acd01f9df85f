/** Implements the payment processor with Stripe's library. */
import Stripe from 'stripe';
import { ZodError } from 'zod';
import {
  CustomerGoneError,
  NoEventError,
  type PaymentProcessor,
  SignatureError,
  TIERS,
  type Tier,
} from '../../router/capabilities/payments.ts';
import { ServiceError, TimeoutError, UpstreamError } from '../../router/errors.ts';
import { readStripeEvent, readSubscription, TENANT_METADATA } from './stripe-events.ts';

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Base address of a server with Stripe's protocol; `undefined` for Stripe itself. */
  readonly endpoint: string | undefined;
  /** Price ids by tier. */
  readonly prices: Readonly<Partial<Record<Tier, string>>>;
  /** Days before the first payment; 0 for none. */
  readonly trialDays: number;
  readonly timeoutMs: number;
  /** This product's name in metadata and in the library's agent header. */
  readonly version: string;
}

const MAX_RETRIES = 2;
/** Objects per page of a list: Stripe's maximum. */
const PAGE = 100;
/** Statuses of subscriptions that have already ended. */
const OVER: readonly Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired'];
/** Maximum age of a signature in seconds, as Stripe recommends. */
const SIGNATURE_TOLERANCE = 300;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

export function stripeProcessor(options: StripeOptions): PaymentProcessor {
  const { webhookSecret, prices, trialDays } = options;
  const stripe = clientOf(options);
  const findTier = (price: string): Tier | undefined => TIERS.find((tier) => prices[tier] === price);

  return {
    tiers: TIERS.filter((tier) => prices[tier] !== undefined),

    async createCustomer({ tenant, email, name, idempotencyKey }) {
      const customer = await callStripe(() =>
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
      const session = await callStripe(() =>
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
      const { url } = await callStripe(() => stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }));
      return { url };
    },

    async subscription(id) {
      try {
        return readSubscription(await stripe.subscriptions.retrieve(id), findTier);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error instanceof ZodError
          ? new UpstreamError('The payment processor gave a subscription of another shape.', { cause: error })
          : failure(error);
      }
    },

    async endAllOf(customer) {
      try {
        // Checkouts come first: a later completed checkout would start a subscription without a tenant.
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
      try {
        await stripe.webhooks.constructEventAsync(body, signature, webhookSecret, SIGNATURE_TOLERANCE);
      } catch (error) {
        const isUnsigned = error instanceof Stripe.errors.StripeSignatureVerificationError;
        throw new (isUnsigned ? SignatureError : NoEventError)('no event', { cause: error });
      }
      try {
        return readStripeEvent(JSON.parse(body), findTier);
      } catch (error) {
        if (error instanceof SyntaxError || error instanceof ZodError)
          throw new NoEventError('no event', { cause: error });
        throw error;
      }
    },
  };
}

/** Ends a subscription. Returns false for a subscription that has ended since it was listed. */
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

async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isMissing(error) && error.param === 'customer' ? new CustomerGoneError('no such customer') : failure(error);
  }
}

function isMissing(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
}

/** Translates errors of Stripe's library. The messages explain what the caller can do, and repeat none of Stripe's text. */
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
    return new UpstreamError(
      'The payment processor refuses the key of this server: its administrator must correct it.',
      {
        cause,
      },
    );
  }
  if (cause instanceof errors.StripeIdempotencyError) {
    return new UpstreamError('The same Idempotency-Key was sent with another request. Send a new one.', { cause });
  }
  if (isMissing(cause)) {
    return new UpstreamError(
      'The payment processor does not know the price of this tier: the administrator must correct service.billing.price.',
      { cause },
    );
  }
  return new UpstreamError('The payment processor refused the request.', { cause });
}
