import { webcrypto } from 'node:crypto';
import { expect, it } from 'vitest';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { OperationActivity } from '../../router/capabilities/observer.ts';
import type { Vault } from '../../router/capabilities/vault.ts';
import type { TargetAnswer } from '../../router/capabilities/webhooks.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { onEveryEngine } from '../../server/state/testing/engines.ts';
import { Announcer } from './announcer.ts';
import { DeliveryStore } from './delivery-store.ts';
import { WebhookSender } from './sender.ts';
import { newSecret, signedHeaders } from './signature.ts';
import { webhookMigrations } from './tables.ts';
import { WebhookStore } from './webhook-store.ts';

/** The program of the guide. */
const PROGRAM: string = new URL('../../docs/examples/webhooks/is-genuine.mjs', import.meta.url).href;
const TENANT = 'acme' as TenantId;
const ann = { tenant: TENANT, user: 'ann', roles: ['ROLE_ADMIN'] };
const START = Date.UTC(2026, 0, 1);
const SECOND_MS = 1_000;

/** Shows its context, so that a test sees that a text is sealed. */
const vault: Vault = {
  seal: (text, context) => `${context}|${Buffer.from(text).toString('hex')}`,
  open: (sealed, context) =>
    sealed.startsWith(`${context}|`) ? Buffer.from(sealed.slice(context.length + 1), 'hex').toString() : undefined,
};

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Computes a signature of Standard Webhooks with another implementation of HMAC. */
async function signatureOf(secret: string, { headers, body }: Post): Promise<string> {
  const { subtle } = webcrypto;
  const raw = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const key = await subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  return `v1,${Buffer.from(await subtle.sign('HMAC', key, signed)).toString('base64')}`;
}

