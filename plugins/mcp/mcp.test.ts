import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeyScope } from '../../router/key-scopes.ts';
import type { McpEndpoint } from './index.ts';
import { connect, contextOf, endpoint, type Surface, surface } from './testing/client.ts';

const MODELS = ['shop', 'stock', ...Array.from({ length: 250 }, (_, n) => `model-${n}`)];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-'));
  writeFileSync(join(folder, 'top.md'), '---\nname: top\ndescription: The best\n---\nRank them.\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['the protocol of 2026', false],
  ['the protocol of 2025', true],
])('over %s', (_, isLegacy) => {
  let stand: Surface;
  let served: McpEndpoint;
  let client: Client;

  beforeEach(async () => {
    stand = surface(MODELS);
    served = endpoint(stand, folder);
    client = await connect(served, { isLegacy });
  });
  afterEach(async () => {
    await client.close();
    await served.close();
  });

  it('reports its name, its instructions and its capabilities', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'service', version: '1.2.3' });
    expect(client.getInstructions()).toContain('list_semantic_models');
    expect(Object.keys(client.getServerCapabilities() ?? {}).sort()).toEqual([
      'completions',
      'prompts',
      'resources',
      'tools',
    ]);
  });

  it('lists the operations that are tools, in the order of their declaration', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_semantic_models',
      'list_cubes',
      'describe_semantic_model',
      'describe_cube',
      'wait',
      'get_rows',
      'show_answer',
    ]);
    expect(tools[2]).toMatchObject({
      title: 'Describe',
      inputSchema: { type: 'object', required: ['connection', 'model'], additionalProperties: false },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(tools[2]?.outputSchema).toBeUndefined();
  });

  it('describes and sends structured content instead of text to a client that declares support', async () => {
    const structured = await connect(served, { isLegacy, isStructured: true });
    const { tools } = await structured.listTools();
    expect(tools[0]?.outputSchema).toMatchObject({ properties: { models: { type: 'array' } } });
    expect(tools[2]?.outputSchema).toMatchObject({ type: 'object', properties: { modelId: { type: 'string' } } });
    const answer = await structured.callTool({
      name: 'describe_semantic_model',
      arguments: { connection: 'warehouse', model: 'shop' },
    });
    expect(answer.structuredContent).toEqual({ modelId: 'shop', user: 'ann' });
    expect(answer.content).toEqual([]);
    await structured.close();
  });

  it('answers a call once, as text', async () => {
    const answer = await client.callTool({
      name: 'describe_semantic_model',
      arguments: { connection: 'warehouse', model: 'shop' },
    });
    expect(answer.structuredContent).toBeUndefined();
    expect(answer.content).toEqual([{ type: 'text', text: '{"modelId":"shop","user":"ann"}' }]);
    expect(answer.isError ?? false).toBe(false);
  });

  it.each([
    ['a wrong name', { connection: 'warehouse', model: 'shp' }, { field: 'model', available: MODELS }],
    ['a missing member', { connection: 'warehouse' }, { field: 'model' }],
    ['an unknown member', { connection: 'warehouse', model: 'shop', x: 1 }, { field: 'x' }],
    ['no arguments', undefined, { field: 'connection' }],
  ])('answers %s as a result that the agent can act on', async (_, args, expected) => {
    const answer = await client.callTool({ name: 'describe_semantic_model', ...(args && { arguments: args }) });
    expect(answer.isError).toBe(true);
    const [content] = answer.content;
    expect(JSON.parse(content?.type === 'text' ? content.text : '')).toMatchObject({
      error: 'VALIDATION_ERROR',
      ...expected,
    });
  });

  it('limits answers to the size that an agent reads, and reports larger ones', async () => {
    const ask = (cubeId: string) => client.callTool({ name: 'describe_cube', arguments: { cubeId } });
    const whole = await ask('70000');
    expect(whole.isError ?? false).toBe(false);
    const [text] = whole.content;
    expect(JSON.parse(text?.type === 'text' ? text.text : '')).toMatchObject({ members: { length: 70_000 } });
    const { isError, content } = await ask('90000');
    expect(isError).toBe(true);
    expect(JSON.parse(content[0]?.type === 'text' ? content[0].text : '')).toMatchObject({ error: 'RESULT_TOO_LARGE' });
  });

  it('answers arguments nested 5,000 deep as a mistake of the agent', async () => {
    const deep: unknown = JSON.parse(`${'{"model":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    const tool = stand.tools.get('describe_semantic_model');
    const outcome = await tool?.call(deep, contextOf('ann'), AbortSignal.timeout(5_000));
    expect(outcome).toMatchObject({
      ok: false,
      envelope: { error: 'MALFORMED_BODY', message: expect.stringContaining('nests more than 50') },
    });
  });

  it('sends a long answer in pages, which together are all rows in their order', async () => {
    const read = async (name: string, args: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const [text] = content;
      expect(isError ?? false, JSON.stringify(content).slice(0, 300)).toBe(false);
      return JSON.parse(text?.type === 'text' ? text.text : '') as Record<string, unknown>;
    };
    // 5,000 rows of 37 characters, with their commas: eight pages of 24,000.
    const first = await read('wait', { milliseconds: 0, rows: 5_000 });
    const rows = [...(first.records as { n: number }[])];
    const { handle, shown, rowCount } = first.more as { handle: string; shown: number; rowCount: number };
    expect([shown, rowCount]).toEqual([rows.length, 5_000]);
    let pages = 1;
    for (let cursor = (first.more as { cursor?: string }).cursor; cursor !== undefined; pages++) {
      const page = await read('get_rows', { handle, cursor });
      expect(JSON.stringify(page.rows).length).toBeLessThan(24_100);
      rows.push(...(page.rows as { n: number }[]));
      cursor = page.cursor as string | undefined;
    }
    expect(pages).toBe(8);
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
    expect((await read('wait', { milliseconds: 0, rows: 100 })).more).toBeUndefined();
  });

  it.each([
    ['of another user', 'bob', {}, { field: 'handle' }],
    ['that nobody has', 'ann', { handle: '00000000-0000-4000-8000-000000000000' }, { field: 'handle' }],
    ['beyond the rows', 'ann', { cursor: '5000' }, { field: 'cursor' }],
    ['that is no number', 'ann', { cursor: '-1' }, { field: 'cursor' }],
  ])('answers no page %s', async (_title, user, change, expected) => {
    const first = await client.callTool({ name: 'wait', arguments: { milliseconds: 0, rows: 5_000 } });
    const [text] = first.content;
    const { more } = JSON.parse(text?.type === 'text' ? text.text : '') as { more: Record<string, string> };
    const other = await connect(served, { user, isLegacy });
    const answer = await other.callTool({
      name: 'get_rows',
      arguments: { handle: more.handle, cursor: more.cursor, ...change },
    });
    await other.close();
    expect(answer.isError).toBe(true);
    const [content] = answer.content;
    expect(JSON.parse(content?.type === 'text' ? content.text : '')).toMatchObject(expected);
  });

  it('does not mix pages of two answers when the data changes between them', async () => {
    const first = await client.callTool({ name: 'wait', arguments: { milliseconds: 0, rows: 5_000 } });
    const [text] = first.content;
    const { more } = JSON.parse(text?.type === 'text' ? text.text : '') as { more: Record<string, string> };
    stand.changeRows();
    const answer = await client.callTool({
      name: 'get_rows',
      arguments: { handle: more.handle, cursor: more.cursor },
    });
    const [content] = answer.content;
    expect(JSON.parse(content?.type === 'text' ? content.text : '')).toMatchObject({ error: 'ROWS_CHANGED' });
  });

  it('shows an API key the tools of its scopes', async () => {
    const names = async (scopes: readonly KeyScope[]) => {
      const narrow = await connect(served, { isLegacy, scopes });
      const { tools } = await narrow.listTools();
      await narrow.close();
      return tools.map(({ name }) => name);
    };
    expect(await names(['documents'])).toEqual([]);
    expect(await names(['administration'])).toHaveLength(7);
  });

  it('describes tools without references to a client that does not follow them', async () => {
    const flat = await connect(served, { isLegacy, isFlat: true });
    expect(JSON.stringify((await flat.listTools()).tools)).not.toContain('$ref');
    await flat.close();
  });

  it('refuses a missing tool, also an operation that is not a tool', async () => {
    for (const name of ['nope', 'secret', '__proto__'])
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it('reports progress to a client that requests it', async () => {
    const progressValues: number[] = [];
    await client.callTool(
      { name: 'wait', arguments: { milliseconds: 2_500 } },
      { onprogress: ({ progress }) => progressValues.push(progress) },
    );
    // One more for each second that a busy machine adds.
    expect(progressValues.slice(0, 2)).toEqual([1, 2]);
  });

  it('stops the work of a call that is cancelled', async () => {
    const leave = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: { milliseconds: 10_000 } }, { signal: leave.signal });
    const ended = expect(call).rejects.toThrow();
    await expect.poll(() => stand.begun).toBe(1);
    leave.abort();
    await ended;
    await expect.poll(() => stand.stopped).toBe(1);
  });

  it('lists models, cubes and skills as resources, a page at a time', async () => {
    const uris: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages++) {
      const page = await client.request({ method: 'resources/list', params: cursor === undefined ? {} : { cursor } });
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    }
    expect(pages).toBe(2);
    expect(uris).toHaveLength(MODELS.length + 2);
    expect(uris.slice(0, 2)).toEqual(['service://model/warehouse/shop', 'service://model/warehouse/stock']);
    expect(uris.slice(-2)).toEqual(['service://cube/c/a%20b/s/Sales%2F2', 'service://skill/top']);
    await expect(client.request({ method: 'resources/list', params: { cursor: '-1' } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('reads resources by the addresses that it lists', async () => {
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await read('service://model/warehouse/shop')).toMatchObject({
      mimeType: 'application/json',
      text: '{"modelId":"shop","user":"ann"}',
    });
    expect(await read('service://cube/c/a%20b/s/Sales%2F2')).toMatchObject({ text: '{"cubeId":"c/a b/s/Sales/2"}' });
    expect(await read('service://skill/top')).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('Rank them.'),
    });
  });

  it.each([
    'service://model/warehouse/nope',
    'service://model/warehouse',
    'service://model/warehouse/shop/more',
    'service://skill/../top',
    'service://skill/%E0%A4%A',
    'service://constructor/a',
    'file:///etc/passwd',
    `service://skill/${'x'.repeat(10_000)}`,
  ])('has no resource %.60s', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });

  it('refuses resources to an API key without the scope, and says which scope they need', async () => {
    const narrow = await connect(served, { isLegacy, scopes: ['documents'] });
    const refused = { code: -32600, message: expect.stringContaining('a key with the scope') };
    await expect(narrow.request({ method: 'resources/list', params: {} })).rejects.toMatchObject(refused);
    await expect(narrow.readResource({ uri: 'service://model/warehouse/shop' })).rejects.toMatchObject(refused);
    await expect(narrow.readResource({ uri: 'service://cube/c/a/s/b' })).rejects.toMatchObject(refused);
    await expect(narrow.readResource({ uri: 'service://skill/top' })).rejects.toMatchObject(refused);
    await expect(narrow.getPrompt({ name: 'top' })).rejects.toMatchObject(refused);
    expect((await narrow.listPrompts()).prompts).toEqual([]);
    await narrow.close();
  });

  it('completes the parts of addresses', async () => {
    const complete = (name: string, value: string, known: Record<string, string> = {}) =>
      client.complete({
        ref: { type: 'ref/resource', uri: 'service://model/{connection}/{model}' },
        argument: { name, value },
        context: { arguments: known },
      });
    expect((await complete('connection', 'W')).completion.values).toEqual(['warehouse']);
    expect((await complete('model', 's', { connection: 'warehouse' })).completion.values).toEqual(['shop', 'stock']);
    expect((await complete('model', '', { connection: 'other' })).completion.values).toEqual([]);
    expect((await complete('model', 'model')).completion).toMatchObject({ total: 250, hasMore: true });
    await expect(complete('nope', '')).rejects.toMatchObject({ code: -32602 });
    const other = async (uri: string, name: string, value: string, known: Record<string, string> = {}) => {
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri },
        argument: { name, value },
        context: { arguments: known },
      });
      return completion.values;
    };
    const cube = 'service://cube/{connection}/{catalog}/{schema}/{cube}';
    expect(await other(cube, 'catalog', 'A', { connection: 'c' })).toEqual(['a b']);
    expect(await other(cube, 'cube', '', { connection: 'c', catalog: 'a b', schema: 's' })).toEqual(['Sales/2']);
    expect(await other('service://skill/{name}', 'name', 'to')).toEqual(['top']);
  });

  it('has a prompt for each skill', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      { name: 'top', description: 'The best', arguments: [{ name: 'question', required: false }] },
    ]);
    const { messages } = await client.getPrompt({ name: 'top', arguments: { question: 'Which stores?' } });
    expect(messages).toEqual([
      {
        role: 'user',
        content: { type: 'text', text: 'Follow the skill "top":\n\nRank them.\n\nThe question: Which stores?' },
      },
    ]);
    await expect(client.getPrompt({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
  });

  it('answers each of many callers at once as that caller', async () => {
    const users = Array.from({ length: 20 }, (_, n) => `user-${n}`);
    const seen = await Promise.all(
      users.map(async (user) => {
        const ofUser = await connect(served, { user, isLegacy });
        const answer = await ofUser.callTool({
          name: 'describe_semantic_model',
          arguments: { connection: 'warehouse', model: 'shop' },
        });
        await ofUser.close();
        const [content] = answer.content;
        return (JSON.parse(content?.type === 'text' ? content.text : '') as { user: string }).user;
      }),
    );
    expect(seen).toEqual(users);
  });
});
