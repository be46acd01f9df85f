/** Tests the share dialog of the home page, as a user who puts a saved query into a page. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './accessibility.ts';
import { buildApp } from './app-build.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { readAnswerRows, savePrivateQuery, tableCells } from './embedding.ts';
import { type Host, type HostOptions, serveHost } from './host-page.ts';
import { type Product, startProduct } from './product.ts';
import { signIn } from './sign-in.ts';

const PATH = 'homes/admin/sales-by-region.service';

let product: Product;
let browser: Browser;
let page: Page;
let dialog: Locator;
let complained: readonly string[];
let token: string;

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  await savePrivateQuery(product, PATH, 'shared/demo/sales-by-region.service');
  page = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  complained = complaints(page);
  await page.goto(`${product.url}/ui/`);
  await signIn(page, product);
  await page.getByRole('button', { name: 'Share a document' }).waitFor();
  dialog = page.getByRole('dialog', { name: /^Share/ });
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((each) => each.matches(':focus'));
}

async function clipboard(): Promise<string> {
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

/** Reads the code for pages. */
async function code(): Promise<string> {
  return (await dialog.getByRole('tabpanel').locator('pre').first().textContent()) ?? '';
}

test('a document is searched by its path and selected with the keyboard', async () => {
  await page.getByRole('button', { name: 'Share a document' }).click();
  const search = dialog.getByRole('combobox');
  await dialog.getByRole('option').first().waitFor();
  expect(await hasFocus(search)).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type('homes region');
  await expect.poll(() => dialog.getByRole('option').allTextContents()).toEqual([expect.stringContaining(PATH)]);
  await page.keyboard.press('Enter');
  await dialog.getByRole('heading', { name: 'Share “Sales by region”' }).waitFor();
  await dialog.getByText('No tokens yet').waitFor();
  await expect(dialog.locator('service-embed').count()).resolves.toBe(0);
  expect(await code()).toContain('token="EMBED-TOKEN"');
});

test('hours out of bounds are refused without a request', async () => {
  const hours = dialog.getByLabel('Valid for, in hours');
  await hours.fill('721');
  await page.keyboard.press('Enter');
  await dialog.getByText('Enter a whole number from 1 to 720.').waitFor();
  await hours.fill('48');
});

test("a token is created, and the preview shows the server's table with it", async () => {
  await dialog.getByLabel('Label').fill('Customer portal');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('Copy the token now').waitFor();
  await dialog.getByRole('button', { name: 'Copy token' }).click();
  await expect.poll(clipboard).toMatch(/^tx-/);
  token = await clipboard();
  await dialog.locator('service-embed table').waitFor();
  expect(await tableCells(dialog.locator('service-embed table'))).toEqual(await readAnswerRows(product, PATH, token));
  expect(await violations(page)).toEqual([]);
});

test('the list shows label, status and use of the token', async () => {
  const row = dialog.getByRole('listitem').filter({ hasText: 'Customer portal' });
  await expect.poll(() => row.textContent()).toMatch(/Active[\s\S]*Expires [\s\S]*Last used a moment ago/);
});

/** Checks that a visitor of a host page sees the rows of the answer. */
async function showsTheTable(options: HostOptions): Promise<void> {
  const host: Host = await serveHost(options);
  const visitor = await openPage(browser);
  try {
    await visitor.goto(host.url);
    await visitor.locator('service-embed table').waitFor();
    expect(await tableCells(visitor.locator('service-embed table'))).toEqual(
      await readAnswerRows(product, PATH, token),
    );
  } finally {
    await visitor.close();
    await host.stop();
  }
}

const pasted = (html: string): HostOptions => ({
  pages: { '/': `<!doctype html><html lang="en"><title>Host</title>${html}</html>` },
});

test('the copied HTML, pasted into a page of another origin, shows the same', async () => {
  await dialog.getByRole('tab', { name: 'HTML' }).click();
  await dialog.getByRole('button', { name: /^Copy HTML/ }).click();
  await expect.poll(clipboard).toContain('<service-embed');
  await showsTheTable(pasted(await clipboard()));
});

