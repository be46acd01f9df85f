/** Tests the chart in a chat: the built product, the host's side of MCP Apps as it is published, and a browser. */
import { spawnSync } from 'node:child_process';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Frame, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { type ChatHost, serveChat } from './chat-host.ts';
import { type Product, startProduct } from './product.ts';

const MODEL = { connection: 'demo', model: 'shop' };
const SALES = [{ metric: 'net_sales' }];
const BY_REGION = {
  query: { ...MODEL, rows: [{ dataset: 'stores', field: 'region' }], values: SALES },
  title: 'Net sales by region',
};
const BY_MONTH = {
  query: { ...MODEL, rows: [{ dataset: 'sales', field: 'date', grain: 'quarter' }], values: SALES },
  title: 'Net sales by quarter',
};
const CUBE = {
  query: {
    cube: 'demo-cubes/Shop/Shop/Sales',
    measures: [{ name: 'Net Sales' }],
    rows: [{ dimension: 'Product', level: 'Category' }],
  },
  mode: 'pie',
};

let product: Product;
let browser: Browser;
let chat: ChatHost;
let client: Client;

beforeAll(async () => {
  product = await startProduct();
  const made = spawnSync(
    process.execPath,
    ['dist/service.js', 'api-key', 'create', '--home', product.home, '--label', 'chat', '--json'],
    { encoding: 'utf8', timeout: 240_000 },
  );
  const { key } = JSON.parse(made.stdout) as { key: string };
  client = new Client(
    { name: 'chat', version: '1' },
    { capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${product.url}/rest/service/api/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  );
  chat = await serveChat();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await chat?.stop();
  await client?.close();
  await product?.stop();
});

const PICTURES = process.env.SERVICE_PICTURES;
async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

interface Chat {
  readonly page: Page;
  /** The page of the answer, within its sandbox. */
  readonly answer: Frame;
  /** The questions that the chat received. */
  readonly asked: readonly string[];
  /** What the browser complained of. */
  readonly complained: readonly string[];
  /** The calls of the page. */
  readonly calls: { readonly name: string; readonly args: Record<string, unknown> }[];
  /** Changes what the server answers the page next. */
  refuseNext(): void;
  setContext(context: object): Promise<void>;
}

/** Asks the server, and shows the answer in a chat. */
async function showIn(
  input: Record<string, unknown>,
  context: object,
  viewport = { width: 820, height: 700 },
): Promise<Chat> {
  const { tools } = await client.listTools();
  const { ui } = Object(tools.find(({ name }) => name === 'show_answer')?._meta) as { ui: { resourceUri: string } };
  const [resource] = (await client.readResource({ uri: ui.resourceUri })).contents;
  const html = resource !== undefined && 'text' in resource ? resource.text : '';
  const result = await client.callTool({ name: 'show_answer', arguments: input });
  expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);

  const page = await openPage(browser, { viewport, reducedMotion: 'reduce' });
  const complained = complaints(page);
  const asked: string[] = [];
  const calls: Chat['calls'] = [];
  let isRefused = false;
  await page.exposeFunction('tookMessage', (text: string) => void asked.push(text));
  await page.exposeFunction('callServer', async (name: string, args: Record<string, unknown>) => {
    calls.push({ name, args });
    if (!isRefused) return client.callTool({ name, arguments: args });
    isRefused = false;
    return client.callTool({ name, arguments: { ...args, handle: '00000000-0000-4000-8000-000000000000' } });
  });
  await page.goto(chat.url);
  await page.locator('html[data-ready]').waitFor();
  const shown = { html, sandbox: chat.sandbox, input, result, context };
  await page.evaluate(
    (given) => (Reflect.get(globalThis, 'host') as { show(given: unknown): Promise<void> }).show(given),
    shown,
  );
  const handle = await page.locator('iframe').elementHandle();
  const sandbox = await handle?.contentFrame();
  const answer = sandbox?.childFrames()[0];
  if (answer === undefined) throw new Error('the sandbox has no page');
  return {
    page,
    answer,
    asked,
    complained,
    calls,
    refuseNext() {
      isRefused = true;
    },
    setContext: (changed) =>
      page.evaluate(
        (given) => (Reflect.get(globalThis, 'host') as { setContext(given: unknown): void }).setContext(given),
        changed,
      ),
  };
}

const figureOf = (result: CallToolResult): string => {
  const [content] = result.content;
  return content?.type === 'text' ? content.text : '';
};

