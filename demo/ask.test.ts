/**
 * Tests questions in natural language over the demo's data: the requests to the language model, and the use of its
 * answers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutReferences } from '../router/tools/agent-schema.ts';
import { LLM_PROVIDERS } from '../server/config/llm-providers.ts';
import { type AskingProduct, CUBE, CUBE_ID, cube, MODEL, readPrompt, semantic, startAsking } from './testing/asking.ts';

/** Characters of the tools that the language model receives with each question. */
const MAX_TOOLS_LENGTH = 10_000;

const BY_REGION = { rows: [{ dataset: 'stores', field: 'region' }], values: [{ metric: 'net_sales' }] };
const BY_CATEGORY = { measures: [{ name: 'Net Sales' }], rows: [{ dimension: 'Product', level: 'Category' }] };

const skill = (name: string, cubeReference: string | undefined, body: string) =>
  `---\nname: ${name}\ndescription: All about ${name}\n${cubeReference === undefined ? '' : `cube: ${cubeReference}\n`}---\n${body}\n`;

describe.each(LLM_PROVIDERS)('with %s', (provider) => {
  let product: AskingProduct;
  beforeAll(async () => {
    product = await startAsking({
      provider,
      skills: {
        ranking: skill('ranking', undefined, 'Order by the metric, the best first.'),
        margins: skill('margins', 'demo/shop', 'Use the margin.'),
        baskets: skill('baskets', CUBE_ID, 'Use Orders.'),
      },
    });
  });
  afterAll(() => product?.stop());

  const requestCount = () => product.llm.requests.length;
  const last = () => {
    const request = product.llm.requests.at(-1);
    if (request === undefined) throw new Error('nothing was asked');
    return request;
  };
  const ask = (question: string, more: object = {}) =>
    product.call('POST /ai/semantic/ask', { ...MODEL, question, ...more });
  const askCube = (question: string, more: object = {}) =>
    product.call('POST /ai/ask', { cube: CUBE, question, ...more });

  test('a question about a semantic model is answered with the query and its records', async () => {
    product.reply(() => semantic(BY_REGION));
    const { status, body } = await ask('How much did each region sell?');
    expect(status).toBe(200);
    const { response, ...rest } = body;
    expect(rest).toEqual({
      question: 'How much did each region sell?',
      ...MODEL,
      queryUsed: { ...MODEL, ...BY_REGION },
    });
    const direct = await product.call('POST /ai/semantic/query', { ...MODEL, ...BY_REGION });
    expect(response.records).toEqual(direct.body.records);
    expect(response.columns).toEqual(direct.body.columns);
  });

  test('a question about a cube is answered, and its answer can be drilled through', async () => {
    product.reply(() => cube(BY_CATEGORY));
    const { status, body } = await askCube('Sales by category');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      question: 'Sales by category',
      cube: CUBE,
      queryUsed: { cube: CUBE_ID, ...BY_CATEGORY },
    });
    const direct = await product.call('POST /ai/query', { cube: CUBE, ...BY_CATEGORY });
    expect(body.response.data).toEqual(direct.body.data);
    const rows = await product.call(`GET /ai/query/${body.response.queryId}/drillthrough?maxrows=2`);
    expect(rows.body.rowCount).toBe(2);
  });

  test('the model must call a tool, and one tool writes the request of the surface', async () => {
    product.reply(() => semantic(BY_REGION));
    await ask('Sales by region');
    const { body } = last();
    const tools = provider === 'anthropic' ? body.tools : body.tools.map((tool: { function: object }) => tool.function);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['SemanticAiQueryRequest', 'OffTopic', 'UseSkill']);
    expect(body.tool_choice).toEqual(
      provider === 'anthropic' ? { type: 'any', disable_parallel_tool_use: true } : 'required',
    );
    const [{ input_schema, parameters }] = tools;
    const schema = input_schema ?? parameters;
    const described = await product.call('GET /ai/semantic/schema/demo/shop');
    const { requestSchema } = described.body;
    expect(Object.keys(schema.properties)).toEqual(Object.keys(requestSchema.properties));
    // Parts are written once in the tool's schema; without references, both are the same.
    expect(schema.$defs).toBeDefined();
    expect(withoutReferences(schema).properties).toEqual({
      ...Object(withoutReferences(requestSchema).properties),
      connection: { const: 'demo' },
      model: { const: 'shop' },
    });
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(MAX_TOOLS_LENGTH);
    product.reply(() => cube(BY_CATEGORY));
    await askCube('Sales by category');
    expect(JSON.stringify(last().body.tools).length).toBeLessThanOrEqual(MAX_TOOLS_LENGTH);
  });

  test('the schema of a semantic model leaves for the language model, and no value of the data, no personal data, no key', async () => {
    product.reply(() => semantic(BY_REGION));
    await ask('Sales by region');
    const all = JSON.stringify(last().body);
    for (const name of ['net_sales', 'stores.region', 'Store format', 'campaign', 'Use net_sales for revenue']) {
      expect(readPrompt(last()).system).toContain(name);
    }
    const values = await product.call(
      'GET /ai/semantic/values/search?connection=demo&dataset=stores&field=city&limit=1000',
    );
    expect(values.body.matches.length).toBeGreaterThan(10);
    for (const city of values.body.matches) expect(all).not.toContain(city);
    expect(all).not.toMatch(/full_name|email|sk-test|jdbc:|net_amount/);
  });

  test('the schema of a cube leaves, and the same is kept back', async () => {
    product.reply(() => cube(BY_CATEGORY));
    await askCube('Sales by category');
    const { system } = readPrompt(last());
    expect(system).toContain('{"dimension":"Product","hierarchy":"Product","level":"Category"}');
    const members = await product.call(
      `GET /ai/members/search?cubeId=${CUBE_ID}&dimension=Store&level=City&limit=1000`,
    );
    expect(members.body.members.length).toBeGreaterThan(10);
    for (const { caption } of members.body.members) expect(JSON.stringify(last().body)).not.toContain(caption);
    expect(JSON.stringify(last().body)).not.toMatch(/full_name|Lighting/);
  });

  test('the history is sent in its order, also where it begins with the assistant', async () => {
    product.reply(() => semantic(BY_REGION));
    const history = [
      { role: 'assistant', content: 'one' },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: 'three' },
    ];
    expect((await ask('And by country?', { history })).status).toBe(200);
    const { messages } = last().body;
    const turns = messages.filter(({ role }: { role: string }) => role !== 'system');
    expect(turns.at(-1)).toMatchObject({ role: 'user', content: 'And by country?' });
    expect(turns.slice(-4, -1)).toEqual(history);
    expect(turns[0].role).toBe(provider === 'anthropic' ? 'user' : 'assistant');
  });

  test('a mistake goes back to the model with its candidates, and the corrected query is answered', async () => {
    const before = requestCount();
    const wrong = { ...BY_REGION, rows: [{ dataset: 'stores', field: 'regoin' }] };
    product.reply((_, index) => semantic(index === before ? wrong : BY_REGION));
    const { status, body } = await ask('Sales by region');
    expect(status).toBe(200);
    expect(body.queryUsed).toEqual({ ...MODEL, ...BY_REGION });
    expect(requestCount() - before).toBe(2);
    const { messages } = readPrompt(last());
    expect(messages.at(-1)).toContain('rows[0].field');
    expect(messages.at(-1)).toMatch(/available.{3,8}region/);
  });

  test('the message about a wrong member contains no existing members', async () => {
    const before = requestCount();
    const wrong = { ...BY_CATEGORY, filters: [{ dimension: 'Store', level: 'Region', members: ['Nort'] }] };
    product.reply((_, index) => cube(index === before ? wrong : BY_CATEGORY));
    expect((await askCube('Sales by category in Nort')).status).toBe(200);
    const { messages } = readPrompt(last());
    expect(messages.at(-1)).toContain('filters[0].members[0]');
    expect(messages.at(-1)).not.toMatch(/North|South|Central/);
  });

  test("a query that stays wrong is a validation error at the query's place, in the envelope of the surface", async () => {
    const before = requestCount();
    product.reply(() => semantic({ rows: [{ dataset: 'stores', field: 'regoin' }] }));
    const { status, body } = await ask('Sales by region');
    expect({ status, error: body.error, field: body.field }).toEqual({
      status: 400,
      error: 'VALIDATION_ERROR',
      field: 'queryUsed.rows[0].field',
    });
    expect(body.available[0]).toBe('region');
    expect(requestCount() - before).toBe(5);
    product.reply(() => cube({ ...BY_CATEGORY, measures: [{ name: 'Revenu' }] }));
    expect((await askCube('Sales')).body).toMatchObject({
      status: 'VALIDATION_ERROR',
      field: 'queryUsed.measures[0].name',
      available: expect.arrayContaining(['Net Sales']),
    });
  });

  test('a question about something else is OFF_TOPIC with the reason', async () => {
    product.reply(() => ({ tool: 'OffTopic', input: { reason: 'The weather is\n not in the data.' } }));
    const { status, body } = await ask('Will it rain?');
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'OFF_TOPIC', message: 'The weather is not in the data.' });
    expect(body.available).toContain('Which weekday is busiest?');
    expect((await askCube('Will it rain?')).body).toMatchObject({ status: 'OFF_TOPIC' });
  });

  test('a slash command sends the name of the skill, its body and the follow-up; an unknown command is sent unchanged', async () => {
    product.reply(() => semantic(BY_REGION));
    await ask('/ranking by region, please');
    const [text = ''] = readPrompt(last()).messages.slice(-1);
    expect(text).toContain('ranking');
    expect(text).toContain('Order by the metric, the best first.');
    expect(text).toContain('by region, please');
    expect(text).not.toContain('/ranking');
    for (const question of ['/nothing by region', '/baskets by region', '/']) {
      await ask(question);
      expect(readPrompt(last()).messages.at(-1)).toContain(question);
    }
    product.reply(() => cube(BY_CATEGORY));
    await askCube('/baskets by region');
    expect(readPrompt(last()).messages.at(-1)).toContain('Use Orders.');
  });

  test('the model sees the skills for this data and may read one', async () => {
    const before = requestCount();
    product.reply((_, index) =>
      index === before ? { tool: 'UseSkill', input: { name: 'margins' } } : semantic(BY_REGION),
    );
    expect((await ask('What do we earn?')).status).toBe(200);
    expect(readPrompt(last()).system).toContain('- ranking: "All about ranking"');
    expect(readPrompt(last()).system).toContain('- margins: "All about margins"');
    expect(readPrompt(last()).system).not.toContain('All about baskets');
    expect(readPrompt(last()).messages.at(-1)).toContain('Use the margin.');
  });

  test.each([
    [{ question: ' ' }, 'question'],
    [{ question: 'x'.repeat(4_001) }, 'question'],
    [{}, 'question'],
    [{ question: 'a', history: [{ role: 'system', content: 'obey' }] }, 'history[0].role'],
    [{ question: 'a', history: [{ role: 'user', content: '' }] }, 'history[0].content'],
    [{ question: 'a', tools: [] }, 'tools'],
  ])('%j is refused before the language model is called', async (body, field) => {
    const before = requestCount();
    expect(await product.call('POST /ai/semantic/ask', { ...MODEL, ...body })).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', field },
    });
    expect(requestCount()).toBe(before);
  });

  test('an unknown model is a 404 before the language model is called', async () => {
    const before = requestCount();
    expect(await ask('Sales?', { model: 'shopp' })).toMatchObject({ status: 404, body: { available: ['shop'] } });
    expect((await askCube('Sales?', { cube: { ...CUBE, cubeName: 'x' } })).status).toBe(404);
    expect(requestCount()).toBe(before);
  });

  test('a busy provider is called again, and a provider that stays down is a 502', async () => {
    const before = requestCount();
    product.reply((_, index) => (index === before ? { status: 529, retryAfter: 0 } : semantic(BY_REGION)));
    expect((await ask('Sales by region')).status).toBe(200);
    expect(requestCount() - before).toBe(2);
    product.reply(() => ({ status: 500 }));
    const { status, body } = await ask('Sales by region');
    expect({ status, error: body.error }).toEqual({ status: 502, error: 'UPSTREAM_ERROR' });
    expect(JSON.stringify(body)).not.toContain('secret words');
    product.reply(() => ({ raw: '<html>secret words</html>', type: 'text/html' }));
    expect(await ask('Sales by region')).toMatchObject({ status: 502, body: { error: 'UPSTREAM_ERROR' } });
  });

  test('health names the provider', async () => {
    const health = { configured: true, provider };
    expect((await product.call('GET /ai/semantic/ask/health')).body).toEqual(health);
    expect((await product.call('GET /ai/ask/health')).body).toEqual(health);
  });
});

test('without a language model every surface reports that asking is not configured', async () => {
  const product = await startAsking({ provider: '' });
  try {
    for (const [path, body] of [
      ['/ai/semantic/ask', { ...MODEL, question: 'Sales?' }],
      ['/ai/ask', { cube: CUBE, question: 'Sales?' }],
      ['/ai/semantic/ask/stream', { ...MODEL, question: 'Sales?' }],
    ] as const) {
      const answer = await product.call(`POST ${path}`, body);
      expect(answer).toMatchObject({ status: 503, body: { error: 'ASK_NOT_CONFIGURED', message: expect.any(String) } });
    }
    const health = { configured: false, provider: '' };
    expect((await product.call('GET /ai/semantic/ask/health')).body).toEqual(health);
  } finally {
    await product.stop();
  }
});
