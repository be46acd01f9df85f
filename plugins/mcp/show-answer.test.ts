/** Tests the tool that shows an answer, for clients with the MCP Apps extension and without it. */
import { readFile } from 'node:fs/promises';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PictureResult, PictureTask } from '../../router/capabilities/answer-pictures.ts';
import { entryPoint } from '../../server/entry-points.ts';
import { ThreadPool } from '../../server/workers/thread-pool.ts';
import type { McpEndpoint } from './index.ts';
import { KEEP_CALLS_MS } from './limits.ts';
import { callsInMemory, connect, endpoint, surface } from './testing/client.ts';

/** The most bytes of the page. */
const MAX_PAGE_BYTES = 250_000;
const PAGE = 'ui://service/answer.html';
const QUERY = { query: { connection: 'warehouse', model: 'shop' }, title: 'Sales' };
const FIGURES = ['Northland', 'Southland', 'Westland', '1,234', '1234', '987'];

const pictures = new ThreadPool<PictureTask, PictureResult>({ module: entryPoint('picture-worker').module, size: 1 });
let now = Date.now();
let served: McpEndpoint;
beforeAll(() => {
  served = endpoint(surface(['shop']), '/nowhere', {
    calls: callsInMemory(() => now),
    pictures,
    pageScript: () => readFile(entryPoint('chat-answer').module, 'utf8'),
  });
});
afterAll(async () => {
  await served?.close();
  await pictures.close();
});

const textOf = (result: CallToolResult) => {
  const found = result.content.find(({ type }) => type === 'text');
  return found?.type === 'text' ? found.text : '';
};
const handleOf = ({ _meta }: CallToolResult) => Object(_meta?.['service/answer']) as { handle: string };
const paintOf = (handle: string, more: object = {}) => ({
  name: 'paint_answer',
  arguments: { handle, view: 'chart', width: 600, locale: 'en', timeZone: 'UTC', ...more },
});
const paintedOf = ({ structuredContent }: CallToolResult) =>
  Object(structuredContent) as { html: string; marks: readonly { series: number; data: number; text: string }[] };

