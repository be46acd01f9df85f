import { userOf } from '../../router/calling-user.ts';
import { NoEventError, type PaymentProcessor, SignatureError, type Tier } from '../../router/capabilities/payments.ts';
import type { RateLimits } from '../../router/capabilities/rate-limits.ts';
import { UnavailableError, ValidationError } from '../../router/errors.ts';
import { type OperationMeta, operation, operations } from '../../router/operation.ts';
import {
  BillingState,
  CheckoutSessionRequest,
  CheckoutSessionResponse,
  PortalSessionRequest,
  PortalSessionResponse,
  WebhookRequest,
  WebhookResponse,
} from './schemas.ts';
import type { Subscriptions } from './subscriptions.ts';

const BASE = '/me/billing';

/** The parts that exist if a payment processor is configured. */
export interface Enabled {
  readonly processor: PaymentProcessor;
  readonly subscriptions: Subscriptions;
  readonly rateLimits: RateLimits;
}

/** @param enabled `undefined` where no payment processor is configured */
export function billingOperations(enabled: Enabled | undefined) {
  /** Refuses before the input is checked: without a payment processor no request can succeed. */
  const billing = (meta: OperationMeta) =>
    operation(enabled === undefined ? { ...meta, isOff: true } : meta).use(async ({ ctx, next }) => {
      if (enabled === undefined) throw disabled();
      if (ctx.caller.kind === 'user') await enabled.rateLimits.take(ctx.caller.tenant);
      return next({ ctx: { enabled } });
    });

  return operations({
    state: billing({
      summary: 'Get the tenant’s subscription',
      access: 'api-key',
      rest: { method: 'GET', path: `${BASE}/state` },
      implementationChoice:
        '`billedFeaturesActive` is true for `trialing`, `active` and `past_due`. A subscription that has ended leaves the tier `starter`.',
    })
      .output(BillingState)
      .query(({ ctx }) => ctx.enabled.subscriptions.state(userOf(ctx).tenant)),

    checkoutSession: billing({
      summary: 'Begin a subscription: the address of a hosted checkout page',
      access: 'administrator-key',
      rest: {
        method: 'POST',
        path: `${BASE}/checkout-session`,
        body: '*',
        requestHeaders: { idempotencyKey: 'idempotency-key' },
      },
      implementationChoice:
        '`email` and `name` may be left out. A tier without a price is 400 `invalid_tier` with those that have one; a tenant that has a subscription is 409 `already_subscribed`. The header `Idempotency-Key` makes a repeated call give the same session.',
    })
      .input(CheckoutSessionRequest)
      .output(CheckoutSessionResponse)
      .mutation(({ ctx, input }) => {
        const { tiers } = ctx.enabled.processor;
        const tier = tiers.find((each) => each === input.tier);
        if (tier === undefined) throw invalidTier(input.tier, tiers);
        const { email, name, successUrl, cancelUrl, idempotencyKey } = input;
        return ctx.enabled.subscriptions.checkout(userOf(ctx).tenant, {
          tier,
          email,
          name,
          successUrl,
          cancelUrl,
          idempotencyKey,
        });
      }),

    portalSession: billing({
      summary: 'Open the hosted portal: card, plan, invoices, cancelling',
      access: 'administrator-key',
      rest: { method: 'POST', path: `${BASE}/portal-session`, body: '*' },
    })
      .input(PortalSessionRequest)
      .output(PortalSessionResponse)
      .mutation(({ ctx, input }) => ctx.enabled.subscriptions.portal(userOf(ctx).tenant, input.returnUrl)),

    webhook: billing({
      summary: 'Take an event of the payment processor',
      description: 'For the processor alone: the body is checked against the signature in `Stripe-Signature`.',
      access: 'public',
      csrf: 'none',
      rest: {
        method: 'POST',
        path: '/billing/webhook',
        rawBody: 'body',
        requestHeaders: { signature: 'stripe-signature' },
      },
      implementationChoice:
        'Internal to this product. A repeated event changes nothing. Events out of order are settled by their time, or by the processor’s current state; a subscription that has ended never runs again. A signed body that is not an event is 400 `invalid_event`.',
    })
      .input(WebhookRequest)
      .output(WebhookResponse)
      .mutation(async ({ ctx, input }) => {
        const { processor, subscriptions } = ctx.enabled;
        const event = await processor.readEvent(input.body, input.signature ?? '').catch((error: unknown) => {
          if (error instanceof NoEventError) throw invalidEvent();
          throw error instanceof SignatureError ? invalidSignature() : error;
        });
        await subscriptions.take(event);
        return { received: true as const };
      }),
  });
}

function disabled(): UnavailableError {
  return new UnavailableError(
    'Billing is off: this server has no key of a payment processor (STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET).',
    { code: 'billing_disabled', retryAfterSeconds: undefined },
  );
}

function invalidTier(sent: string, tiers: readonly Tier[]): ValidationError {
  const message =
    tiers.length === 0
      ? 'No tier has a price: set service.billing.price.<tier>.'
      : `There is no price for the tier "${sent}". Tiers with one: ${tiers.join(', ')}.`;
  return new ValidationError([{ path: ['tier'], message, available: tiers }], 0, 'invalid_tier');
}

function invalidEvent(): ValidationError {
  const message = 'The signature is valid, but the body is not a complete event of the payment processor.';
  return new ValidationError([{ path: ['body'], message }], 0, 'invalid_event');
}

function invalidSignature(): ValidationError {
  const message = 'The header Stripe-Signature does not fit the body, or is too old.';
  return new ValidationError([{ path: ['signature'], message }], 0, 'invalid_signature');
}
