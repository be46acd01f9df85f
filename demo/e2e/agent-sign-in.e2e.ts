/** Tests how an agent of a person connects from nothing: with the official client, a browser, and a person who allows it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestAgent } from '../../server/oauth/testing/agent.ts';
import { violationsInBothThemes } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { type Product, startProduct } from './product.ts';

const BY_REGION = {
  connection: 'demo',
  model: 'shop',
  rows: [{ dataset: 'stores', field: 'region' }],
  values: [{ metric: 'net_sales' }],
};

let product: Product;
let browser: Browser;
let callback: Server;
let back: string;

beforeAll(async () => {
  callback = createServer((_request, response) => response.end('<!doctype html><title>Back</title>')).listen(
    0,
    '127.0.0.1',
  );
  await once(callback, 'listening');
  back = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  product = await startProduct();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  callback.close();
});

function transportOf(agent: TestAgent) {
  return new StreamableHTTPClientTransport(new URL(`${product.url}/rest/service/api/mcp`), { authProvider: agent });
}

const newClient = () => new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: 'auto' } });

/** Connects an agent that has no tokens: it registers, and opens the page of this server. */
async function askFor(agent: TestAgent): Promise<{ address: string; transport: ReturnType<typeof transportOf> }> {
  const transport = transportOf(agent);
  await expect(newClient().connect(transport)).rejects.toThrow(UnauthorizedError);
  return { address: agent.opened?.href ?? '', transport };
}

/** Opens the page that an agent has opened, and signs in there. */
async function atTheQuestion(
  address: string,
  words: { readonly signIn: string; readonly user: string; readonly password: string; readonly heading: string },
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPage(browser, { reducedMotion: 'reduce', ...options });
  await page.goto(address);
  await page.getByRole('main').getByRole('link', { name: words.signIn }).click();
  await page.getByLabel(words.user).fill('admin');
  await page.getByLabel(words.password).fill(product.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: words.heading }).waitFor();
  return page;
}
const ENGLISH = { signIn: 'Sign in', user: 'User name', password: 'Password', heading: 'Connect Test agent?' };

const PICTURES = process.env.SERVICE_PICTURES;
async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
  await page.screenshot({ path: `${PICTURES}/${name}-dark.png`, fullPage: true });
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
}

test('an agent connects, asks the demo, and is disconnected', async () => {
  const agent = new TestAgent(back);
  const { address, transport } = await askFor(agent);
  const page = await atTheQuestion(address, ENGLISH);
  const complained = complaints(page);
  const card = page.getByRole('region', { name: ENGLISH.heading });
  await card.getByText('It will call this server as admin.').waitFor();
  await card.getByText('describe and query the models').waitFor();
  await card.getByText('read, run and save queries and dashboards').waitFor();
  expect(await card.getByText('127.0.0.1').count()).toBe(1);
  expect(await violationsInBothThemes(page)).toEqual([]);
  await picture(page, 'question');
  await card.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${back}?**`);
  const answer = new URL(page.url()).searchParams;
  expect(answer.get('state')).toBe('a state of the agent');
  await transport.finishAuth(answer);

  const client = newClient();
  await client.connect(transportOf(agent));
  const { isError, content } = await client.callTool({ name: 'run_semantic_query', arguments: BY_REGION });
  const [first] = content;
  expect([isError ?? false, first?.type === 'text' && first.text.includes('net_sales')]).toEqual([false, true]);
  expect(complained).toEqual([]);

  await page.goto(`${product.url}/ui/develop/agents/`);
  const connected = page.getByRole('region', { name: 'Connected agents' });
  await connected.getByText('Test agent').first().waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await picture(page, 'agents');
  await connected.getByRole('button', { name: 'Disconnect Test agent' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await connected.getByText('No agent is connected.').waitFor();
  await picture(page, 'agents-none');
  await expect(client.callTool({ name: 'list_semantic_models', arguments: {} })).rejects.toThrow(UnauthorizedError);
  await page.close();
});

test('a refusal goes back to the agent, also from a phone in German', async () => {
  const { address } = await askFor(new TestAgent(back));
  const german = { signIn: 'Anmelden', user: 'Benutzername', password: 'Passwort', heading: 'Test agent verbinden?' };
  const page = await atTheQuestion(address, german, {
    locale: 'de-DE',
    viewport: { width: 390, height: 844 },
    isMobile: true,
  });
  expect(await violationsInBothThemes(page)).toEqual([]);
  await picture(page, 'question-phone-german');
  const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
  expect(await page.evaluate(isTooWide)).toBe(false);
  await page.getByRole('button', { name: 'Ablehnen' }).click();
  await page.waitForURL(`${back}?**`);
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  await page.close();
});

test('a request with a foreign address or without PKCE is explained, and no other site may frame the page', async () => {
  const { address } = await askFor(new TestAgent(back));
  const page = await atTheQuestion(address, ENGLISH);
  const foreign = new URL(address);
  foreign.searchParams.set('redirect_uri', 'https://evil.example/callback');
  await page.goto(foreign.href);
  await page.getByRole('heading', { name: 'This agent cannot be connected' }).waitFor();
  await page.getByText('has not registered').waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  expect(await violationsInBothThemes(page)).toEqual([]);
  await picture(page, 'foreign');
  const unproven = new URL(address);
  unproven.searchParams.set('code_challenge_method', 'plain');
  await page.goto(unproven.href);
  await page.getByText('PKCE is needed').waitFor();
  await picture(page, 'wrong');
  await page.getByRole('button', { name: 'Back to the agent' }).click();
  await page.waitForURL(`${back}?**`);
  expect(new URL(page.url()).searchParams.get('error')).toBe('invalid_request');
  await page.close();
  const headers = (await fetch(`${product.url}/ui/authorize/`)).headers;
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(headers.get('x-frame-options')).toBe('DENY');
});
