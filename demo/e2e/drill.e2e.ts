/** Tests going down and the rows behind figures as visitors use them, in a page of another origin with a strict policy. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { violations } from './accessibility.ts';
import { openPage } from './browser.ts';
import { type EmbedWalk, startEmbedWalk } from './embed-walk.ts';

const field = (name: string, grain?: string) => {
  const [dataset, of] = name.split('.');
  return { dataset, field: of, ...(grain === undefined ? {} : { grain }) };
};
const request = (name: string, grain?: string) => ({
  connection: 'demo',
  model: 'shop',
  rows: [field(name, grain)],
  values: [{ metric: 'net_sales' }],
});
const CUBE_REQUEST = {
  cube: 'demo-cubes/Shop/Shop/Sales',
  measures: [{ name: 'Net Sales' }],
  rows: [{ dimension: 'Store', level: 'Region' }],
};
const ROWS = ['sales.date', 'stores.store', 'sales.quantity_sold'];
const QUERY = {
  version: 1,
  title: 'Years',
  source: { surface: 'semantic', request: request('sales.date', 'year') },
  drill: { down: [{ field: 'sales.date.year' }] },
};
const DASHBOARD = {
  version: 1,
  title: 'Walk',
  layout: { columns: 12 },
  tiles: [
    {
      id: 'regions',
      kind: 'table',
      title: 'Regions',
      query: { source: { surface: 'semantic', request: request('stores.region') } },
      drives: ['cities'],
      drill: { down: [{ field: 'stores.region', to: ['stores.country', 'stores.city'] }], rows: ROWS },
      x: 0,
      y: 0,
      w: 6,
      h: 4,
    },
    {
      id: 'cities',
      kind: 'table',
      title: 'Cities',
      query: { source: { surface: 'semantic', request: request('stores.city') } },
      x: 6,
      y: 0,
      w: 6,
      h: 4,
    },
    {
      id: 'cube',
      kind: 'chart',
      title: 'Stores',
      query: { source: { surface: 'cube', request: CUBE_REQUEST } },
      drill: { down: [{ field: 'Store.Region' }], rows: ['Store.City', 'Net Sales'] },
      x: 0,
      y: 4,
      w: 12,
      h: 4,
    },
  ],
};

let walk: EmbedWalk;
let page: Page;

beforeAll(async () => {
  walk = await startEmbedWalk({
    query: QUERY,
    dashboard: DASHBOARD,
    pages: {
      '/query': { kind: 'query', attributes: 'drill' },
      '/closed': { kind: 'query', attributes: '' },
      '/dashboard': { kind: 'dashboard', attributes: 'drill' },
    },
  });
  page = walk.page;
});
afterAll(() => walk?.stop());

/** Returns the texts of the first column of a table. */
const names = (within = '', on = page) => on.locator(`service-embed ${within} tbody tr td:first-child`).allInnerTexts();
const crumbs = (on = page) => on.locator('service-embed .crumbs').first().locator('.crumb').allInnerTexts();

/** Asks the typed query of a model. */
async function ask(path: string, body: object) {
  const answer = await fetch(`${walk.product.url}/rest/service/api/ai/semantic/${path}`, {
    method: 'POST',
    headers: { ...walk.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const shape = z.object({
    columns: z.array(z.object({ key: z.string(), labels: z.record(z.string(), z.string()).optional() })),
    records: z.array(z.record(z.string(), z.unknown())),
  });
  return shape.parse(await answer.json());
}

/** Returns the first column of the typed query, as a table shows it. */
async function oracle(name: string, grain: string | undefined, filters: readonly object[]): Promise<readonly string[]> {
  const { columns, records } = await ask('query', { ...request(name, grain), filters });
  const [first] = columns;
  return records.map((record) => {
    const value = String(record[first?.key ?? '']);
    return first?.labels?.[value] ?? value;
  });
}

test('a click goes down the grains of a date, and breadcrumbs lead up again', async () => {
  await page.goto(`${walk.host.url}/query`);
  await page.locator('service-embed [role=grid]').waitFor();
  const whole = await names();
  const year = whole.at(-2) ?? '';
  await page.locator('service-embed tbody td', { hasText: year }).first().click();
  const inYear = { ...field('sales.date', 'year'), op: 'EQ', value: `${year}-01-01` };
  await expect.poll(() => names()).toEqual(await oracle('sales.date', 'quarter', [inYear]));
  expect(await crumbs()).toEqual(['All', year]);
  await page.locator('service-embed tbody td').first().click();
  await expect.poll(() => crumbs()).toEqual(['All', year, `Q1 ${year}`]);
  await expect.poll(async () => (await names())[0]).toBe(`Jan ${year}`);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: year, exact: true }).click();
  await expect.poll(async () => (await names()).length).toBe(4);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect.poll(() => names()).toEqual(whole);
  expect(new URL(page.url()).searchParams.has('walk')).toBe(false);
});

test('keys alone go down and up, and the address restores the picture', async () => {
  const first = page.locator('service-embed tbody td').first();
  await first.focus();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await crumbs()).length).toBe(2);
  await expect.poll(async () => (await names())[0]).toMatch(/^Q/);
  const below = await names();
  await page.reload();
  await expect.poll(() => names()).toEqual(below);
  await expect.poll(async () => (await crumbs()).length).toBe(2);
  await page.getByRole('button', { name: 'All', exact: true }).press('Enter');
  await expect.poll(() => page.locator('service-embed .crumbs').count()).toBe(0);
  // What had the keyboard is gone; the table has it now.
  await expect.poll(() => page.locator('service-embed').evaluate((embed) => embed.matches(':focus-within'))).toBe(true);
});

