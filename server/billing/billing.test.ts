/** Tests billing with a stand-in that speaks Stripe's protocol and answers with Stripe's published example objects. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { billing, billingMigrations } from '../../plugins/billing/index.ts';
import type { TenantId, UserCaller } from '../../router/capabilities/identity.ts';
import { keptLog } from '../../router/testing/kept-log.ts';
import { restClient } from '../../router/testing/rest-client.ts';
import type { StateStore } from '../state/index.ts';
import { stripeProcessor } from './stripe.ts';
import { onEnginesWithPayments } from './testing/on-engines.ts';
import {
  fixtures,
  SECRET_KEY,
  type StripeStandIn,
  signedEvent,
  stripeStandIn,
  WEBHOOK_SECRET,
} from './testing/stand-in.ts';

const ACME = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' as TenantId;
const OTHER = '0b6c0bd4-2f5c-4a86-9c1c-0d7a2b3c4d5e' as TenantId;
const TEAM_PRICE = 'price_team';
const BUSINESS_PRICE = 'price_business';
/** In seconds; a Saturday noon. */
const NOW = Date.UTC(2026, 10, 21, 12) / 1_000;
const DAY = 86_400;
const URLS = { successUrl: 'https://app.example/ok', cancelUrl: 'https://app.example/back' };
const CHECKOUT = { tier: 'team', ...URLS };

const apiKeyCaller = (tenant: TenantId): UserCaller => ({
  kind: 'user',
  via: 'api-key',
  tenant,
  user: 'api-key:1',
  roles: ['ROLE_ADMIN'],
});
const caller = apiKeyCaller(ACME);
const NO_RATES = { perMinute: 0, perHour: 0 };
const UNLIMITED = { starter: NO_RATES, team: NO_RATES, business: NO_RATES, enterprise: NO_RATES };

let stripe: StripeStandIn;
beforeEach(async () => {
  stripe = await stripeStandIn();
});
afterEach(() => stripe.close());

function surface(state: StateStore, { rates = UNLIMITED, clock = () => NOW * 1_000, timeoutMs = 2_000 } = {}) {
  return billing({
    state,
    processor: stripeProcessor({
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      endpoint: stripe.endpoint,
      prices: { team: TEAM_PRICE, business: BUSINESS_PRICE },
      trialDays: 14,
      timeoutMs,
      version: '0.1.0',
    }),
    rates,
    hasTenant: async (tenant) => [ACME, OTHER].includes(tenant),
    clock,
    log: keptLog(),
  });
}

/** Makes a subscription like Stripe's example. */
function subscription(members: {
  readonly id?: string;
  readonly customer?: string;
  readonly status: string;
  readonly price?: string;
  readonly created?: number;
  readonly periodEnd?: number;
  readonly trialEnd?: number | null;
  readonly tenant?: string | undefined;
}) {
  const { id = 'sub_1', customer = 'cus_1', status, price = TEAM_PRICE, created = NOW, trialEnd = null } = members;
  const { periodEnd = NOW + 30 * DAY, tenant = ACME } = members;
  const example = fixtures().subscription;
  const [item] = example.items.data;
  if (item === undefined) throw new Error('the example has no item');
  return {
    ...example,
    id,
    customer,
    status,
    created,
    trial_end: trialEnd,
    metadata: tenant === '' ? {} : { tenantId: tenant },
    items: {
      ...example.items,
      data: [{ ...item, price: { ...item.price, id: price }, current_period_end: periodEnd }],
    },
  };
}

