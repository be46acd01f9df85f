/** Tests the pages of Develop and Admin, as an administrator by clicks and as a program with the key that was made. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsInBothThemes } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { type Product, startProduct } from './product.ts';
import { signInTo } from './sign-in.ts';

/** A folder for screenshots; none are made without it. */
const SHOTS = process.env.SERVICE_E2E_SHOTS;

let product: Product;
let browser: Browser;
beforeAll(async () => {
  product = await startProduct({ args: [], environment: { SERVICE_LINKS_PRIVATEHOSTS: '127.0.0.1' } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function opened(path: string, user = 'admin', password = product.password): Promise<Page> {
  const page = await openPage(browser, { reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } });
  await signInTo(page, path, { url: product.url, password }, user);
  return page;
}

/** Checks the page in both themes, and that nothing is wider than a phone. */
async function audit(page: Page, name: string): Promise<void> {
  expect(await violationsInBothThemes(page), name).toEqual([]);
  for (const width of [390, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name} at ${width}`).toBe(true);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}-${width}.png` });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

const statusOf = async (key: string, path: string) =>
  (await fetch(product.url + path, { headers: { authorization: `Bearer ${key}` } })).status;

test('Links of an area appear once the session is read, and stay where they are', async () => {
  const page = await opened('/ui/develop/');
  const links = page.getByRole('navigation', { name: 'Pages of this area' }).getByRole('link');
  await links.first().waitFor();
  const titles = await links.allInnerTexts();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/rest/service/api/session', async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  expect(await links.count()).toBe(0);
  release();
  await links.first().waitFor();
  expect(await links.allInnerTexts()).toEqual(titles);
  await page.close();
});

test('Develop: a key is made with a scope, works within it, and is refused once it is revoked', async () => {
  const page = await opened('/ui/develop/');
  const complained = complaints(page);
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
  await page.getByRole('button', { name: 'Create key' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create an API key' });
  await dialog.getByLabel('What is it for?').fill('Nightly report');
  await dialog.getByLabel('Read and write documents').uncheck();
  await dialog.getByLabel('Make embed tokens').uncheck();
  await dialog.getByLabel('Bring in data and change models').uncheck();
  await dialog.getByLabel('Attributes').fill('region = "South');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Line 1 of the attributes cannot be read.').waitFor();
  await dialog.getByLabel('Attributes').fill('region = South, North');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: 'Copy the key now' }).waitFor();
  const key = (await page.locator('.once code').textContent()) ?? '';
  expect(await statusOf(key, '/rest/service/api/ai/semantic/models')).toBe(200);
  expect(await statusOf(key, '/rest/service/api/repository')).toBe(403);
  await page.getByText('region: South, North').waitFor();
  await audit(page, 'develop-keys');

  await page.getByRole('button', { name: 'Actions of Nightly report' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  expect(await violationsInBothThemes(page), 'revoke').toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
  expect(await statusOf(key, '/rest/service/api/ai/semantic/models')).toBe(401);

  for (const [link, name] of [
    ['Embed tokens', 'develop-tokens'],
    ['Webhooks', 'develop-webhooks-list'],
    ['Agents', 'develop-agents'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Pages of this area' }).getByRole('link', { name: link }).click();
    await page.getByRole('heading', { name: link, level: 1 }).waitFor();
    await audit(page, name);
  }
  await page.getByText(`${product.url}/rest/service/api/mcp`).first().waitFor();
  expect(complained).toEqual([]);
  await page.close();
});

test('Develop: a webhook is added with its secret, is sent a test and an event, and sends again', async () => {
  const received: { readonly id: string; readonly body: string; readonly isGenuine: boolean }[] = [];
  let secret = '';
  let status = 200;
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signature } = request.headers;
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const expected = createHmac('sha256', key)
        .update(`${String(id)}.${String(at)}.${body}`)
        .digest('base64');
      received.push({ id: String(id), body, isGenuine: signature === `v1,${expected}` });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const target = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/in`;
  const page = await opened('/ui/develop/webhooks/');
  const complained = complaints(page);
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await audit(page, 'develop-webhooks-empty');
  await page.getByRole('button', { name: 'Add webhook' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
  await dialog.getByLabel('What is it for?').fill('On-call');
  await dialog.getByLabel('Address').fill('https://10.0.0.1/in');
  await dialog.getByLabel('A document was saved').check();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('leads to a private network').waitFor();
  expect(await violationsInBothThemes(page), 'add a webhook').toEqual([]);
  await dialog.getByLabel('Address').fill(target);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'Copy the secret now' }).waitFor();
  secret = (await page.locator('.once code').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have copied it' }).click();

  await page.getByRole('button', { name: 'Actions of On-call' }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  await page.getByText('Delivered', { exact: true }).waitFor();
  status = 500;
  const csrf = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const saved = await page.request.put(`${product.url}/rest/service/api/repository/homes/admin/a.service`, {
    headers: { 'x-xsrf-token': decodeURIComponent(csrf) },
    data: { version: 1, title: 'A', source: { surface: 'semantic', request: { connection: 'x', model: 'y' } } },
  });
  expect(saved.ok(), await saved.text()).toBe(true);
  await page.getByRole('button', { name: 'Deliveries On-call' }).click();
  await page.getByRole('button', { name: 'Deliveries On-call' }).click();
  await page.getByText('500', { exact: true }).waitFor();
  expect(received.map(({ body, isGenuine }) => [JSON.parse(body).type, isGenuine])).toEqual([
    ['webhook.test', true],
    ['document.saved', true],
  ]);
  expect(JSON.parse(received[1]?.body ?? '').data).toEqual({ path: 'homes/admin/a.service', user: 'admin' });
  await audit(page, 'develop-webhooks');
  status = 200;
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(3);
  expect(received[2]).toEqual(received[0]);
  // The console shows the refused address.
  expect(complained).toEqual([expect.stringContaining('status of 400')]);
  await page.close();
  receiver.close();
});

test('Admin: a user is added, signs in and sees no administration, is disabled, and the audit log has it', async () => {
  const page = await opened('/ui/admin/');
  const complained = complaints(page);
  await page.getByRole('button', { name: 'Add a user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a user' });
  await dialog.getByLabel('User name').fill('ann');
  await dialog.getByLabel('Password').fill('short');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('This password is weak').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByLabel('Password').fill('Quarry-lantern-77');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Actions of ann' }).waitFor();
  await audit(page, 'admin-users');

  const hers = await opened('/ui/admin/', 'ann', 'Quarry-lantern-77');
  await hers.getByRole('heading', { name: 'This page is for administrators' }).waitFor();
  // A user sees what there is to ask, and nothing to change.
  await hers.goto(`${product.url}/ui/data/`);
  await hers.getByRole('heading', { name: 'Data', level: 1 }).waitFor();
  expect(await violationsInBothThemes(hers), 'data of a user').toEqual([]);
  if (SHOTS !== undefined) await hers.screenshot({ path: `${SHOTS}/data-of-a-user.png` });
  await hers.goto(`${product.url}/ui/admin/`);
  await hers.getByRole('heading', { name: 'This page is for administrators' }).waitFor();
  await page.getByRole('button', { name: 'Actions of ann' }).click();
  await page.getByRole('menuitem', { name: 'Reset password…' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await violationsInBothThemes(page), 'reset').toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions of ann' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Disable ann?' }).waitFor();
  expect(await violationsInBothThemes(page), 'disable').toEqual([]);
  await page.getByRole('dialog', { name: 'Disable ann?' }).getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await hers.reload();
  await hers.getByRole('heading', { name: 'Sign in to see this page' }).waitFor();
  await hers.close();

  const areas = page.getByRole('navigation', { name: 'Pages of this area' });
  await areas.getByRole('link', { name: 'Audit log' }).click();
  // The refused call of the key of the first test, by the label of the key.
  await page.getByLabel('User', { exact: true }).fill('Nightly report');
  await expect.poll(async () => (await page.getByRole('row').allTextContents()).join()).toContain('Nightly report');
  expect((await page.getByRole('row').allTextContents()).slice(1).join()).not.toContain('api-key:');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Operation').fill('accounts.setUserDisabled');
  // The rows of the filter before are shown until those of this one are read.
  await expect
    .poll(async () => (await page.getByRole('row').allTextContents()).slice(1))
    .toEqual([expect.stringContaining('name=ann')]);
  await audit(page, 'admin-audit');
  for (const [link, name] of [
    ['Queries', 'admin-queries'],
    ['Health', 'admin-system'],
    ['Tenants', 'admin-tenants'],
  ] as const) {
    await areas.getByRole('link', { name: link }).click();
    await page.getByRole('heading', { name: link, level: 1 }).waitFor();
    await audit(page, name);
  }
  // The weak password.
  expect(complained.filter((text) => !text.includes('status of 400'))).toEqual([]);
  await page.close();
});
