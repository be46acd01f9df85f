/** Follows docs/start/first-ten-minutes.md in a browser, with the words of the page for every button. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from './browser.ts';
import { type Product, startProduct } from './product.ts';

const TEXT = readFileSync('docs/start/first-ten-minutes.md', 'utf8');
/** The words in bold, in the order of the page: what its reader looks for on the screen. */
const LABELS = [...TEXT.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label);
const [publish = '', openDashboard = '', share = '', showAs = '', createToken = ''] = LABELS;

let product: Product;
let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-ten-minutes-'));
  product = await startProduct();
  browser = await openBrowser();
  page = await openPage(browser);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the page has the labels of five steps', () => {
  expect(LABELS).toHaveLength(5);
});

test('a CSV file becomes a dashboard', async () => {
  await page.goto(`${product.url}/ui/add-data/`);
  await page.getByRole('button', { name: 'Sign in' }).last().click();
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill(product.password);
  await page.keyboard.press('Enter');
  await page.locator('input[type=file]').setInputFiles('docs/examples/start/orders.csv');
  await page.getByRole('button', { name: publish, exact: true }).click();
  await page.getByRole('link', { name: openDashboard }).click();
  await page.locator('service-embed :is(canvas, svg)').first().waitFor();
  expect(new URL(page.url()).searchParams.get('path')).toBe('shared/orders/overview.servicedash');
});

test('its chart is shown in a page from a file, with a token', async () => {
  await page.goto(`${product.url}/ui/`);
  await page.getByRole('button', { name: share }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill('shared/orders/by-1.service');
  await dialog.getByRole('option').first().click();
  await dialog.getByLabel(showAs).selectOption('chart');
  await dialog.getByRole('button', { name: createToken }).click();
  const code = dialog.getByRole('tabpanel').locator('pre').first();
  await expect.poll(() => code.textContent()).toContain('token="tx-');
  const file = join(folder, 'chart.html');
  writeFileSync(file, (await code.textContent()) ?? '');
  const filePage = await openPage(browser);
  await filePage.goto(pathToFileURL(file).href);
  await filePage.locator('service-embed :is(canvas, svg)').first().waitFor();
});
