/** Tests the explorer as an analyst uses it: by clicks and by the keyboard alone, for a semantic model and for a cube. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsInBothThemes } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { DEMO_WAREHOUSE, type Product, startProduct } from './product.ts';
import { signIn } from './sign-in.ts';

let product: Product;
let browser: Browser;
/** The rows that the warehouse itself answers. */
let ask: (sql: string) => Promise<readonly (readonly unknown[])[]>;

beforeAll(async () => {
  const warehouse = await DuckDBInstance.create(process.env[DEMO_WAREHOUSE] ?? '', { access_mode: 'READ_ONLY' });
  const connection = await warehouse.connect();
  ask = async (sql) => (await connection.runAndReadAll(sql)).getRows();
  product = await startProduct();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function explore(path: string): Promise<{ page: Page; complained: readonly string[] }> {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  const complained = complaints(page);
  await page.goto(`${product.url}/ui/explore/${path}`);
  await signIn(page, product);
  await page.getByRole('tree').getByRole('treeitem').nth(1).waitFor();
  return { page, complained };
}

const tree = (page: Page, name: RegExp) => page.getByRole('treeitem', { name });

async function add(page: Page, search: string, name: RegExp): Promise<void> {
  await page.getByLabel('Search fields and metrics').fill(search);
  await tree(page, name).first().click();
}

/** Returns the texts of the table's rows; the element leaves rows out that are not visible. */
const rowsOf = (page: Page) =>
  page
    .locator('ui-answer-view service-embed tbody tr')
    .filter({ has: page.locator('td:visible') })
    .evaluateAll((rows) =>
      rows
        .map((row) => [...row.querySelectorAll('td, th')].map((cell) => cell.textContent?.trim() ?? ''))
        .filter((cells) => cells.some((cell) => cell !== '')),
    );

const euros = (value: unknown) =>
  `${new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format(Number(value))} EUR`;

async function view(page: Page, name: string): Promise<void> {
  await page.locator('ui-answer-view label', { hasText: name }).click();
  await page.locator(`ui-answer-view service-embed[render=${name.toLowerCase()}]`).waitFor();
}

test('a question to a model is built by clicks, drilled, undone, kept in the address, saved and opened', async () => {
  const { page, complained } = await explore('demo/shop');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await add(page, 'net sales', /^Net sales/);
  await add(page, 'category', /^Category/);
  await page.locator('ui-answer-view service-embed svg').first().waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.locator('ui-chart-settings').locator('select, input').first().waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');

  // A filter with values of the server.
  await page.getByRole('button', { name: 'Add to Where' }).click();
  await page.locator('ui-chip-panel').getByLabel('Search', { exact: true }).fill('country');
  await page.keyboard.press('Enter');
  await page.getByLabel('Germany', { exact: true }).waitFor();
  // What is shown already is narrowed at once, and the server has the last word.
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/values/search?*q=germ*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel('Search values').fill('germ');
  const found = page.locator('ui-filter-panel [role=group]');
  await found.getByText('Searching…').waitFor();
  expect(await found.locator('.value span').allTextContents()).toEqual(['Germany']);
  answer();
  await found.getByText('Searching…').waitFor({ state: 'detached' });
  await page.getByLabel('Germany', { exact: true }).check();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Country is Germany', exact: true }).waitFor();
  await view(page, 'Table');
  const byCategory = await ask(`
    SELECT p.category, SUM(s.net_amount) FROM sales s JOIN products p USING (product_id) JOIN stores t USING (store_id)
    WHERE t.country = 'Germany' GROUP BY 1 ORDER BY 1`);
  const categories = byCategory.map(([category, value]) => [category, euros(value)]);
  await expect.poll(() => rowsOf(page)).toEqual(categories);

  // Sorted by its chip, and back by undo.
  await page.locator('ui-shelf-list [data-shelf=values] .text').click();
  await page.getByLabel('largest first').check();
  await page.keyboard.press('Escape');
  const largest = byCategory.toSorted((left, right) => Number(right[1]) - Number(left[1]));
  await expect.poll(() => rowsOf(page)).toEqual(largest.map(([category, value]) => [category, euros(value)]));

  // Into the largest category, by subcategory.
  await page.locator('ui-answer-view service-embed td', { hasText: String(largest[0]?.[0]) }).click();
  await page.getByRole('button', { name: 'By …' }).click();
  await page.getByLabel('Search fields', { exact: true }).fill('subcat');
  await page.locator('ui-mark-menu').getByRole('button', { name: 'Subcategory' }).click();
  const below = await ask(`
    SELECT p.subcategory, SUM(s.net_amount) FROM sales s JOIN products p USING (product_id) JOIN stores t USING (store_id)
    WHERE t.country = 'Germany' AND p.category = '${String(largest[0]?.[0])}' GROUP BY 1 ORDER BY 2 DESC`);
  await expect.poll(() => rowsOf(page)).toEqual(below.map(([name, value]) => [name, euros(value)]));

  // The address has all of it.
  await expect.poll(() => page.url()).toContain('?q=');
  const address = page.url();
  const again = await openPage(browser, { storageState: await page.context().storageState() });
  await again.goto(address);
  await expect.poll(() => rowsOf(again)).toEqual(below.map(([name, value]) => [name, euros(value)]));
  await again.close();

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => rowsOf(page)).toEqual(largest.map(([category, value]) => [category, euros(value)]));
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await expect.poll(() => rowsOf(page)).toEqual(below.map(([name, value]) => [name, euros(value)]));

  // The rows behind a mark.
  await page.locator('ui-answer-view service-embed td', { hasText: String(below[0]?.[0]) }).click();
  await page.locator('ui-mark-menu').getByRole('button', { name: 'Rows', exact: true }).click();
  await page.locator('ui-explore-rows service-embed').getByText('Only the first 500 rows').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');

  // Behind it: the SQL, and the same call for a shell.
  await page.getByRole('button', { name: 'Query, plan and code' }).click();
  await page.getByRole('tab', { name: 'SQL and plan' }).click();
  await page.locator('ui-behind ui-code').getByText('SELECT').first().waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Copy as' }).click();
  await page.getByRole('button', { name: 'Hide the query' }).click();

  await page.getByRole('button', { name: 'Save …' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Below the largest');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save query' }).click();
  await page.getByText('The query is at shared/below-the-largest.service.').waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByText('What do you want to know?').waitFor();
  await page.getByRole('button', { name: 'Open …' }).click();
  await page.getByRole('button', { name: /Below the largest/ }).waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: /Below the largest/ }).click();
  await page.getByRole('button', { name: 'Subcategory', exact: true }).waitFor();
  await view(page, 'Table');
  await expect.poll(() => rowsOf(page)).toEqual(below.map(([name, value]) => [name, euros(value)]));
  for (const width of [390, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(width);
  }
  expect(complained).toEqual([]);
});

