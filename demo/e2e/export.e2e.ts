/**
 * Tests the files that visitors save in a page of another origin with a strict policy, that programs ask for, and that the command
 * writes: each is read back and compared with the SQL of the warehouse.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Page } from 'playwright';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { libreOfficeMissing, openInLibreOffice } from '../../router/testing/libre-office.ts';
import { titleNeeding } from '../../router/testing/not-run.ts';
import { violations } from './accessibility.ts';
import { openPage } from './browser.ts';
import { type EmbedWalk, PATHS, startEmbedWalk } from './embed-walk.ts';
import { mintToken } from './embedding.ts';
import { DEMO_WAREHOUSE } from './product.ts';

const field = (dataset: string, name: string, grain?: string) => ({
  dataset,
  field: name,
  ...(grain === undefined ? {} : { grain }),
});
const request = (...rows: object[]) => ({
  surface: 'semantic',
  request: { connection: 'demo', model: 'shop', rows, values: [{ metric: 'net_sales' }] },
});
const QUERY = {
  version: 1,
  title: '=1+1 by quarter',
  source: request(field('sales', 'date', 'quarter')),
  filterable: ['stores.region'],
};
const DASHBOARD = {
  version: 1,
  title: 'Walk',
  layout: { columns: 12 },
  tiles: [
    {
      id: 'regions',
      kind: 'table',
      title: 'Regions: net',
      query: { source: request(field('stores', 'region')) },
      drill: { down: [{ field: 'stores.region', to: ['stores.country'] }] },
      drives: ['days'],
      x: 0,
      y: 0,
      w: 6,
      h: 4,
    },
    {
      id: 'days',
      kind: 'chart',
      title: 'Weekdays',
      query: { source: request(field('sales', 'date', 'day_of_week')) },
      x: 6,
      y: 0,
      w: 6,
      h: 4,
    },
    {
      id: 'total',
      kind: 'kpi',
      title: 'Total',
      measure: 'net_sales',
      query: { source: request() },
      x: 0,
      y: 4,
      w: 6,
      h: 2,
    },
  ],
};
const FORMATS = 'heading export="csv,xlsx,png,pdf"';
const FROM = 'FROM main.sales JOIN main.stores USING (store_id)';
const WEEKDAYS = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'];
const IN_NORTH = encodeURIComponent(JSON.stringify({ filters: { 'stores.region': { in: ['North'] } } }));
const PDFTOTEXT =
  spawnSync('pdftotext', ['-v']).status === 0 ? undefined : 'pdftotext is not here: install poppler-utils.';
const NO_OFFICE = libreOfficeMissing();

let walk: EmbedWalk;
let page: Page;
let warehouse: DuckDBInstance;
let folder: string;
/** Net sales of the region North by quarter, in the order of time, as the warehouse itself answers. */
let quarters: readonly (readonly [year: string, quarter: string, sum: number])[];
/** The countries of the region from which the dashboard goes down. */
let countriesBelow: readonly (readonly [country: string, sum: number])[];
/** The workbook of the query. */
let workbook: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-export-'));
  warehouse = await DuckDBInstance.create(process.env[DEMO_WAREHOUSE] ?? '', { access_mode: 'READ_ONLY' });
  const rows = await sql(
    `SELECT year(date), quarter(date), CAST(SUM(net_amount) AS DOUBLE) ${FROM} WHERE region = 'North' GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  quarters = rows.map(([year, quarter, sum]) => [String(year), String(quarter), Number(sum)]);
  walk = await startEmbedWalk({
    query: QUERY,
    dashboard: DASHBOARD,
    policy: ['img-src blob:'],
    pages: {
      '/de': { kind: 'query', attributes: `locale="de" filters='["stores.region"]' ${FORMATS}` },
      '/dashboard': { kind: 'dashboard', attributes: `locale="de" drill ${FORMATS}` },
    },
  });
  page = walk.page;
});
afterAll(async () => {
  await walk?.stop();
  warehouse?.closeSync();
  rmSync(folder, { recursive: true, force: true });
});

async function sql(text: string): Promise<readonly (readonly unknown[])[]> {
  const connection = await warehouse.connect();
  return (await connection.runAndReadAll(text)).getRows();
}

/** Opens the menu by the keyboard, chooses a file, and returns where it is saved. */
async function save(name: string, ending: string, on = page): Promise<string> {
  const opener = on.getByRole('button', { name: 'Exportieren' });
  await opener.focus();
  await on.keyboard.press('Enter');
  const item = on.locator('service-embed .export-menu:popover-open').getByRole('button', { name, exact: true });
  await item.waitFor();
  const download = on.waitForEvent('download');
  await item.press('Enter');
  const path = join(folder, `${name.replaceAll(/\W+/g, '-')}.${ending}`);
  await (await download).saveAs(path);
  await on.keyboard.press('Escape');
  return path;
}

const german = (value: number) => new Intl.NumberFormat('de', { maximumFractionDigits: 0 }).format(value);

/** Reads the text of a document, with the lines of its tables. */
const textOf = (pdf: string) => spawnSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' }).stdout;
const lineOf = (label: string, sum: number) => new RegExp(`${label} +${german(sum).replaceAll('.', '\\.')} EUR`);

async function countriesOf(region: string): Promise<readonly (readonly [country: string, sum: number])[]> {
  const rows = await sql(
    `SELECT country, CAST(SUM(net_amount) AS DOUBLE) ${FROM} WHERE region = '${region}' GROUP BY 1 ORDER BY 1`,
  );
  return rows.map(([country, sum]) => [String(country), Number(sum)]);
}

/** Reads the lines of a CSV file without quotes in it, below its head. */
function linesOf(csv: string, head: string): readonly (readonly string[])[] {
  const [first, ...lines] = csv.trimEnd().split('\r\n');
  expect(first).toBe(head);
  return lines.map((line) => line.split(head.includes(';') ? ';' : ','));
}

/** Compares rows of a label and a number with the expected ones, to the cent. */
function expectRows(
  rows: readonly (readonly [label: unknown, number: unknown])[],
  expected: readonly (readonly [label: string, number: number])[],
): void {
  expect(rows.map(([label]) => label)).toEqual(expected.map(([label]) => label));
  for (const [at, [, number]] of rows.entries()) expect(Number(number)).toBeCloseTo(expected[at]?.[1] ?? 0, 2);
}

const inOrderOf = (letter: string) =>
  quarters.map(([year, quarter, sum]) => [`${letter}${quarter} ${year}`, sum] as const);
const bySize = () => inOrderOf('Q').toSorted(([, one], [, other]) => other - one);

test('the table has the figures of the warehouse; its CSV has them exactly, in the order of the visitor', async () => {
  await page.goto(`${walk.host.url}/de?walk=${IN_NORTH}`);
  await page.locator('service-embed [role=grid]').waitFor();
  await page.getByRole('columnheader').nth(1).click();
  const shown = () =>
    page
      .locator('service-embed tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim())),
      );
  await expect.poll(shown).toEqual(bySize().map(([label, sum]) => [label, `${german(sum)} EUR`]));
  const lines = linesOf(
    readFileSync(await save('CSV-Tabelle', 'csv'), 'utf8'),
    '\uFEFFDate of sale (Quartal);Net sales',
  );
  expectRows(
    lines.map(([label, number = '']) => [label, number.replace(',', '.')]),
    bySize(),
  );
});

test('the workbook has typed numbers in that order, its title is no formula, and it names the filter', async () => {
  workbook = await save('Excel-Arbeitsmappe', 'xlsx');
  const [sheet] = await readWorkbook(workbook);
  const rows = sheet?.data ?? [];
  expect(rows[0]?.[0]).toBe('=1+1 by quarter');
  expect(rows.slice(1).map(([first]) => first)).toContain('Filter: Region = North');
  expectRows(
    rows.flatMap(([label, number]): [unknown, unknown][] => (typeof number === 'number' ? [[label, number]] : [])),
    bySize(),
  );
});

test.skipIf(NO_OFFICE !== undefined)(titleNeeding('LibreOffice opens it with equal figures', NO_OFFICE), () => {
  copyFileSync(workbook, join(folder, 'opened.xlsx'));
  const opened = openInLibreOffice(folder, 'opened.xlsx');
  expect(opened).not.toContain('table:formula=');
  const numbers = [...opened.matchAll(/office:value-type="float" office:value="([^"]+)"/g)].map(([, number]) =>
    Number(number),
  );
  expect(numbers).toHaveLength(quarters.length);
  for (const [at, [, sum]] of bySize().entries()) expect(numbers[at]).toBeCloseTo(sum, 2);
});

test.skipIf(PDFTOTEXT !== undefined)(titleNeeding('the document writes them as the page does', PDFTOTEXT), async () => {
  const shown = textOf(await save('PDF, A4', 'pdf'));
  expect(shown).toContain('Region = North');
  for (const [label, sum] of inOrderOf('Q')) expect(shown).toMatch(lineOf(label, sum));
});

test('a program gets the same by its token, in French', async () => {
  const token = await mintToken(walk.product, 'query', PATHS.query);
  const read = (format: string) =>
    fetch(
      `${walk.product.url}/rest/service/api/embed/query/${PATHS.query}?${new URLSearchParams({ format, locale: 'fr', filter: '{"stores.region":["North"]}' })}`,
      { headers: { 'x-service-embed-token': token } },
    );
  const csv = await read('csv');
  expect(csv.headers.get('content-disposition')).toContain('attachment');
  const lines = linesOf(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(await csv.arrayBuffer()),
    '\uFEFFDate of sale (trimestre);Net sales',
  );
  expectRows(
    lines.map(([label, number = '']) => [label, number.replace(',', '.')]),
    inOrderOf('T'),
  );
  const [sheet] = await readWorkbook(Buffer.from(await (await read('xlsx')).arrayBuffer()));
  expectRows(
    (sheet?.data ?? []).flatMap(([label, number]): [unknown, unknown][] =>
      typeof number === 'number' ? [[label, number]] : [],
    ),
    inOrderOf('T'),
  );
  expect((await read('xls')).status).toBe(400);
});

test('the command writes the same figures: CSV for spreadsheets, and a workbook', async () => {
  const whole = (
    await sql(`SELECT year(date), quarter(date), CAST(SUM(net_amount) AS DOUBLE) ${FROM} GROUP BY 1, 2 ORDER BY 1, 2`)
  ).map(([year, quarter, sum]) => [`Q${quarter} ${year}`, Number(sum)] as const);
  const write = (name: string, ...more: readonly string[]) => {
    const out = join(folder, name);
    const args = ['dist/service.js', 'export', PATHS.query, '--home', walk.product.home, '--out', out, ...more];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 120_000 });
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    return out;
  };
  const lines = linesOf(
    readFileSync(write('de.csv', '--locale', 'de'), 'utf8'),
    '\uFEFFDate of sale (Quartal);Net sales',
  );
  expectRows(
    lines.map(([label, number = '']) => [label, number.replace(',', '.')]),
    whole,
  );
  const [sheet] = await readWorkbook(write('cli.xlsx', '--locale', 'de'));
  expectRows(
    (sheet?.data ?? []).flatMap(([label, number]): [unknown, unknown][] =>
      typeof number === 'number' ? [[label, number]] : [],
    ),
    whole,
  );
});

test('a dashboard is one workbook of what is shown: after a step down, with the words of the page', async () => {
  await page.goto(`${walk.host.url}/dashboard`);
  await page.getByRole('heading', { level: 2, name: 'Walk', exact: true }).waitFor();
  await page.locator('service-embed .chart svg path').first().waitFor({ state: 'attached' });
  const cell = page.locator('service-embed .tile-table tbody td').first();
  await cell.waitFor();
  const region = ((await cell.textContent()) ?? '').trim();
  await cell.click();
  await page.getByRole('menuitem', { name: 'Aufgliedern nach Country' }).click();
  await page.locator('service-embed .crumbs').waitFor();
  await page.getByRole('button', { name: 'Exportieren' }).click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  const sheets = await readWorkbook(await save('Ganzes Dashboard: Excel-Arbeitsmappe', 'xlsx'));
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Regions net', 'Weekdays', 'Total']);
  countriesBelow = await countriesOf(region);
  const days = await sql(`SELECT isodow(date), CAST(SUM(net_amount) AS DOUBLE) ${FROM} GROUP BY 1 ORDER BY 1`);
  const [down, weekdays] = sheets.map(({ data }) =>
    data.flatMap(([label, number]): [unknown, unknown][] => (typeof number === 'number' ? [[label, number]] : [])),
  );
  expect(sheets[0]?.data.flat()).toContain(`Filter: Region = ${region}`);
  expectRows(down ?? [], countriesBelow);
  expectRows(
    weekdays ?? [],
    days.map(([day, sum]) => [WEEKDAYS[Number(day) - 1] ?? '', Number(sum)]),
  );
});

test.skipIf(PDFTOTEXT !== undefined)(
  titleNeeding('its document has the figures of the warehouse: below the step, and the total', PDFTOTEXT),
  async () => {
    const shown = textOf(await save('Ganzes Dashboard: PDF, A4', 'pdf'));
    for (const [country, sum] of countriesBelow) expect(shown).toMatch(lineOf(country, sum));
    const [[total] = []] = await sql(`SELECT CAST(SUM(net_amount) AS DOUBLE) ${FROM}`);
    expect(shown).toContain(`${german(Number(total))} EUR`);
    // The days are the axis of the chart, which is drawn as shapes.
    for (const day of WEEKDAYS) expect(shown).toContain(day);
  },
);

test('a chart is saved as PNG, and a finger saves the CSV of one tile on a phone', async () => {
  const png = readFileSync(await save('Weekdays: PNG-Bild', 'png'));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  // The width, after the head of the first chunk.
  expect(png.readUInt32BE(16)).toBeGreaterThan(300);
  const phone = await openPage(walk.browser, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  await phone.goto(`${walk.host.url}/dashboard`);
  await phone.getByRole('button', { name: 'Exportieren' }).tap();
  const download = phone.waitForEvent('download');
  await phone.getByRole('button', { name: 'Regions: net: CSV-Tabelle', exact: true }).tap();
  const lines = linesOf(readFileSync(await (await download).path(), 'utf8'), '\uFEFFRegion;Net sales');
  const regions = await sql(`SELECT region, CAST(SUM(net_amount) AS DOUBLE) ${FROM} GROUP BY 1 ORDER BY 1`);
  expectRows(
    lines.map(([label, number = '']) => [label, number.replace(',', '.')]),
    regions.map(([region, sum]) => [String(region), Number(sum)]),
  );
  await phone.context().close();
});

test('nothing of it disturbed the policy of the page', () => {
  expect(walk.complained).toEqual([]);
});
