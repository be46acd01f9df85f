/** Creates the events of many subscriptions like Stripe, and sends them like Stripe. */
import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { fixtures, type StripeStandIn, signedEvent } from '../../server/billing/testing/stand-in.ts';

export const PRICES = { team: 'price_team', business: 'price_business' } as const;

export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly object: object;
}

/** Describes the row of `billing_records` after all events. Which event settled it depends on their order. */
export interface ExpectedRecord {
  readonly tenant_id: string;
  readonly customer_id: string;
  readonly subscription_id: string;
  readonly status: string;
  readonly tier: string;
}

const BEGIN = Date.UTC(2026, 10, 1) / 1_000;
const HOUR = 3_600;

/** Lists the events of a tenant's subscription. Every third subscription ends; the others grow. */
export function createLife(
  tenant: string,
  number: number,
  stripe: StripeStandIn,
): { readonly events: readonly Delivery[]; readonly record: ExpectedRecord } {
  const examples = fixtures();
  const [id, customer] = [`sub_${number}`, `cus_${number}`];
  const [item] = examples.subscription.items.data;
  const subscription = (status: Stripe.Subscription.Status, price: string): Stripe.Subscription => ({
    ...examples.subscription,
    id,
    customer,
    status,
    metadata: { tenantId: tenant },
    items: {
      ...examples.subscription.items,
      data: item === undefined ? [] : [{ ...item, price: { ...item.price, id: price } }],
    },
  });
  const invoice = { ...examples.invoice, parent: { subscription_details: { subscription: id } } };
  const session = { ...examples['checkout.session'], customer, subscription: id, metadata: { tenantId: tenant } };
  const ends = number % 3 === 0;
  const last = ends ? subscription('canceled', PRICES.business) : subscription('active', PRICES.business);
  const steps: readonly (readonly [string, object])[] = [
    ['checkout.session.completed', session],
    ['customer.subscription.created', subscription('incomplete', PRICES.team)],
    ['customer.subscription.updated', subscription('active', PRICES.team)],
    ['invoice.paid', invoice],
    ['customer.subscription.updated', subscription('past_due', PRICES.team)],
    ['invoice.payment_failed', invoice],
    ['customer.subscription.updated', subscription('active', PRICES.business)],
    ...(ends ? [['customer.subscription.deleted', last] as const] : []),
  ];
  stripe.subscriptions.set(id, last);
  const events = steps.map(([type, object], index) => ({
    id: `evt_${number}_${index}`,
    type,
    created: BEGIN + index * HOUR,
    object,
  }));
  const record = { tenant_id: tenant, customer_id: customer, subscription_id: id, tier: 'business' };
  return { events, record: { ...record, status: last.status } };
}

/** Sends an event until it is accepted, like Stripe. Returns how often it was sent. */
export async function deliver(url: string, event: Delivery): Promise<number> {
  for (let sent = 1; sent <= 100; sent++) {
    const { body, headers } = await signedEvent(event);
    const status = await fetch(`${url}/billing/webhook`, { method: 'POST', headers, body }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => undefined,
    );
    if (status === 200) return sent;
    if (status !== undefined && status < 500) throw new Error(`the event ${event.id} was answered ${status}`);
    await sleep(100);
  }
  throw new Error(`the event ${event.id} was never taken`);
}
