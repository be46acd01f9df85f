/** Tests the product below a path of a site, behind a proxy: no request, link or written address leaves that path. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReverseProxy, startProxy } from '../../server/http/testing/proxy.ts';
import { complaints, networkLog, openBrowser, openPage, type Seen } from './browser.ts';
import { tableCells } from './embedding.ts';
import { serveHost } from './host-page.ts';
import { type Product, startProduct } from './product.ts';
import { signIn, signOut } from './sign-in.ts';

const PREFIX = '/in/analytics';
const PATH = 'shared/demo/sales-by-region.service';

let product: Product;
let proxy: ReverseProxy;
let browser: Browser;
let page: Page;
let complained: readonly string[];
let requests: { all(): Promise<readonly Seen[]> };
let site: string;

beforeAll(async () => {
  product = await startProduct({
    environment: { SERVICE_HTTP_BASEPATH: PREFIX, SERVICE_HTTP_TRUSTPROXY: 'true' },
  });
  proxy = await startProxy(() => [product.url]);
  site = proxy.url + PREFIX;
  browser = await openBrowser();
  page = await openPage(browser);
  complained = complaints(page);
  requests = networkLog(page);
});

afterAll(async () => {
  await browser?.close();
  await proxy?.stop();
  await product?.stop();
});

test('the start prints the address with the path', () => {
  expect(product.output()).toContain(`${product.url}${PREFIX}/ui/`);
});

test('the gallery shows the public documents, and its links stay below the path', async () => {
  await page.goto(site);
  await expect.poll(() => page.url()).toBe(`${site}/ui/`);
  await page.getByRole('link', { name: 'See the gallery' }).click();
  await page.locator('service-embed table').first().waitFor();
  expect(page.url()).toBe(`${site}/ui/gallery/`);
  const links = await page.locator('a[href]').evaluateAll((all) => all.map((link) => Reflect.get(link, 'href')));
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) expect(String(link)).toMatch(`${site}/`);
  const snippets = (await page.locator('ui-code pre').allTextContents()).join('\n');
  expect(snippets).toContain(`<script src="${site}/ui/service-embed.js"></script>`);
  expect(snippets).toContain(`server="${site}"`);
  expect(snippets).toContain(`${site}/rest/service/api`);
});

test('a user signs in, and the cookies are limited to the path', async () => {
  await page.getByRole('link', { name: 'Home' }).click();
  await signIn(page, product);
  expect(page.url()).toBe(`${site}/ui/`);
  await page.getByRole('button', { name: 'Share a document' }).waitFor();
  const cookies = await page.context().cookies(`${site}/ui/`);
  expect(cookies.map(({ name, path }) => [name, path]).toSorted()).toEqual([
    ['SERVICE_SESSION', PREFIX],
    ['XSRF-TOKEN', PREFIX],
  ]);
});

test('the code of the share dialog, pinned by its hash, shows the document on a page of another site', async () => {
  await page.getByRole('button', { name: 'Share a document' }).click();
  const dialog = page.getByRole('dialog', { name: /^Share/ });
  await dialog.getByRole('combobox').fill(PATH);
  await dialog.getByRole('option').first().click();
  await dialog.getByLabel(/Pin version/).check();
  const code = async () => (await dialog.getByRole('tabpanel').locator('pre').first().textContent()) ?? '';
  await expect.poll(code).toMatch(/integrity="sha384-/);
  expect(await code()).toContain(`src="${site}/ui/service-embed@`);
  // The document is public, so a page needs no token.
  const html = (await code()).replace('token="EMBED-TOKEN"', '');
  const host = await serveHost({ pages: { '/': `<!doctype html><html lang="en"><title>Host</title>${html}</html>` } });
  const visitor = await openPage(browser);
  try {
    await visitor.goto(host.url);
    await visitor.locator('service-embed table').waitFor();
    expect((await tableCells(visitor.locator('service-embed table'))).length).toBeGreaterThan(1);
  } finally {
    await visitor.close();
    await host.stop();
  }
  await page.reload();
});

test('the API reference lists the operations and tries one out', async () => {
  await page.getByRole('link', { name: 'Develop' }).click();
  const pages = page.getByRole('navigation', { name: 'Pages of this area' });
  await pages.getByRole('link', { name: 'API reference' }).click();
  await expect.poll(() => page.url()).toBe(`${site}/ui/api/`);
  await page.getByRole('heading', { name: 'API reference' }).first().waitFor();
  const operation = page.locator('.opblock', { hasText: '/rest/service/api/session' });
  // The viewer renders the operations that are near the visible ones.
  await page.mouse.move(640, 500);
  const scrolled = async () => {
    await page.mouse.wheel(0, 500);
    return operation.count();
  };
  await expect.poll(scrolled).toBe(1);
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
  await expect(operation.locator('.request-url pre').textContent()).resolves.toBe(`${site}/rest/service/api/session`);
});

test.each(['/ui/add-data/', `/ui/view/?path=${encodeURIComponent(PATH)}`])('%s opens', async (path) => {
  await page.goto(site + path);
  await page.getByRole('link', { name: 'service' }).first().waitFor();
  await page.waitForLoadState('networkidle');
});

test('a user signs out', async () => {
  await signOut(page);
  expect(await page.context().cookies(`${site}/ui/`)).toEqual([]);
});

test('no request left the path, and no request failed', async () => {
  const seen = await requests.all();
  expect(seen.length).toBeGreaterThan(20);
  expect(seen.filter(({ url }) => !url.startsWith(`${site}/`) && url !== site && !url.startsWith('data:'))).toEqual([]);
  expect(seen.filter(({ status }) => (status ?? 0) >= 400).map(({ url, status }) => [url, status])).toEqual([]);
  expect(complained).toEqual([]);
});
