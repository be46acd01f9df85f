/** Tests questions that go on from a request, questions back, and requests that the caller has corrected. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AskingProduct, MODEL, readPrompt, semantic, startAsking } from './testing/asking.ts';

const BY_REGION = { rows: [{ dataset: 'stores', field: 'region' }], values: [{ metric: 'net_sales' }] };
const BY_CATEGORY = { rows: [{ dataset: 'products', field: 'category' }], values: [{ metric: 'net_sales' }] };
const GROSS = { ...BY_REGION, values: [{ metric: 'gross_sales' }] };
const BOX = 'POST /view/ai/shared/demo/ask-the-shop.serviceask';

let product: AskingProduct;
beforeAll(async () => {
  product = await startAsking({ roles: ['ROLE_USER'] });
});
afterAll(() => product?.stop());

const ask = (body: object) => product.call('POST /ai/semantic/ask', { ...MODEL, ...body });
const askBack = (...queries: object[]) => ({
  tool: 'AskBack',
  input: { question: 'Which sales?', readings: queries.map((query, index) => ({ label: `reading ${index}`, query })) },
});
const toolNames = () =>
  (product.llm.requests.at(-1)?.body.tools ?? []).map(({ name }: { readonly name: string }) => name);
const lastMessages = () => {
  const request = product.llm.requests.at(-1);
  return request === undefined ? [] : readPrompt(request).messages;
};
const readEvents = async (body: object, roles: readonly string[] = ['ROLE_ADMIN']) =>
  [...(await (await product.send(BOX, body, { roles })).text()).matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(
    ([, event, data = '']) => ({ event, data: JSON.parse(data) }),
  );

test('a question goes on from a request', async () => {
  product.reply(() => semantic(BY_CATEGORY));
  const previous = { ...MODEL, ...BY_REGION };
  const { status, body } = await ask({ question: 'and by category?', previous });
  expect([status, body.queryUsed]).toEqual([200, { ...MODEL, ...BY_CATEGORY }]);
  expect(lastMessages().at(-1)).toContain(JSON.stringify(previous));
  expect(lastMessages().at(-1)).toMatch(/and by category\?$/);
  expect(await ask({ question: 'a', previous: { text: 'x'.repeat(30_000) } })).toMatchObject({
    status: 400,
    body: { field: 'previous' },
  });
});

test('a question with two near readings is asked back about, with both as requests that run', async () => {
  product.reply(() => askBack({ ...MODEL, ...BY_REGION }, GROSS));
  const { status, body } = await ask({ question: 'Sales?', clarify: true });
  expect(status).toBe(200);
  expect(body).toEqual({
    question: 'Sales?',
    ...MODEL,
    clarification: {
      question: 'Which sales?',
      readings: [
        { label: 'reading 0', request: { ...MODEL, ...BY_REGION } },
        { label: 'reading 1', request: { ...MODEL, ...GROSS } },
      ],
    },
  });
  const before = product.llm.requests.length;
  const chosen = await ask({ question: 'Sales?', request: body.clarification.readings[1].request });
  const direct = await product.call('POST /ai/semantic/query', { ...MODEL, ...GROSS });
  expect(chosen.body.response.records).toEqual(direct.body.records);
  expect(product.llm.requests).toHaveLength(before);
  const events = await readEvents({ question: 'Sales?', clarify: true });
  expect(events.at(-1)).toMatchObject({ event: 'clarification', data: { question: 'Which sales?' } });
});

test.each([
  [
    'a wrong reading',
    [BY_REGION, { values: [{ metric: 'sales_net' }] }],
    /readings\[1\]\.query\.values\[0\]\.metric.*net_sales/,
  ],
  ['equal readings', [BY_REGION, { ...MODEL, ...BY_REGION }], /the same query/],
  ['one reading', [BY_REGION], /two or three readings/],
])('the language model corrects a question back with %s', async (_, queries, hint) => {
  product.reply((_request, index) => {
    const isFirst = index === first;
    return isFirst ? askBack(...queries) : semantic(BY_REGION);
  });
  const first = product.llm.requests.length;
  expect((await ask({ question: 'Sales?', clarify: true })).body.queryUsed).toEqual({ ...MODEL, ...BY_REGION });
  expect(lastMessages().at(-1)?.replaceAll('\\"', '"')).toMatch(hint);
});

test('nobody is asked back who does not say so', async () => {
  product.reply(() => semantic(BY_REGION));
  await ask({ question: 'Sales?' });
  expect(toolNames()).not.toContain('AskBack');
  await ask({ question: 'Sales?', clarify: true });
  expect(toolNames()).toContain('AskBack');
});

test('a corrected request is answered without the language model, and its mistakes are at their place', async () => {
  const before = product.llm.requests.length;
  const wrong = { rows: [{ dataset: 'stores', field: 'regoin' }] };
  expect(await ask({ question: 'Sales?', request: wrong })).toMatchObject({
    status: 400,
    body: { field: 'request.rows[0].field', available: expect.arrayContaining(['region']) },
  });
  // A request is always about the model of the question.
  const other = { ...BY_REGION, connection: 'elsewhere', model: 'other' };
  expect((await ask({ question: 'Sales?', request: other })).body.queryUsed).toEqual({ ...MODEL, ...BY_REGION });
  const events = await readEvents({ question: 'Sales?', request: BY_REGION });
  expect(events.map(({ event }) => event)).toEqual(['query', 'validation', 'answer']);
  expect(events.at(-1)?.data.records).toHaveLength(4);
  const refused = await readEvents({ question: 'Sales?', request: wrong }, ['ROLE_USER']);
  expect(refused.at(-1)).toMatchObject({ event: 'error', data: { error: 'VALIDATION_ERROR' } });
  expect(product.llm.requests).toHaveLength(before);
});
