import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Llm, LlmRequest } from '../../router/capabilities/llm.ts';
import { BudgetExceededError, CancelledError, UpstreamError } from '../../router/errors.ts';
import { keptLog } from '../../router/testing/kept-log.ts';
import { LLM_PROVIDERS, type LlmProvider } from '../config/llm-providers.ts';
import { openState, type StateStore } from '../state/index.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { type LlmOptions, llmMigrations, openLlm } from './index.ts';
import { priceOf } from './prices.ts';
import { type Reply, type SeenRequest, type StandIn, standIn } from './testing/stand-in.ts';

const TENANT = 'acme' as TenantId;
const NOW = Date.UTC(2026, 10, 21, 12);
const KEY = 'sk-very-secret';

const ONE: LlmRequest = {
  tenant: TENANT,
  purpose: 'ask',
  system: [
    { text: 'You answer.', isStable: true },
    { text: 'The schema.', isStable: true },
    { text: 'Today is Saturday.', isStable: false },
  ],
  messages: [{ role: 'user', text: 'How many?' }],
  tools: [
    { name: 'Query', description: 'Asks.', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
  ],
  maxOutputTokens: 1_000,
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function sqliteState(): Promise<StateStore> {
  const folder = await mkdtemp(join(tmpdir(), 'service-llm-'));
  const state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: keptLog() });
  closing.push(() => rm(folder, { recursive: true }));
  closing.push(() => state.close());
  await state.migrate({ llm: llmMigrations });
  return state;
}

async function open(
  provider: LlmProvider,
  reply: (request: SeenRequest, index: number) => Reply | Promise<Reply>,
  options: Partial<LlmOptions> = {},
): Promise<{ readonly llm: Llm; readonly server: StandIn }> {
  const server = await standIn(provider, reply);
  closing.push(() => server.close());
  const llm = openLlm({
    provider,
    apiKey: KEY,
    model: undefined,
    endpoint: server.endpoint,
    price: undefined,
    ceilings: { ask: 0, propose: 0 },
    timeoutMs: 20_000,
    state: options.state ?? (await sqliteState()),
    clock: () => NOW,
    log: keptLog(),
    ...options,
  });
  return { llm, server };
}

const STREAMED_ERROR =
  'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"secret words"}}\n\n';
const WRONG_COUNTS = JSON.stringify({
  model: 'm',
  content: [{ type: 'text', text: 'x' }],
  choices: [{ message: { content: 'x' } }],
  usage: { input_tokens: '9', output_tokens: -1, prompt_tokens: '9', completion_tokens: -1 },
});

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

const DEEP_ANSWERS: Readonly<Record<LlmProvider, string>> = {
  anthropic: `{"model":"m","usage":{"input_tokens":1,"output_tokens":1},"content":[{"type":"tool_use","id":"1","name":"Query","input":${nested(5_000)}}]}`,
  openai: JSON.stringify({
    choices: [
      {
        message: {
          tool_calls: [{ type: 'function', id: '1', function: { name: 'Query', arguments: nested(5_000) } }],
        },
      },
    ],
  }),
};

