/** Tests the page of data, as an administrator with the files of two months and a database server. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { titleNeeding } from '../../router/testing/not-run.ts';
import { clickhouseMissing, startClickhouse } from '../../server/warehouse/testing/clickhouse.ts';
import { startWarehouse, type TestWarehouse } from '../../server/warehouse/testing/engines.ts';
import { violations } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { connectionForm } from './connection-form.ts';
import { type Product, startProduct } from './product.ts';
import { signInTo } from './sign-in.ts';

/** A folder for screenshots; none are made without it. */
const SHOTS = process.env.SERVICE_E2E_SHOTS;

/** 60 orders of 2.00 in January: 120.00; 90 orders of 3.00 in February: 270.00, in another order of columns. */
const JANUARY = [
  'order_id,placed,city,amount_eur',
  ...Array.from({ length: 60 }, (_, at) => `${at + 1},2024-01-${day(at)},${at % 2 === 0 ? 'Rome' : 'Oslo'},2.00`),
].join('\n');
const FEBRUARY = [
  'placed,order_id,city,amount_eur',
  ...Array.from({ length: 90 }, (_, at) => `2024-02-${day(at)},${at + 61},${at % 3 === 0 ? 'Rome' : 'Oslo'},3.00`),
].join('\n');
/** Without the column of the cities, and with a new one. */
const WITHOUT_CITY = ['order_id,placed,town,amount_eur', '1,2024-03-01,Rome,2.00'].join('\n');

function day(at: number): string {
  return String((at % 28) + 1).padStart(2, '0');
}

let product: Product;
let browser: Browser;
let postgres: TestWarehouse;
let folder: string;
let key: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-data-'));
  writeFileSync(join(folder, 'orders.csv'), JANUARY);
  mkdirSync(join(folder, 'february'));
  writeFileSync(join(folder, 'february/orders_2024_02.csv'), FEBRUARY);
  writeFileSync(join(folder, 'without-city.csv'), WITHOUT_CITY);
  product = await startProduct({ args: [] });
  const made = spawnSync(
    process.execPath,
    [
      ...['dist/service.js', 'api-key', 'create', '--home', product.home, '--tenant', 'default'],
      ...['--label', 'e2e', '--role', 'ROLE_ADMIN', '--json'],
    ],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  ({ key } = JSON.parse(made.stdout) as { key: string });
  browser = await openBrowser();
  postgres = await startWarehouse('postgresql', ['CREATE TABLE sales (id INTEGER)']);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(): Promise<{ page: Page; complained: readonly string[] }> {
  const page = await openPage(browser, { reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } });
  const complained = complaints(page);
  await signInTo(page, '/ui/data/', product);
  await page.getByRole('heading', { name: 'Data', level: 1 }).waitFor();
  return { page, complained };
}

