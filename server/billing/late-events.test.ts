/** Tests events that come late, twice, in any order, or with missing objects. The expected state follows from the processor's subscriptions. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { billing, billingMigrations } from '../../plugins/billing/index.ts';
import type { TenantId, UserCaller } from '../../router/capabilities/identity.ts';
import { keptLog } from '../../router/testing/kept-log.ts';
import { restClient } from '../../router/testing/rest-client.ts';
import { serve, startIdentity } from '../http/testing/serve.ts';
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
const PRICES = { team: 'price_team', business: 'price_business' };
type PaidTier = keyof typeof PRICES;
const NOW = Date.UTC(2026, 10, 21, 12) / 1_000;
const DAY = 86_400;
const caller: UserCaller = { kind: 'user', via: 'api-key', tenant: ACME, user: 'api-key:1', roles: ['ROLE_ADMIN'] };
const NO_RATES = { perMinute: 0, perHour: 0 };
const rates = { starter: NO_RATES, team: NO_RATES, business: NO_RATES, enterprise: NO_RATES };

interface Moment {
  readonly status: string;
  readonly tier: PaidTier;
}

/** Makes a subscription like Stripe's example. */
function subscription(
  id: string,
  created: number,
  { status, tier }: Moment,
  tenant: string = ACME,
): Stripe.Subscription {
  const example = fixtures().subscription;
  const [item] = example.items.data;
  if (item === undefined) throw new Error('the example has no item');
  return {
    ...example,
    id,
    customer: 'cus_1',
    status: status as Stripe.Subscription.Status,
    created,
    trial_end: null,
    metadata: { tenantId: tenant },
    items: {
      ...example.items,
      data: [{ ...item, price: { ...item.price, id: PRICES[tier] }, current_period_end: NOW }],
    },
  };
}

