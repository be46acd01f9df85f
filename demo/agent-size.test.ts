/** Measures how much text an agent reads from the demo's server over MCP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MCP_PATH } from '../server/http/mcp.ts';
import { type AskingProduct, CUBE_ID, MODEL, startAsking } from './testing/asking.ts';

/** Maximum characters of the names, descriptions and input schemas of all tools, which stay in an agent's context. */
const MAX_LISTED = 32_000;
/** The same with titles, annotations and the outlines of answers. */
const MAX_STRUCTURED = 40_000;
/** Maximum characters of the first description of the demo's model, and of its cube. */
const MAX_DESCRIBED = 24_000;

const BY_REGION = {
  ...MODEL,
  rows: [{ dataset: 'stores', field: 'region' }],
  values: [{ metric: 'net_sales' }],
};

/** Thirty questions on the demo: each metric by each group. */
const THIRTY = ['net_sales', 'gross_sales', 'margin', 'quantity', 'order_count', 'discount_rate'].flatMap((metric) => [
  { metric, dataset: 'stores', field: 'region' },
  { metric, dataset: 'stores', field: 'country' },
  { metric, dataset: 'products', field: 'category' },
  { metric, dataset: 'sales', field: 'channel' },
  { metric, dataset: 'sales', field: 'date' },
]);

let product: AskingProduct;
beforeAll(async () => {
  product = await startAsking({ provider: '' });
});
afterAll(() => product?.stop());

const connecting: Client[] = [];
afterAll(() => Promise.all(connecting.map((client) => client.close())));

async function connect(search: string): Promise<Client> {
  const { authorization } = product;
  const client = new Client({ name: 'agent', version: '1' });
  const address = new URL(`${product.url.replace('127.0.0.1', 'localhost')}${MCP_PATH}${search}`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: { authorization } } }));
  connecting.push(client);
  return client;
}

describe('an agent', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect('');
  });

  const call = async (name: string, args: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: args });
    const [content] = answer.content;
    const text = content?.type === 'text' ? content.text : '';
    return { size: JSON.stringify(answer).length, answer: JSON.parse(text) as Record<string, unknown>, raw: answer };
  };

  test.each(['', '?flat=true'])('reads a list of tools of at most 32,000 characters (%s)', async (search) => {
    const { tools } = await (await connect(search)).listTools();
    const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(read).length).toBeLessThanOrEqual(MAX_LISTED);
    if (search !== '') expect(JSON.stringify(read)).not.toContain('$ref');
    // Every reference leads to a definition of the same schema.
    for (const { inputSchema } of tools) new Ajv2020({ strict: false }).compile(inputSchema);
  });

  test('gets an answer once, as text', async () => {
    const { raw, answer } = await call('run_semantic_query', BY_REGION);
    expect(answer.records).toHaveLength(4);
    expect(raw.structuredContent).toBeUndefined();
    expect(JSON.stringify(raw).split('stores.region').length - 1).toBe(
      JSON.stringify(answer).split('stores.region').length - 1,
    );
  });

  test.each([
    ['describe_semantic_model', MODEL, `GET /ai/semantic/schema/${MODEL.connection}/${MODEL.model}`],
    ['describe_cube', { cubeId: CUBE_ID }, `GET /ai/schema/${CUBE_ID}`],
  ])('gets the JSON Schema of a query from %s on request, and from REST always', async (tool, named, address) => {
    const short = await call(tool, named);
    const long = await call(tool, { ...named, requestSchema: true });
    expect(short.answer.requestSchema).toBeUndefined();
    expect(long.answer).toMatchObject({ ...short.answer, requestSchema: { type: 'object' } });
    expect(short.size).toBeLessThan(MAX_DESCRIBED);
    expect(long.size).toBeLessThan(short.size + 20_000);
    const { body } = await product.call(address);
    expect(body.requestSchema).toEqual(long.answer.requestSchema);
    expect(body.index).toBeUndefined();
    expect((await product.call(`${address}?requestSchema=false&detail=index`)).body).toEqual(short.answer);
    // The details of everything are within the bound, too.
    expect((await call(tool, { ...named, detail: 'full' })).size).toBeLessThan(MAX_DESCRIBED);
  });

  test('answers an agent with the whole work of thirty questions within 60,000 tokens, counted as characters by four', async () => {
    const { tools } = await client.listTools();
    const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    let characters = JSON.stringify(read).length;
    const ask = async (name: string, args: Record<string, unknown>) => {
      const { size, raw } = await call(name, args);
      expect(raw.isError ?? false, JSON.stringify(raw.content).slice(0, 300)).toBe(false);
      characters += size + JSON.stringify({ name, args }).length;
    };
    await ask('list_semantic_models', {});
    await ask('describe_semantic_model', MODEL);
    for (const { metric, dataset, field } of THIRTY) {
      const rows = [{ dataset, field, ...(field === 'date' ? { grain: 'month' } : {}) }];
      await ask('run_semantic_query', { ...MODEL, rows, values: [{ metric }], limit: 12 });
    }
    expect(characters / 4).toBeLessThan(60_000);
  });
});