test('a chart in a chat follows the theme, answers a click with a question, and is accessible', async () => {
  const { page, answer, asked, complained, setContext } = await showIn(BY_REGION, { theme: 'light', locale: 'en-US' });
  await answer.getByRole('heading', { name: 'Net sales by region' }).waitFor();
  const marks = answer.getByRole('button', { name: /^Ask about/ });
  await marks.first().waitFor();
  // The same figures as the server gives an agent that runs the query.
  const run = await client.callTool({ name: 'run_semantic_query', arguments: BY_REGION.query });
  const { records } = JSON.parse(figureOf(run)) as { records: Record<string, { formatted: string } | string>[] };
  expect(await marks.count()).toBe(records.length);
  for (const record of records) {
    const label = await answer
      .getByRole('button', { name: `Ask about ${String(record['stores.region'])}, ` })
      .getAttribute('aria-label');
    expect(label).toContain(String(record['stores.region']));
  }
  expect(await violations(answer)).toEqual([]);
  await picture(page, 'chat-light');
  await setContext({ theme: 'dark', locale: 'en-US' });
  await page.evaluate(`document.body.className = 'dark'`);
  await expect
    .poll(() => answer.evaluate(`getComputedStyle(document.querySelector('main')).backgroundColor`))
    .toBe('rgb(23, 27, 34)');
  expect(await violations(answer)).toEqual([]);
  await picture(page, 'chat-dark');

  // By mouse, then by keyboard alone: Tab reaches the chart, arrows its values.
  await marks.first().hover();
  await marks.first().click();
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]).toMatch(/^Tell me more about .+, Net sales: .+ in “Net sales by region”\.$/);
  await answer.getByText('The question was sent to the chat.').waitFor();
  await marks.first().focus();
  await page.keyboard.press('ArrowRight');
  await picture(page, 'chat-focus');
  await page.keyboard.press('Enter');
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]).not.toBe(asked[0]);

  await answer.getByRole('button', { name: 'Table', exact: true }).click();
  const rows = answer.getByRole('row');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(records.length + 1);
  await answer
    .getByRole('button', { name: /^Ask about/ })
    .first()
    .click();
  await expect.poll(() => asked.length).toBe(3);
  expect(await violations(answer)).toEqual([]);
  await picture(page, 'chat-table');
  expect(complained).toEqual([]);
  await page.close();
});

test('a chart speaks the language of the chat, and fits a phone', async () => {
  const narrow = { width: 390, height: 800 };
  const { page, answer, asked, complained, calls } = await showIn(
    BY_MONTH,
    { theme: 'light', locale: 'de-DE' },
    narrow,
  );
  await answer
    .getByRole('button', { name: /^Nach .+ fragen$/ })
    .first()
    .click();
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]).toMatch(/^Erzähle mir mehr über .+ in „Net sales by quarter“\.$/);
  expect(await answer.getByRole('button', { name: 'Tabelle' }).count()).toBe(1);
  expect(await violations(answer)).toEqual([]);
  expect(await answer.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  await picture(page, 'chat-phone-de');
  const widths = () => calls.filter(({ name }) => name === 'paint_answer').map(({ args }) => Number(args.width));
  const before = widths().at(-1) ?? 0;
  await page.setViewportSize({ width: 820, height: 800 });
  await expect.poll(() => widths().at(-1)).toBeGreaterThan(before + 200);
  await expect.poll(() => answer.locator('.painted svg').getAttribute('width')).toBe(String(widths().at(-1)));
  await picture(page, 'chat-wide-de');
  expect(complained).toEqual([]);
  await page.close();
});

test('a cube is a pie, and a handle that has ended is renewed', async () => {
  const shown = await showIn(CUBE, { theme: 'light', locale: 'en' });
  const { page, answer, calls, refuseNext, setContext, complained } = shown;
  await answer
    .getByRole('button', { name: /^Ask about/ })
    .first()
    .waitFor();
  await picture(page, 'chat-pie');
  refuseNext();
  await setContext({ theme: 'light', locale: 'de' });
  await answer
    .getByRole('button', { name: /^Nach .+ fragen$/ })
    .first()
    .waitFor();
  expect(calls.map(({ name }) => name)).toEqual(['paint_answer', 'paint_answer', 'show_answer', 'paint_answer']);
  expect(complained).toEqual([]);
  await page.close();
});