test('pinned to one version it has the hash that the browser checks, and shows the same', async () => {
  await dialog.getByLabel(/Pin version/).check();
  await expect
    .poll(code)
    .toMatch(/src="[^"]+\/ui\/service-embed@[\d.]+\.js"\n {2}integrity="sha384-[\w+/=]+"\n {2}crossorigin="anonymous"/);
  await showsTheTable(pasted(await code()));
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel(/Pin version/).uncheck();
  await expect.poll(code).not.toContain('integrity');
});

test.each([
  ['React', 'react'],
  ['Vue', 'vue'],
] as const)('the code for %s, put into a project unchanged, shows the same', async (tab, framework) => {
  await dialog.getByRole('tab', { name: tab }).click();
  await expect.poll(code).toContain(`from 'service-embed/${framework}'`);
  const project = buildApp(framework, await code());
  try {
    await showsTheTable({ directory: join(project, 'dist') });
  } finally {
    rmSync(project, { recursive: true });
  }
});

test('theme and framework change the code without another read', async () => {
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/embed/query/')) reads.push(request.url());
  });
  await dialog.getByLabel('Show as').selectOption('Chart');
  await dialog.getByRole('radio', { name: 'Dark' }).check();
  await dialog.locator('service-embed :is(canvas, svg)').first().waitFor();
  await dialog.getByRole('tab', { name: 'HTML' }).click();
  await page.keyboard.press('ArrowRight');
  await expect.poll(code).toContain('export function Embed()');
  for (const part of ['render="chart"', 'mode="bar"', 'theme="dark"', `token="${token}"`])
    expect(await code()).toContain(part);
  await page.keyboard.press('End');
  await expect.poll(code).toContain("from 'service-embed/vue'");
  expect(await violations(page)).toEqual([]);
  expect(reads).toEqual([]);
});

test('revoking needs a confirmation; then the preview is unavailable and the code has no token', async () => {
  await dialog.getByRole('button', { name: /^Revoke/ }).click();
  await dialog.getByText('This cannot be undone').waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByText('This cannot be undone').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: /^Revoke/ }).click();
  await dialog.getByRole('button', { name: /^Revoke/ }).click();
  await dialog.locator('service-embed').getByRole('alert').waitFor();
  expect(await dialog.locator('service-embed').getByRole('alert').textContent()).toContain('not available');
  await expect.poll(() => dialog.getByRole('listitem').first().textContent()).toContain('Revoked');
  expect(await code()).not.toContain(token);
  expect(await violations(page)).toEqual([]);
});

test('a document that is made public shows without a token until it is made private again', async () => {
  await dialog.getByRole('radio', { name: 'Public' }).check();
  await dialog.getByRole('button', { name: 'Make public' }).click();
  await dialog.getByText(/^Made public/).waitFor();
  await dialog.locator('service-embed :is(canvas, svg)').first().waitFor();
  expect(await code()).not.toContain('token=');
  await dialog.getByRole('button', { name: 'End public access' }).click();
  await dialog.getByRole('button', { name: 'End public access' }).click();
  await dialog.locator('service-embed').getByRole('alert').waitFor();
  // The question's buttons have disappeared; the text with the new state has the focus.
  await expect.poll(() => hasFocus(dialog.getByText('If you make it public'))).toBe(true);
  expect(await violations(page)).toEqual([]);
});

test('closing returns the focus and deletes the token from the page', async () => {
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await hasFocus(page.getByRole('button', { name: 'Share a document' }))).toBe(true);
  await page.getByRole('button', { name: 'Share Shop overview' }).click();
  await dialog.getByText('Tokens of this document').waitFor();
  await expect.poll(code).toContain('token="EMBED-TOKEN"');
});

test('an ended session is reported, and signing in continues at the same place', async () => {
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('You are no longer signed in').waitFor();
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  const signIn = page.getByRole('dialog', { name: 'Sign in' });
  await signIn.getByLabel('User name').fill('admin');
  await signIn.getByLabel('Password').fill(product.password);
  await page.keyboard.press('Enter');
  await dialog.getByText('You are no longer signed in').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('Copy the token now').waitFor();
  // The opening button has disappeared with the session, so the page's content has the focus.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => hasFocus(page.locator('#main'))).toBe(true);
});

test('the page logs no error except the refused reads', () => {
  expect(complained.filter((text) => !/401/.test(text))).toEqual([]);
});
