/** Tests that realistic files become a model without a silent loss: the page shows each loss, and a click repairs it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaints, openBrowser, openPage } from './browser.ts';
import { type Product, startProduct } from './product.ts';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
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

let product: Product;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-files-'));
  writeFileSync(join(folder, 'auftraege.csv'), ordersFile());
  writeFileSync(join(folder, 'kunden.csv'), customersFile());
  product = await startProduct({ args: [] });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { run } = Reflect.get(globalThis, 'axe') as { run(): Promise<{ violations: { id: string }[] }> };
    return (await run()).violations.map(({ id }) => id);
  });
}

async function repair(page: Page, label: string): Promise<void> {
  const before = page.waitForResponse((response) => response.url().endsWith('/inference/import'));
  await page.locator('ui-losses').getByRole('button', { name: label }).first().click();
  expect((await before).status()).toBe(201);
  await page.getByText('Reading the files again').waitFor({ state: 'detached' });
}

test('every loss of two files is reported in numbers and repaired by a click, and the answers add up', async () => {
  const page = await openPage(browser, { reducedMotion: 'reduce' });
  const complained = complaints(page);
  await page.goto(`${product.url}/ui/add-data/`);
  await page.getByRole('button', { name: 'Sign in' }).last().click();
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill(product.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Drop/ }).waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles(['auftraege.csv', 'kunden.csv'].map((name) => join(folder, name)));
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
      `Othersornovalue${amountOf(undefined)}`,
    ]);

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