test('what cannot be combined is dimmed with its reason, and a mistake stands at its chip with the candidates', async () => {
  const { page } = await explore('demo/shop');
  await add(page, 'net sales', /^Net sales/);
  await page.getByLabel('Search fields and metrics').fill('date of count');
  const dimmed = tree(page, /^Date of count/);
  await expect.poll(() => dimmed.getAttribute('aria-disabled')).toBe('true');
  await dimmed.hover();
  await page.locator('ui-field-tree').getByText('Cannot be combined:').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);

  await page.getByRole('button', { name: 'Query, plan and code' }).click();
  const typed = page.getByLabel('Typed request');
  const request = {
    connection: 'demo',
    model: 'shop',
    rows: [{ dataset: 'products', field: 'categori' }],
    values: [{ metric: 'net_sales' }],
  };
  await typed.fill(JSON.stringify(request));
  await typed.blur();
  await page.getByRole('group', { name: 'Use instead' }).getByRole('button', { name: 'category', exact: true }).click();
  await page.getByRole('button', { name: 'Category', exact: true }).waitFor();
  await page.locator('ui-answer-view service-embed svg').first().waitFor();
});

test('a question to a cube is built by clicks: a level in the place of another, a member, rows and an assumption', async () => {
  const { page, complained } = await explore('demo-cubes/Shop/Shop/Sales');
  await add(page, 'net sales', /^Net Sales/);
  await add(page, 'year', /^Year/);
  await view(page, 'Table');
  const years = await ask('SELECT year(date)::VARCHAR, SUM(net_amount) FROM sales GROUP BY 1 ORDER BY 1');
  await expect.poll(async () => (await rowsOf(page)).map(([year]) => year)).toEqual(years.map(([year]) => year));

  await page.getByLabel('Search fields and metrics').fill('country');
  await page.getByRole('button', { name: 'Members of Country' }).click();
  await tree(page, /^Germany/).click();
  await page.getByRole('button', { name: 'Country is Germany', exact: true }).waitFor();
  const german = await ask(`
    SELECT year(date)::VARCHAR, SUM(net_amount) FROM sales JOIN stores USING (store_id) WHERE country = 'Germany' GROUP BY 1 ORDER BY 1`);
  const digits = (text: string) => text.replaceAll(/[^\d.]/g, '');
  await expect
    .poll(async () => (await rowsOf(page)).map(([, value]) => Math.round(Number(digits(value ?? '')))))
    .toEqual(german.map(([, value]) => Math.round(Number(value))));
  expect(await violationsInBothThemes(page)).toEqual([]);

  await page.locator('ui-answer-view service-embed tbody tr', { hasText: '2024' }).locator('td').nth(1).click();
  await page.getByRole('button', { name: 'What if …' }).click();
  await page.locator('ui-explore-rows input').fill('1000000');
  await page.getByRole('button', { name: 'Compute' }).click();
  await page.locator('ui-explore-rows service-embed').getByText('1,000,000').first().waitFor();
  await page.keyboard.press('Escape');

  await page.locator('ui-answer-view service-embed tbody tr', { hasText: '2024' }).locator('td').nth(1).click();
  await page.locator('ui-mark-menu').getByRole('button', { name: 'Rows', exact: true }).click();
  await page.locator('ui-explore-rows service-embed').getByText('Germany').first().waitFor();
  await page.keyboard.press('Escape');

  await add(page, 'quarter', /^Quarter/);
  await page.getByRole('button', { name: 'Quarter', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Year', exact: true }).count()).toBe(0);
  expect(complained).toEqual([]);
});

test('the same is asked by the keyboard alone', async () => {
  const { page } = await explore('demo/shop');
  await page.getByLabel('Search fields and metrics').focus();
  await page.keyboard.type('net sales');
  await tree(page, /^Net sales/)
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('v');
  await page.getByRole('button', { name: 'Net sales', exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('region');
  await tree(page, /^Region/)
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('r');
  const chip = page.getByRole('button', { name: 'Region', exact: true });
  await chip.waitFor();
  await chip.focus();
  await page.keyboard.press('c');
  await page.locator('[data-shelf=columns]').getByRole('button', { name: 'Region', exact: true }).waitFor();
  await page.keyboard.press('r');
  await page.locator('[data-shelf=rows]').getByRole('button', { name: 'Region', exact: true }).waitFor();
  await page.locator('ui-answer-view').getByRole('radio', { name: 'Chart' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const regions = await ask(`
    SELECT region, SUM(net_amount) FROM sales JOIN stores USING (store_id) GROUP BY 1 ORDER BY 1`);
  await expect.poll(() => rowsOf(page)).toEqual(regions.map(([region, value]) => [region, euros(value)]));
  await page.locator('[data-shelf=rows]').getByRole('button', { name: 'Region', exact: true }).focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => page.locator('[data-shelf=rows] .chip').count()).toBe(0);
  await page.keyboard.press('Control+Z');
  await expect.poll(() => rowsOf(page)).toEqual(regions.map(([region, value]) => [region, euros(value)]));
});
