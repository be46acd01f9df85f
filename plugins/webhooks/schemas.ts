/** The requests and answers of webhooks. */
import { z } from 'zod';
import { list } from '../../router/bounded.ts';
import { WEBHOOK_EVENT_NAMES } from '../../router/webhook-events.ts';
import { MAX_LISTED, MAX_URL_LENGTH, MAX_WEBHOOKS } from './limits.ts';
import { DELIVERY_STATES } from './tables.ts';

const Timestamp = z.iso.datetime();
const Id = z.string().min(1).max(100);
const Event = z.enum(WEBHOOK_EVENT_NAMES as [(typeof WEBHOOK_EVENT_NAMES)[number], ...typeof WEBHOOK_EVENT_NAMES]);

const Url = z.string().min(1).max(MAX_URL_LENGTH).meta({ description: 'Where events are posted: `https://…`.' });
const Label = z.string().max(200).meta({ description: 'What it is for.' });
const EventList = list(Event, WEBHOOK_EVENT_NAMES.length)
  .refine((events) => events.length > 0, 'Name at least one event.')
  .meta({ description: 'The events that it is sent.' });

export const NewWebhook = z
  .strictObject({ url: Url, label: Label.default(''), events: EventList })
  .meta({ id: 'NewWebhook' });

export const WebhookChange = z
  .strictObject({
    id: Id,
    url: Url.optional(),
    label: Label.optional(),
    events: EventList.optional(),
    isPaused: z
      .boolean()
      .optional()
      .meta({ description: 'A paused webhook is sent nothing; deliveries that wait are sent once it goes on.' }),
  })
  .meta({ id: 'WebhookChange' });

export const Webhook = z
  .object({
    id: Id,
    url: z.string().meta({ description: 'Without its query, which may contain a secret.' }),
    label: z.string(),
    events: list(z.string(), WEBHOOK_EVENT_NAMES.length),
    isPaused: z.boolean(),
    pausedReason: z.string().nullable().meta({ description: 'Why the server paused it; null where a user did.' }),
    waiting: z.int().meta({ description: 'Deliveries that wait for their first or next attempt.' }),
    failedInARow: z.int(),
    lastDeliveredAt: Timestamp.nullable(),
    createdBy: z.string(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

export const Webhooks = list(Webhook, MAX_WEBHOOKS);

const Secret = z
  .string()
  .meta({ description: 'Signs the deliveries, as Standard Webhooks describes it. No later answer contains it.' });

export const AddedWebhook = Webhook.extend({ secret: Secret }).meta({ id: 'AddedWebhook' });
export const RenewedSecret = z
  .object({ secret: Secret, formerUntil: Timestamp.meta({ description: 'Until then the former secret signs, too.' }) })
  .meta({ id: 'RenewedWebhookSecret' });

export const Delivery = z
  .object({
    id: Id,
    eventId: z.string().meta({ description: 'The header `webhook-id`: equal for all deliveries of an event.' }),
    event: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    createdAt: Timestamp,
    lastAttemptAt: Timestamp.nullable(),
    nextAttemptAt: Timestamp.nullable().meta({ description: 'null where no attempt follows.' }),
    status: z.int().nullable().meta({ description: 'The HTTP status of the last answer.' }),
    error: z.string().nullable().meta({ description: 'Why there was no answer.' }),
    durationMs: z.int().nullable(),
    body: z.string().meta({ description: 'The text that is sent.' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type Delivery = z.infer<typeof Delivery>;

export const Deliveries = list(Delivery, MAX_LISTED);

export const ById = z.strictObject({ id: Id });
export const ByDelivery = z.strictObject({ id: Id, delivery: Id });
export const DeliveryFilter = z.strictObject({ id: Id, state: z.enum(DELIVERY_STATES).optional() });
export const Done = z.object({ status: z.literal('OK') });
