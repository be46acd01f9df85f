/** The webhooks of a tenant for commands, which run without a server: a running one sends what they add. */
import type { Scope } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Vault } from '../../router/capabilities/vault.ts';
import type { WebhookTargets } from '../../router/capabilities/webhooks.ts';
import { TEST_EVENT } from '../../router/webhook-events.ts';
import { DeliveryStore } from './delivery-store.ts';
import { type Delivery, NewWebhook, type Webhook } from './schemas.ts';
import { webhookMigrations } from './tables.ts';
import { deliveryView, webhookView } from './views.ts';
import { WebhookStore } from './webhook-store.ts';

export interface TenantWebhooks {
  list(): Promise<readonly Webhook[]>;
  add(webhook: { readonly url: string; readonly label: string; readonly events: readonly string[] }): Promise<{
    readonly id: string;
    readonly secret: string;
  }>;
  pause(id: string, isPaused: boolean): Promise<Webhook>;
  remove(id: string): Promise<void>;
  renewSecret(id: string): Promise<string>;
  test(id: string): Promise<Delivery>;
  deliveries(id: string): Promise<readonly Delivery[]>;
  redeliver(id: string, delivery: string): Promise<Delivery>;
}

/** Opens the webhooks of a tenant. A server that was never started has not created their tables. */
export async function tenantWebhooks(
  state: State & { migrate(migrations: { readonly webhooks: typeof webhookMigrations }): Promise<unknown> },
  { tenant, user, ...scope }: Scope,
  { vault, targets }: { readonly vault: Vault; readonly targets: Pick<WebhookTargets, 'check'> },
): Promise<TenantWebhooks> {
  await state.migrate({ webhooks: webhookMigrations });
  const store = new WebhookStore({ state, clock: Date.now, vault });
  const deliveries = new DeliveryStore({ state, clock: Date.now });
  return {
    async list() {
      const summaries = await deliveries.summaries(tenant);
      return (await store.list(tenant)).map((row) => webhookView(row, summaries.get(row.id)));
    },
    async add(webhook) {
      const checked = NewWebhook.parse(webhook);
      await targets.check(checked.url);
      const { row, secret } = await store.add({ ...scope, tenant, user }, checked);
      return { id: row.id, secret };
    },
    pause: async (id, isPaused) => webhookView(await store.change(tenant, id, { isPaused }), undefined),
    remove: (id) => store.remove(tenant, id),
    renewSecret: async (id) => (await store.renewSecret(tenant, id)).secret,
    async test(id) {
      await store.get(tenant, id);
      return deliveryView(await deliveries.announceTo(tenant, id, { event: TEST_EVENT, data: { user } }));
    },
    async deliveries(id) {
      await store.get(tenant, id);
      return (await deliveries.list(tenant, id, undefined)).map(deliveryView);
    },
    redeliver: async (id, delivery) => deliveryView(await deliveries.again(tenant, id, delivery)),
  };
}
