/** Sends the deliveries that are due, a few at a time. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { WebhookTargets } from '../../router/capabilities/webhooks.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { ANSWER_TIMEOUT_MS } from './limits.ts';
import { signedHeaders } from './signature.ts';
import type { DeliveryRow, WebhookRow } from './tables.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface SenderDependencies {
  readonly webhooks: Pick<WebhookStore, 'secretsOf'>;
  readonly deliveries: Pick<DeliveryStore, 'take' | 'settle' | 'release' | 'purge'>;
  readonly targets: WebhookTargets;
  readonly clock: Clock;
  readonly log: Log;
}

export class WebhookSender {
  readonly #parts: SenderDependencies;
  readonly #node = randomUUID();
  readonly #stopping = new AbortController();

  constructor(parts: SenderDependencies) {
    this.#parts = parts;
  }

  /** Sends all deliveries that are due, and deletes old ones. */
  async runDue(): Promise<void> {
    const { deliveries } = this.#parts;
    while (!this.#stopping.signal.aborted) {
      const batch = await deliveries.take(this.#node);
      if (batch.length === 0) break;
      await Promise.all(batch.map(([row, webhook]) => this.#send(row, webhook)));
    }
    await deliveries.purge();
  }

  /** Stops sending; another node or the next start sends again what was under way. */
  stop(): void {
    this.#stopping.abort();
  }

  async #send(row: DeliveryRow, webhook: WebhookRow): Promise<void> {
    const { webhooks, deliveries, targets, clock, log } = this.#parts;
    const { event_id: id, body } = row;
    try {
      const timestampSeconds = Math.floor(clock() / 1_000);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'service-webhooks',
        ...signedHeaders({ id, timestampSeconds, body }, webhooks.secretsOf(webhook)),
      };
      const startedAt = performance.now();
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
      const answer = await targets.post(webhook.url, headers, body, signal);
      if (this.#stopping.signal.aborted) await deliveries.release(row, this.#node);
      else await deliveries.settle(row, this.#node, answer, performance.now() - startedAt);
    } catch (error) {
      log.error({ err: error, delivery: row.id }, 'a webhook could not be sent');
      const reason = 'Something went wrong on our side; it has been logged.';
      await deliveries.settle(row, this.#node, { reason }, 0);
    }
  }
}