describe.each(LLM_PROVIDERS)('%s', (provider) => {
  it.each([false, true])('must call the tool, and its arguments are the answer; streamed: %s', async (isStreamed) => {
    const { llm, server } = await open(provider, () => ({ tool: 'Query', input: { n: 7 }, cached: 400 }));
    const progress: number[] = [];
    const answer = await llm.call(isStreamed ? { ...ONE, onProgress: (characters) => progress.push(characters) } : ONE);
    expect(answer.call).toEqual({ id: 'call_1', tool: 'Query', input: { n: 7 } });
    expect(answer.text.replaceAll(' ', '')).toBe('{"n":7}');
    expect(answer.usage).toMatchObject({ inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 100 });
    expect(progress.at(-1)).toBe(isStreamed ? 7 : undefined);
    const [{ body, headers }] = server.requests as [SeenRequest];
    expect(body.stream ?? false).toBe(isStreamed);
    expect(body.tool_choice).toEqual(
      provider === 'anthropic'
        ? { type: 'tool', name: 'Query', disable_parallel_tool_use: true }
        : { type: 'function', function: { name: 'Query' } },
    );
    expect(JSON.stringify(headers)).toContain(KEY);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  it('must call one of several tools', async () => {
    const { llm, server } = await open(provider, () => ({ tool: 'OffTopic', input: { reason: 'weather' } }));
    const offTopic = { name: 'OffTopic', description: 'Declines.', inputSchema: { type: 'object' } };
    const answer = await llm.call({ ...ONE, tools: [...ONE.tools, offTopic] });
    expect(answer.call?.tool).toBe('OffTopic');
    expect(server.requests[0]?.body.tool_choice).toEqual(
      provider === 'anthropic' ? { type: 'any', disable_parallel_tool_use: true } : 'required',
    );
  });

  it('receives the history in its order, with earlier calls and their results', async () => {
    const { llm, server } = await open(provider, () => ({ tool: 'Query', input: {} }));
    await llm.call({
      ...ONE,
      messages: [
        { role: 'user', text: 'one' },
        { role: 'assistant', text: 'two' },
        { role: 'user', text: 'three' },
        { role: 'assistant', call: { id: 'c', tool: 'Query', input: { n: 1 } } },
        { role: 'tool', callId: 'c', text: 'wrong', isError: true },
      ],
    });
    const { messages } = server.requests[0]?.body ?? {};
    const conversation = provider === 'openai' ? messages.slice(1) : messages;
    expect(JSON.stringify(conversation)).toMatch(/one.*two.*three.*Query.*wrong/);
    expect(conversation.map(({ role }: { role: string }) => role)).toEqual(
      provider === 'openai'
        ? ['user', 'assistant', 'user', 'assistant', 'tool']
        : ['user', 'assistant', 'user', 'assistant', 'user'],
    );
  });

  it('receives the constant parts of the prompt first, so that they can be cached', async () => {
    const { llm, server } = await open(provider, () => ({ tool: 'Query', input: {} }));
    await llm.call(ONE);
    const { body } = server.requests[0] as SeenRequest;
    if (provider === 'anthropic') {
      expect(body.system.map((part: { cache_control?: unknown }) => part.cache_control)).toEqual([
        undefined,
        { type: 'ephemeral' },
        undefined,
      ]);
    } else expect(body.messages[0].content).toBe('You answer.\n\nThe schema.\n\nToday is Saturday.');
  });

  it.each([
    ['a limit of requests', { status: 429, retryAfter: 0 }],
    ['a failure', { status: 503, retryAfter: 0 }],
    ['a lost connection', 'hang up'],
  ] as const)('is called again after %s', async (_, first) => {
    const { llm, server } = await open(provider, (_request, index) =>
      index === 0 ? first : { tool: 'Query', input: { n: 2 } },
    );
    expect((await llm.call(ONE)).call?.input).toEqual({ n: 2 });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['has no capacity', { status: 429, retryAfter: 0 }, 3],
    ['fails', { status: 500, retryAfter: 0 }, 3],
    ['does not take the key', { status: 401 }, 1],
    ['does not know the model', { status: 404 }, 1],
    ['does not take the request', { status: 400 }, 1],
    ['refuses', { refusal: 'I will not.' }, 1],
  ] as const)('that %s is an error with a message for the caller', async (_, reply, requests) => {
    const { llm, server } = await open(provider, () => reply);
    const error = await llm.call(ONE).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(String((error as Error).message)).not.toMatch(/secret|http|I will not/);
    expect(server.requests).toHaveLength(requests);
    expect((await llm.budget(TENANT, 'ask')).spentUsd).toBe(0);
  });

  it.each([
    ['a page of a proxy', 'text/html', '<html>sk-very-secret http://proxy</html>'],
    ['a page that says it is JSON', 'application/json', '<html>secret</html>'],
    ['an error', 'application/json', '{"error":{"message":"secret words","code":"overloaded"}}'],
    ['an error in the middle of a stream', 'text/event-stream', STREAMED_ERROR],
    ['events that are no JSON', 'text/event-stream', 'data: <html>secret</html>\n\n'],
    ['a list', 'application/json', '[]'],
    ['null', 'application/json', 'null'],
    ['nothing', 'application/json', ''],
    ['an answer without its parts', 'application/json', '{"choices":[{}],"content":[{"type":"tool_use"}]}'],
    ['counts of tokens that are none', 'application/json', WRONG_COUNTS],
  ])('that answers 200 and %s has failed, and its text is not shown', async (_, type, raw) => {
    const { llm } = await open(provider, () => ({ raw, type }));
    for (const request of [ONE, { ...ONE, onProgress: () => {} }]) {
      const error = await llm.call(request).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UpstreamError);
      expect(String((error as Error).message)).toMatch(/^The language model (failed|did not answer in its protocol)/);
      expect(String((error as Error).message)).not.toMatch(/secret|http/);
    }
    expect((await llm.budget(TENANT, 'ask')).spentUsd).toBe(0);
  });

  it('that reports its rate limit in a 200 is reported as overloaded', async () => {
    const { llm } = await open(provider, () => ({ raw: '{"error":{"code":429}}', type: 'application/json' }));
    await expect(llm.call(ONE)).rejects.toThrow('The language model has no capacity left for this service.');
  });

  it('that sends arguments nested 5,000 deep has made no usable call', async () => {
    const { llm } = await open(provider, (_, index) =>
      index === 0
        ? { raw: DEEP_ANSWERS[provider], type: 'application/json' }
        : { tool: 'Query', rawInput: nested(5_000) },
    );
    expect((await llm.call(ONE)).call).toMatchObject({ tool: 'Query', input: undefined });
    expect((await llm.call({ ...ONE, onProgress: () => {} })).call).toMatchObject({ tool: 'Query', input: undefined });
  });

  it('that answers in words or with broken arguments has made no usable call', async () => {
    const { llm } = await open(provider, (_, index) =>
      index === 0 ? { text: 'Seven.' } : { tool: 'Query', rawInput: '{"n": ' },
    );
    expect(await llm.call(ONE)).toMatchObject({ call: undefined, text: 'Seven.' });
    expect((await llm.call(ONE)).call).toMatchObject({ tool: 'Query', input: undefined });
  });

  it('that does not answer is abandoned in time, and the sent tokens are billed', async () => {
    const { llm } = await open(provider, () => 'silence', { timeoutMs: 300 });
    await expect(llm.call(ONE)).rejects.toThrow(UpstreamError);
    expect((await llm.budget(TENANT, 'ask')).spentUsd).toBeGreaterThan(0);
  });

  it('is stopped when the caller leaves', async () => {
    const leave = new AbortController();
    const { llm, server } = await open(provider, () => {
      setTimeout(() => leave.abort(), 10);
      return 'silence';
    });
    await expect(llm.call({ ...ONE, signal: leave.signal })).rejects.toThrow(CancelledError);
    await expect.poll(() => server.abandoned).toBe(1);
  });
});

it('a listed model has its list price, dated or not, and any other model the highest price', () => {
  expect(priceOf('anthropic', 'claude-sonnet-4-5-20250929')).toMatchObject({
    price: { input: 3, output: 15 },
    isExact: true,
  });
  expect(priceOf('openai', 'gpt-5-mini-2025-08-07')).toMatchObject({
    price: { input: 0.25, output: 2 },
    isExact: true,
  });
  expect(priceOf('openai', 'constructor')).toMatchObject({ price: { output: 14 }, isExact: false });
});

it('the costs are the sum over input, cached input and output tokens', async () => {
  const { llm } = await open('anthropic', () => ({ tool: 'Query', input: {}, cached: 400 }), {
    model: 'claude-sonnet-4-6',
  });
  // 600 x 3 + 400 x 0.3 + 100 x 15 dollars per million tokens
  expect((await llm.call(ONE)).usage).toMatchObject({ estimatedCostUsd: 0.00342, isPricingExact: true });
  expect((await llm.budget(TENANT, 'ask')).spentUsd).toBeCloseTo(0.00342, 9);
});

it('a price in the settings applies to every model', async () => {
  const { llm } = await open('openai', () => ({ tool: 'Query', input: {} }), {
    model: 'local',
    price: { input: 0, output: 0 },
  });
  expect((await llm.call(ONE)).usage).toMatchObject({ model: 'local', estimatedCostUsd: 0, isPricingExact: true });
});

onEveryEngine((fixture) => {
  it('200 simultaneous calls never spend more than the ceiling, and stop at it', async () => {
    const state = await fixture.open({ llm: llmMigrations });
    const { llm, server } = await open('anthropic', () => ({ tool: 'Query', input: {} }), {
      state,
      model: 'claude-sonnet-4-6',
      ceilings: { ask: 0.1, propose: 0 },
    });
    // Each call costs 1,000 x 3 + 100 x 15 millionths: 0.0045 dollars, so 22 calls fit. Each reserves at least 0.015.
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, () => llm.call({ ...ONE, maxOutputTokens: 1_000 })),
    );
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(failures.every((failure) => failure instanceof BudgetExceededError)).toBe(true);
    const { spentUsd, budgetUsd } = await llm.budget(TENANT, 'ask');
    expect(server.requests).toHaveLength(200 - failures.length);
    expect(spentUsd).toBeCloseTo(server.requests.length * 0.0045, 9);
    expect(spentUsd).toBeLessThanOrEqual(0.1);
    expect(server.requests.length).toBeGreaterThan(3);
    expect(budgetUsd).toBe(0.1);
    expect(failures[0]).toMatchObject({ code: 'QUOTA_EXCEEDED', budgetUsd: 0.1, retryAfterSeconds: 12 * 3_600 });
    // Another tenant and another purpose have separate budgets.
    expect((await llm.budget('other' as TenantId, 'ask')).spentUsd).toBe(0);
    await llm.call({ ...ONE, purpose: 'propose' });
  });

  it('the reservations of a dead node are released', async () => {
    const state = await fixture.open({ llm: llmMigrations });
    let now = NOW;
    const options = {
      state,
      clock: () => now,
      timeoutMs: 1_000,
      ceilings: { ask: 0.02, propose: 0 },
      model: 'claude-sonnet-4-6',
    };
    const gone = await open('anthropic', () => 'silence', options);
    const lost = gone.llm.call(ONE).catch(() => undefined);
    await expect.poll(() => gone.server.requests.length).toBe(1);
    const { llm } = await open('anthropic', () => ({ tool: 'Query', input: {} }), options);
    await expect(llm.call(ONE)).rejects.toThrow(BudgetExceededError);
    now += 2_000;
    await llm.call(ONE);
    await lost;
  });
});