onEnginesWithPayments((state) => {
  let stripe: StripeStandIn;
  let store: StateStore;
  let client: ReturnType<typeof restClient>;
  let tenant = ACME;
  const surface = (processor: Parameters<typeof billing>[0]['processor']) =>
    billing({
      state: store,
      processor,
      rates,
      hasTenant: async (id) => id === tenant,
      clock: () => NOW * 1_000,
      log: keptLog(),
    }).plugin;
  beforeEach(async () => {
    tenant = ACME;
    stripe = await stripeStandIn();
    store = await state.open({ billing: billingMigrations });
    client = restClient(
      surface(
        stripeProcessor({
          secretKey: SECRET_KEY,
          webhookSecret: WEBHOOK_SECRET,
          endpoint: stripe.endpoint,
          prices: PRICES,
          trialDays: 0,
          timeoutMs: 2_000,
          version: '0.1.0',
        }),
      ),
    );
  });
  afterEach(() => stripe.close());

  let sent = 0;
  const take = async (type: string, object: object, created: number, id = `evt_late_${++sent}`) => {
    const answer = await client.call('POST /billing/webhook', await signedEvent({ id, type, created, object }));
    expect(answer).toMatchObject({ status: 200, body: { received: true } });
  };
  const receive = (kind: string, id: string, begun: number, status: string, created: number, tier: PaidTier = 'team') =>
    take(`customer.subscription.${kind}`, subscription(id, begun, { status, tier }), created);
  const is = async () => (await client.call('GET /me/billing/state', { caller: { ...caller, tenant } })).body;
  const invoice = (id: string) => ({ ...fixtures().invoice, parent: { subscription_details: { subscription: id } } });
  /** Sets the current subscription at the processor. */
  const atProcessor = (id: string, begun: number, moment: Moment) =>
    stripe.subscriptions.set(id, subscription(id, begun, moment, tenant));

  describe.each([
    ['which the processor knows', true],
    ['which the processor has no more', false],
  ])('an ended subscription, %s,', (_, isKnown) => {
    it('is not revived by a late event after its successor has ended', async () => {
      await receive('created', 'sub_old', NOW, 'active', NOW);
      await receive('deleted', 'sub_old', NOW, 'canceled', NOW + 10 * DAY);
      await receive('created', 'sub_new', NOW + 11 * DAY, 'active', NOW + 11 * DAY);
      await receive('deleted', 'sub_new', NOW + 11 * DAY, 'canceled', NOW + 20 * DAY);
      if (isKnown) atProcessor('sub_old', NOW, { status: 'canceled', tier: 'team' });
      await receive('updated', 'sub_old', NOW, 'active', NOW + 9 * DAY);
      await receive('updated', 'sub_old', NOW, 'active', NOW + 30 * DAY);
      expect(await is()).toMatchObject({
        subscriptionStatus: 'canceled',
        tier: 'starter',
        billedFeaturesActive: false,
      });
    });

    it('is not revived by a later event of the same subscription', async () => {
      await receive('deleted', 'sub_old', NOW, 'canceled', NOW + DAY);
      if (isKnown) atProcessor('sub_old', NOW, { status: 'canceled', tier: 'team' });
      for (const after of [0, 1, 100]) await receive('updated', 'sub_old', NOW, 'active', NOW + DAY + after);
      expect(await is()).toMatchObject({ subscriptionStatus: 'canceled', billedFeaturesActive: false });
    });
  });

  it('an ended subscription is not revived before its end is reported, because the processor has the end', async () => {
    await receive('deleted', 'sub_new', NOW + 11 * DAY, 'canceled', NOW + 20 * DAY);
    atProcessor('sub_old', NOW, { status: 'canceled', tier: 'team' });
    await receive('updated', 'sub_old', NOW, 'active', NOW + 9 * DAY);
    expect(await is()).toMatchObject({ subscriptionStatus: 'canceled', billedFeaturesActive: false });
  });

  it('another subscription begins after the end of the first', async () => {
    await receive('deleted', 'sub_old', NOW, 'canceled', NOW + DAY);
    atProcessor('sub_new', NOW + 2 * DAY, { status: 'active', tier: 'business' });
    await receive('created', 'sub_new', NOW + 2 * DAY, 'incomplete', NOW + 2 * DAY, 'business');
    expect(await is()).toMatchObject({ subscriptionStatus: 'active', tier: 'business', billedFeaturesActive: true });
  });

  it('a late payment event updates the state when the processor reports the subscription as unpaid', async () => {
    await receive('updated', 'sub_1', NOW, 'past_due', NOW + 5 * DAY);
    atProcessor('sub_1', NOW, { status: 'unpaid', tier: 'team' });
    await take('invoice.payment_failed', invoice('sub_1'), NOW + 4 * DAY);
    expect(await is()).toMatchObject({ subscriptionStatus: 'unpaid', billedFeaturesActive: false });
    // An event older than the newest applied event is ignored.
    await receive('updated', 'sub_1', NOW, 'active', NOW + 4.5 * DAY);
    expect(await is()).toMatchObject({ subscriptionStatus: 'unpaid' });
  });

  it('a read from the processor is repeated when another event was applied meanwhile', async () => {
    await receive('created', 'sub_1', NOW, 'active', NOW);
    atProcessor('sub_1', NOW, { status: 'unpaid', tier: 'team' });
    await Promise.all([
      ...Array.from({ length: 6 }, (_, i) => take('invoice.payment_failed', invoice('sub_1'), NOW + i)),
      receive('updated', 'sub_1', NOW, 'unpaid', NOW + 60),
    ]);
    expect(await is()).toMatchObject({ subscriptionStatus: 'unpaid' });
  });

  it.each([
    'no json',
    'null',
    '7',
    '"text"',
    '[]',
    '{}',
    '{"id":"evt_1"}',
    '{"id":"evt_1","type":"customer.subscription.updated","created":1}',
    '{"id":"evt_1","type":"customer.subscription.updated","created":1,"data":{}}',
    '{"id":"evt_1","type":"customer.subscription.updated","created":1,"data":{"object":{}}}',
    '{"id":"evt_1","type":"customer.subscription.updated","created":1,"data":{"object":{"id":"s","customer":"c","status":"active","created":1,"items":{"data":[{}]}}}}',
    '{"id":"evt_1","type":"customer.subscription.updated","created":1e300,"data":{"object":{}}}',
    '{"id":"evt_1","type":"checkout.session.completed","created":1,"data":{"object":{"subscription":7}}}',
    '{"id":"evt_1","type":"invoice.paid","created":1,"data":{"object":{"parent":"x"}}}',
    '{"id":"evt\\u0000","type":"other","created":1,"data":{"object":{}}}',
    '{"id":["evt_1"],"type":"other","created":1,"data":{"object":{}}}',
  ])('a signed body that is no event is a 400: %s', async (body) => {
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret: WEBHOOK_SECRET });
    const answer = await client.call('POST /billing/webhook', { body, headers: { 'stripe-signature': signature } });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_event', field: 'body' } });
    expect(client.errors.filter(({ kind }) => kind === 'INTERNAL')).toEqual([]);
  });

  it("any order of events of any subscriptions ends in the processor's state", async () => {
    const moment = fc.record({
      status: fc.constantFrom('trialing', 'active', 'past_due', 'unpaid'),
      tier: fc.constantFrom<PaidTier>('team', 'business'),
    });
    const life = fc.record({ moments: fc.array(moment, { minLength: 1, maxLength: 4 }), payments: fc.nat(2) });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(life, { minLength: 1, maxLength: 3 }),
        fc.record({ isLastEnded: fc.boolean(), isKnown: fc.boolean(), order: fc.infiniteStream(fc.nat()) }),
        async (lives, { isLastEnded, isKnown, order }) => {
          round++;
          tenant = `00000000-0000-4000-8000-${String(round).padStart(12, '0')}` as TenantId;
          stripe.subscriptions.clear();
          const events: (() => Promise<void>)[] = [];
          let second = NOW;
          let last: Moment = { status: '', tier: 'team' };
          for (const [index, { moments, payments }] of lives.entries()) {
            const id = `sub_${round}_${index}`;
            const begun = second;
            const isEnded = isLastEnded || index < lives.length - 1;
            const all: Moment[] = [...moments];
            if (isEnded) all.push({ status: 'canceled', tier: moments.at(-1)?.tier ?? 'team' });
            for (const [step, each] of all.entries()) {
              const kind = step === 0 ? 'created' : each.status === 'canceled' ? 'deleted' : 'updated';
              const object = subscription(id, begun, each, tenant);
              const [at, name] = [second++, `evt_${round}_${index}_${step}`];
              events.push(() => take(`customer.subscription.${kind}`, object, at, name));
              last = each;
            }
            for (let paid = 0; isKnown && paid < payments; paid++) {
              const at = begun + paid;
              events.push(() => take('invoice.payment_failed', invoice(id), at, `evt_${round}_${index}_p${paid}`));
            }
            // Events from the past arrive when the processor already has the final state.
            if (isKnown) stripe.subscriptions.set(id, subscription(id, begun, last, tenant));
            second += 5;
          }
          // Each event is sent twice, in a random order.
          const due = [...events, ...events].map((event) => ({ event, rank: order.next().value }));
          for (const { event } of due.sort((one, other) => one.rank - other.rank)) await event();
          const hasEnded = last.status === 'canceled';
          expect(await is()).toMatchObject({
            subscriptionStatus: last.status,
            tier: hasEnded ? 'starter' : last.tier,
            billedFeaturesActive: ['trialing', 'active', 'past_due'].includes(last.status),
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  describe('the order of refusals', () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-billing-'));
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it('is 401, then 503, before 415', async () => {
      const { state: accounts, identity } = await startIdentity(folder, 'Quarry-lantern-77');
      const home = await identity.tenants.ensure('default');
      const { key } = await identity.apiKeys.create({ tenant: home.id, label: 'k', roles: ['ROLE_ADMIN'] });
      const host = await serve([surface(undefined)], { folder, state: accounts, identity });
      const post = async (path: string, headers: Readonly<Record<string, string>>) => {
        const { status } = await fetch(`http://127.0.0.1:${host.port}${path}`, {
          method: 'POST',
          body: 'tier=team',
          headers: { 'content-type': 'text/plain; charset=latin1', ...headers },
        });
        return status;
      };
      for (const path of ['/me/billing/checkout-session', '/me/billing/portal-session']) {
        expect([path, await post(path, {}), await post(path, { authorization: `Bearer ${key}` })]).toEqual([
          path,
          401,
          503,
        ]);
      }
      expect(await post('/billing/webhook', {})).toBe(503);
      await host.stop(0);
      await accounts.close();
    });
  });
});