describe('the tools beside queries', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect('');
  });
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    const [text] = content;
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into a JSON answer as any agent does.
    return { isError, answer: JSON.parse(text?.type === 'text' ? text.text : '') as any };
  };

  test('give the details of named parts, and the candidates for a wrong name', async () => {
    const { answer } = await call('describe_semantic_model', {
      ...MODEL,
      datasets: ['stores'],
      metrics: ['net_sales'],
    });
    expect(Object.keys(answer.datasets)).toEqual(['stores']);
    expect(Object.keys(answer.metrics)).toEqual(['net_sales']);
    expect(answer.index).toBeUndefined();
    const sought = (await call('describe_semantic_model', { ...MODEL, q: 'margin' })).answer;
    expect(Object.keys(sought.metrics)).toEqual(['margin', 'margin_rate']);
    expect(await call('describe_semantic_model', { ...MODEL, datasets: ['store'] })).toMatchObject({
      isError: true,
      answer: { field: 'datasets[0]', available: expect.arrayContaining(['stores']) },
    });
    const cube = (await call('describe_cube', { cubeId: CUBE_ID, dimensions: ['Product'] })).answer;
    expect(Object.keys(cube.dimensions)).toEqual(['product']);
    expect(await call('describe_cube', { cubeId: CUBE_ID, measures: ['Net'] })).toMatchObject({
      isError: true,
      answer: { field: 'measures[0]' },
    });
  });

  test('find a text in all fields and in all levels', async () => {
    const { answer } = await call('search_field_values', { ...MODEL, q: 'BERLIN' });
    expect(answer.fields).toContainEqual({ dataset: 'stores', field: 'city', matches: ['Berlin'] });
    const { members } = (await call('search_members', { cubeId: CUBE_ID, q: 'berlin' })).answer;
    expect(members).toContainEqual(expect.objectContaining({ caption: 'Berlin', dimension: 'Store', level: 'City' }));
    for (const [tool, args] of [
      ['search_field_values', MODEL],
      ['search_members', { cubeId: CUBE_ID }],
    ] as const)
      expect(await call(tool, args)).toMatchObject({ isError: true, answer: { field: 'q' } });
    expect(await call('search_field_values', { ...MODEL, dataset: 'store', q: 'x' })).toMatchObject({
      isError: true,
      answer: { field: 'dataset', available: expect.arrayContaining(['stores']) },
    });
  });

  test('say how new the data is, and what a query can be extended by', async () => {
    const { answer } = await call('get_freshness', MODEL);
    expect(answer.datasets).toContainEqual({ dataset: 'sales', mainDate: 'sales.date', newest: '2025-12-31' });
    const misfits = (await call('find_combinations', { ...MODEL, values: [{ metric: 'net_sales' }] })).answer;
    expect(misfits.datasets.map(({ dataset }: { dataset: string }) => dataset)).not.toContain('stores');
  });

  test('analyse queries of models and of cubes by one tool', async () => {
    const months = {
      ...MODEL,
      rows: [{ dataset: 'sales', field: 'date', grain: 'month' }],
      values: [{ metric: 'net_sales' }],
    };
    const semantic = (await call('forecast', { query: months, timeAxis: 'sales.date.month', horizon: 3 })).answer;
    expect(semantic.forecast.net_sales.points).toHaveLength(3);
    const cells = { cube: CUBE_ID, measures: [{ name: 'Net Sales' }], rows: [{ dimension: 'Time', level: 'Month' }] };
    const cube = (await call('forecast', { query: cells, timeAxis: '[Time].[Month]', horizon: 3 })).answer;
    expect(Object.values(cube.forecast)).toMatchObject([{ points: { length: 3 } }]);
    expect((await call('find_anomalies', { query: cells, timeAxis: '[Time].[Month]' })).answer.anomaly.method).toBe(
      'zscore',
    );
    expect(await call('find_anomalies', { query: cells, timeAxis: 'Month' })).toMatchObject({
      isError: true,
      answer: { field: 'timeAxis', available: ['[Time].[Month]'] },
    });
  });

  test('save a query, list it, read it and run it', async () => {
    const path = 'homes/api-key/by-region.service';
    const document = { version: 1, title: 'By region', source: { surface: 'semantic', request: BY_REGION } };
    const { documents } = (await call('list_documents', { kind: 'query' })).answer;
    expect(documents.length).toBeGreaterThan(10);
    const own = path.replace('api-key', 'admin');
    expect((await call('save_document', { path: own, document })).isError).toBe(false);
    expect((await call('read_document', { path: own })).answer.document).toEqual(document);
    expect((await call('run_document', { path: own })).answer.records).toHaveLength(4);
    const tile = { path: 'shared/demo/shop-overview.servicedash', tileId: 'net-sales' };
    expect((await call('run_document', tile)).answer.records).toHaveLength(1);
    // Shown, they are a picture and a table, or a number.
    const show = async (args: Record<string, unknown>) =>
      (await client.callTool({ name: 'show_answer', arguments: args })).content;
    const [image, table] = await show({ path: own });
    expect(image?.type).toBe('image');
    expect(table?.type === 'text' && table.text.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(6);
    const [number] = await show({ ...tile, view: 'kpi' });
    expect(number).toMatchObject({ type: 'text', text: expect.stringContaining('| Net sales |') });
    // What the question box answers with is a request that can be shown.
    const cube = {
      cube: CUBE_ID,
      measures: [{ name: 'Net Sales' }],
      rows: [{ dimension: 'Product', level: 'Category' }],
    };
    expect((await show({ query: cube })).map(({ type }) => type)).toEqual(['image', 'text']);
    expect(await call('save_document', { path: own, document: { ...document, source: {} } })).toMatchObject({
      isError: true,
      answer: { field: 'document.source.surface' },
    });
  });
});

