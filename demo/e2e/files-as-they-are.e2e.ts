/** Tests that realistic files become a model without a silent loss: the page shows each loss, and a click repairs it. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDuckdb } from '../../server/warehouse/testing/engines.ts';
import { violations } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { type Product, startProduct } from './product.ts';

const ORDERS = 400;
const CITIES = ['Ulm', 'Köln', 'Bonn'];

/** An order with its expected values. */
interface Order {
  readonly customer: number | undefined;
  /** Undefined where the file says `k.A.` */
  readonly cents: number | undefined;
}

function orderAt(index: number): Order {
  return {
    customer: index % 66 === 5 ? undefined : 1_000 + (index % 40),
    cents: index % 80 === 7 ? undefined : 1_000 + (index % 20) * 50,
  };
}

/** Writes orders with titles, decimal commas, a unit in some cells, words for a missing value, short years and a short line. */
function ordersFile(): string {
  const lines = ['Auftragsliste 2024;;;;', '', 'Auftragsnr;Kundennr;Datum;Betrag;Kanal'];
  for (let index = 0; index < ORDERS; index++) {
    const { customer, cents } = orderAt(index);
    const number = cents === undefined ? 'k.A.' : (cents / 100).toFixed(2).replace('.', ',');
    const amount = cents !== undefined && index % 10 === 0 ? `${number} €` : number;
    const [day, month] = [(index % 28) + 1, (index % 12) + 1].map((part) => String(part).padStart(2, '0'));
    const date = `${day}.${month}.${index % 50 === 3 ? '24' : '2024'}`;
    const channel = index === 111 ? '' : `;${['Web', 'Laden', 'Telefon'][index % 3]}`;
    lines.push(`${5_000 + index};${customer ?? ''};${date};${amount}${channel}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Writes 40 customers, two of them twice. */
function customersFile(): string {
  const line = (index: number): string => `${1_000 + index};${CITIES[index % 3]};Straße ${index}`;
  const lines = Array.from({ length: 40 }, (_, index) => line(index));
  return `${['Kundennr;Ort;Anschrift', ...lines, `${line(7)} a`, `${line(9)} a`].join('\n')}\n`;
}

/** Returns the amount of a city's customers, or of orders without a customer, as the page shows it. */
function amountOf(city: string | undefined): string {
  const cents = Array.from({ length: ORDERS }, (_, index) => orderAt(index))
    .filter(({ customer }) => (customer === undefined ? undefined : CITIES[(customer - 1_000) % 3]) === city)
    .reduce((sum, order) => sum + (order.cents ?? 0), 0);
  return (cents / 100).toLocaleString('en', { minimumFractionDigits: 2 });
}

/** Writes 60 stocks of 20 parts, under another name than the parts have. */
function stockFile(): string {
  const lines = Array.from({ length: 60 }, (_, index) => `${index % 3},T${(index % 20) + 10},${index + 1}`);
  return `${['Halle,Teil,Menge', ...lines].join('\n')}\n`;
}

/** Writes 20 parts of two groups, three of them twice. */
function assortmentFile(): string {
  const line = (index: number): string => `T${index + 10},${index % 2 === 0 ? 'Holz' : 'Metall'}`;
  const lines = Array.from({ length: 20 }, (_, index) => line(index));
  return `${['Bezug,Werkstoff', ...lines, line(1), line(2), line(3)].join('\n')}\n`;
}

/** Writes 120 deliveries with a price, which two columns may weight, and a rate that none can. */
function deliveriesFile(): string {
  const lines = Array.from({ length: 120 }, (_, index) => {
    const step = index % 7;
    const [price, pieces, pallets] = [200 + step * 15, 1 + step * 3, 10 - step];
    const date = `2024-${String((index % 12) + 1).padStart(2, '0')}-${String((index % 28) + 1).padStart(2, '0')}`;
    return `${index + 1};${date};${CITIES[index % 3]};${(price / 100).toFixed(2).replace('.', ',')};${pieces};${pallets}`;
  });
  return `${['Liefernr;Datum;Ort;Preis;Stück;Paletten', ...lines].join('\n')}\n`;
}

let product: Product;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-files-'));
  writeFileSync(join(folder, 'auftraege.csv'), ordersFile());
  writeFileSync(join(folder, 'kunden.csv'), customersFile());
  writeFileSync(join(folder, 'bestand.csv'), stockFile());
  writeFileSync(join(folder, 'sortiment.csv'), assortmentFile());
  writeFileSync(join(folder, 'lieferungen.csv'), deliveriesFile());
  product = await startProduct({ args: [] });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function repair(page: Page, label: string): Promise<void> {
  const before = page.waitForResponse((response) => response.url().endsWith('/inference/import'));
  await page.locator('ui-losses').getByRole('button', { name: label }).first().click();
  expect((await before).status()).toBe(201);
  await page.getByText('Reading the files again').waitFor({ state: 'detached' });
}

/** Returns the page with the files dropped, as the administrator sees it. */
async function opened(files: readonly string[]): Promise<{ page: Page; complained: readonly string[] }> {
  const page = await openPage(browser, { reducedMotion: 'reduce' });
  const complained = complaints(page);
  await page.goto(`${product.url}/ui/add-data/`);
  await page.getByRole('button', { name: 'Sign in' }).last().click();
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill(product.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Drop/ }).waitFor();
  await page.locator('input[type=file]').setInputFiles(files.map((name) => join(folder, name)));
  await page.getByRole('heading', { name: 'Suggested model' }).waitFor();
  return { page, complained };
}

/** Returns the group of a chart as its title names it: `Ort` of "Umsatz nach Ort". */
async function groupOf(chart: Locator): Promise<string> {
  return ((await chart.getByRole('heading').textContent()) ?? '').replace(/^.* nach /, '');
}

/** Shows the parts of the page for people who look at it, in a folder that the variable names. */
async function photograph(page: Page, name: string): Promise<void> {
  const shots = process.env.SERVICE_E2E_SHOTS;
  if (shots === undefined) return;
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(shots, `${name}-${theme}-${width}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('every loss of two files is reported in numbers and repaired by a click, and the answers add up', async () => {
  const { page, complained } = await opened(['auftraege.csv', 'kunden.csv']);
  await page.getByRole('heading', { name: 'Check these first' }).waitFor();
  const losses = page.locator('ui-losses li.loss .message');
  expect(await losses.allTextContents()).toEqual([
    '1 of 400 lines has fewer than 5 values (line 115): the last ones are empty.',
    '5 of 400 values of Betrag are not numbers: k.A. (5). The column is kept as text.',
    '6 of 400 rows of auftraege have no row in kunden (Kundennr is empty or unknown there). Answers show them in a group without a name.',
    'Kundennr is not unique in kunden: 2 rows too many. Without a unique column, the table cannot be joined.',
  ]);
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    expect(await violations(page)).toEqual([]);
  }
  // A key is no measure, even while its table cannot be joined.
  expect(await page.getByLabel('Name of the measure from Kundennr').count()).toBe(0);

  await repair(page, 'Treat these values as empty');
  const name = page.getByLabel('Name of the measure from Betrag');
  await name.fill('Umsatz');
  await name.press('Tab');
  await repair(page, 'Keep the first row of each Kundennr');
  expect(readdirSync(join(product.home, 'data/imports')).filter((file) => file.endsWith('.duckdb'))).toHaveLength(1);
  expect(await name.inputValue()).toBe('Umsatz');
  const figures = page.getByRole('region', { name: 'Key figures' });
  const all = Array.from({ length: ORDERS }, (_, index) => orderAt(index).cents ?? 0).reduce((sum, each) => sum + each);
  await figures.getByText((all / 100).toLocaleString('en', { minimumFractionDigits: 2 }), { exact: true }).waitFor();
  const byCity = page.getByRole('region', { name: /Umsatz nach (Ort|Kunden)/ });
  await expect
    .poll(async () => (await byCity.getByRole('listitem').allTextContents()).map((text) => text.replaceAll(/\s+/g, '')))
    .toEqual([
      ...['Ulm', 'Bonn', 'Köln'].map((city) => `${city}${amountOf(city)}`),
      `Ohne${(await groupOf(byCity)).replaceAll(' ', '')}${amountOf(undefined)}`,
    ]);
  const cents = (city: string | undefined): number => Number(amountOf(city).replaceAll(',', ''));
  const share = (100 * cents(undefined)) / (all / 100);
  expect(await byCity.textContent()).toContain(`${share.toFixed(1)}% of Umsatz has no `);

  // A choice is withdrawn, and another one is made at the column.
  await page.getByRole('button', { name: 'Undo the last choice' }).click();
  await page.getByText('Kundennr is not unique in kunden').waitFor();
  await repair(page, 'Keep the first row of each Kundennr');
  await page.locator('ui-profile summary', { hasText: 'kunden' }).click();
  await page.getByLabel('Type of Kundennr').last().selectOption({ label: 'Text' });
  await page.getByText('Reading the files again').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Type of Kundennr').last().inputValue()).toBe('text');
  expect(complained).toEqual([]);
});

test('two files become a published model and a first dashboard by clicks alone', async () => {
  const { page, complained } = await opened(['auftraege.csv', 'kunden.csv']);
  await repair(page, 'Treat these values as empty');
  await repair(page, 'Keep the first row of each Kundennr');
  await photograph(page, 'add-data');
  // No column is lost: each has a use, and the many addresses are an attribute with the reason.
  await page.locator('ui-profile summary', { hasText: 'kunden' }).click();
  await page.locator('ui-profile summary', { hasText: 'auftraege' }).click();
  const uses = page.locator('ui-profile td.use select');
  expect(await uses.count()).toBe(8);
  await page.getByLabel('Use of Anschrift').selectOption({ label: 'Personal, in no answer' });
  await page.getByLabel('Use of Kanal').selectOption({ label: 'Attribute' });
  await page.getByLabel('Use of Betrag').selectOption({ label: 'Measure, not added up' });
  await page.getByLabel('Use of Betrag').selectOption({ label: 'Measure' });
  expect(await page.getByLabel('Keep the dimension Kanal').isChecked()).toBe(false);
  await photograph(page, 'columns');
  const name = page.getByLabel('Name of the measure from Betrag');
  await name.fill('Umsatz');
  await name.press('Tab');
  await page.getByText('6 of 400 rows of auftraege have no row in kunden').last().waitFor();
  await page.locator('ui-publish input[name=name]').fill('handel');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const link = page.getByRole('link', { name: 'Open the dashboard' });
  await link.waitFor();
  expect(await violations(page)).toEqual([]);
  expect(complained).toEqual([]);
});

test('two tables are joined by clicking, with the rows that are too many and the way out', async () => {
  const { page, complained } = await opened(['bestand.csv', 'sortiment.csv']);
  await page.locator('ui-joins summary').click();
  await page.getByLabel('Column that refers').selectOption({ label: 'Teil (bestand)' });
  await page.getByLabel('Unique column').selectOption({ label: 'Bezug (sortiment)' });
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  const joins = page.locator('ui-joins');
  await joins.getByText('Bezug is not unique in sortiment: 3 rows too many.').waitFor();
  expect(await page.getByLabel('Keep the dimension Sortiment Werkstoff').count()).toBe(0);
  await page.locator('.columns[aria-busy=false]').waitFor();
  // A click misses what moves: the first results arrive above.
  await page.getByText('The results are up to date.').waitFor({ state: 'attached' });
  await photograph(page, 'joins');
  expect(await violations(page)).toEqual([]);
  await joins.getByRole('button', { name: 'Keep the first row of each Bezug' }).click();
  await joins.getByText('not unique').waitFor({ state: 'detached' });
  await joins.getByRole('button', { name: 'Remove the join of bestand to sortiment' }).click();
  await expect.poll(() => joins.getByRole('listitem').count()).toBe(0);
  expect(complained).toEqual([]);
});

test('choices made while the files are read wait for their turn, and a failure shows where the user clicked', async () => {
  const { page } = await opened(['auftraege.csv', 'kunden.csv']);
  let letPass: (value?: unknown) => void = () => undefined;
  const passed = new Promise((resolve) => {
    letPass = resolve;
  });
  await page.route('**/inference/import', async (route) => {
    await passed;
    await route.continue();
  });
  const losses = page.locator('ui-losses');
  await losses.getByRole('button', { name: 'Treat these values as empty' }).first().click();
  await losses.getByText('Reading the files again').waitFor();
  await losses.getByRole('button', { name: 'Keep the first row of each Kundennr' }).first().click();
  // Each choice shows that it waits for its turn.
  for (const name of ['Chosen: Treat these values as empty', 'Chosen: Keep the first row of each Kundennr'])
    await losses.getByRole('button', { name, pressed: true }).first().waitFor();
  await photograph(page, 'waiting');
  letPass();
  await page.getByText('Reading the files again').waitFor({ state: 'detached' });
  expect(await losses.getByRole('alert').allTextContents()).toEqual([]);
  expect((await losses.locator('li.loss .message').allTextContents()).join()).not.toMatch(/not numbers|not unique/);
  await page.unroute('**/inference/import');

  await page.route('**/inference/import', (route) => route.fulfill({ status: 503, json: { error: 'Too busy now.' } }));
  await page.locator('ui-profile summary', { hasText: 'kunden' }).click();
  const type = page.getByLabel('Type of Kundennr').last();
  const before = await type.inputValue();
  await type.selectOption({ label: 'Text' });
  await page.locator('ui-profile').getByRole('alert').getByText('could not be read in this way').waitFor();
  await expect.poll(() => type.inputValue()).toBe(before);
  await page.unroute('**/inference/import');
  await type.selectOption({ label: 'Text' });
  await expect.poll(() => type.inputValue()).toBe('text');
  await page.getByText('Reading the files again').waitFor({ state: 'detached' });
  await page.getByText('could not be read in this way').waitFor({ state: 'detached' });
});

test('the weight of an average is chosen, and the figure is that of SQL, on the page and in the published model', async () => {
  const { page, complained } = await opened(['lieferungen.csv']);
  /** Computes a figure from the file, with the decimal comma and two decimals, as the page shows it. */
  const bySql = async (expression: string): Promise<string> => {
    const source = `read_csv('${join(folder, 'lieferungen.csv')}', delim = ';', decimal_separator = ',')`;
    const [row] = await writeDuckdb(':memory:', [`SELECT round(${expression}, 2)::DOUBLE AS figure FROM ${source}`]);
    return Number(row?.figure).toFixed(2);
  };
  const price = page.locator('ui-model li').filter({ has: page.getByLabel('Name of the measure from Preis') });
  const weight = price.getByLabel('Weighted by');
  const figure = page.getByRole('region', { name: 'Key figures' });
  const shows = async (expression: string): Promise<void> => {
    await figure.getByText(await bySql(expression), { exact: true }).waitFor();
  };
  expect(await weight.locator('option').allTextContents()).toEqual([
    'nothing, each row counts alike',
    'Stück',
    'Paletten',
  ]);
  await weight.selectOption('');
  await shows('avg(Preis)');
  await weight.selectOption('Paletten');
  await price.getByText('Averaged, weighted by Paletten.').waitFor();
  await shows('sum(Preis * Paletten) / sum(Paletten)');
  await weight.selectOption('Stück');
  await shows('sum(Preis * "Stück") / sum("Stück")');
  await weight.selectOption('Paletten');
  await photograph(page, 'weights');
  expect(await violations(page)).toEqual([]);
  await page.locator('ui-publish input[name=name]').fill('lieferungen');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('link', { name: 'Open the dashboard' }).waitFor();
  const cookies = await page.context().cookies();
  const csrf = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '');
  const answer = await page.request.post(`${product.url}/rest/service/api/ai/semantic/query`, {
    headers: { 'X-XSRF-TOKEN': csrf },
    data: { connection: 'lieferungen-model', values: [{ metric: 'durchschnitt_preis' }] },
  });
  expect(answer.status()).toBe(200);
  const { records } = (await answer.json()) as { records: readonly { durchschnitt_preis: { value: number } }[] };
  expect(Number(records[0]?.durchschnitt_preis.value).toFixed(2)).toBe(
    await bySql('sum(Preis * Paletten) / sum(Paletten)'),
  );
  expect(complained).toEqual([]);
});
