/** Tests questions with progress events, cancelled questions, and many questions at once. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LLM_PROVIDERS } from '../server/config/llm-providers.ts';
import { PRICES } from '../server/llm/prices.ts';
import { type AskingOptions, type AskingProduct, CUBE, cube, MODEL, semantic, startAsking } from './testing/asking.ts';

const BY_REGION = { rows: [{ dataset: 'stores', field: 'region' }], values: [{ metric: 'net_sales' }] };
const QUESTION = { ...MODEL, question: 'Sales by region' };

let product: AskingProduct | undefined;
afterEach(async () => {
  await product?.stop();
  product = undefined;
});

async function start(options: AskingOptions = {}): Promise<AskingProduct> {
  product = await startAsking(options);
  return product;
}

/** Reads the events of an answer in order. */
async function readEvents(response: Response) {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((part) => part.startsWith('event: '))
    .map((part) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? [];
      // biome-ignore lint/suspicious/noExplicitAny: a test looks into a JSON answer as any client does.
      return { event, data: JSON.parse(data) as any };
    });
}

describe.each(LLM_PROVIDERS)('with %s', (provider) => {
  test('a streamed question reports its steps and ends with the same answer as an unstreamed one', async () => {
    const { reply, send, call, llm } = await start({ provider });
    const wrong = { ...BY_REGION, rows: [{ dataset: 'stores', field: 'regoin' }] };
    reply((_, index) => semantic(index === 0 ? wrong : BY_REGION));
    const response = await send('POST /ai/semantic/ask/stream', QUESTION);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = await readEvents(response);
    const names = events.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1]);
    expect(names).toEqual(['thinking', 'query', 'validation', 'thinking', 'query', 'validation', 'answer']);
    const [bad, good] = events.filter(({ event }) => event === 'validation');
    expect(bad?.data).toMatchObject({
      attempt: 1,
      valid: false,
      problems: [{ field: 'rows[0].field', available: expect.arrayContaining(['region']) }],
    });
    expect(good?.data).toEqual({ attempt: 2, valid: true, problems: [] });
    expect(llm.requests.map(({ body }) => body.stream)).toEqual([true, true]);
    const { body } = await call('POST /ai/semantic/ask', QUESTION);
    const { response: answered, ...rest } = events.at(-1)?.data ?? {};
    expect({ ...rest, records: answered.records }).toEqual({
      question: body.question,
      ...MODEL,
      queryUsed: body.queryUsed,
      records: body.response.records,
    });
  });

  test('a caller who disconnects stops the call of the language model, streamed or not', async () => {
    const { reply, send, llm } = await start({ provider });
    reply(() => 'silence');
    for (const path of ['ask', 'ask/stream']) {
      const before = llm.abandoned;
      const leaving = new AbortController();
      const answer = send(`POST /ai/semantic/${path}`, QUESTION, { signal: leaving.signal })
        .then((response) => response.text())
        .catch(() => 'left');
      await vi.waitFor(() => expect(llm.requests.length).toBeGreaterThan(before), { timeout: 60_000, interval: 20 });
      leaving.abort();
      expect(await answer).toBe('left');
      await vi.waitFor(() => expect(llm.abandoned).toBe(before + 1), { timeout: 10_000, interval: 20 });
    }
  });
});

test('a failure before the first event is a status, and a later failure is the last event', async () => {
  const { reply, send } = await start();
  const unknown = await send('POST /ai/semantic/ask/stream', { ...QUESTION, model: 'shopp' });
  expect({ status: unknown.status, body: await unknown.json() }).toMatchObject({
    status: 404,
    body: { error: 'NOT_FOUND', available: ['shop'] },
  });
  reply(() => ({ tool: 'OffTopic', input: { reason: 'No.' } }));
  const off = await readEvents(await send('POST /ai/ask/stream', { cube: CUBE, question: 'Weather?' }));
  expect(off.at(-1)).toMatchObject({ event: 'error', data: { status: 'OFF_TOPIC', error: 'No.' } });
});

test('a model that takes too long is a 502', async () => {
  const { reply, call } = await start({ settings: { 'service.ai.ask.timeoutSeconds': '1' } });
  reply(() => 'silence');
  expect(await call('POST /ai/semantic/ask', QUESTION)).toMatchObject({
    status: 502,
    body: { error: 'UPSTREAM_ERROR' },
  });
});

test('two hundred questions at once never exceed the daily limit, and the refused ones receive a time to retry', async () => {
  const ceiling = 0.5;
  const { reply, call, llm } = await start({ settings: { 'service.ai.ask.dailyBudgetUsd': String(ceiling) } });
  reply(() => cube({ measures: [{ name: 'Net Sales' }] }));
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => call('POST /ai/ask', { cube: CUBE, question: `Sales, number ${n}` })),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 429]));
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body).toMatchObject({ error: 'QUOTA_EXCEEDED' });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
  // The stand-in reports 1,000 tokens in and 100 out for each call, of the default model.
  const { input, output } = PRICES.anthropic['claude-sonnet-4-6'];
  const spent = llm.requests.length * ((1_000 * input + 100 * output) / 1_000_000);
  expect(spent).toBeLessThanOrEqual(ceiling);
  expect(llm.requests.length).toBeGreaterThan(3);
});