describe('a program that reads structured content', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect('?structured=true');
  });

  test('receives the outlines of answers, in a list of at most 40,000 characters', async () => {
    const list = await client.listTools();
    for (const { outputSchema } of list.tools) expect(outputSchema?.type).toBe('object');
    expect(JSON.stringify(list).length).toBeLessThan(MAX_STRUCTURED);
  });

  test('gets an answer once, as structured content of its schema', async () => {
    const { content, structuredContent } = await client.callTool({ name: 'run_semantic_query', arguments: BY_REGION });
    expect(content).toEqual([]);
    const { body } = await product.call('POST /ai/semantic/query', BY_REGION);
    expect(structuredContent).toMatchObject({ records: body.records });
  });
});

test('no pattern of the API reference or of a tool names a class of characters, which only some engines know', async () => {
  const document = (await product.call('GET /openapi.json')).body;
  const { tools } = await (await connect('?structured=true')).listTools();
  const patterns = listPatterns([document, tools]);
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /\\[pP]/.test(pattern))).toEqual([]);
});

function listPatterns(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'pattern' && typeof member === 'string' ? [member] : listPatterns(member),
  );
}

test('the operations of the API reference write a filter once', async () => {
  const document = JSON.stringify((await product.call('GET /openapi.json')).body);
  expect(document.split('Name of a metric of the model; it may be missing from').length - 1).toBe(1);
});
