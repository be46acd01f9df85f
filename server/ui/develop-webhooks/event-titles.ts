import { TEST_EVENT, type WebhookEvent } from '../../../router/webhook-events.ts';
import { msg } from '../words/words.ts';

/** The events in words. */
export const EVENT_TITLES: Readonly<Record<WebhookEvent | typeof TEST_EVENT, string>> = {
  'refresh.replaced': msg('A refresh brought new data'),
  'refresh.unchanged': msg('A refresh found nothing new'),
  'refresh.failed': msg('A refresh failed'),
  'data.replaced': msg('Data was replaced by hand'),
  'model.published': msg('A model was published'),
  'model.changed': msg('A model was changed'),
  'model.removed': msg('A model was removed'),
  'document.saved': msg('A document was saved'),
  'document.moved': msg('A document was moved'),
  'document.removed': msg('A document was deleted'),
  'document.shared': msg('A document was made public'),
  'document.unshared': msg('Public access ended'),
  'query.finished': msg('An asynchronous query has finished'),
  'query.failed': msg('An asynchronous query failed'),
  [TEST_EVENT]: msg('Test'),
};
