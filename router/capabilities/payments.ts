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
  /** By the price of its items; `undefined` where no tier has that price. */
  readonly tier: Tier | undefined;
  readonly createdAtMillis: number;
  readonly currentPeriodEndMillis: number;
  readonly trialEndMillis: number | undefined;
  /** The tenant that was written on it at checkout. */
  readonly tenant: TenantId | undefined;
}

interface EventHead {
  readonly id: string;
  /** The processor's name of the event, such as `customer.subscription.updated`. */
  readonly type: string;
  /** When it happened, in epoch milliseconds; the processor reports whole seconds. */
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
  /** The same key gives the same session, however often the call is made. */
  readonly idempotencyKey: string | undefined;
}

/** The records here of a tenant at the payment processor. */
export interface BilledTenant {
  /** Its customers there; the processor knows their current subscriptions. */
  readonly customers: readonly string[];
  /** The running subscription as of the last event; `undefined` for none. */
  readonly running: string | undefined;
}

export interface PaymentProcessor {
  /** Tiers that have a price. */
  readonly tiers: readonly Tier[];
  /** Makes a customer. The same key gives the same customer, however often the call is made. */
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
  /** Returns the subscription as it is now; `undefined` when the processor has none of that id. */
  subscription(id: string): Promise<Subscription | undefined>;
  /**
   * Ends at once whatever a customer is subscribed to, and checkouts that are open, and returns the subscriptions that
   * it ended. Once all has ended, or the customer is gone, it does nothing.
   */
  endAllOf(customer: string): Promise<readonly string[]>;
  /** Checks the signature of a webhook's body and reads it. @throws SignatureError, NoEventError */
  readEvent(body: string, signature: string): Promise<PaymentEvent>;
}

/** The processor has no customer of that id (any more). */
export class CustomerGoneError extends Error {}

/** A body that is signed rightly is no event. */
export class NoEventError extends Error {}

/** A webhook was not signed by the processor, or too long ago. */
export class SignatureError extends Error {}
