/** Tests data from a link: from the link to a published model, and its refresh from the same link. */
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsInBothThemes } from './accessibility.ts';
import { openBrowser, openPage } from './browser.ts';
import { type Product, startProduct } from './product.ts';

/** Orders of 1.50, with decimal commas. */
function ordersFile(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => `${at + 1};${['Ulm', 'Bonn'][at % 2]};1,50`);
  return `${['Nummer;Ort;Betrag', ...lines].join('\n')}\n`;
}

let files: Server;
let text = ordersFile(100);
let link: string;
let product: Product;
let browser: Browser;

beforeAll(async () => {
  files = createServer(({ url }, response) => {
    if (url?.startsWith('/exports/') === true) response.writeHead(200, { 'content-type': 'text/csv' }).end(text);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const address = files.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  link = `${origin}/exports/bestellungen.csv`;
  const environment = { SERVICE_LINKS_ALLOW: `${origin}/exports/`, SERVICE_LINKS_PRIVATEHOSTS: '127.0.0.1' };
  product = await startProduct({ args: [], environment });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  files?.close();
});

async function photograph(page: Page, name: string): Promise<void> {
  const shots = process.env.SERVICE_E2E_SHOTS;
  if (shots === undefined) return;
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(shots, `${name}-${width}.png`), fullPage: true });
  }
}

test('a link becomes a model, and the changed file behind it its data', async () => {
  const page = await openPage(browser, { reducedMotion: 'reduce' });
  await page.goto(`${product.url}/ui/add-data/`);
  await page.getByRole('button', { name: 'Sign in' }).last().click();
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill(product.password);
  await page.keyboard.press('Enter');
  const field = page.getByLabel('Links to files, one a line');
  await field.fill('orders.csv');
  await page.getByRole('button', { name: 'Read the data' }).click();
  await page.getByText('A link begins with https://.').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await photograph(page, 'link');
  await field.fill('https://elsewhere.example.com/orders.csv');
  await page.getByRole('button', { name: 'Read the data' }).click();
  await page.getByText('https://elsewhere.example.com/orders.csv is not allowed').waitFor();
  await page.getByRole('button', { name: 'Choose other data' }).click();
  await page.getByLabel('Links to files, one a line').fill(`${link}?key=secret`);
  await page.getByRole('button', { name: 'Read the data' }).click();
  await page.getByRole('region', { name: 'Key figures' }).getByText('150.00', { exact: true }).waitFor();
  await page.locator('ui-publish input[name=name]').fill('bestellungen');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('link', { name: 'Open the dashboard' }).waitFor();

  await page.goto(`${product.url}/ui/data/`);
  await page.getByRole('button', { name: 'Actions of bestellungen-model' }).click();
  await page.getByRole('menuitem', { name: 'Schedule a refresh…' }).click();
  await page.getByText(link, { exact: true }).waitFor();
  expect(await page.content()).not.toContain('secret');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  text = ordersFile(300);
  await page.getByText('The refresh of bestellungen-model is scheduled.').waitFor();
  await page.getByRole('button', { name: 'Actions of the refresh of bestellungen-model' }).click();
  await page.getByRole('menuitem', { name: 'Run now' }).click();
  await expect
    .poll(async () => JSON.stringify((await product.call('GET', '/rest/service/api/admin/data/refreshes')).body), {
      timeout: 60_000,
    })
    .toContain('100 → 300 rows');
  await page.close();
});