/** Checks contrast and roles in both themes, and that nothing is wider than a phone. */
async function audit(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    expect(await violations(page)).toEqual([]);
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(width);
      if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}-${theme}-${width}.png`) });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  await page.evaluate("document.documentElement.dataset.theme = 'light'");
}

/** Asks the published model for the total, as SQL over the file would give it. */
/** Runs a command on the home of the server, and returns its JSON. */
function service(...args: readonly string[]): unknown {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['dist/service.js', ...args, '--home', product.home, '--tenant', 'default', '--json'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as unknown;
}

async function total(): Promise<number> {
  const answer = await call('POST', 'ai/semantic/query', {
    connection: 'shop-model',
    values: [{ metric: 'amount_eur' }],
  });
  const { records } = answer as { records: { amount_eur: { value: number } }[] };
  return Number(records[0]?.amount_eur.value);
}

async function publishJanuary(): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([JANUARY]), 'orders.csv');
  const kept = (await call('POST', 'inference/import', form)) as { connection: { id: string }; profile: unknown };
  const { proposal } = (await call('POST', 'inference/propose', { profile: kept.profile })) as { proposal: unknown };
  await call('POST', 'inference/publish', {
    proposal,
    connectionId: kept.connection.id,
    name: 'shop',
    as: ['semantic'],
  });
}

/** Keeps a file: without any data the page has nothing but a way to add some. */
async function keepFile(): Promise<void> {
  const files = new FormData();
  files.append('file', new Blob([JANUARY]), 'kept.csv');
  await call('POST', 'inference/import', files);
}

/** Sends a request with the administrator's key, which needs no CSRF pair. */
async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${product.url}/rest/service/api/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

test('an empty page offers to add data', async () => {
  const { page, complained } = await opened();
  await page.getByRole('heading', { name: 'No data yet' }).waitFor();
  await audit(page, 'empty');
  expect(complained).toEqual([]);
});

test('the files of the next month take the place of the present ones after a comparison, and an undo brings them back', async () => {
  await publishJanuary();
  expect(await total()).toBe(120);
  const { page, complained } = await opened();
  await page.getByRole('link', { name: 'shop-model' }).waitFor();
  await audit(page, 'list');

  // By keyboard: the menu opens, and the arrow leads to the second action.
  await page.getByRole('button', { name: 'Actions of shop-model' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Replace the data of shop-model' }).waitFor();
  await page.locator('input[type=file]').setInputFiles([join(folder, 'without-city.csv')]);
  await page.getByRole('heading', { name: 'The new files do not fit the model' }).waitFor();
  await page.getByText('has no column "city", which shop-model needs').waitFor();
  await page.getByText('if it is the same, call it "city"').waitFor();
  await audit(page, 'refused');
  expect(await page.getByRole('button', { name: 'Replace data' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Choose other files' }).click();

  await page.locator('input[type=file]').setInputFiles([join(folder, 'february/orders_2024_02.csv')]);
  await page.getByText('The new files fit the model.').waitFor();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  const rows = await comparison.getByRole('row').allTextContents();
  const texts = rows.map((row) => row.replaceAll(/\s+/g, ' ').trim());
  expect(texts.some((row) => row.includes('orders') && row.includes('60') && row.includes('90'))).toBe(true);
  expect(texts.some((row) => row.includes('2024-01-01 – 2024-01-28') && row.includes('2024-02-01 – 2024-02-28'))).toBe(
    true,
  );
  expect(texts.some((row) => row.includes('120') && row.includes('270'))).toBe(true);
  await audit(page, 'comparison');
  // Nothing is replaced before the confirmation.
  expect(await total()).toBe(120);
  await page.getByRole('button', { name: 'Replace data' }).click();
  await page.getByText('The data of shop-model is replaced.').waitFor();
  expect(await total()).toBe(270);

  await page.getByRole('button', { name: 'Undo shop-model' }).click();
  await page.getByText('The data of shop-model is as it was before.').waitFor();
  expect(await total()).toBe(120);
  expect(complained.filter((each) => !each.includes('409'))).toEqual([]);
});

test('a removed model is put back with its documents, tokens and data', async () => {
  const read = () => call('GET', 'repository');
  const before = await read();
  const token = (
    await product.call('POST', '/rest/service/api/embed/tokens', {
      resourceKind: 'dashboard',
      resourcePath: 'shared/shop/overview.servicedash',
    })
  ).body as { token: string };
  const embed = () =>
    fetch(`${product.url}/rest/service/api/embed/dashboard/shared/shop/overview.servicedash`, {
      headers: { 'X-Service-Embed-Token': token.token },
    });
  expect((await embed()).status).toBe(200);
  const { page } = await opened();
  await page.getByRole('button', { name: 'Actions of shop-model' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await page.getByRole('heading', { name: 'Remove shop-model?' }).waitFor();
  await page.getByText('shared/shop/overview.servicedash').waitFor();
  await page.getByText('1 embed token of these documents').waitFor();
  await audit(page, 'question');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('shop-model was removed.').waitFor();
  expect((await embed()).status).toBe(401);
  expect(await read()).toEqual([]);
  // Its data is needed for the undo, so it is not offered to be cleared.
  await page.getByText('needed for an undo').waitFor();
  expect(await page.getByRole('button', { name: /^Clear/ }).count()).toBe(0);
  await audit(page, 'removed');
  await page.getByRole('button', { name: 'Undo shop-model' }).click();
  await page.getByText('shop-model is back.').waitFor();
  expect(await read()).toEqual(
    (before as { path: string }[]).map((each) => ({ ...each, updatedAt: expect.any(String) })),
  );
  expect(await total()).toBe(120);
  expect((await embed()).status).toBe(200);
});

test('the form of a connection shows an error at its field with the names that exist, and keeps the password', async () => {
  const { page, complained } = await opened();
  const [, host = '', port = '', database = ''] =
    /^jdbc:postgresql:\/\/([^:/]+):(\d+)\/([^?]+)/.exec(postgres.address.jdbcUrl) ?? [];
  await page.getByRole('button', { name: 'Add a connection' }).click();
  const dialog = page.locator('ui-connection-dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Warehouse');
  await dialog.getByRole('textbox', { name: 'Host' }).fill(host);
  await dialog.getByRole('textbox', { name: 'Port' }).fill(port);
  await dialog.getByLabel('Database', { exact: true }).fill(`${database}x`);
  await dialog.getByLabel('User name').fill(postgres.address.username ?? '');
  await dialog.getByLabel('Password').fill(postgres.address.password ?? '');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('it has no database of this name').waitFor();
  expect(await dialog.locator('[name=database]').getAttribute('aria-invalid')).toBe('true');
  await audit(page, 'connection');
  await dialog.getByRole('button', { name: database, exact: true }).click();
  await dialog.getByLabel('Schema').fill('nowhere');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('The warehouse has no schema "nowhere".').waitFor();
  await dialog.getByRole('button', { name: 'public', exact: true }).click();
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('Connected to PostgreSQL').waitFor();
  await dialog.getByRole('button', { name: 'Save connection' }).click();
  await page.getByText('Warehouse is saved.').waitFor();

  await page.getByRole('button', { name: 'Test Warehouse' }).click();
  await page.getByText('Answers: PostgreSQL').waitFor();
  await page.getByRole('button', { name: 'Actions of Warehouse' }).click();
  await page.getByRole('menuitem', { name: 'Change…' }).click();
  await page.getByRole('heading', { name: 'Change Warehouse' }).waitFor();
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Host' }).inputValue()).toBe(host);
  expect(await dialog.getByLabel('Password').inputValue()).toBe('');
  await dialog.getByLabel('Name', { exact: true }).fill('Our warehouse');
  await dialog.getByRole('button', { name: 'Save connection' }).click();
  await page.getByText('Our warehouse is saved.').waitFor();
  await audit(page, 'connections');
  expect(complained).toEqual([]);
});

test('a refresh from a folder is scheduled, runs at once on request, and shows how it ended', async () => {
  const { page, complained } = await opened();
  await page.getByRole('button', { name: 'Actions of shop-model' }).click();
  await page.getByRole('menuitem', { name: 'Schedule a refresh…' }).click();
  await page.getByRole('heading', { name: 'Schedule a refresh of shop-model' }).waitFor();
  await audit(page, 'schedule');
  // A connection without the tables of the model is refused at its field.
  await page.getByRole('combobox', { name: /^From/ }).selectOption({ label: 'Tables of a connection' });
  await page.getByRole('combobox', { name: /^Connection/ }).selectOption({ label: 'Our warehouse' });
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('The connection has no table orders, which the model needs. It has: sales.').waitFor();
  await audit(page, 'schedule-connection');
  await page.getByRole('combobox', { name: /^From/ }).selectOption({ label: 'A folder' });
  await page.getByRole('textbox', { name: 'Folder' }).fill('inbox');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('The refresh of shop-model is scheduled.').waitFor();
  mkdirSync(join(product.home, 'data/inbox'));
  writeFileSync(join(product.home, 'data/inbox/orders.csv'), FEBRUARY);
  await page.getByRole('button', { name: 'Actions of the refresh of shop-model' }).click();
  await page.getByRole('menuitem', { name: 'Run now' }).click();
  // The page shows the end of the run by itself.
  await page.getByText(/Ran .*orders\.csv\. orders: 60 → 90 rows\./).waitFor();
  expect(await total()).toBe(270);
  await audit(page, 'scheduled');
  await page.getByRole('button', { name: 'Actions of the refresh of shop-model' }).click();
  await page.getByRole('menuitem', { name: 'What the last run changed' }).click();
  await page.getByRole('heading', { name: 'Last run of the refresh of shop-model' }).waitFor();
  const run = page.locator('ui-run-dialog');
  await run.getByText('The files fitted the model, and took the place of the data.').waitFor();
  expect(await run.getByRole('region', { name: 'Tables', exact: true }).textContent()).toMatch(
    /orders\s*orders\.csv\s*60\s*90/,
  );
  expect(await run.getByRole('region', { name: 'Totals' }).textContent()).toMatch(/120\s*270/);
  await audit(page, 'run');
  const [schedule] = service('refresh', 'list') as { id: string }[];
  const shown = service('refresh', 'show', schedule?.id ?? '');
  expect(shown).toMatchObject({ isPossible: true, tables: [{ name: 'orders', rowsBefore: 60, rowsAfter: 90 }] });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo shop-model' }).click();
  await page.getByText('The data of shop-model is as it was before.').waitFor();
  expect(await total()).toBe(120);
  // The browser writes a line for the refused schedule.
  expect(complained.filter((each) => !each.includes('400'))).toEqual([]);
});

test('uploads that nothing uses are listed with their size, and cleared', async () => {
  const form = new FormData();
  form.append('file', new Blob([JANUARY]), 'left.csv');
  await call('POST', 'inference/import', form);
  const imports = () => readdirSync(join(product.home, 'data/imports')).filter((file) => file.endsWith('.duckdb'));
  expect(imports()).toHaveLength(2);
  const { page } = await opened();
  await page.getByText(/nothing uses it/).waitFor();
  await page.getByRole('button', { name: 'Clear 1 unused' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect.poll(imports).toHaveLength(1);
  expect(await total()).toBe(120);
});

test('the form of MariaDB shows each mistake at its field, with the databases that exist, and the list says what broke later', async () => {
  const mariadb = await startWarehouse('mariadb', ['CREATE TABLE orders (id INTEGER)']);
  const { jdbcUrl, username = '', password = '' } = mariadb.address;
  await keepFile();
  const [, host = '', port = '', database = ''] = /^jdbc:mariadb:\/\/([^:/]+):(\d+)\/([^?]+)/.exec(jdbcUrl) ?? [];
  const { page, complained } = await opened();
  const form = await connectionForm(page, 'MariaDB');
  await form.refused('host', 'Host is missing.');
  await form.fill({ host: 'nowhere.invalid', port, database: `${database}x`, username, password: 'not the password' });
  await form.refused('host', 'its host name is not known');
  await audit(page, 'mariadb-host');
  await form.fill({ host, port: '1' });
  await form.refused('port', 'nothing answers at its host and port');
  await form.fill({ port });
  await form.refused('password', 'it refused the user name or the password');
  await audit(page, 'mariadb-password');
  await form.fill({ password });
  await form.refused('database', /it has no database of this name|its user may not use the database/);
  await audit(page, 'mariadb-database');
  await form.take('database', database);
  // The server of the tests has no certificate that anybody trusts.
  await form.field('tls').selectOption({ label: 'Always, certificate of this host' });
  await form.refused('tls', /its certificate is not|it does not speak TLS/);
  await form.field('tls').selectOption({ label: 'If the server has it' });
  await form.connected();
  await audit(page, 'mariadb-green');
  await form.saved();

  // Its user is gone with the database.
  await mariadb.stop();
  await page.getByRole('button', { name: 'Test Ours on MariaDB' }).click();
  await page.getByText(/^The warehouse cannot be reached: /).waitFor();
  await page.evaluate("localStorage.setItem('service.language', 'de')");
  await page.reload();
  await page.getByRole('button', { name: 'Testen Ours on MariaDB' }).click();
  await page.getByText(/^Die Datenbank ist nicht erreichbar: /).waitFor();
  await audit(page, 'mariadb-german');
  expect(complained).toEqual([]);
});

const clickhouse = clickhouseMissing();
test.skipIf(clickhouse !== undefined)(
  titleNeeding('the form of ClickHouse shows each mistake at its field, with the databases that exist', clickhouse),
  async () => {
    const server = await startClickhouse(['CREATE TABLE orders (id Int64) ENGINE = Memory']);
    const { jdbcUrl, username = '', password = '' } = server.address;
    const [, host = '', port = '', database = ''] = /^jdbc:clickhouse:\/\/([^:/]+):(\d+)\/([^?]+)/.exec(jdbcUrl) ?? [];
    await keepFile();
    const { page, complained } = await opened();
    const form = await connectionForm(page, 'ClickHouse');
    await form.fill({ host, port, username, password });
    await form.refused('database', 'Database is missing.');
    await form.fill({ database: `${database}x`, port: '1' });
    await form.refused('port', 'nothing answers at its host and port');
    await form.fill({ port });
    await form.refused('database', 'it has no database of this name');
    await audit(page, 'clickhouse-database');
    await form.take('database', database);
    await form.connected();
    await form.saved();
    await server.stop();
    expect(complained).toEqual([]);
    await page.context().close();
  },
);
