/** Measures how much text an agent reads from the demo's server over MCP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MCP_PATH } from '../server/http/mcp.ts';
import { type AskingProduct, CUBE_ID, MODEL, startAsking } from './testing/asking.ts';

/** Maximum characters of the list of tools, which stays in an agent's context for the whole conversation. */
const MAX_LISTED = 60_000;

const BY_REGION = {
  ...MODEL,
  rows: [{ dataset: 'stores', field: 'region' }],
  values: [{ metric: 'net_sales' }],
};

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

  test('reads a list of tools of at most 60,000 characters', async () => {
    expect(JSON.stringify(await client.listTools()).length).toBeLessThan(MAX_LISTED);
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
    expect(short.size).toBeLessThan(MAX_LISTED);
    expect(long.size).toBeLessThan(short.size + 20_000);
    const { body } = await product.call(address);
    expect(body.requestSchema).toEqual(long.answer.requestSchema);
    expect((await product.call(`${address}?requestSchema=false`)).body).toEqual(short.answer);
  });
});

describe('a program that reads structured content', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect('?structured=true');
  });

  test('receives the schemas of answers, in a list of at most 60,000 characters', async () => {
    const list = await client.listTools();
    for (const { outputSchema } of list.tools) expect(outputSchema?.type).toBe('object');
    expect(JSON.stringify(list).length).toBeLessThan(MAX_LISTED);
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
