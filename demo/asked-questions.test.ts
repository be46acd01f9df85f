/** Tests the questions that are kept for the owners of models, and how one becomes a certified answer. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AskingProduct, CUBE, CUBE_ID, MODEL, semantic, startAsking } from './testing/asking.ts';

const BY_REGION = { rows: [{ dataset: 'stores', field: 'region' }], values: [{ metric: 'net_sales' }] };
const WRONG = { values: [{ metric: 'sales_net' }] };
const READER = { roles: ['ROLE_USER'] };

const DOCUMENT = {
  version: '0.1.1',
  semantic_model: [
    {
      name: 'small',
      datasets: [
        {
          name: 'stores',
          source: 'main.stores',
          primary_key: ['store_id'],
          fields: [{ name: 'region', expression: { dialects: [{ dialect: 'ANSI_SQL', expression: 'region' }] } }],
        },
      ],
      metrics: [
        { name: 'area', expression: { dialects: [{ dialect: 'ANSI_SQL', expression: 'SUM(stores.floor_area_m2)' }] } },
      ],
    },
  ],
};
const SDS =
  '<dataSource><id>small</id><name>small</name><type>SEMANTIC</type><semanticYaml>small.json</semanticYaml><location>jdbc:duckdb:data/demo-shop.duckdb</location><username>shop</username></dataSource>';
const SMALL = { connection: 'small', model: 'small' };

let product: AskingProduct;
beforeAll(async () => {
  product = await startAsking({
    datasources: { 'small.json': JSON.stringify(DOCUMENT, null, 2), 'small.sds': SDS },
    roles: ['ROLE_USER'],
    settings: { 'service.ai.ask.keptQuestions': '3' },
  });
  const models = async () => JSON.stringify((await product.call('GET /ai/semantic/models')).body);
  await vi.waitFor(async () => expect(await models()).toContain('"small"'), { timeout: 60_000, interval: 200 });
});
afterAll(() => product?.stop());

const list = async (reference: string) => {
  const { status, body } = await product.call(`GET /admin/questions?reference=${encodeURIComponent(reference)}`);
  expect(status).toBe(200);
  return body.questions;
};

test('refused questions are kept with the reason, and counted where they are asked again in the same words', async () => {
  product.reply(() => ({ tool: 'OffTopic', input: { reason: 'This is about the weather.' } }));
  const ask = (question: string) => product.call('POST /ai/semantic/ask', { ...MODEL, question }, READER);
  expect((await ask('Will it rain?')).status).toBe(400);
  expect((await ask('will it RAIN')).status).toBe(400);
  product.reply(() => semantic(WRONG));
  expect((await ask('How much did we sell?')).status).toBe(400);
  const questions = await list('demo/shop');
  expect(questions).toMatchObject([
    {
      kind: 'off-topic',
      question: 'will it RAIN',
      reason: 'This is about the weather.',
      times: 2,
      surface: 'semantic',
    },
    { kind: 'unanswered', question: 'How much did we sell?', request: WRONG, times: 1, isCertifiable: true },
  ]);
  expect(questions[0].request).toBeUndefined();
  // A stream and an ask box keep their refusals, too.
  await (await product.send('POST /ai/semantic/ask/stream', { ...MODEL, question: 'And by stream?' })).text();
  await (await product.send('POST /view/ai/shared/demo/ask-the-shop.serviceask', { question: 'In the box?' })).text();
  expect((await list('demo/shop')).map(({ question }: { question: string }) => question)).toEqual(
    expect.arrayContaining(['And by stream?', 'In the box?']),
  );
});

test('an answer is marked as wrong by its caller, and by a reader of an ask box', async () => {
  const marked = { question: 'Sales by region', verdict: 'wrong', queryUsed: { ...MODEL, ...BY_REGION } };
  const { status, body } = await product.call(
    'POST /ai/semantic/ask/feedback',
    { ...MODEL, ...marked, comment: 'Gross sales were meant.' },
    READER,
  );
  expect([status, body]).toEqual([200, { kept: true }]);
  const box = 'POST /view/feedback/shared/demo/ask-the-shop.serviceask';
  expect((await product.call(box, { ...marked, question: 'Sales by town' }, READER)).status).toBe(200);
  const wrong = (await list('demo/shop')).filter(({ kind }: { kind: string }) => kind === 'wrong');
  expect(wrong).toContainEqual(
    expect.objectContaining({ question: 'Sales by region', reason: 'Gross sales were meant.', request: BY_REGION }),
  );
  expect(wrong).toHaveLength(2);
});

test.each([
  ['another verdict', { ...MODEL, question: 'a', verdict: 'fine' }, 400, 'verdict'],
  ['no question', { ...MODEL, question: ' ', verdict: 'wrong' }, 400, 'question'],
  ['an unknown model', { connection: 'demo', model: 'shoe', question: 'a', verdict: 'wrong' }, 404, 'model'],
])('a mark with %s is refused at its place', async (_, body, status, field) => {
  const answer = await product.call('POST /ai/semantic/ask/feedback', body, READER);
  expect([answer.status, answer.body.field]).toEqual([status, field]);
});

test('questions are for administrators alone', async () => {
  for (const request of ['GET /admin/questions', 'DELETE /admin/questions/x', 'POST /admin/questions/x/certify'])
    expect((await product.call(request, request.startsWith('POST') ? {} : undefined, READER)).status).toBe(403);
});

test('of each kind the questions that were asked last stay', async () => {
  product.reply(() => ({ tool: 'OffTopic', input: { reason: 'No.' } }));
  for (const question of ['one?', 'two?', 'three?', 'four?'])
    await product.call('POST /ai/semantic/ask', { ...SMALL, question });
  const { questions } = (await product.call('GET /admin/questions')).body;
  const kept = questions.filter(({ kind }: { kind: string }) => kind === 'off-topic');
  expect(kept.map(({ question }: { question: string }) => question).sort()).toEqual(['four?', 'three?', 'two?']);
  // Marks as wrong are counted apart.
  expect(questions.filter(({ kind }: { kind: string }) => kind === 'wrong')).toHaveLength(2);
});

test('a question becomes a certified answer of its model, which is checked first, and leaves the list', async () => {
  product.reply(() => semantic({ ...SMALL, values: [{ metric: 'size' }] }));
  const question = 'How large are the regions?';
  expect((await product.call('POST /ai/semantic/ask', { ...SMALL, question })).status).toBe(400);
  const [kept] = (await list('small/small')).filter((each: { question: string }) => each.question === question);
  const certify = (body: object) => product.call(`POST /admin/questions/${kept.id}/certify`, body);
  expect(await certify({})).toMatchObject({
    status: 400,
    body: { field: 'request.values[0].metric', available: ['area'] },
  });

  const request = { rows: [{ dataset: 'stores', field: 'region' }], values: [{ metric: 'area' }] };
  expect(await certify({ request })).toMatchObject({ status: 200, body: { version: expect.any(String) } });
  expect(await certify({ request })).toMatchObject({ status: 404 });
  const before = product.llm.requests.length;
  const answered = async () => (await product.call('POST /ai/semantic/ask', { ...SMALL, question })).body;
  await vi.waitFor(async () => expect((await answered()).certified).toBeDefined(), { timeout: 30_000, interval: 200 });
  const { certified, queryUsed } = await answered();
  expect(certified).toEqual({ question, by: expect.any(String), at: new Date().toISOString().slice(0, 10) });
  expect(queryUsed).toEqual({ ...SMALL, ...request });
  expect(product.llm.requests.length - before).toBeLessThanOrEqual(1);
  const { body: history } = await product.call('GET /admin/models/small/history');
  expect(history[0].summary).toBe(`Certified the answer to "${question}"`);
  const { body: audit } = await product.call('GET /admin/audit?limit=50');
  expect(JSON.stringify(audit)).toContain('askedQuestions.certify');
});

test('a cube’s questions are kept; its certified answers are written in its schema file', async () => {
  const mark = { cube: CUBE, question: 'Sales by moon?', verdict: 'wrong' };
  expect((await product.call('POST /ai/ask/feedback', mark)).status).toBe(200);
  const [kept] = await list(CUBE_ID);
  expect(kept).toMatchObject({ surface: 'cube', question: 'Sales by moon?', isCertifiable: false });
  const { status, body } = await product.call(`POST /admin/questions/${kept.id}/certify`, { request: {} });
  expect([status, body.error]).toEqual([409, 'NOT_EDITABLE']);
  expect((await product.call(`DELETE /admin/questions/${kept.id}`)).status).toBe(200);
  expect(await list(CUBE_ID)).toEqual([]);
});