describe.each([
  ['the protocol of 2026', false],
  ['the protocol of 2025', true],
])('a client with the extension, over %s', (_, isLegacy) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(served, { isLegacy, hasApps: true });
  });
  afterAll(() => client?.close());
  const show = (args: Record<string, unknown> = QUERY) => client.callTool({ name: 'show_answer', arguments: args });

  it('finds the page of the tool, and a tool that only the page calls', async () => {
    const { tools } = await client.listTools();
    const [shown, painted] = ['show_answer', 'paint_answer'].map((name) => tools.find((tool) => tool.name === name));
    expect(shown?._meta).toMatchObject({ ui: { resourceUri: PAGE } });
    expect(painted?._meta).toEqual({ ui: { visibility: ['app'] } });
    expect(tools.some(({ name }) => name === 'view_answer')).toBe(false);
  });

  it('reads a page that loads nothing, of at most 250 KB', async () => {
    const [page] = (await client.readResource({ uri: PAGE })).contents;
    expect(page?.mimeType).toBe('text/html;profile=mcp-app');
    const html = page !== undefined && 'text' in page ? page.text : '';
    expect(html).toContain('ui/initialize');
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    expect(html).not.toMatch(/<iframe|<link|\bsrc=|\bimport\b[^;]*from|https?:\/\//);
  });

  it('receives a handle, and no row for the model', async () => {
    const shown = await show();
    expect(shown.isError ?? false).toBe(false);
    const read = JSON.stringify([shown.content, shown.structuredContent]);
    for (const figure of FIGURES) expect(read).not.toContain(figure);
    expect(JSON.parse(textOf(shown))).toMatchObject({
      title: 'Sales',
      columns: ['Region', 'Net sales'],
      rowCount: 3,
      hidden: 1,
    });
    expect(JSON.stringify(shown)).not.toContain('Northland');
    expect(read).not.toContain(handleOf(shown).handle);
  });

  it('reads the painted answer by its handle, in the language of the host', async () => {
    const { handle } = handleOf(await show());
    const chart = paintedOf(await client.callTool(paintOf(handle, { locale: 'de' })));
    expect(chart.html).toContain('<template shadowrootmode="open">');
    expect(chart.html).toContain('1.234,50');
    expect(chart.marks).toMatchObject([
      { series: 0, data: 0, text: 'Northland\nNet sales: 1.234,50' },
      { series: 0, data: 1, text: 'Southland\nNet sales: 987,25' },
      { series: 0, data: 2, text: 'Westland\nNet sales: ***' },
    ]);
    const table = paintedOf(await client.callTool(paintOf(handle, { view: 'table' })));
    expect(table.marks).toEqual([]);
    expect(table.html).toContain('1,234.50');
    expect(table.html).toContain('(hidden)');
  });

  it('is refused the handle of another user, an unknown one and an old one', async () => {
    const { handle } = handleOf(await show());
    const other = await connect(served, { user: 'ben', isLegacy, hasApps: true });
    const unknown = '00000000-0000-4000-8000-000000000000';
    const start = now;
    try {
      const refusals = [await other.callTool(paintOf(handle)), await client.callTool(paintOf(unknown))];
      now += KEEP_CALLS_MS + 1;
      refusals.push(await client.callTool(paintOf(handle)));
      for (const refusal of refusals) {
        expect(refusal.isError).toBe(true);
        expect(JSON.parse(textOf(refusal))).toMatchObject({
          error: 'VALIDATION_ERROR',
          field: 'handle',
          message: expect.stringContaining('older than an hour'),
        });
      }
    } finally {
      now = start;
      await other.close();
    }
  });

  it('cannot read the rows of a shown answer by get_rows, nor call the tool inside', async () => {
    const { handle } = handleOf(await show());
    const rows = await client.callTool({ name: 'get_rows', arguments: { handle, cursor: '0' } });
    expect(JSON.parse(textOf(rows))).toMatchObject({ field: 'handle' });
    const inside = { name: 'view_answer', arguments: { source: { surface: 'semantic', request: {} } } };
    await expect(client.callTool(inside)).rejects.toThrow('There is no tool "view_answer"');
  });

  it.each([
    ['an unknown model', { query: { model: 'shp' } }, { field: 'query.model', available: ['shop'] }],
    ['neither query nor path', {}, { field: 'query' }],
    ['both', { query: {}, path: 'a.service' }, { field: 'query' }],
    ['an unknown kind of chart', { ...QUERY, mode: 'pies' }, { field: 'mode' }],
    ['an unknown member', { ...QUERY, x: 1 }, { field: 'x' }],
  ])('is refused %s at its place', async (_, args, expected) => {
    const refusal = await show(args);
    expect(refusal.isError).toBe(true);
    expect(JSON.parse(textOf(refusal))).toMatchObject(expected);
  });
});

describe('a client without the extension', () => {
  it('gets a picture and a table as text, in one language', async () => {
    const client = await connect(served);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'show_answer')?._meta).toBeUndefined();
    expect(tools.some(({ name }) => name === 'paint_answer')).toBe(false);
    const shown = await client.callTool({ name: 'show_answer', arguments: { ...QUERY, locale: 'de' } });
    const [image] = shown.content;
    expect(image).toMatchObject({ type: 'image', mimeType: 'image/png' });
    const bytes = Buffer.from(image?.type === 'image' ? image.data : '', 'base64');
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    // The width of the chart with its margins, and 1.5 pixels for each of CSS.
    expect(bytes.readUInt32BE(16)).toBe(1_248);
    expect(textOf(shown)).toBe(
      [
        'Sales',
        '',
        '| Region | Net sales |',
        '| --- | --- |',
        '| Northland | 1.234,50 |',
        '| Southland | 987,25 |',
        '| Westland | (verborgen) |',
        '',
        '1 Zeile mit verborgenen Werten',
      ].join('\n'),
    );
    await client.close();
  });

  it('gets no picture of a table', async () => {
    const client = await connect(served);
    const shown = await client.callTool({ name: 'show_answer', arguments: { ...QUERY, view: 'table' } });
    expect(shown.content.map(({ type }) => type)).toEqual(['text']);
    await client.close();
  });
});

it('a key without the scope neither sees nor calls the tool', async () => {
  const client = await connect(served, { hasApps: true, scopes: ['query'] });
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('show_answer');
  const refusal = await client.callTool({ name: 'show_answer', arguments: QUERY });
  expect(JSON.parse(textOf(refusal))).toMatchObject({ error: 'FORBIDDEN' });
  await client.close();
});
