import { userOf } from '../../router/calling-user.ts';
import type { WebhookTargets } from '../../router/capabilities/webhooks.ts';
import { operation } from '../../router/operation.ts';
import { TEST_EVENT } from '../../router/webhook-events.ts';
import type { DeliveryStore } from './delivery-store.ts';
import {
  AddedWebhook,
  ByDelivery,
  ById,
  Deliveries,
  Delivery,
  DeliveryFilter,
  Done,
  NewWebhook,
  RenewedSecret,
  Webhook,
  WebhookChange,
  Webhooks,
} from './schemas.ts';
import { deliveryView, webhookView } from './views.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface WebhookOperationsOptions {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly targets: Pick<WebhookTargets, 'check'>;
  /** Sends what is due now. */
  readonly sendSoon: () => void;
}

const BASE = '/rest/service/api/admin/webhooks';
const CHOICE = 'Webhooks are an addition of this product.';

export function webhookOperations({ webhooks, deliveries, targets, sendSoon }: WebhookOperationsOptions) {
  const common = { access: 'administrator', implementationChoice: CHOICE } as const;
  return {
    list: operation({
      summary: 'List the webhooks of the tenant',
      ...common,
      rest: { method: 'GET', path: BASE },
    })
      .output(Webhooks)
      .query(async ({ ctx }) => {
        const { tenant } = userOf(ctx);
        const summaries = await deliveries.summaries(tenant);
        return (await webhooks.list(tenant)).map((row) => webhookView(row, summaries.get(row.id)));
      }),

    add: operation({
      summary: 'Add a webhook',
      description:
        'Events of the tenant are posted to its address as JSON, signed by its secret, which only this answer contains. Addresses of private networks are refused unless `service.links.privateHosts` names them.',
      ...common,
      rest: { method: 'POST', path: BASE, body: '*', status: 201 },
    })
      .input(NewWebhook)
      .output(AddedWebhook)
      .mutation(async ({ ctx, input }) => {
        await targets.check(input.url);
        const { row, secret } = await webhooks.add(userOf(ctx), input);
        return { ...webhookView(row, undefined), secret };
      }),

    change: operation({
      summary: 'Change the address, the label or the events of a webhook, or pause it',
      ...common,
      rest: { method: 'PUT', path: `${BASE}/{id}`, body: '*' },
    })
      .input(WebhookChange)
      .output(Webhook)
      .mutation(async ({ ctx, input: { id, ...change } }) => {
        const { tenant } = userOf(ctx);
        if (change.url !== undefined) await targets.check(change.url);
        const row = await webhooks.change(tenant, id, change);
        sendSoon();
        return webhookView(row, (await deliveries.summaries(tenant)).get(id));
      }),

    remove: operation({
      summary: 'Remove a webhook with its deliveries',
      ...common,
      rest: { method: 'DELETE', path: `${BASE}/{id}` },
    })
      .input(ById)
      .output(Done)
      .mutation(async ({ ctx, input }) => {
        await webhooks.remove(userOf(ctx).tenant, input.id);
        return { status: 'OK' } as const;
      }),

    renewSecret: operation({
      summary: 'Give a webhook another secret',
      description: 'Only this answer contains it. For a day deliveries have signatures by both secrets.',
      ...common,
      rest: { method: 'POST', path: `${BASE}/{id}/secret` },
    })
      .input(ById)
      .output(RenewedSecret)
      .mutation(async ({ ctx, input }) => {
        const { secret, formerUntil } = await webhooks.renewSecret(userOf(ctx).tenant, input.id);
        return { secret, formerUntil: new Date(formerUntil).toISOString() };
      }),

    test: operation({
      summary: 'Send a webhook a test event',
      description: `Its type is \`${TEST_EVENT}\`. The list of deliveries shows how the target answered. A paused webhook is sent it once it goes on.`,
      ...common,
      rest: { method: 'POST', path: `${BASE}/{id}/test`, status: 202 },
    })
      .input(ById)
      .output(Delivery)
      .mutation(async ({ ctx, input: { id } }) => {
        const { tenant, user } = userOf(ctx);
        await webhooks.get(tenant, id);
        const row = await deliveries.announceTo(tenant, id, { event: TEST_EVENT, data: { user } });
        sendSoon();
        return deliveryView(row);
      }),

    deliveries: operation({
      summary: 'List the deliveries of a webhook, the newest first',
      description: 'The 200 newest. Deliveries are kept for 30 days.',
      ...common,
      rest: { method: 'GET', path: `${BASE}/{id}/deliveries`, query: ['state'] },
    })
      .input(DeliveryFilter)
      .output(Deliveries)
      .query(async ({ ctx, input: { id, state } }) => {
        const { tenant } = userOf(ctx);
        await webhooks.get(tenant, id);
        return (await deliveries.list(tenant, id, state)).map(deliveryView);
      }),

    redeliver: operation({
      summary: 'Send the event of a delivery again',
      description: 'A new delivery with the same id and body, so that a receiver recognises an event that it has.',
      ...common,
      rest: { method: 'POST', path: `${BASE}/{id}/deliveries/{delivery}/redeliver`, status: 202 },
    })
      .input(ByDelivery)
      .output(Delivery)
      .mutation(async ({ ctx, input: { id, delivery } }) => {
        const row = await deliveries.again(userOf(ctx).tenant, id, delivery);
        sendSoon();
        return deliveryView(row);
      }),
  };
}