onEnginesWithPayments((state) => {
  let client: ReturnType<typeof restClient>;
  /** Opens a node on this test's state. */
  const openNode = async (options?: Parameters<typeof surface>[1]) => {
    client = restClient(surface(await state.open({ billing: billingMigrations }), options).plugin);
  };
  const billingState = async (tenant = ACME) =>
    (await client.call('GET /me/billing/state', { caller: apiKeyCaller(tenant) })).body;
  const post = (path: string, body: unknown, headers = {}) =>
    client.call(`POST /me/billing/${path}`, { caller, body, headers });
  let events = 0;
  const event = (type: string, object: object, created = NOW, id = `evt_${++events}`) =>
    signedEvent({ id, type, created, object });
  const hook = async (signed: ReturnType<typeof signedEvent>) => client.call('POST /billing/webhook', await signed);
  const changed = (status: string, created: number, members: Partial<Parameters<typeof subscription>[0]> = {}) =>
    hook(event('customer.subscription.updated', subscription({ status, ...members }), created));

  beforeEach(() => openNode());

  it('the state of a tenant that never subscribed has exactly four members', async () => {
    expect(await billingState()).toEqual({
      tenantId: ACME,
      tier: 'starter',
      subscriptionStatus: '',
      billedFeaturesActive: false,
    });
  });

  it('a complete course: checkout, trial, failed payment, recovery, upgrade, cancellation, another subscription', async () => {
    expect(await post('portal-session', { returnUrl: 'https://app.example' })).toMatchObject({
      status: 409,
      body: { error: 'no_customer' },
    });
    const begun = await post('checkout-session', { ...CHECKOUT, email: 'a@b.example', name: 'Acme' });
    expect(begun).toMatchObject({
      status: 200,
      body: { url: expect.stringMatching(/^https:\/\/checkout\./), sessionId: expect.stringMatching(/^cs_/) },
    });
    const [made, session] = stripe.calls;
    expect(made).toMatchObject({
      request: 'POST /v1/customers',
      form: { email: 'a@b.example', name: 'Acme', 'metadata[tenantId]': ACME },
    });
    expect(session).toMatchObject({
      request: 'POST /v1/checkout/sessions',
      form: {
        mode: 'subscription',
        customer: 'cus_1',
        client_reference_id: ACME,
        'line_items[0][price]': TEAM_PRICE,
        'line_items[0][quantity]': '1',
        success_url: URLS.successUrl,
        cancel_url: URLS.cancelUrl,
        'metadata[tenantId]': ACME,
        'subscription_data[metadata][tenantId]': ACME,
        'subscription_data[trial_period_days]': '14',
      },
    });
    // The checkout page is open and nothing is paid, so there is no record yet.
    expect(await billingState()).toEqual({
      tenantId: ACME,
      tier: 'starter',
      subscriptionStatus: '',
      billedFeaturesActive: false,
    });

    const trialEnd = NOW + 14 * DAY;
    const trial = subscription({ status: 'trialing', trialEnd, periodEnd: trialEnd });
    stripe.subscriptions.set('sub_1', trial as never);
    await hook(
      event('checkout.session.completed', {
        ...fixtures()['checkout.session'],
        customer: 'cus_1',
        subscription: 'sub_1',
        client_reference_id: ACME,
        metadata: { tenantId: ACME },
      }),
    );
    expect(await billingState()).toEqual({
      tenantId: ACME,
      tier: 'team',
      subscriptionStatus: 'trialing',
      processorCustomerId: 'cus_1',
      currentPeriodEnd: '2026-12-05T12:00:00.000Z',
      trialEndsAt: '2026-12-05T12:00:00.000Z',
      billedFeaturesActive: true,
    });
    expect(await post('checkout-session', CHECKOUT)).toMatchObject({
      status: 409,
      body: { error: 'already_subscribed' },
    });
    expect(await post('portal-session', { returnUrl: 'http://localhost:3000/account' })).toMatchObject({
      status: 200,
      body: { url: expect.stringMatching(/^https:\/\/billing\./) },
    });
    expect(stripe.calls.at(-1)?.form).toEqual({ customer: 'cus_1', return_url: 'http://localhost:3000/account' });

    await changed('active', NOW + 14 * DAY, { trialEnd, periodEnd: NOW + 44 * DAY });
    expect(await billingState()).toMatchObject({
      subscriptionStatus: 'active',
      trialEndsAt: null,
      billedFeaturesActive: true,
    });

    // The invoice's event comes first; the current subscription is read from the processor.
    stripe.subscriptions.set('sub_1', subscription({ status: 'past_due', periodEnd: NOW + 74 * DAY }) as never);
    const invoice = { ...fixtures().invoice, parent: { subscription_details: { subscription: 'sub_1' } } };
    await hook(event('invoice.payment_failed', invoice, NOW + 44 * DAY));
    expect(await billingState()).toMatchObject({ subscriptionStatus: 'past_due', billedFeaturesActive: true });
    await changed('unpaid', NOW + 51 * DAY);
    expect(await billingState()).toMatchObject({
      subscriptionStatus: 'unpaid',
      tier: 'team',
      billedFeaturesActive: false,
    });
    await changed('active', NOW + 52 * DAY, { price: BUSINESS_PRICE });
    expect(await billingState()).toMatchObject({
      subscriptionStatus: 'active',
      tier: 'business',
      billedFeaturesActive: true,
    });

    await hook(
      event(
        'customer.subscription.deleted',
        subscription({ status: 'canceled', price: BUSINESS_PRICE }),
        NOW + 80 * DAY,
      ),
    );
    expect(await billingState()).toMatchObject({
      subscriptionStatus: 'canceled',
      tier: 'starter',
      processorCustomerId: 'cus_1',
      billedFeaturesActive: false,
    });

    expect((await post('checkout-session', CHECKOUT)).status).toBe(200);
    await hook(
      event(
        'customer.subscription.created',
        subscription({ id: 'sub_2', status: 'active', created: NOW + 90 * DAY }),
        NOW + 90 * DAY,
      ),
    );
    // A late event of the previous subscription.
    await hook(event('customer.subscription.deleted', subscription({ status: 'canceled' }), NOW + 91 * DAY));
    expect(await billingState()).toMatchObject({
      subscriptionStatus: 'active',
      tier: 'team',
      billedFeaturesActive: true,
    });
  });

  it('all orders of the same events, each sent twice, give the same state', async () => {
    const life = [
      ['customer.subscription.created', 'trialing', 0],
      ['customer.subscription.updated', 'active', 10],
      ['customer.subscription.updated', 'past_due', 20],
      ['customer.subscription.deleted', 'canceled', 30],
    ] as const;
    const orders = permutations([0, 1, 2, 3]);
    expect(orders).toHaveLength(24);
    for (const [round, order] of orders.entries()) {
      const tenant = round % 2 === 0 ? ACME : OTHER;
      const id = `sub_o${round}`;
      const created = NOW + round * 1_000;
      for (const index of [...order, ...order]) {
        const [type, status, after] = life[index] ?? life[0];
        const sent = subscription({ id, customer: `cus_of_${tenant}`, status, created, tenant });
        const answer = await hook(event(type, sent, created + after, `evt_${round}_${index}`));
        expect(answer).toMatchObject({ status: 200, body: { received: true } });
      }
      expect(await billingState(tenant)).toMatchObject({ subscriptionStatus: 'canceled', billedFeaturesActive: false });
    }
  });

  it("for two events of the same second, the processor's current subscription decides", async () => {
    await changed('active', NOW);
    stripe.subscriptions.set('sub_1', subscription({ status: 'active', price: BUSINESS_PRICE }) as never);
    await changed('past_due', NOW);
    expect(await billingState()).toMatchObject({ subscriptionStatus: 'active', tier: 'business' });
    stripe.subscriptions.clear();
    await hook(event('customer.subscription.deleted', subscription({ status: 'canceled' }), NOW));
    await changed('active', NOW);
    expect(await billingState()).toMatchObject({ subscriptionStatus: 'canceled' });
  });

  it('events of other tenants and customers, and of other kinds, change nothing', async () => {
    const nobody = '11111111-1111-4111-8111-111111111111';
    await hook(event('customer.subscription.created', subscription({ status: 'active', tenant: nobody })));
    await hook(
      event('customer.subscription.created', subscription({ status: 'active', tenant: '', customer: 'cus_x' })),
    );
    expect((await hook(event('product.created', { id: 'prod_1', object: 'product' }))).status).toBe(200);
    expect((await hook(event('invoice.paid', { ...fixtures().invoice, parent: null }))).status).toBe(200);
    expect(await billingState()).toMatchObject({ subscriptionStatus: '' });
    expect(await billingState(OTHER)).toMatchObject({ subscriptionStatus: '' });
  });

  it('a subscription without metadata is assigned by its customer; an unknown price keeps the tier', async () => {
    await post('checkout-session', CHECKOUT);
    await changed('active', NOW, { tenant: '' });
    expect(await billingState()).toMatchObject({ subscriptionStatus: 'active', tier: 'team' });
    await changed('active', NOW + 1, { tenant: '', price: 'price_of_another_product' });
    expect(await billingState()).toMatchObject({ tier: 'team' });
  });

  it('a webhook without a valid signature is refused and changes nothing', async () => {
    const object = subscription({ status: 'active' });
    const right = { id: 'evt_s', type: 'customer.subscription.created', created: NOW, object };
    const old = Math.floor(Date.now() / 1_000) - 3_600;
    for (const signed of [
      signedEvent(right, { secret: 'whsec_other' }),
      signedEvent(right, { timestamp: old }),
      signedEvent(right).then((event) => ({ ...event, body: event.body.replace('active', 'paused') })),
      signedEvent(right).then(({ body }) => ({ body, headers: {} })),
      signedEvent(right).then(({ body }) => ({ body, headers: { 'stripe-signature': 'v1=0,t=x' } })),
    ] as Promise<Awaited<ReturnType<typeof signedEvent>>>[]) {
      expect(await hook(signed)).toMatchObject({ status: 400, body: { error: 'invalid_signature' } });
    }
    expect(await billingState()).toMatchObject({ subscriptionStatus: '' });
    expect((await hook(signedEvent(right))).status).toBe(200);
    expect(await billingState()).toMatchObject({ subscriptionStatus: 'active' });
  });

  it('an event is not lost while its subscription cannot be read: the processor sends it again', async () => {
    const object = { ...fixtures().invoice, parent: { subscription_details: { subscription: 'sub_1' } } };
    stripe.subscriptions.set('sub_1', subscription({ status: 'active' }) as never);
    stripe.faults.push('hang up', 'hang up', 'hang up');
    const sent = event('invoice.paid', object);
    expect(await hook(sent)).toMatchObject({ status: 502, body: { error: 'upstream_error' } });
    expect(await hook(sent)).toMatchObject({ status: 200 });
    expect(await billingState()).toMatchObject({ subscriptionStatus: 'active' });
  });

  it('the newest of 50 simultaneous events of one tenant decides', async () => {
    const sent = Array.from({ length: 50 }, (_, n) => changed(n === 49 ? 'unpaid' : 'active', NOW + n));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(await billingState()).toMatchObject({ subscriptionStatus: 'unpaid' });
  });

  it('events too old to be sent again are deleted, at most once an hour', async () => {
    let now = NOW * 1_000;
    await openNode({ clock: () => now });
    const kept = await state.open({ billing: billingMigrations });
    const table = kept.tables<{
      billing_events: { id: string; type: string; created_at: number; received_at: number };
    }>();
    const ids = async () => (await table.selectFrom('billing_events').select('id').execute()).map(({ id }) => id);
    const old = { id: 'evt_old', type: 'x', created_at: 0, received_at: now - 31 * DAY * 1_000 };
    const young = { ...old, id: 'evt_young', received_at: now - 29 * DAY * 1_000 };
    await changed('active', NOW);
    await table.insertInto('billing_events').values([old, young]).execute();
    now += 59 * 60_000;
    await changed('past_due', NOW + 1);
    expect(await ids()).toEqual(expect.arrayContaining(['evt_old', 'evt_young']));
    now += 2 * 60_000;
    await changed('active', NOW + 2);
    expect(await ids()).toHaveLength(4);
    expect(await ids()).not.toContain('evt_old');
  });

  it('the same idempotency key returns the same session, and another key another session', async () => {
    const session = async (key: string) =>
      (await post('checkout-session', CHECKOUT, { 'idempotency-key': key })).body as { sessionId: string };
    const first = await session('a');
    expect(await session('a')).toEqual(first);
    expect((await session('b')).sessionId).not.toBe(first.sessionId);
    expect(stripe.customers.size).toBe(1);
  });

  it('simultaneous calls create one customer', async () => {
    await Promise.all(Array.from({ length: 10 }, () => post('checkout-session', CHECKOUT)));
    expect(stripe.customers.size).toBe(1);
  });

  it('a customer deleted at the processor is created again', async () => {
    await post('checkout-session', CHECKOUT);
    stripe.customers.clear();
    stripe.customers.set('cus_0', fixtures().customer);
    expect((await post('checkout-session', CHECKOUT)).status).toBe(200);
    expect(stripe.calls.at(-1)?.form.customer).toBe('cus_2');
  });

  it('a failed call is repeated with the same key', async () => {
    stripe.faults.push('hang up', { status: 500, error: { type: 'api_error' } });
    expect((await post('checkout-session', CHECKOUT)).status).toBe(200);
    const keys = stripe.calls.slice(0, 3).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(stripe.customers.size).toBe(1);
  });

  it.each([
    ['a refused key', [{ status: 401, error: { type: 'invalid_request_error' } }], 502, /refuses the key/],
    [
      'a price that is not there',
      [
        {
          status: 400,
          error: { type: 'invalid_request_error', code: 'resource_missing', param: 'line_items[0][price]' },
        },
      ],
      502,
      /service\.billing\.price/,
    ],
    [
      'too many calls',
      Array.from({ length: 3 }, () => ({ status: 429, error: { type: 'invalid_request_error' } })),
      502,
      /takes no more calls/,
    ],
    ['a broken line', ['hang up', 'hang up', 'hang up'], 502, /cannot be reached/],
  ] as const)("%s is a clear error without the processor's text", async (_, faults, status, message) => {
    stripe.faults.push(...faults);
    const answer = await post('checkout-session', CHECKOUT);
    expect(answer).toMatchObject({
      status,
      body: { error: 'upstream_error', message: expect.stringMatching(message) },
    });
    expect(JSON.stringify(answer)).not.toMatch(/sk_test|127\.0\.0\.1/);
  });

  it('a processor that does not answer is a timeout', async () => {
    await openNode({ timeoutMs: 100 });
    stripe.faults.push('silence', 'silence', 'silence');
    expect(await post('checkout-session', CHECKOUT)).toMatchObject({ status: 504, body: { error: 'timeout' } });
  });

  it('tenants do not see each other', async () => {
    await changed('active', NOW);
    expect(await billingState(OTHER)).toMatchObject({ tenantId: OTHER, subscriptionStatus: '' });
  });

  it("calls are limited by the tenant's tier, on all nodes together", async () => {
    let now = NOW * 1_000;
    const rates = {
      ...UNLIMITED,
      starter: { perMinute: 2, perHour: 5 },
      team: { perMinute: 4, perHour: 0 },
    };
    await openNode({ rates, clock: () => now });
    const statuses = async (count: number, tenant = ACME) => {
      const statuses = [];
      for (let n = 0; n < count; n++) {
        statuses.push((await client.call('GET /me/billing/state', { caller: apiKeyCaller(tenant) })).status);
      }
      return statuses;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    expect(await statuses(2, OTHER)).toEqual([200, 200]);
    const refused = await client.call('GET /me/billing/state', { caller });
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
    expect(Object.fromEntries(refused.headers)).toMatchObject({ 'Retry-After': '60' });
    now += 60_000;
    expect(await statuses(3)).toEqual([200, 200, 429]);
    now += 60_000;
    // The fifth call of this hour is the last one. Calls refused by the limit per minute counted only for that minute.
    expect(await statuses(2)).toEqual([200, 429]);
    await changed('active', NOW);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });
});

describe('requests', () => {
  let client: ReturnType<typeof restClient>;
  onEnginesWithPayments((state) => {
    beforeEach(async () => {
      client = restClient(surface(await state.open({ billing: billingMigrations })).plugin);
    });
    it.each([
      [{ ...CHECKOUT, tier: 'gold' }, 'invalid_tier', 'tier'],
      [{ ...CHECKOUT, tier: 'enterprise' }, 'invalid_tier', 'tier'],
      [URLS, 'validation_error', 'tier'],
      [{ ...CHECKOUT, successUrl: 'http://app.example/ok' }, 'validation_error', 'successUrl'],
      [{ ...CHECKOUT, cancelUrl: '/back' }, 'validation_error', 'cancelUrl'],
      [{ ...CHECKOUT, email: 'nobody' }, 'validation_error', 'email'],
      [{ ...CHECKOUT, plan: 'x' }, 'validation_error', 'plan'],
    ])('%j is refused as %s at %s', async (body, error, field) => {
      const answer = await client.call('POST /me/billing/checkout-session', { caller, body });
      expect(answer).toMatchObject({ status: 400, body: { error, field, message: expect.any(String) } });
      expect(stripe.calls).toEqual([]);
    });

    it('an unknown tier is answered with the tiers that have a price', async () => {
      const answer = await client.call('POST /me/billing/checkout-session', {
        caller,
        body: { ...CHECKOUT, tier: 'gold' },
      });
      expect(answer.body).toMatchObject({
        available: ['team', 'business'],
        message: expect.stringContaining('team, business'),
      });
    });

    it('only a caller with an API key may call', async () => {
      for (const via of ['session', 'basic'] as const) {
        const answer = await client.call('GET /me/billing/state', { caller: { ...caller, via } });
        expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
      }
    });
  });
});

onEnginesWithPayments((state) => {
  describe('without a processor', () => {
    let client: ReturnType<typeof restClient>;
    beforeEach(async () => {
      const store = await state.open({ billing: billingMigrations });
      const hasTenant = async () => true;
      const clock = Date.now;
      client = restClient(
        billing({ state: store, processor: undefined, rates: UNLIMITED, hasTenant, clock, log: keptLog() }).plugin,
      );
    });

    it.each(['GET /me/billing/state', 'POST /me/billing/checkout-session', 'POST /me/billing/portal-session'])(
      '%s is a 401 for an anonymous caller and a 503 for any other caller, whatever the body',
      async (request) => {
        expect(await client.call(request, { body: {} })).toMatchObject({
          status: 401,
          body: { error: 'unauthorized' },
        });
        for (const body of [{}, CHECKOUT, { tier: 7 }]) {
          expect(await client.call(request, { caller, body })).toMatchObject({
            status: 503,
            body: { error: 'billing_disabled', message: expect.stringContaining('STRIPE_SECRET_KEY') },
          });
        }
      },
    );

    it('a webhook is a 503', async () => {
      const answer = await client.call('POST /billing/webhook', { body: '{}' });
      expect(answer).toMatchObject({ status: 503, body: { error: 'billing_disabled' } });
    });
  });
});

function permutations(of: readonly number[]): readonly (readonly number[])[] {
  if (of.length <= 1) return [of];
  return of.flatMap((first) => permutations(of.filter((each) => each !== first)).map((rest) => [first, ...rest]));
}
