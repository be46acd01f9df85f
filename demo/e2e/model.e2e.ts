/** Tests the page of a model, as somebody who answers for its definitions. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsInBothThemes } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { type Product, startProduct } from './product.ts';

const READER = { user: 'reader', password: 'a reader password, long enough' };

let product: Product;
let browser: Browser;

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  const made = spawnSync(
    process.execPath,
    ['dist/service.js', 'user', 'add', READER.user, '--home', product.home, '--role', 'ROLE_USER'],
    { input: `${READER.password}\n`, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Opens a part of the page of the demo's model, signed in. */
async function opened(
  place: string,
  { user, password } = { user: 'admin', password: product.password },
): Promise<{ page: Page; complained: readonly string[] }> {
  // During the change of themes, colours belong to neither theme.
  const page = await openPage(browser, { reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } });
  const signedIn = await page.request.post(`${product.url}/login`, { data: { username: user, password } });
  expect(signedIn.status()).toBe(200);
  const complained = complaints(page);
  await page.goto(`${product.url}/ui/data/${place}`);
  return { page, complained };
}

/** Audits the page in both themes, and at a phone's width. */
async function audit(page: Page): Promise<void> {
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
}

const sourceText = (): string => readFileSync(join(product.home, 'datasources/shop.yaml'), 'utf8');

test('elements are edited, what breaks is named before the save, and the version before comes back', async () => {
  const before = sourceText();
  const { page, complained } = await opened('demo/datasets/stores');
  const grid = page.getByRole('grid', { name: 'Fields of stores' });
  const row = grid.getByRole('row', { name: /^region/ });
  const edit = async (column: string, text: string) => {
    await row
      .getByRole('gridcell')
      .nth(['Label', 'Description', 'Type', 'Format', 'Other names'].indexOf(column))
      .dblclick();
    const input = page.getByRole('textbox', { name: `${column} of region` });
    await input.fill(text);
    await input.press('Enter');
  };
  await edit('Label', 'Sales region');
  await edit('Description', 'One of four parts of Europe.');
  await edit('Other names', 'area, territory');
  await page.getByRole('button', { name: 'Review and save 3 changes' }).waitFor();
  await page.getByRole('button', { name: 'Undo change' }).click();
  await page.getByRole('button', { name: 'Review and save 2 changes' }).waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByRole('button', { name: 'Review and save 3 changes' }).waitFor();
  await audit(page);

  // A saved query and a tile ask by region.
  const panel = page.locator('ui-field-panel');
  await panel.getByText(/^Named by/).waitFor();
  await panel.getByRole('button', { name: 'Rename…' }).click();
  await panel.getByRole('textbox', { name: 'New name of the field' }).fill('territory');
  await panel.getByRole('button', { name: 'Rename', exact: true }).click();
  await grid.getByRole('row', { name: /^territory/ }).waitFor();

  await page.getByRole('link', { name: 'Metrics', exact: true }).click();
  await page.getByRole('link', { name: /^Margin rate/ }).click();
  const formula = page.getByRole('textbox', { name: 'Formula of margin_rate' });
  const metric = page.locator('ui-metric-panel');
  await metric.getByText(/^Today/).waitFor();
  const retype = async (text: string) => {
    await formula.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  };
  await retype('margin / SUM(sales.net_amout) ');
  await metric.getByText('sales has no field "net_amout".').waitFor();
  expect(await metric.getByRole('button', { name: 'Use this formula' }).isDisabled()).toBe(true);
  // The completion of a name by keyboard.
  await retype('100 * margin / SUM(sales.net_a');
  await page.getByRole('option', { name: /net_amount/, selected: true }).waitFor();
  // The editor ignores Enter for 75 ms after its list opens, so that nobody accepts a name by accident.
  await page.waitForTimeout(200);
  await formula.press('Enter');
  await expect.poll(() => formula.textContent()).toContain('net_amount');
  await formula.press('End');
  await formula.pressSequentially(')');
  await metric.getByText(/^Today/).waitFor();
  await metric.getByRole('button', { name: 'Use this formula' }).click();
  const format = metric.getByRole('combobox', { name: /^Format/ });
  await format.fill('0.000');
  await format.press('Tab');
  await metric.getByText(/^Today \d\d\.\d\d\d$/).waitFor();

  await page.getByRole('link', { name: /^Out of stock/ }).click();
  await metric.getByText('Named by', { exact: false }).waitFor();
  await metric.getByRole('button', { name: 'Remove metric' }).click();

  // A reload does not lose the draft.
  await page.reload();
  await page.getByRole('button', { name: /^Review and save 7 changes/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Review your changes' });
  await dialog.getByText(/^\d+ things? breaks?$/).waitFor();
  const breaks = dialog.getByRole('region', { name: 'What breaks' });
  await breaks.getByRole('link', { name: 'Out of stock' }).first().waitFor();
  await dialog.getByRole('heading', { name: 'Receive new names' }).waitFor();
  await dialog.getByRole('link', { name: 'shared/demo/sales-by-region.service' }).waitFor();
  await audit(page);
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await page.getByText('Saved. The new version is in use.').waitFor();

  const after = sourceText();
  expect(after).toContain('# The fiscal year begins after the January sales.');
  expect(after).toContain('name: territory');
  expect(after).toContain('label: Sales region');
  expect(after).not.toContain('out_of_stock_rate');
  const renamed = await product.call('GET', '/rest/service/api/repository/shared/demo/sales-by-region.service');
  expect(JSON.stringify(renamed.body)).toContain('territory');

  await page.getByRole('link', { name: 'History', exact: true }).click();
  await page.getByRole('link', { name: /The document before the first change here/ }).click();
  await page.getByRole('region', { name: 'Changed lines' }).getByText('label: Sales region').waitFor();
  await audit(page);
  await page.getByRole('button', { name: 'Go back to this version…' }).click();
  const back = page.getByRole('dialog', { name: 'Go back to this version?' });
  await back.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(sourceText).toBe(before);
  const restored = await product.call('GET', '/rest/service/api/repository/shared/demo/sales-by-region.service');
  expect(JSON.stringify(restored.body)).not.toContain('territory');
  expect(complained).toEqual([]);
  await page.context().close();
});

test('by keyboard alone: a label is changed in the grid, reviewed, saved, and the save is undone', async () => {
  const before = sourceText();
  const { page, complained } = await opened('demo/datasets/products');
  const grid = page.getByRole('grid', { name: 'Fields of products' });
  await grid.getByRole('row', { name: /^category/ }).waitFor();
  await page.getByRole('searchbox', { name: 'Filter fields' }).focus();
  await page.keyboard.type('category');
  // Past the buttons that sort, into the grid.
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator('[role=gridcell]:focus, [role=rowheader]:focus').count()) > 0) break;
  }
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await page.keyboard.type('Family');
  await page.keyboard.press('Enter');
  const review = page.getByRole('button', { name: 'Review and save 1 change' });
  await review.waitFor();
  await review.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Review your changes' });
  await dialog.getByText('Nothing breaks').waitFor();
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await save.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Saved. The new version is in use.').waitFor();
  expect(sourceText()).toContain('label: Family');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await undo.focus();
  await page.keyboard.press('Enter');
  await expect.poll(sourceText).toBe(before);
  expect(complained).toEqual([]);
  await page.context().close();
});

