/** Tests the filters of embeds as visitors use them, in a page of another origin with a strict policy. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { violations } from './accessibility.ts';
import { openPage } from './browser.ts';
import { type EmbedWalk, startEmbedWalk } from './embed-walk.ts';

const request = (field: string, grain?: string) => ({
  connection: 'demo',
  model: 'shop',
  rows: [{ dataset: field.split('.')[0], field: field.split('.')[1], ...(grain === undefined ? {} : { grain }) }],
  values: [{ metric: 'net_sales' }],
});
const question = (field: string) => ({ source: { surface: 'semantic', request: request(field) } });
const QUERY = {
  version: 1,
  title: 'Regions',
  ...question('stores.region'),
  filterable: ['stores.country', 'sales.date'],
};
const DASHBOARD = {
  version: 1,
  title: 'Walk',
  layout: { columns: 12 },
  tiles: [
    {
      id: 'country',
      kind: 'filter',
      title: 'Country',
      field: 'stores.country',
      drives: ['cities'],
      x: 0,
      y: 0,
      w: 6,
      h: 1,
    },
    {
      id: 'regions',
      kind: 'table',
      title: 'Regions',
      query: question('stores.region'),
      drives: ['cities'],
      x: 0,
      y: 1,
      w: 6,
      h: 4,
    },
    { id: 'cities', kind: 'table', title: 'Cities', query: question('stores.city'), x: 6, y: 1, w: 6, h: 4 },
  ],
};

let walk: EmbedWalk;
let page: Page;

beforeAll(async () => {
  const filters = JSON.stringify(['stores.region', 'stores.country', 'sales.date']);
  walk = await startEmbedWalk({
    query: QUERY,
    dashboard: DASHBOARD,
    pages: {
      '/query': { kind: 'query', attributes: `filters='${filters}'` },
      '/dashboard': { kind: 'dashboard', attributes: 'filters drill' },
    },
  });
  page = walk.page;
});
afterAll(() => walk?.stop());

/** Returns the texts of the first column of a table. */
const names = (within = '') => page.locator(`service-embed ${within} tbody tr td:first-child`).allInnerTexts();

/** Returns the members of a field with sales, as the typed query answers them. */
async function oracle(field: string, filters: readonly object[]): Promise<readonly string[]> {
  const answer = await fetch(`${walk.product.url}/rest/service/api/ai/semantic/query`, {
    method: 'POST',
    headers: { ...walk.key, 'content-type': 'application/json' },
    body: JSON.stringify({ ...request(field), filters }),
  });
  const { records } = z.object({ records: z.array(z.record(z.string(), z.unknown())) }).parse(await answer.json());
  return records.map((record) => String(record[field]));
}
const where = (name: string, op: string, value: string) => {
  const [dataset, field] = name.split('.');
  return { dataset, field, op, value };
};

test('a visitor filters a query with the pointer, and the picture has the rows of the typed query', async () => {
  await page.goto(`${walk.host.url}/query`);
  await page.locator('service-embed tbody tr').first().waitFor();
  const whole = await names();
  await page.getByRole('button', { name: /^Country/ }).click();
  const option = page.getByRole('checkbox').first();
  const country = (
    (await page.locator('service-embed .panel:popover-open .option').first().textContent()) ?? ''
  ).trim();
  await option.check();
  const expected = await oracle('stores.region', [where('stores.country', 'EQ', country)]);
  expect(expected.length).toBeLessThan(whole.length);
  await expect.poll(() => names()).toEqual(expected);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(new URL(page.url()).searchParams.get('walk')).toContain(country);
});

test('the address restores the same picture', async () => {
  const before = await names();
  await page.reload();
  await expect.poll(() => names()).toEqual(before);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(async () => (await names()).length).toBeGreaterThan(before.length);
  expect(new URL(page.url()).searchParams.has('walk')).toBe(false);
});

test('keys alone choose a value, and give the focus back', async () => {
  const region = page.getByRole('button', { name: /^Region/ });
  await region.focus();
  await page.keyboard.press('Enter');
  const option = page.locator('service-embed .panel:popover-open input[type=checkbox]').first();
  await option.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect.poll(async () => (await names()).length).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => region.evaluate((button) => button.matches(':focus'))).toBe(true);
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect.poll(async () => (await names()).length).toBeGreaterThan(1);
});

test('a click in a tile filters the tile that its owner names, with a chip that takes it back', async () => {
  await page.goto(`${walk.host.url}/dashboard`);
  await page.locator('service-embed .tile [role=grid]').nth(1).waitFor();
  const whole = await names('[aria-label=Cities]');
  const cell = page.locator('service-embed [aria-label=Regions] tbody td').first();
  const region = ((await cell.textContent()) ?? '').trim();
  await cell.click();
  const expected = await oracle('stores.city', [where('stores.region', 'EQ', region)]);
  await expect.poll(() => names('[aria-label=Cities]')).toEqual(expected);
  await page.reload();
  await expect.poll(() => names('[aria-label=Cities]')).toEqual(expected);
  const chip = page.getByRole('button', { name: `Remove Region: ${region}` });
  expect(await violations(page)).toEqual([]);
  await chip.click();
  await expect.poll(() => names('[aria-label=Cities]')).toEqual(whole);
  expect(await chip.count()).toBe(0);
});

test('a finger filters a dashboard on a phone', async () => {
  const phone = await openPage(walk.browser, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  await phone.goto(`${walk.host.url}/dashboard`);
  await phone.locator('service-embed .tile [role=grid]').nth(1).waitFor();
  await phone.getByRole('button', { name: /^Country/ }).tap();
  const panel = phone.locator('service-embed .panel:popover-open');
  const box = await panel.boundingBox();
  // The panel is at the lower edge, where the thumb is.
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(780);
  const country = ((await panel.locator('.option').first().textContent()) ?? '').trim();
  await panel.locator('.option').first().tap();
  const expected = await oracle('stores.city', [where('stores.country', 'EQ', country)]);
  const cities = phone.locator('service-embed [aria-label=Cities] tbody tr td:first-child');
  await expect.poll(() => cities.allInnerTexts()).toEqual(expected);
  expect(await violations(phone)).toEqual([]);
  await phone.context().close();
});

test('nothing of it disturbed the policy of the page', () => {
  expect(walk.complained).toEqual([]);
});
