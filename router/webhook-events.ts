/** The events that webhooks are sent. The types, the schemas, the page's choices and `docs/reference/webhook-events.md` are made from this list. */
export const WEBHOOK_EVENTS = {
  'refresh.replaced': 'A scheduled refresh has put new data into the place of the data of a model.',
  'refresh.unchanged': 'A scheduled refresh found the files of the last time.',
  'refresh.failed': 'A scheduled refresh failed; the data is as it was before.',
  'data.replaced': 'Somebody replaced the data of a model, or undid it.',
  'model.published': 'A model or cube was published or registered.',
  'model.changed': 'The document of a semantic model was changed.',
  'model.removed': 'A model or cube was removed.',
  'document.saved': 'A saved query, dashboard or ask box was saved, or an earlier version restored.',
  'document.moved': 'A document was renamed or moved.',
  'document.removed': 'A document was deleted.',
  'document.shared': 'A document was made public.',
  'document.unshared': 'The public access to a document ended.',
  'query.finished': 'An asynchronous query has its answer.',
  'query.failed': 'An asynchronous query failed.',
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as readonly WebhookEvent[];

/** The event of a test, which every webhook is sent on request. */
export const TEST_EVENT = 'webhook.test';
