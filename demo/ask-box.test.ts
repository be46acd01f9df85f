/**
 * Tests the ask box whose token is limited to one model: its reads, its answers, and the data that it never reveals.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AskingProduct, BASE, semantic, startAsking } from './testing/asking.ts';

const BOX = 'shared/ask-the-shop.serviceask';
const DEMO_BOX = 'shared/demo/ask-the-shop.serviceask';
const DOCUMENT = {
  version: 1,
  title: 'Ask the shop',
  source: { surface: 'semantic', target: { connection: 'demo', model: 'shop' } },
};
const BY_REGION = { rows: [{ dataset: 'stores', field: 'region' }], values: [{ metric: 'net_sales' }] };

let product: AskingProduct;
let token: string;

beforeAll(async () => {
  product = await startAsking();
  const admin = { as: 'admin' } as const;
  expect((await product.call(`PUT /repository/${BOX}`, DOCUMENT, admin)).status).toBe(200);
  const made = await product.call('POST /embed/tokens', { resourceKind: 'ai', resourcePath: BOX }, admin);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  token = made.body.token;
});
afterAll(() => product?.stop());

const read = (sent: string | undefined = token, path = BOX) =>
  fetch(`${product.url}${BASE}/embed/ai/${path}`, { headers: sent === '' ? {} : { 'x-service-embed-token': sent } });
const ask = (body: object, sent: string | undefined = token) =>
  fetch(`${product.url}${BASE}/embed/ai/${BOX}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-embed-token': sent },
    body: JSON.stringify(body),
  });
const lastEvent = (text: string) => {
  const [, event, data = ''] = /event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? [];
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into a JSON answer as any client does.
  return { event, data: JSON.parse(data) as any };
};

test('a box shows its description and suggestions only to its own token', async () => {
  const answer = await read();
  expect(answer.headers.get('cache-control')).toBe('no-store, max-age=0');
  expect(await answer.json()).toEqual({
    title: 'Ask the shop',
    suggestions: [
      'Which regions sold most last year?',
      'How did margin by category change from 2024 to 2025?',
      'Which weekday is busiest?',
    ],
    configured: true,
  });
  for (const sent of ['', 'tx-wrong']) {
    const refused = await read(sent);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 401,
      body: { error: 'EMBED_INVALID' },
    });
  }
  expect((await ask({ question: 'Sales?' }, 'tx-wrong')).status).toBe(401);
});

test("the demo's box offers its questions to its own token, and to no other box's token", async () => {
  const made = await product.call(
    'POST /embed/tokens',
    { resourceKind: 'ai', resourcePath: DEMO_BOX },
    { as: 'admin' },
  );
  const answer = (await (await read(made.body.token, DEMO_BOX)).json()) as { readonly suggestions: readonly string[] };
  expect(answer).toMatchObject({ title: 'Ask the shop', configured: true, description: expect.any(String) });
  expect(answer.suggestions).toContain('How did net sales go month by month?');
  expect((await read(token, DEMO_BOX)).status).toBe(401);
});

test('a question is answered as a table with its query and follow-up questions', async () => {
  product.reply(() => semantic(BY_REGION));
  const answer = await ask({ question: 'Sales by region', history: [{ role: 'user', content: 'Hello' }] });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const text = await answer.text();
  expect(text).toMatch(/^event: thinking\n/);
  const { event, data } = lastEvent(text);
  expect(event).toBe('answer');
  expect(data).toMatchObject({ title: 'Sales by region', queryUsed: BY_REGION, meta: { rowCount: 4 } });
  expect(data.columns.map(({ key }: { key: string }) => key)).toEqual(['stores.region', 'net_sales']);
  expect(data.followUps).toEqual(['By Store', 'By Country', 'By City']);
});

test('a question that is not understood returns suggestions, and no name of the model', async () => {
  product.reply(() => semantic({ rows: [{ dataset: 'stores', field: 'regoin' }] }));
  const wrong = await (await ask({ question: 'Sales by regoin' })).text();
  expect(lastEvent(wrong)).toMatchObject({
    event: 'error',
    data: { error: 'OFF_TOPIC', available: expect.arrayContaining(['Which weekday is busiest?']) },
  });
  expect(wrong).not.toMatch(/queryUsed|floor_area|"region"/);
  product.reply(() => ({ tool: 'OffTopic', input: { reason: 'Not in the data.' } }));
  const off = await (await ask({ question: 'Weather?' })).text();
  expect(lastEvent(off)).toMatchObject({ event: 'error', data: { error: 'OFF_TOPIC', message: 'Not in the data.' } });
});

test('a box is checked when it is saved, and is never public', async () => {
  const admin = { as: 'admin' } as const;
  const wrong = { ...DOCUMENT, source: { surface: 'semantic', target: { conection: 'demo' } } };
  expect(await product.call(`PUT /repository/${BOX}`, wrong, admin)).toMatchObject({
    status: 400,
    body: { error: 'VALIDATION_ERROR', field: expect.stringMatching(/^source\.target/) },
  });
  expect(await product.call('POST /embed/public', { resourceKind: 'ai', resourcePath: BOX }, admin)).toMatchObject({
    status: 400,
    body: { field: 'resourceKind', available: ['query', 'dashboard'] },
  });
});

test('a page of another site may ask with the token, and the preflight allows it', async () => {
  const preflight = await fetch(`${product.url}${BASE}/embed/ai/${BOX}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://host.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('X-Service-Embed-Token, Content-Type');
});
