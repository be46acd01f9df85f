/** Tests the agent tools of the built product with the official client, over both transports. */
import { spawnSync } from 'node:child_process';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Product, startProduct } from './product.ts';

/** The tool names of the interface and of its implementation choices. */
const TOOLS = [
  'describe_cube',
  'describe_semantic_model',
  'describe_semantic_ontology',
  'drillthrough',
  'find_anomalies',
  'find_combinations',
  'forecast',
  'get_freshness',
  'get_rows',
  'list_cubes',
  'list_documents',
  'list_semantic_models',
  'preview_query',
  'preview_semantic_query',
  'read_document',
  'row_detail',
  'run_document',
  'run_query',
  'run_semantic_query',
  'save_document',
  'search_field_values',
  'search_members',
  'show_answer',
  'what_if',
];

const CUBE = 'demo-cubes/Shop/Shop/Sales';
const BY_REGION = {
  connection: 'demo',
  model: 'shop',
  rows: [{ dataset: 'stores', field: 'region' }],
  values: [{ metric: 'net_sales' }],
};
const BY_CATEGORY = {
  cube: CUBE,
  measures: [{ name: 'revenue' }],
  rows: [{ dimension: 'Product', level: 'Category' }],
};

let product: Product;
let key: string;

beforeAll(async () => {
  product = await startProduct();
  const made = spawnSync(
    process.execPath,
    ['dist/service.js', 'api-key', 'create', '--home', product.home, '--label', 'agent', '--json'],
    {
      encoding: 'utf8',
      timeout: 240_000,
    },
  );
  key = (JSON.parse(made.stdout) as { key: string }).key;
});
afterAll(() => product?.stop());

const TRANSPORTS: Readonly<Record<string, () => Transport>> = {
  'streamable HTTP': () =>
    new StreamableHTTPClientTransport(new URL(`${product.url}/rest/service/api/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: ['dist/service.js', 'mcp', '--home', product.home],
      stderr: 'ignore',
    }),
};

describe.each(Object.keys(TRANSPORTS))('over %s', (name) => {
  let client: Client;

  beforeAll(async () => {
    client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(TRANSPORTS[name]?.() as Transport);
  });
  afterAll(() => client?.close());

  const call = async (tool: string, args: Record<string, unknown>) => {
    const { isError, content } = await client.callTool({ name: tool, arguments: args });
    const [first] = content;
    const answer = first?.type === 'text' ? (JSON.parse(first.text) as Record<string, unknown>) : {};
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into a JSON answer as any agent does.
    return { isError: isError === true, answer: answer as Record<string, any> };
  };

  test("the tools are the interface's and ours, and all but one only read", async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual(TOOLS);
    for (const { name, annotations, description, title } of tools) {
      const writes = name === 'save_document';
      expect(annotations).toMatchObject({ readOnlyHint: !writes, destructiveHint: writes });
      expect(title).toBeTruthy();
      expect(description?.length).toBeGreaterThan(50);
    }
  });

  test('an agent with nothing but the tools finds a model, a field and a value, and corrects its mistakes', async () => {
    const { models } = (await call('list_semantic_models', {})).answer;
    const [{ connectionName: connection, modelName: model }] = models;
    const { answer: schema } = await call('describe_semantic_model', { connection, model });
    expect(schema.index.datasets.stores.fields.region).toBeDefined();

    const wrong = await call('run_semantic_query', { ...BY_REGION, rows: [{ dataset: 'stores', field: 'regoin' }] });
    expect(wrong).toMatchObject({ isError: true, answer: { field: 'rows[0].field' } });
    const [field] = wrong.answer.available;
    const query = { ...BY_REGION, rows: [{ dataset: 'stores', field }] };

    const search = await call('search_field_values', { connection, model, dataset: 'stores', field, q: 'NOR' });
    const [value] = search.answer.matches;
    const filters = [{ dataset: 'stores', field, op: 'EQ', value }];
    const { answer } = await call('run_semantic_query', { ...query, filters });
    expect(answer.records).toHaveLength(1);
    expect(answer.records[0]['stores.region']).toBe(value);

    const rest = await fetch(`${product.url}/rest/service/api/ai/semantic/query`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...query, filters }),
    });
    expect(answer.records).toEqual(((await rest.json()) as { records: unknown }).records);
    expect((await call('preview_semantic_query', { ...query, filters })).answer.generatedSql).toMatch(/^(WITH|SELECT)/);
    expect((await call('describe_semantic_ontology', { connection, model })).answer.model).toBe(model);
  });

  test('it does the same with a cube, down to the rows behind a cell', async () => {
    const { cubes } = (await call('list_cubes', {})).answer;
    expect(cubes.map(({ cubeId }: { cubeId: string }) => cubeId)).toContain(CUBE);
    expect((await call('describe_cube', { cubeId: CUBE })).answer.index.dimensions.product).toBeDefined();

    const wrong = await call('run_query', { ...BY_CATEGORY, measures: [{ name: 'revenu' }] });
    expect(wrong).toMatchObject({ isError: true, answer: { status: 'VALIDATION_ERROR', field: 'measures[0].name' } });
    expect(wrong.answer.available.length).toBeGreaterThan(1);

    const { answer } = await call('run_query', BY_CATEGORY);
    expect(answer.status).toBe('SUCCESS');
    expect((await call('preview_query', BY_CATEGORY)).answer.generatedMdx).toContain('[Category]');
    const search = { cubeId: CUBE, dimension: 'Product', level: 'Category', q: 'light' };
    expect((await call('search_members', search)).answer.members[0].caption).toBe('Lighting');
    const detail = await call('drillthrough', { queryId: answer.queryId, position: '0:0', maxrows: 3 });
    expect(detail.answer.rowCount).toBe(3);
  });

  test('models, cubes and skills are resources, skills are prompts', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining([
        'service://model/demo/shop',
        'service://cube/demo-cubes/Shop/Shop/Sales',
        'service://skill/best-and-worst',
      ]),
    );
    for (const { uri } of resources) expect((await client.readResource({ uri })).contents).toHaveLength(1);
    expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toEqual(['best-and-worst']);
  });
});

test('a caller without credentials cannot use the tools', async () => {
  const client = new Client({ name: 'e2e', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${product.url}/rest/service/api/mcp`));
  await expect(client.connect(transport)).rejects.toThrow(/UNAUTHENTICATED/);
});
