/** Tests the page that adds data, as a user with two CSV files and an account. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { pressKey, tabTo, typeInto } from './keyboard.ts';
import { type Product, startProduct } from './product.ts';

const CUSTOMERS = [
  'customer_id,full_name,email,city',
  ...Array.from(
    { length: 40 },
    (_, at) => `${at + 1},Person ${at},p${at}@mail.example,${at % 4 < 3 ? 'Rome' : 'Oslo'}`,
  ),
].join('\n');
/** 200 orders of 1.50, alternating between two months: 300.00 in all, three quarters of it in Rome. */
const ORDERS = [
  'order_id;customer_id;placed;amount_eur',
  ...Array.from(
    { length: 200 },
    (_, at) => `${at + 1000};${(at % 40) + 1};${String((at % 28) + 1).padStart(2, '0')}.0${(at % 3) + 1}.2024;1,50`,
  ),
].join('\n');
const NOBODY = { user: 'reader', password: 'a reader password, long enough' };

let product: Product;
let browser: Browser;
let folder: string;
let orders: string;
let customers: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-add-data-'));
  orders = join(folder, 'orders.csv');
  customers = join(folder, 'customers.csv');
  writeFileSync(orders, ORDERS);
  writeFileSync(customers, CUSTOMERS);
  product = await startProduct({ args: [] });
  browser = await openBrowser();
  const made = spawnSync(
    process.execPath,
    ['dist/service.js', 'user', 'add', NOBODY.user, '--home', product.home, '--role', 'ROLE_USER'],
    { input: `${NOBODY.password}\n`, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(user: string, password: string): Promise<{ page: Page; complained: readonly string[] }> {
  // During the change of themes, colours belong to neither theme.
  const page = await openPage(browser, { reducedMotion: 'reduce' });
  const complained = complaints(page);
  await page.goto(`${product.url}/ui/add-data/`);
  await page.getByRole('heading', { name: 'Sign in to add data' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign in' }).last().click();
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Drop/ }).waitFor();
  return { page, complained };
}

test('two files become a model, its answers and a dashboard, and the user writes no file by hand', async () => {
  const { page, complained } = await opened('admin', product.password);
  await page.getByText('No saved connection yet').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.locator('input[type=file]').setInputFiles([orders, customers]);
  await page.getByRole('heading', { name: 'Suggested model' }).waitFor();
  const figures = page.getByRole('region', { name: 'Key figures' });
  await figures.getByText('300.00', { exact: true }).waitFor();
  const byCity = page.getByRole('region', { name: /Amount \(EUR\) by customers/ });
  await expect.poll(() => byCity.getByRole('listitem').allTextContents()).toEqual(['Rome225.00', 'Oslo75.00']);
  await page.locator('ui-profile summary', { hasText: 'customers' }).click();
  const email = page.locator('ui-profile tr', { hasText: 'email' });
  expect(await email.textContent()).toContain('Personal data');
  expect(await page.locator('ui-profile').textContent()).not.toContain('p1@mail.example');
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    expect(await violations(page)).toEqual([]);
  }
  for (const width of [390, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(width);
  }

  await page.getByLabel('Keep the measure Row Count').uncheck();
  const name = page.getByLabel('Name of the measure from amount_eur');
  await name.fill('Turnover');
  await name.press('Tab');
  await figures.getByText('Turnover').waitFor();
  expect(await figures.getByText('Row Count').count()).toBe(0);

  await page.locator('ui-publish input[name=name]').fill('not a name');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Use letters, digits').waitFor();
  await page.locator('ui-publish input[name=name]').fill('shop');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const link = page.getByRole('link', { name: 'Open the dashboard' });
  await link.waitFor();
  expect(await violations(page)).toEqual([]);
  // Without a hierarchy, no cube is published beside the model.
  expect(readdirSync(join(product.home, 'datasources')).sort()).toEqual(['shop-model.sds', 'shop-model.yaml']);
  await link.click();
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  await page.locator('service-embed').getByText('300.00').first().waitFor();
  expect(await violations(page)).toEqual([]);
  expect(complained).toEqual([]);
});

test('the files of a published datasource stay when its connection is removed; other files are deleted', async () => {
  const { page } = await opened('admin', product.password);
  const imports = join(product.home, 'data/imports');
  expect(readdirSync(imports)).toHaveLength(1);
  await page.locator('input[type=file]').setInputFiles([orders]);
  await page.getByRole('heading', { name: 'Suggested model' }).waitFor();
  expect(readdirSync(imports)).toHaveLength(2);
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('button', { name: 'Remove orders 2' }).click();
  await expect.poll(() => readdirSync(imports).length).toBe(1);
  await page.getByRole('button', { name: 'Remove orders', exact: true }).click();
  await page.getByText('No saved connection yet').waitFor();
  expect(readdirSync(imports)).toHaveLength(1);
});

test('a file of another type is refused, and nothing of it is kept', async () => {
  const { page } = await opened('admin', product.password);
  const broken = join(folder, 'broken.parquet');
  writeFileSync(broken, 'this is no parquet');
  await page.locator('input[type=file]').setInputFiles([broken]);
  await page.getByRole('heading', { name: 'The data could not be read' }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(readdirSync(join(product.home, 'data/imports'))).toHaveLength(1);
  await page.getByRole('button', { name: 'Choose other data' }).click();
  const odd = join(folder, 'notes.txt');
  writeFileSync(odd, 'x');
  await page.locator('input[type=file]').setInputFiles([odd]);
  await page.getByText('notes.txt has an unsupported type. Supported types: .csv, .parquet, .json, .xlsx.').waitFor();
});

test('a user who is not an administrator sees the model of a file, and why it cannot be published', async () => {
  const { page } = await opened(NOBODY.user, NOBODY.password);
  await page.locator('input[type=file]').setInputFiles([orders]);
  await page.getByRole('heading', { name: 'Suggested model' }).waitFor();
  await page.getByRole('heading', { name: 'Publishing needs an administrator' }).waitFor();
  await page.getByRole('heading', { name: 'Results need saved data' }).waitFor();
  expect(await violations(page)).toEqual([]);
  // The server also refuses actions that the page does not offer.
  const cookies = await page.context().cookies();
  const csrf = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '');
  const send = async (path: string, token: string): Promise<number> =>
    (
      await page.request.post(`${product.url}/rest/service/api/${path}`, {
        headers: { 'X-XSRF-TOKEN': token },
        data: {},
      })
    ).status();
  const statuses = [
    await send('connections', csrf),
    await send('inference/publish', csrf),
    await send('inference/try-query', csrf),
    await send('inference/render', ''),
  ];
  expect(statuses).toEqual([403, 403, 403, 403]);
  expect(existsSync(join(product.home, 'data/uploads'))).toBe(true);
  const left = readdirSync(join(product.home, 'data/uploads'), { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
});

test('by keyboard alone: files are chosen, a measure is renamed, and the model is published', async () => {
  const page = await openPage(browser, { reducedMotion: 'reduce' });
  const complained = complaints(page);
  await page.goto(`${product.url}/ui/add-data/`);
  await page.getByRole('heading', { name: 'Sign in to add data' }).waitFor();
  await pressKey(page.getByRole('button', { name: 'Sign in' }).last());
  await page.getByLabel('User name').waitFor();
  await page.keyboard.type('admin');
  await typeInto(page.getByLabel('Password'), product.password);
  await page.keyboard.press('Enter');
  const choosing = page.waitForEvent('filechooser');
  await pressKey(page.getByRole('button', { name: 'Choose files' }));
  await (await choosing).setFiles([orders]);
  const figures = page.getByRole('region', { name: 'Key figures' });
  await figures.getByText('300.00', { exact: true }).waitFor();
  await pressKey(page.getByLabel('Keep the measure Row Count'), 'Space');
  await tabTo(page.getByLabel('Name of the measure from amount_eur'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Sum of orders');
  await page.keyboard.press('Tab');
  await figures.getByText('Sum of orders').waitFor();
  await tabTo(page.locator('ui-publish input[name=name]'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('keyed');
  await page.keyboard.press('Enter');
  await pressKey(page.getByRole('link', { name: 'Open the dashboard' }));
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  await page.locator('service-embed').getByText('300.00').first().waitFor();
  expect(complained).toEqual([]);
  await page.context().close();
});
