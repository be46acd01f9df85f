/** Tests the page of documents as somebody works with it: from saved queries to a dashboard with a filter, by clicks and by keys; undo, versions, conflicts. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations, violationsInBothThemes } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { tableCells } from './embedding.ts';
import { serveHost } from './host-page.ts';
import { pressKey, typeInto } from './keyboard.ts';
import { DEMO_WAREHOUSE, type Product, startProduct } from './product.ts';
import { signIn } from './sign-in.ts';

const API = '/rest/service/api';
const BOARD = 'shared/walk/shop-board.servicedash';

let product: Product;
let browser: Browser;
let page: Page;
let complained: readonly string[];

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  page = await openPage(browser, {
    viewport: { width: 1280, height: 1000 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  complained = complaints(page);
  await page.goto(`${product.url}/ui/documents/`);
  await signIn(page, product);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Asks the tables themselves, by a statement that no part of the product has written. */
async function ask(sql: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(process.env[DEMO_WAREHOUSE] ?? '', { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(sql);
  connection.closeSync();
  instance.closeSync();
  return reader.getRowsJson();
}

/** Sums net sales of 2025. */
async function netSales(region?: string): Promise<string> {
  const where = region === undefined ? '' : ` AND region = '${region}'`;
  const [row] = await ask(
    `SELECT round(sum(net_amount))::DOUBLE FROM sales LEFT JOIN stores USING (store_id) WHERE year(date) = 2025${where}`,
  );
  return Number(row?.[0]).toLocaleString('en-US');
}

async function storeNames(): Promise<readonly string[]> {
  return (await ask('SELECT store_name FROM stores')).map(([name]) => String(name));
}

const tile = (name: string): Locator => page.getByRole('group', { name: new RegExp(`^${name}: tile`) });

async function addQuery(title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add tile', exact: true }).click();
  await page.getByRole('menuitem', { name: 'From a saved query' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tile from a saved query' });
  await dialog.getByRole('combobox').fill(title);
  await dialog.getByRole('option').filter({ hasText: title }).first().click();
  await tile(title).waitFor();
}

/** Adds a tile of a metric by a field, built in the explorer over the dashboard. */
async function askNew(metric: string, field: string): Promise<void> {
  await page.getByRole('button', { name: 'Add tile', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New query' }).click();
  const sheet = page.getByRole('dialog', { name: /^New tile/ });
  await sheet.getByRole('button', { name: /^shop demo · semantic model/i }).click();
  for (const name of [metric, field]) {
    await sheet.getByLabel('Search fields and metrics').fill(name);
    await sheet
      .getByRole('treeitem', { name: new RegExp(`^${name}`, 'i') })
      .first()
      .click();
  }
  await sheet.locator('ui-answer-view service-embed svg').first().waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Add to the dashboard' }).click();
  await tile('Net sales by Category').waitFor();
  // The keyboard is at the new tile: e opens its query again.
  await expect.poll(() => tile('Net sales by Category').evaluate((each) => each.matches(':focus'))).toBe(true);
  await page.keyboard.press('e');
  const query = page.getByRole('dialog', { name: /^Query of/ });
  await query.getByRole('button', { name: 'Category', exact: true }).waitFor();
  await query.getByRole('button', { name: 'Apply to the tile' }).click();
  await query.waitFor({ state: 'detached' });
}

test('folders lead to documents, and a search finds them', async () => {
  await page.getByRole('link', { name: 'shared', exact: true }).click();
  await page.getByRole('link', { name: 'demo', exact: true }).click();
  await page.getByRole('link', { name: 'Sales by region' }).waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('searchbox').fill('region sales');
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'Sales by region' }).count()).toBe(1);
  await page.getByRole('searchbox').fill('no such words');
  await page.getByRole('heading', { name: 'No document has these words' }).waitFor();
});

test('a saved query opens in its best form, and remembers another one', async () => {
  await page.goto(`${product.url}/ui/documents/shared/demo/sales-by-region.service`);
  await expect
    .poll(() => page.getByRole('button', { name: 'Chart', exact: true }).getAttribute('aria-pressed'))
    .toBe('true');
  await page.locator('service-embed svg').first().waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  expect((await saved).status()).toBe(200);
  await page.reload();
  await page.locator('service-embed table').waitFor();
  const cells = await tableCells(page.locator('service-embed table'));
  expect(cells.flat().join(' ')).toContain('Central');
  // On a German page the figures are German, too: 2.345.678.
  const german = cells.map((row) => row.map((text) => text.replaceAll(',', '.')));
  expect(german).not.toEqual(cells);
  await page.evaluate("localStorage.setItem('service.language', 'de')");
  await page.reload();
  await expect.poll(() => tableCells(page.locator('service-embed table'))).toEqual(german);
  await page.evaluate("localStorage.removeItem('service.language')");
  // A table of texts is no chart.
  await page.goto(`${product.url}/ui/documents/shared/demo/all-stores.service`);
  await page.locator('service-embed table').waitFor();
});

test('a saved query is changed in the explorer, and saved as a new version of its document', async () => {
  await page.goto(`${product.url}/ui/documents/shared/demo/sales-by-region.service`);
  await page.getByRole('link', { name: 'Edit in explorer' }).click();
  await page.getByRole('heading', { name: 'Sales by region', level: 1 }).waitFor();
  await page.getByLabel('Search fields and metrics').fill('channel');
  await page
    .getByRole('treeitem', { name: /^Channel/ })
    .first()
    .click();
  await page.locator('ui-answer-view service-embed').getByText('Click & Collect').first().waitFor();
  // What a click leads to in embeds is part of the document.
  await page.getByRole('button', { name: 'What a click leads to' }).click();
  const clicks = page.locator('ui-drill-dialog');
  await clicks.getByLabel('From Region down').selectOption({ label: 'Along these fields' });
  await clicks.getByLabel('Add a field: From Region down').selectOption({ label: 'City' });
  await clicks.getByLabel('Rows behind a figure').selectOption({ label: 'With the fields that the model allows' });
  expect(await violationsInBothThemes(page)).toEqual([]);
  await clicks.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as a new version of “Sales by region”.').waitFor();
  const { body: stored } = await product.call('GET', `${API}/repository/shared/demo/sales-by-region.service`);
  expect(stored).toMatchObject({
    document: { drill: { down: [{ field: 'stores.region', to: ['stores.city'] }], rows: true } },
  });
  await page.reload();
  await page.getByRole('link', { name: 'To the document' }).click();
  await page.locator('service-embed').getByText('Click & Collect').first().waitFor();
  await page.getByRole('button', { name: 'Actions for Sales by region' }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  await page
    .getByRole('button', { name: /^Restore/ })
    .first()
    .click();
  await expect
    .poll(async () => {
      const { body } = await product.call('GET', `${API}/repository/shared/demo/sales-by-region.service`);
      return JSON.stringify(body);
    })
    .not.toContain('channel');
});

test('a dashboard of four tiles and a filter is arranged by clicks, and its figures are those of the data', async () => {
  await page.goto(`${product.url}/ui/documents/shared/`);
  await page.getByRole('button', { name: 'New dashboard' }).click();
  const dialog = page.getByRole('dialog', { name: 'New dashboard' });
  await dialog.getByLabel('Title').fill('Shop board');
  await dialog.getByLabel('Description').fill('For the walk.');
  await dialog.getByLabel('Folder').fill('shared/walk');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'This dashboard has no tiles yet' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/ui/documents/${BOARD}`);
  await addQuery('Key figures');
  await addQuery('Sales by region');
  await addQuery('All stores');
  await askNew('net sales', 'category');
  await page.getByRole('button', { name: 'Add tile', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Text' }).click();
  const text = page.getByRole('dialog', { name: 'Add a text' });
  await text.getByLabel('Text', { exact: true }).fill('# Sales of 2025\n\n**Net**, <b>as they are</b>');
  await text.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('heading', { name: 'Sales of 2025' }).waitFor();
  await page.getByText('<b>as they are</b>').waitFor();
  await page.getByRole('button', { name: 'Add tile', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Filter' }).click();
  const filter = page.getByRole('dialog', { name: 'Add a filter' });
  await filter.getByLabel('Title').fill('Region');
  await filter.getByLabel('Field').fill('stores.region');
  await filter.getByRole('checkbox', { name: 'All stores' }).uncheck();
  await filter.getByRole('button', { name: 'Add', exact: true }).click();
  await tile('Region').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  const number = page.getByRole('region', { name: 'Key figures' });
  const all = await netSales();
  await number.getByText(all).first().waitFor();
  await page.getByRole('combobox', { name: /^Region/ }).selectOption('North');
  const north = await netSales('North');
  expect(north).not.toBe(all);
  await number.getByText(north).first().waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
});

/** Shares what is open, and returns the HTML that the dialog copies. `press` works with a control as somebody does. */
async function copiedHtml(press: (control: Locator) => Promise<void>): Promise<string> {
  await press(page.getByRole('button', { name: 'Share', exact: true }));
  const dialog = page.getByRole('dialog', { name: /^Share/ });
  await press(dialog.getByRole('button', { name: 'Create token' }));
  await dialog.getByText('Copy the token now').waitFor();
  await press(dialog.getByRole('button', { name: /^Copy HTML/ }));
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('<service-embed');
  const html = String(await page.evaluate('navigator.clipboard.readText()'));
  await page.keyboard.press('Escape');
  return html;
}

/** Opens HTML as a page of another origin. */
async function onAnotherOrigin(html: string, check: (visitor: Page) => Promise<void>): Promise<void> {
  const host = await serveHost({
    pages: {
      '/': `<!doctype html><html lang="en"><title>Host</title><main><h1>Host</h1><h2>Sales</h2>${html}</main></html>`,
    },
  });
  const visitor = await openPage(browser, { viewport: { width: 1280, height: 1000 }, reducedMotion: 'reduce' });
  try {
    await visitor.goto(host.url);
    await check(visitor);
  } finally {
    await visitor.close();
    await host.stop();
  }
}

/** Reads the names of the stores in the table of an embed. */
async function storesIn(visitor: Page): Promise<readonly (string | undefined)[]> {
  const table = visitor.locator('service-embed').getByRole('region', { name: 'All stores' }).locator('table');
  const [header = [], ...rows] = await tableCells(table);
  return rows.map((row) => row[header.indexOf('Store')]);
}

/** Checks that HTML shows the figure, a table of all stores, bars and a text in a page of another origin. */
async function showsTheBoard(html: string, figure: string): Promise<void> {
  await onAnotherOrigin(html, async (visitor) => {
    const embed = visitor.locator('service-embed');
    await embed.getByText(figure).first().waitFor();
    await embed.getByRole('heading', { name: 'Sales of 2025' }).waitFor();
    await embed.locator('svg').first().waitFor();
    // Each tile is read by itself.
    await expect.poll(async () => (await storesIn(visitor)).length).toBeGreaterThan(0);
    const names = await storesIn(visitor);
    expect(await storeNames()).toEqual(expect.arrayContaining([...names]));
    // The filter is for our own pages.
    expect(await embed.getByRole('combobox').count()).toBe(0);
    expect(await violations(visitor)).toEqual([]);
  });
}

test('the dashboard is shared into a page of another origin, with the figures of the data', async () => {
  await showsTheBoard(await copiedHtml((control) => control.click()), await netSales());
});

test('forms of a tile name what a click narrows and leads to, and a page of another origin follows', async () => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await tile('Sales by region').getByRole('button', { name: 'Settings of Sales by region' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of the tile' });
  for (const form of ['line', 'table']) {
    await settings.getByLabel('Show as').selectOption(form);
    expect(await violationsInBothThemes(page), form).toEqual([]);
  }
  await settings.getByRole('checkbox', { name: 'All stores' }).check();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await settings.getByRole('button', { name: 'Apply' }).click();
  // The form of clicks, by its key.
  await tile('Sales by region').focus();
  await page.keyboard.press('c');
  const clicks = page.locator('ui-drill-dialog');
  await clicks.getByLabel('From Region down').selectOption({ label: 'Along these fields' });
  const city = clicks.getByRole('button', { name: 'Remove City' });
  for (const removed of [true, false]) {
    await clicks.getByLabel('Add a field: From Region down').selectOption({ label: 'City' });
    await city.waitFor();
    if (removed) await city.click();
  }
  expect(await violationsInBothThemes(page)).toEqual([]);
  await clicks.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  const html = (await copiedHtml((control) => control.click())).replace(
    '<service-embed',
    '<service-embed filters drill',
  );
  await onAnotherOrigin(html, async (visitor) => {
    const named = async () => (await storesIn(visitor)).toSorted();
    const north = await ask(`SELECT store_name FROM stores WHERE region = 'North'`);
    await expect.poll(async () => (await named()).length).toBeGreaterThan(north.length);
    const regions = visitor.locator('service-embed').getByRole('region', { name: 'Sales by region' });
    const choose = async (action: string) => {
      await regions.getByText('North', { exact: true }).click();
      await visitor.getByRole('menuitem', { name: action }).click();
    };
    await choose('Filter other tiles');
    await expect.poll(named).toEqual(north.map(([name]) => name).toSorted());
    await choose('Drill down to City');
    const cities = await ask(`SELECT DISTINCT city FROM stores WHERE region = 'North'`);
    const shown = async () => (await tableCells(regions.locator('table'))).slice(1).map(([name]) => name);
    await expect.poll(async () => (await shown()).toSorted()).toEqual(cities.map(([name]) => name).toSorted());
  });
});

test('the keyboard moves, resizes and removes tiles; undo and redo follow; what is not saved is kept', async () => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const figures = tile('Key figures');
  await figures.focus();
  const before = await figures.getAttribute('aria-label');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => figures.getAttribute('aria-label')).toMatch(/column 2,/);
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => figures.getAttribute('aria-label')).toMatch(/4 high/);
  await page.keyboard.press('Delete');
  await figures.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => figures.getAttribute('aria-label')).toBe(before);
  await page.keyboard.press('Control+y');
  await expect.poll(() => figures.getAttribute('aria-label')).toMatch(/column 2,/);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText('These are your unsaved changes').waitFor();
  await expect.poll(() => tile('Key figures').getAttribute('aria-label')).toMatch(/column 2,/);
});

test('a tile is dragged with the pointer', async () => {
  const box = await tile('All stores').boundingBox();
  const before = await tile('All stores').getAttribute('aria-label');
  if (box === null) throw new Error('the tile is not shown');
  await page.mouse.move(box.x + 40, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 116, { steps: 6 });
  await page.mouse.up();
  await expect.poll(() => tile('All stores').getAttribute('aria-label')).not.toBe(before);
});

test('the preview shows three widths and both themes', async () => {
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog', { name: 'Preview' });
  for (const width of ['390', '820', '1280']) await preview.getByRole('button', { name: width }).click();
  await preview.getByRole('button', { name: 'Dark' }).click();
  await preview.locator('service-embed[theme=dark]').first().waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await preview.getByRole('button', { name: 'Close' }).click();
});

test('a save over the change of somebody else is reported, and both are kept', async () => {
  const { body } = await product.call('GET', `${API}/repository/${BOARD}`);
  const { document: theirs } = body as { document: Record<string, unknown> };
  await product.call('PUT', `${API}/repository/${BOARD}`, { ...theirs, title: 'Their board' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Somebody else has saved this dashboard').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByRole('heading', { name: 'Shop board', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
});

const act = async (of: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${of}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

test('versions are listed, and their version is restored', async () => {
  await act('Shop board', 'Versions');
  const dialog = page.getByRole('dialog', { name: 'Versions' });
  await dialog.getByText('Present version').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog
    .getByRole('button', { name: /^Restore/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Their board', level: 1 }).waitFor();
});

test('a document is renamed, moved, duplicated and deleted, each with an undo', async () => {
  await act('Their board', 'Rename');
  await page.getByRole('dialog', { name: 'Rename' }).getByLabel('Title').fill('Our board');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Our board', level: 1 }).waitFor();
  await act('Our board', 'Move');
  await page.getByRole('dialog', { name: /^Move/ }).getByLabel('Path').fill('shared/walk/deep/board.servicedash');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/ui/documents/shared/walk/deep/board.servicedash');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/ui/documents/${BOARD}`);
  await act('Our board', 'Delete');
  await page.getByRole('button', { name: 'New dashboard' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Our board' }).click();
  await page.getByRole('heading', { name: 'Our board', level: 1 }).waitFor();
});

test('an address without a page says so and offers the search; Ctrl K finds a document', async () => {
  const response = await page.goto(`${product.url}/ui/no/such/page`);
  expect(response?.status()).toBe(404);
  await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  // At once: what is typed before the search is there belongs to it.
  await page.keyboard.type('our board');
  await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('our board');
  await page
    .getByRole('option', { name: /Our board/ })
    .first()
    .waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Our board', level: 1 }).waitFor();
});

/** Opens the menu of new tiles and takes an entry by its first letter: the first one that begins so, or a later one. */
async function addByKeys(letter: string, count = 1): Promise<void> {
  await pressKey(page.getByRole('button', { name: 'Add tile', exact: true }));
  await page.getByRole('menu', { name: 'Add tile' }).waitFor();
  for (let pressed = 0; pressed < count; pressed++) await page.keyboard.press(letter);
  await page.keyboard.press('Enter');
}

test('the same dashboard is built, saved and shared by the keyboard alone', async () => {
  await page.goto(`${product.url}/ui/documents/shared/`);
  await pressKey(page.getByRole('button', { name: 'New dashboard' }));
  await page.getByRole('dialog', { name: 'New dashboard' }).waitFor();
  await page.keyboard.type('Key board');
  await page.keyboard.press('Enter');
  await pressKey(page.getByRole('button', { name: 'New query', exact: true }));
  const sheet = page.getByRole('dialog', { name: /^New tile/ });
  await pressKey(sheet.getByRole('button', { name: /^shop demo · semantic model/i }));
  await typeInto(sheet.getByLabel('Search fields and metrics'), 'net sales');
  await sheet
    .getByRole('treeitem', { name: /^Net sales/ })
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('v');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('category');
  await sheet
    .getByRole('treeitem', { name: /^Category/ })
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('r');
  await sheet.locator('ui-answer-view service-embed svg').first().waitFor();
  await pressKey(sheet.getByRole('button', { name: 'Add to the dashboard' }));
  await tile('Net sales by Category').waitFor();
  for (const title of ['Key figures', 'All stores']) {
    await addByKeys('f');
    const picker = page.getByRole('dialog', { name: 'Add a tile from a saved query' });
    await picker.getByRole('option').first().waitFor();
    await page.keyboard.type(title);
    await picker
      .getByRole('option', { name: new RegExp(title) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await tile(title).waitFor();
  }
  await addByKeys('t');
  const text = page.getByRole('dialog', { name: 'Add a text' });
  await typeInto(text.getByLabel('Text', { exact: true }), '# Sales of 2025');
  await pressKey(text.getByRole('button', { name: 'Add', exact: true }));
  await page.getByRole('heading', { name: 'Sales of 2025' }).waitFor();
  // The first entry with an f is a saved query, the second a filter.
  await addByKeys('f', 2);
  const filter = page.getByRole('dialog', { name: 'Add a filter' });
  await typeInto(filter.getByLabel('Title'), 'Region');
  await typeInto(filter.getByLabel('Field'), 'stores.region');
  await pressKey(filter.getByRole('button', { name: 'Add', exact: true }));
  await tile('Region').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  await showsTheBoard(await copiedHtml(pressKey), await netSales());
});

test('a token is revoked after a question', async () => {
  await page.goto(`${product.url}/ui/develop/tokens/`);
  const buttons = page.getByRole('button', { name: /^Revoke/ });
  await buttons.first().waitFor();
  const count = await buttons.count();
  await buttons.first().click();
  const question = page.getByRole('dialog', { name: /^Revoke .*\?$/ });
  await question.waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await question.getByRole('button', { name: 'Revoke', exact: true }).click();
  await question.waitFor({ state: 'hidden' });
  await expect.poll(() => buttons.count()).toBe(count - 1);
});

test('the page logs no error except the refused save and the missing page', () => {
  expect(complained.filter((text) => !/409|404/.test(text))).toEqual([]);
});