test('without the word of the page a click only selects', async () => {
  await page.goto(`${walk.host.url}/closed`);
  await page.locator('service-embed [role=grid]').waitFor();
  const whole = await names();
  await page.locator('service-embed tbody td').first().click();
  await page.locator('service-embed tr.chosen').waitFor();
  expect(await names()).toEqual(whole);
});

test('a row that leads to several things offers them, and its rows are those of the model', async () => {
  await page.goto(`${walk.host.url}/dashboard`);
  await page.locator('service-embed .tile [role=grid]').nth(1).waitFor();
  const cell = page.locator('service-embed [aria-label=Regions] tbody td').first();
  const region = ((await cell.textContent()) ?? '').trim();
  await cell.click();
  const items = page.getByRole('menuitem');
  await expect.poll(() => items.allInnerTexts()).toEqual(['Filter other tiles', 'Drill down to Country', 'Show rows']);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.locator('[role=grid]').waitFor();
  expect(await dialog.locator('th').allInnerTexts()).toEqual(['Date of sale', 'Store', 'Pieces of the line']);
  expect(await dialog.locator('.status-badge').textContent()).toContain('500');
  expect(await violations(page)).toEqual([]);
  const inRegion = { ...field('stores.region'), op: 'EQ', value: region };
  const stores = new Set(await oracle('stores.store', undefined, [inRegion]));
  const shown = await dialog.locator('tbody td:nth-child(2)').allInnerTexts();
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((store) => store !== '' && !stores.has(store))).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
});

test('a click filters other tiles after steps too, and the address marks the clicked row again', async () => {
  const regions = page.locator('service-embed [aria-label=Regions] tbody td');
  const region = ((await regions.first().textContent()) ?? '').trim();
  await regions.first().click();
  await page.getByRole('menuitem', { name: 'Drill down to Country' }).click();
  const inRegion = { ...field('stores.region'), op: 'EQ', value: region };
  const countries = await oracle('stores.country', undefined, [inRegion]);
  await expect.poll(() => names('[aria-label=Regions]')).toEqual(countries);
  await regions.first().click();
  await page.getByRole('menuitem', { name: 'Filter other tiles' }).click();
  const inCountry = { ...field('stores.country'), op: 'EQ', value: countries[0] };
  const cities = await oracle('stores.city', undefined, [inRegion, inCountry]);
  await expect.poll(() => names('[aria-label=Cities]')).toEqual(cities);
  await page.reload();
  await expect.poll(() => names('[aria-label=Cities]')).toEqual(cities);
  await expect
    .poll(() => page.locator('service-embed [aria-label=Regions] tr.chosen td:first-child').allInnerTexts())
    .toEqual([countries[0] ?? '']);
  expect(await violations(page)).toEqual([]);
});

test('a finger goes down a cube on a phone, and sees facts at the lower edge', async () => {
  const phone = await openPage(walk.browser, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  await phone.goto(`${walk.host.url}/dashboard`);
  const chart = phone.locator('service-embed [aria-label=Stores] .chart');
  await chart.locator('svg path').first().waitFor({ state: 'attached' });
  await chart.scrollIntoViewIfNeeded();
  const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await expect
    .poll(
      async () => {
        // The lower part of the first bar, at the left of the middle.
        await phone.touchscreen.tap(box.x + box.width * 0.25, box.y + box.height * 0.72);
        return phone.getByRole('menuitem').count();
      },
      { interval: 1_000 },
    )
    .toBe(2);
  const menu = await phone.locator('service-embed .drill-menu').boundingBox();
  expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeGreaterThan(780);
  await phone.getByRole('menuitem', { name: 'Drill down to Country' }).tap();
  await expect.poll(async () => (await crumbs(phone)).length).toBe(2);
  expect(await violations(phone)).toEqual([]);
  await phone.locator('service-embed [aria-label=Stores] .points').focus();
  await phone.keyboard.press('Enter');
  await phone.getByRole('menuitem', { name: 'Show rows' }).tap();
  const dialog = phone.getByRole('dialog');
  await dialog.locator('[role=grid]').waitFor();
  expect(await dialog.locator('th').allInnerTexts()).toEqual(['City', 'Net Sales']);
  expect(await violations(phone)).toEqual([]);
  await phone.getByRole('button', { name: 'Close' }).tap();
  await expect.poll(() => dialog.count()).toBe(0);
  await phone.context().close();
});

test('nothing of it disturbed the policy of the page', () => {
  expect(walk.complained).toEqual([]);
});