test('somebody else saves first: the draft stays and is reviewed again', async () => {
  const { page } = await opened('demo');
  const names = page.getByRole('textbox', { name: /^Other names/ });
  await names.fill('retail, chain');
  await names.press('Tab');
  await page.getByRole('button', { name: 'Review and save 1 change' }).waitFor();
  const MODEL = '/rest/service/api/admin/models/demo';
  const { version } = (await product.call('GET', MODEL)).body as { version: string };
  const other = await product.call('POST', `${MODEL}/save`, {
    version,
    edits: [{ op: 'set', on: { kind: 'metric', name: 'net_sales' }, property: 'description', value: 'All sales.' }],
  });
  expect(other.status).toBe(200);
  await page.getByRole('button', { name: 'Review and save 1 change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review your changes' });
  await dialog.getByText('Somebody has saved this model meanwhile.', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. The new version is in use.').waitFor();
  expect(sourceText()).toContain('description: All sales.');
  expect(sourceText()).toContain('synonyms: [retail, chain]');
  await page.context().close();
});

test('every part of the page is legible in both themes and on a phone, and moves by keyboard', async () => {
  const { page, complained } = await opened('demo');
  const sales = page.getByRole('link', { name: /^sales .* rows?, joins/ });
  await sales.waitFor();
  await audit(page);
  await sales.focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate(() => Reflect.get(globalThis, 'document').activeElement.tagName)).toBe('UI-MODEL');
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await page.getByRole('row', { name: /^sales .*sales\.store_id = stores\.store_id/ }).waitFor();

  await page.getByRole('link', { name: 'Relationships', exact: true }).click();
  await page.getByRole('button', { name: 'Check this join' }).click();
  await page.getByText('Joins well').waitFor();
  await audit(page);

  await page.getByRole('link', { name: 'Access', exact: true }).click();
  await page.getByRole('textbox', { name: 'Another role' }).fill('ROLE_PARTNER');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'Show all, also without a rule' }).check();
  await page.getByRole('checkbox', { name: 'Partner sees margin', exact: true }).uncheck();
  await page.getByRole('listitem').filter({ hasText: 'Partner does not see Margin' }).waitFor();
  await audit(page);

  await page.getByRole('link', { name: 'Document', exact: true }).click();
  await page.getByRole('textbox', { name: 'Source of the document' }).waitFor();
  await page.getByText('This is the source with your changes in it.', { exact: false }).waitFor();
  await audit(page);
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(complained).toEqual([]);
  await page.context().close();
});

test('cubes and readers see an honest page instead of an error', async () => {
  const cubes = await opened('demo-cubes');
  await cubes.page
    .getByRole('region', { name: /^Measures of/ })
    .first()
    .waitFor();
  await audit(cubes.page);
  await cubes.page.context().close();
  const reader = await opened('demo', READER);
  await reader.page.getByText('Only administrators of this service change models.', { exact: false }).waitFor();
  await reader.page.getByRole('region', { name: 'Fields of stores' }).waitFor();
  await audit(reader.page);
  await reader.page.context().close();
  const nobody = await openPage(browser);
  await nobody.goto(`${product.url}/ui/data/demo/`);
  await nobody.getByRole('heading', { name: 'Sign in to see this model' }).waitFor();
  await nobody.context().close();
});
