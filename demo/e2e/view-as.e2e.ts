/** Tests that an administrator views the pages as somebody else, from page to page, and stops. */
import type { Browser, Page, Request } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsInBothThemes } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { type Product, startProduct } from './product.ts';
import { signIn } from './sign-in.ts';

let product: Product;
let browser: Browser;
let page: Page;
let complained: readonly string[];

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  page = await openPage(browser, { viewport: { width: 1280, height: 800 } });
  complained = complaints(page);
  await page.goto(`${product.url}/ui/`);
  await signIn(page, product);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const bar = () => page.getByRole('complementary', { name: 'View as' });
const areas = () => page.getByRole('navigation', { name: 'Areas' }).getByRole('link').allInnerTexts();
/** Returns whom the next reading of the session names. */
async function viewedAs(act: () => Promise<unknown>): Promise<unknown> {
  const isSession = (request: Request) => request.url().endsWith('/rest/service/api/session');
  const [request] = await Promise.all([page.waitForRequest(isSession), act()]);
  return JSON.parse((await request.allHeaders())['x-service-view-as'] ?? 'null');
}

test('the dialog asks for a role or attributes, and names a line that it cannot read', async () => {
  expect(await areas()).toContain('Admin');
  await page.getByRole('button', { name: 'Account of' }).click();
  await page.getByRole('button', { name: 'View as…' }).click();
  const dialog = page.getByRole('dialog', { name: 'View as somebody else' });
  await dialog.getByRole('button', { name: 'View as' }).click();
  await dialog.getByText('Give a role, attributes, or both.').waitFor();
  await dialog.getByLabel('Attributes').fill('regions');
  await dialog.getByRole('button', { name: 'View as' }).click();
  await dialog.getByText('Line 1 of the attributes cannot be read.').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('the pages are those of the role, with its attributes in every request, also after a move', async () => {
  const dialog = page.getByRole('dialog', { name: 'View as somebody else' });
  await dialog.getByLabel('Role').fill('ROLE_USER');
  await dialog.getByLabel('Attributes').fill('regions = South, "North"\nlevel = 3');
  const whom = { role: 'ROLE_USER', attributes: { regions: ['South', 'North'], level: [3] } };
  expect(await viewedAs(() => dialog.getByRole('button', { name: 'View as' }).click())).toEqual(whom);
  await bar().getByText('You view as User · regions: South, North · level: 3. Nothing can be changed.').waitFor();
  await expect.poll(areas).not.toContain('Admin');
  expect(await viewedAs(() => page.goto(`${product.url}/ui/documents/`))).toEqual(whom);
  await bar().waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('it ends where the administrator stops it', async () => {
  expect(await viewedAs(() => bar().getByRole('button', { name: 'Stop viewing as' }).click())).toBeNull();
  await expect.poll(areas).toContain('Admin');
  expect(await bar().count()).toBe(0);
  expect(complained).toEqual([]);
});
