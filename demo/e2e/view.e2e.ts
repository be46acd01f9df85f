/** Tests documents on the product's own page: a signed-in user reads by the session, and no token is created. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networkLog, openBrowser, openPage, type Seen } from './browser.ts';
import { type Product, startProduct } from './product.ts';
import { signIn } from './sign-in.ts';

const API = '/rest/service/api';
const DOCUMENTS = ['shared/demo/shop-overview.servicedash', 'shared/demo/sales-by-region.service'];

let product: Product;
let browser: Browser;
let page: Page;
let requests: { all(): Promise<readonly Seen[]> };

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  page = await openPage(browser, { viewport: { width: 1280, height: 1000 } });
  requests = networkLog(page);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

test('a user signs in', async () => {
  await page.goto(`${product.url}/ui/`);
  await signIn(page, product);
});

test.each(DOCUMENTS)('%s is drawn', async (path) => {
  await page.goto(`${product.url}/ui/view/?path=${encodeURIComponent(path)}`);
  await page.locator('service-embed svg').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.locator('service-embed [role=alert]').count()).toBe(0);
  if (process.env.SERVICE_E2E_SCREENSHOTS !== undefined)
    await page.screenshot({ path: `${process.env.SERVICE_E2E_SCREENSHOTS}/${path.split('/').pop()}.png` });
});

test('250 views create no token, and every view is answered', async () => {
  const reads = (await requests.all()).filter(({ url }) => new URL(url).pathname.startsWith(`${API}/view/`));
  expect(reads.length).toBeGreaterThan(2);
  const { cookies } = await page.context().storageState();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const statuses = new Set<number>();
  for (let view = 0; view < 250; view++) {
    const { url } = reads[view % reads.length] ?? { url: '' };
    statuses.add((await fetch(url, { headers: { cookie } })).status);
  }
  expect([...statuses]).toEqual([200]);
  const tokens = await fetch(`${product.url}${API}/embed/tokens?all=true`, { headers: { cookie } });
  expect(await tokens.json()).toEqual([]);
  expect((await requests.all()).filter(({ url }) => url.includes(`${API}/embed/tokens`))).toEqual([]);
});
