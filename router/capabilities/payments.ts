/** Billing's interface to a payment processor. `server/billing` implements it for Stripe. */
import type { TenantId } from './identity.ts';

/** The tiers that a tenant may subscribe to, the lowest first. */
export const TIERS = ['starter', 'team', 'business', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** A subscription at one moment, as the processor reports it. Instants are epoch milliseconds. */
export interface Subscription {
  readonly id: string;
  readonly customer: string;
  /** The processor's status, such as `active`. */
  readonly status: string;
  /** The tier of its items' price; `undefined` where no tier has that price. */
  readonly tier: Tier | undefined;
  readonly createdAtMillis: number;
  readonly currentPeriodEndMillis: number;
  readonly trialEndMillis: number | undefined;
  /** The tenant in its metadata, written at checkout. */
  readonly tenant: TenantId | undefined;
}

interface EventHead {
  readonly id: string;
  /** The processor's name of the event, such as `customer.subscription.updated`. */
  readonly type: string;
  /** Time of the event, in epoch milliseconds; the processor reports whole seconds. */
  readonly createdAtMillis: number;
}

/** Something that happened at the processor. */
export type PaymentEvent = EventHead &
  (
    | { readonly kind: 'subscription'; readonly subscription: Subscription }
    | {
        readonly kind: 'checkout-completed';
        readonly tenant: TenantId | undefined;
        readonly customer: string | undefined;
        readonly subscription: string | undefined;
      }
    /** A payment succeeded or failed, which may have changed the subscription. */
    | { readonly kind: 'payment'; readonly subscription: string }
    | { readonly kind: 'other' }
  );

export interface CheckoutRequest {
  readonly customer: string;
  readonly tenant: TenantId;
  readonly tier: Tier;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** The same key returns the same session, for any number of calls. */
  readonly idempotencyKey: string | undefined;
}

/** A tenant's references at the payment processor, as recorded here. */
export interface BilledTenant {
  /** Its customers there; the processor has their current subscriptions. */
  readonly customers: readonly string[];
  /** The running subscription as of the last event; `undefined` for none. */
  readonly running: string | undefined;
}

export interface PaymentProcessor {
  /** Tiers that have a price. */
  readonly tiers: readonly Tier[];
  /** Creates a customer. The same key returns the same customer, for any number of calls. */
  createCustomer(request: {
    readonly tenant: TenantId;
    readonly email: string | undefined;
    readonly name: string | undefined;
    readonly idempotencyKey: string;
  }): Promise<string>;
  /** @throws CustomerGoneError */
  createCheckoutSession(request: CheckoutRequest): Promise<{ readonly url: string; readonly sessionId: string }>;
  /** @throws CustomerGoneError */
  createPortalSession(request: {
    readonly customer: string;
    readonly returnUrl: string;
  }): Promise<{ readonly url: string }>;
  /** Returns the current subscription; `undefined` when the processor has none of that id. */
  subscription(id: string): Promise<Subscription | undefined>;
  /**
   * Ends a customer's subscriptions and open checkouts at once, and returns the ended subscriptions. Does nothing when all have ended, or the
   * customer no longer exists.
   */
  endAllOf(customer: string): Promise<readonly string[]>;
  /**
   * Checks the signature of a webhook's body and reads the event.
   *
   * @throws SignatureError, NoEventError
   */
  readEvent(body: string, signature: string): Promise<PaymentEvent>;
}

/** The processor has no customer of that id, or no longer. */
export class CustomerGoneError extends Error {}

/** A correctly signed body is not an event. */
export class NoEventError extends Error {}

/** A webhook's signature is not the processor's, or is too old. */
export class SignatureError extends Error {}