onEveryEngine((fixture) => {
  async function world() {
    let now = START;
    const clock = () => now;
    const state = await fixture.open({ webhooks: webhookMigrations });
    const posts: Post[] = [];
    const answers: TargetAnswer[] = [];
    const targets = {
      check: async () => undefined,
      async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<TargetAnswer> {
        posts.push({ url, headers, body });
        return answers.shift() ?? { status: 204 };
      },
    };
    const webhooks = new WebhookStore({ state, clock, vault });
    const deliveries = new DeliveryStore({ state, clock });
    const node = () => new WebhookSender({ webhooks, deliveries, targets, clock, log: silentLog });
    const announcer = new Announcer({ state, clock, log: silentLog });
    const add = (events: readonly string[], url = 'https://hooks.example.com/a?key=1') =>
      webhooks.add(ann, { url, label: '', events });
    return {
      webhooks,
      deliveries,
      announcer,
      posts,
      answers,
      node,
      add,
      sender: node(),
      later: (ms: number) => {
        now += ms;
      },
    };
  }

  it('an event is posted once to each webhook that is for it, signed with its secret', async () => {
    const { announcer, add, sender, posts, deliveries } = await world();
    const { row, secret } = await add(['refresh.failed']);
    await add(['document.saved']);
    await add(['refresh.failed'], 'https://other.example.com/');
    announcer.announce(TENANT, 'refresh.failed', { name: 'orders', message: 'The folder does not exist.' });
    announcer.announce('other' as TenantId, 'refresh.failed', { name: 'theirs' });
    await announcer.flush();
    await sender.runDue();
    expect(posts.map(({ url }) => url).toSorted()).toEqual([
      'https://hooks.example.com/a?key=1',
      'https://other.example.com/',
    ]);
    const post = posts.find(({ url }) => url === row.url);
    if (post === undefined) throw new Error('nothing was posted');
    expect(JSON.parse(post.body)).toEqual({
      type: 'refresh.failed',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: { name: 'orders', message: 'The folder does not exist.' },
    });
    expect(post.headers['webhook-timestamp']).toBe(String(START / SECOND_MS));
    expect(post.headers['webhook-signature']).toBe(await signatureOf(secret, post));
    expect(await deliveries.list(TENANT, row.id, undefined)).toMatchObject([
      { state: 'delivered', attempts: 1, last_status: 204 },
    ]);
    expect(row.secret).not.toContain(secret);
  });

  it('a failure is tried again after growing pauses, and given up after seven attempts', async () => {
    const { announcer, add, sender, posts, answers, deliveries, later } = await world();
    const { row } = await add(['model.changed']);
    answers.push({ reason: 'There was no answer: nothing answers there.' }, ...Array(6).fill({ status: 500 }));
    announcer.announce(TENANT, 'model.changed', { name: 'shop' });
    await announcer.flush();
    for (const [attempts, pause] of [10, 60, 300, 1_800, 7_200, 21_600].entries()) {
      await sender.runDue();
      later(pause * SECOND_MS - 1);
      await sender.runDue();
      expect(posts).toHaveLength(attempts + 1);
      later(1);
    }
    await sender.runDue();
    later(86_400_000);
    await sender.runDue();
    expect(posts).toHaveLength(7);
    expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await deliveries.list(TENANT, row.id, 'failed')).toMatchObject([{ attempts: 7, last_status: 500 }]);
  });

  it('a delivery is sent again with its id and body', async () => {
    const { announcer, add, sender, posts, deliveries } = await world();
    const { row } = await add(['model.changed']);
    announcer.announce(TENANT, 'model.changed', { name: 'shop' });
    await announcer.flush();
    await sender.runDue();
    const [sent] = await deliveries.list(TENANT, row.id, undefined);
    await deliveries.again(TENANT, row.id, sent?.id ?? '');
    await expect(deliveries.again('other' as TenantId, row.id, sent?.id ?? '')).rejects.toThrow('no such delivery');
    await sender.runDue();
    expect(posts).toHaveLength(2);
    expect([posts[1]?.headers['webhook-id'], posts[1]?.body]).toEqual([
      posts[0]?.headers['webhook-id'],
      posts[0]?.body,
    ]);
  });

  it('a paused webhook is sent nothing until it goes on; one whose target is gone is paused', async () => {
    const { announcer, add, sender, posts, answers, webhooks, deliveries } = await world();
    const { row } = await add(['model.changed']);
    answers.push({ status: 410 });
    announcer.announce(TENANT, 'model.changed', { name: 'first' });
    await announcer.flush();
    await sender.runDue();
    expect(await webhooks.get(TENANT, row.id)).toMatchObject({
      is_paused: 1,
      paused_reason: 'The target answered 410: it is gone.',
    });
    announcer.announce(TENANT, 'model.changed', { name: 'second' });
    await announcer.flush();
    await deliveries.announceTo(TENANT, row.id, { event: 'webhook.test', data: {} });
    await sender.runDue();
    expect(posts).toHaveLength(1);
    await webhooks.change(TENANT, row.id, { isPaused: false });
    await sender.runDue();
    // The event of the pause is not made up for; the test waited.
    expect(posts.map(({ body }) => JSON.parse(body).type)).toEqual(['model.changed', 'webhook.test']);
  });

  it('a target that fails twenty times is paused', async () => {
    const { add, sender, answers, webhooks, deliveries, later } = await world();
    const { row } = await add(['model.changed']);
    answers.push(...Array(20 * 7).fill({ status: 503 }));
    for (let event = 0; event < 20; event++)
      await deliveries.announceTo(TENANT, row.id, { event: 'model.changed', data: { event } });
    for (let attempt = 0; attempt < 7; attempt++) {
      await sender.runDue();
      later(21_600 * SECOND_MS);
    }
    expect(await webhooks.get(TENANT, row.id)).toMatchObject({
      is_paused: 1,
      paused_reason: '20 deliveries failed one after the other.',
    });
  });

  it('for a day after a change both secrets sign, then the new one', async () => {
    const { announcer, add, sender, posts, webhooks, later } = await world();
    const { row, secret: former } = await add(['model.changed']);
    const { secret } = await webhooks.renewSecret(TENANT, row.id);
    const sendOne = async (): Promise<Post> => {
      announcer.announce(TENANT, 'model.changed', { name: 'shop' });
      await announcer.flush();
      await sender.runDue();
      const post = posts.at(-1);
      if (post === undefined) throw new Error('nothing was posted');
      return post;
    };
    const first = await sendOne();
    expect(first.headers['webhook-signature']).toBe(
      `${await signatureOf(secret, first)} ${await signatureOf(former, first)}`,
    );
    later(86_400_000);
    const second = await sendOne();
    expect(second.headers['webhook-signature']).toBe(await signatureOf(secret, second));
  });

  it('of two nodes one sends a delivery, and another takes over the one of a dead node', async () => {
    const { announcer, add, node, posts, deliveries, later } = await world();
    const { row } = await add(['model.changed']);
    announcer.announce(TENANT, 'model.changed', { name: 'shop' });
    await announcer.flush();
    expect(await deliveries.take('dead')).toHaveLength(1);
    await node().runDue();
    expect(posts).toHaveLength(0);
    later(60 * SECOND_MS);
    await Promise.all([node().runDue(), node().runDue()]);
    expect(posts).toHaveLength(1);
    expect(await deliveries.list(TENANT, row.id, 'delivered')).toHaveLength(1);
  });

  it('operations that end well are events of their tenant, with names alone', async () => {
    const { announcer, add, sender, posts } = await world();
    await add(['document.saved', 'document.moved']);
    const activity = (operation: string, input: object): OperationActivity => ({
      kind: 'operation',
      operation,
      access: 'user',
      writes: true,
      caller: { kind: 'user', via: 'session', ...ann },
      address: '',
      requestId: '',
      input: async () => input,
    });
    const document = { path: 'shared/a.service', text: 'a secret filter' };
    expect(await announcer.around(activity('repository.write', document), async () => 'result')).toBe('result');
    await announcer.around(
      activity('repository.move', { from: 'shared/a.service', to: 'shared/b.service' }),
      async () => 1,
    );
    await expect(
      announcer.around(activity('repository.write', document), () => Promise.reject(new Error('refused'))),
    ).rejects.toThrow('refused');
    await announcer.around(activity('repository.read', document), async () => 1);
    await announcer.flush();
    await sender.runDue();
    const sent = posts.map(({ body }) => JSON.parse(body)).toSorted((a, b) => (a.type < b.type ? -1 : 1));
    expect(sent.map(({ type, data }) => [type, data])).toEqual([
      ['document.moved', { from: 'shared/a.service', path: 'shared/b.service', user: 'ann' }],
      ['document.saved', { path: 'shared/a.service', user: 'ann' }],
    ]);
  });

  it('deliveries go after 30 days, and with their webhook', async () => {
    const { announcer, add, sender, webhooks, deliveries, later } = await world();
    const { row } = await add(['model.changed']);
    const { row: other } = await add(['model.changed']);
    announcer.announce(TENANT, 'model.changed', { name: 'shop' });
    await announcer.flush();
    await webhooks.remove(TENANT, other.id);
    expect(await deliveries.list(TENANT, other.id, undefined)).toEqual([]);
    later(30 * 86_400_000);
    await sender.runDue();
    await sender.runDue();
    expect(await deliveries.list(TENANT, row.id, undefined)).toEqual([]);
  });
});

it('the documented program accepts what is signed, and nothing else', async () => {
  const { isGenuine } = await import(PROGRAM);
  const [secret, other] = [newSecret(), newSecret()];
  const [id, body, now] = ['evt_1', '{"type":"webhook.test"}', Math.floor(Date.now() / SECOND_MS)];
  const headers = signedHeaders({ id, timestampSeconds: now, body }, [other, secret]);
  expect(isGenuine(headers, body, secret)).toBe(true);
  expect(isGenuine(headers, `${body} `, secret)).toBe(false);
  expect(isGenuine(headers, body, newSecret())).toBe(false);
  const old = signedHeaders({ id, timestampSeconds: now - 301, body }, [secret]);
  expect(isGenuine(old, body, secret)).toBe(false);
});
