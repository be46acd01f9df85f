/** Tests what the removal of a tenant does to its subscriptions: the command, and a stand-in that speaks Stripe's protocol. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { billing, billingMigrations } from '../../plugins/billing/index.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { keptLog } from '../../router/testing/kept-log.ts';
import { restClient } from '../../router/testing/rest-client.ts';
import { service } from '../cli/testing/command.ts';
import { locateHome, stateFile } from '../home-directory/home-directory.ts';
import { openState } from '../state/index.ts';
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

onEnginesWithPayments((state) => {
  let home: string;
  let stripe: StripeStandIn;
  let acme: TenantId;

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'service-removal-'));
    stripe = await stripeStandIn();
    vi.stubEnv('SERVICE_LOG_LEVEL', 'silent');
    vi.stubEnv('SERVICE_STATE_URL', state.options().url ?? '');
    vi.stubEnv('SERVICE_BILLING_ENDPOINT', stripe.endpoint);
    vi.stubEnv('STRIPE_SECRET_KEY', SECRET_KEY);
    acme = JSON.parse((await command('create', 'acme', '--create', '--json')).out).id;
    await subscribe('sub_1');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await stripe.close();
    rmSync(home, { recursive: true });
  });

  const command = (...args: readonly string[]) => service(['tenant', ...args, '--home', home]);
  const remove = (...args: readonly string[]) => command('remove', 'acme', '--force', ...args);
  const names = async () =>
    z
      .array(z.object({ name: z.string() }))
      .parse(JSON.parse((await command('list', '--json')).out))
      .map(({ name }) => name);
  const statuses = () => [...stripe.subscriptions.values()].map(({ id, status }) => `${id} ${status}`);

  async function withBilling<Result>(
    work: (client: ReturnType<typeof restClient>) => Promise<Result>,
  ): Promise<Result> {
    const log = keptLog();
    const store = await openState({ ...state.options(), sqliteFile: stateFile(locateHome(home)), log });
    try {
      await store.migrate({ billing: billingMigrations });
      const processor = stripeProcessor({
        secretKey: SECRET_KEY,
        webhookSecret: WEBHOOK_SECRET,
        endpoint: stripe.endpoint,
        prices: { team: 'price_team' },
        trialDays: 0,
        timeoutMs: 2_000,
        version: '0.1.0',
      });
      const none = { perMinute: 0, perHour: 0 };
      const rates = { starter: none, team: none, business: none, enterprise: none };
      const tenantNames = await names();
      const hasTenant = async (id: TenantId) => id === acme && tenantNames.includes('acme');
      return await work(
        restClient(billing({ state: store, processor, rates, hasTenant, clock: Date.now, log }).plugin),
      );
    } finally {
      await store.close();
    }
  }

  /** Creates a subscription of acme at the processor. */
  function atProcessor(id: string) {
    const customer = { ...fixtures().customer, id: 'cus_1' };
    const subscription = { ...fixtures().subscription, id, customer: 'cus_1', status: 'active' as const };
    const made = { ...subscription, metadata: { tenantId: acme } };
    stripe.customers.set('cus_1', customer);
    stripe.subscriptions.set(id, made);
    return made;
  }
  const hook = async (type: string, object: object) => {
    const created = Math.floor(Date.now() / 1_000);
    const signed = await signedEvent({ id: `evt_${type}_${created}`, type, created, object });
    return withBilling((client) => client.call('POST /billing/webhook', signed));
  };
  async function subscribe(id: string): Promise<void> {
    expect(await hook('customer.subscription.created', atProcessor(id))).toMatchObject({ status: 200 });
  }

  it('ends the subscriptions, also the ones unknown to this installation, and expires open checkouts', async () => {
    atProcessor('sub_unknown_here');
    stripe.openSessions.set('cs_test_open', 'cus_1');
    stripe.openSessions.set('cs_test_of_another', 'cus_2');
    const { out, code } = await remove('--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ name: 'acme', endedSubscriptions: ['sub_1', 'sub_unknown_here'] });
    expect(statuses()).toEqual(['sub_1 canceled', 'sub_unknown_here canceled']);
    expect([...stripe.openSessions.keys()]).toEqual(['cs_test_of_another']);
    expect(await names()).toEqual(['default']);
    // A later event from the processor belongs to no tenant.
    const [ended] = stripe.subscriptions.values();
    expect(await hook('customer.subscription.deleted', ended ?? {})).toMatchObject({ status: 200 });
  });

  it('keeps the tenant when the processor refuses, explains the way out, and continues on the next run', async () => {
    atProcessor('sub_2');
    const refusal = { status: 402, error: { type: 'card_error' } } as const;
    // The list of checkouts, the list of subscriptions and the first cancellation succeed.
    const { calls } = stripe;
    const before = calls.length;
    const original = stripe.faults.shift.bind(stripe.faults);
    stripe.faults.shift = () => (calls.length - before === 4 ? refusal : original());
    const refused = await remove();
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('The subscription sub_1 could not be ended, and the tenant acme stays');
    expect(refused.err).toContain('--keep-subscription');
    expect(await names()).toEqual(['acme', 'default']);
    expect(statuses()).toEqual(['sub_1 canceled', 'sub_2 active']);
    expect((await remove()).out).toContain('Ended the subscription sub_2.');
    expect(statuses()).toEqual(['sub_1 canceled', 'sub_2 canceled']);
    expect(await names()).toEqual(['default']);
  });

  it('does not call the processor with --keep-subscription', async () => {
    const before = stripe.calls.length;
    expect((await remove('--keep-subscription')).code).toBe(0);
    expect(stripe.calls).toHaveLength(before);
    expect(statuses()).toEqual(['sub_1 active']);
  });

  it('without a key refuses to remove a tenant with a subscription, names it, and removes a tenant without one', async () => {
    vi.stubEnv('STRIPE_SECRET_KEY', '');
    const refused = await remove();
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('pays for the subscription sub_1') });
    expect(refused.err).toContain('STRIPE_SECRET_KEY');
    expect(await names()).toEqual(['acme', 'default']);
    await command('create', 'free');
    expect(await command('remove', 'free')).toMatchObject({ code: 0 });
  });

  it('removes a tenant with a customer that the processor no longer has', async () => {
    stripe.customers.clear();
    expect(await remove()).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['default']);
  });
});
