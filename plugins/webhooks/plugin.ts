/** Makes the webhooks of the capabilities they need. */
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Vault } from '../../router/capabilities/vault.ts';
import type { WebhookTargets } from '../../router/capabilities/webhooks.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { DeliveryStore } from './delivery-store.ts';
import { webhookOperations } from './operations.ts';
import { WebhookSender } from './sender.ts';
import { webhookMigrations } from './tables.ts';
import { WebhookStore } from './webhook-store.ts';

export interface WebhookCapabilities {
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
  readonly vault: Vault;
  readonly targets: WebhookTargets;
}

export interface WebhookSurface {
  readonly plugin: ReturnType<typeof webhookPlugin>;
  /** Sends the deliveries that are due. */
  send(): Promise<void>;
  /** Stops sending. */
  stop(): void;
}

export function webhooks(capabilities: WebhookCapabilities): WebhookSurface {
  const { log } = capabilities;
  const store = new WebhookStore(capabilities);
  const deliveries = new DeliveryStore(capabilities);
  const sender = new WebhookSender({ ...capabilities, webhooks: store, deliveries });
  const sendSoon = (): void => {
    sender.runDue().catch((error: unknown) => log.warn({ err: error }, 'webhooks could not be sent'));
  };
  return {
    plugin: webhookPlugin({ ...capabilities, webhooks: store, deliveries, sendSoon }),
    send: () => sender.runDue(),
    stop: () => sender.stop(),
  };
}

function webhookPlugin(options: Parameters<typeof webhookOperations>[0]) {
  return plugin({
    name: 'webhooks',
    title: 'Webhooks',
    router: operations(webhookOperations(options)),
    errorFormat: standardErrorFormat,
    migrations: webhookMigrations,
  });
}
