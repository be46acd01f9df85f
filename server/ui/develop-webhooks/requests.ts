import { TEST_EVENT, WEBHOOK_EVENT_NAMES, type WebhookEvent } from '../../../router/webhook-events.ts';
import type { Client } from '../api-client/client.ts';
import { readBoolean, readList, readObject, readOption, readText, readTime } from '../api-client/json.ts';

const WEBHOOKS = '/rest/service/api/admin/webhooks';
const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface WebhookEntry {
  readonly id: string;
  /** Without its query. */
  readonly url: string;
  readonly label: string;
  readonly events: readonly WebhookEvent[];
  readonly isPaused: boolean;
  /** Why the server paused it; empty where a user did. */
  readonly pausedReason: string;
  readonly waiting: number;
  readonly failedInARow: number;
  readonly lastDeliveredAt: Date | undefined;
}

export interface DeliveryEntry {
  readonly id: string;
  readonly event: WebhookEvent | typeof TEST_EVENT;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | undefined;
  readonly status: number | undefined;
  /** Empty for none. */
  readonly error: string;
  readonly body: string;
}

export interface WebhookValues {
  readonly url?: string;
  readonly label?: string;
  readonly events?: readonly string[];
  readonly isPaused?: boolean;
}

const addressOf = (id: string): string => `${WEBHOOKS}/${encodeURIComponent(id)}`;

export function readWebhooks(client: Client, signal: AbortSignal): Promise<readonly WebhookEntry[]> {
  return client.get(WEBHOOKS, (json) => readList(json, 'the list of webhooks', parseWebhook), signal);
}

/** Adds a webhook, and returns its secret: no later answer contains it. */
export function addWebhook(client: Client, webhook: WebhookValues): Promise<string> {
  return client.post(WEBHOOKS, webhook, parseSecret);
}

export function changeWebhook(client: Client, id: string, change: WebhookValues): Promise<void> {
  return client.put(addressOf(id), change, () => undefined);
}

export function removeWebhook(client: Client, id: string): Promise<void> {
  return client.delete(addressOf(id), () => undefined);
}

/** Gives a webhook another secret, and returns it. */
export function renewSecret(client: Client, id: string): Promise<string> {
  return client.post(`${addressOf(id)}/secret`, {}, parseSecret);
}

export function sendTest(client: Client, id: string): Promise<void> {
  return client.post(`${addressOf(id)}/test`, {}, () => undefined);
}

export function readDeliveries(client: Client, id: string, signal: AbortSignal): Promise<readonly DeliveryEntry[]> {
  return client.get(
    `${addressOf(id)}/deliveries`,
    (json) => readList(json, 'the list of deliveries', parseDelivery),
    signal,
  );
}

export function redeliver(client: Client, id: string, delivery: string): Promise<void> {
  return client.post(`${addressOf(id)}/deliveries/${encodeURIComponent(delivery)}/redeliver`, {}, () => undefined);
}

function parseSecret(json: unknown): string {
  return readText(readObject(json, 'the secret'), 'secret');
}

function parseWebhook(item: unknown): WebhookEntry {
  const record = readObject(item, 'a webhook');
  return {
    id: readText(record, 'id'),
    url: readText(record, 'url'),
    label: readText(record, 'label'),
    events: readList(record.events, 'events', (event) => readOption({ event }, 'event', WEBHOOK_EVENT_NAMES)),
    isPaused: readBoolean(record, 'isPaused'),
    pausedReason: record.pausedReason === null ? '' : readText(record, 'pausedReason'),
    waiting: Number(record.waiting),
    failedInARow: Number(record.failedInARow),
    lastDeliveredAt: record.lastDeliveredAt === null ? undefined : readTime(record, 'lastDeliveredAt'),
  };
}

function parseDelivery(item: unknown): DeliveryEntry {
  const record = readObject(item, 'a delivery');
  return {
    id: readText(record, 'id'),
    event: readOption(record, 'event', [...WEBHOOK_EVENT_NAMES, TEST_EVENT]),
    state: readOption(record, 'state', DELIVERY_STATES),
    attempts: Number(record.attempts),
    createdAt: readTime(record, 'createdAt'),
    nextAttemptAt: record.nextAttemptAt === null ? undefined : readTime(record, 'nextAttemptAt'),
    status: record.status === null ? undefined : Number(record.status),
    error: record.error === null ? '' : readText(record, 'error'),
    body: readText(record, 'body'),
  };
}
