/**
 * Writes `docs/reference/webhook-events.md` from the list of events.
 *
 *   npx tsx scripts/webhook-events-doc.ts           writes it
 *   npx tsx scripts/webhook-events-doc.ts --check   fails when it is out of date
 */
import { TEST_EVENT, WEBHOOK_EVENTS } from '../router/webhook-events.ts';
import { writeOrCheck } from './generated-file.ts';

const rows = Object.entries({ ...WEBHOOK_EVENTS, [TEST_EVENT]: 'An administrator sends a test; it needs no choice.' });
const text = `# Events of webhooks

<!-- Written by \`npx tsx scripts/webhook-events-doc.ts\`; change router/webhook-events.ts instead. -->

A [webhook](../guide/webhooks.md) is sent the events that it names.

| Event | When |
|---|---|
${rows.map(([name, when]) => `| \`${name}\` | ${when} |`).join('\n')}
`;

writeOrCheck('docs/reference/webhook-events.md', text, 'npx tsx scripts/webhook-events-doc.ts');
