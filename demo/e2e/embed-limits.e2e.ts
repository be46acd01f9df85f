/**
 * Tests what visitors of embeds may not see and what goes wrong, in pages of another origin with a strict policy: rows of other viewers,
 * hostile addresses, quick clicks, refused tiles, ended tokens and a server that cannot be reached. Figures are compared with SQL.
 */
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Page } from 'playwright';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { violations } from './accessibility.ts';
import { complaints, openPage } from './browser.ts';
import { type EmbedWalk, PATHS, startEmbedWalk } from './embed-walk.ts';
import { DEMO_WAREHOUSE } from './product.ts';

/** The model of the demo, whose viewers see the stores of their regions. */
const MODEL = readFileSync('demo/content/models/shop.yaml', 'utf8')
  .replace('- name: shop\n', '- name: own\n')
  .replace(
    '    custom_extensions:\n',
    `    custom_extensions:\n      - { vendor_name: SERVICE, data: '{"viewer_attributes":[{"name":"regions","type":"string","many":true}],"viewer_exempt":["ROLE_ADMIN"]}' }\n`,
  )
  .replace(
    '        source: main.stores\n',
    `        source: main.stores\n        custom_extensions:\n          - { vendor_name: SERVICE, data: '{"viewer_filters":[{"field":"region","attribute":"regions"}]}' }\n`,
  );
const DATASOURCE = `<dataSource>
  <id>own</id><name>own</name><type>SEMANTIC</type><semanticYaml>own.yaml</semanticYaml>
  <location>jdbc:duckdb:data/demo-shop.duckdb</location><schema>own</schema><enabled>true</enabled>
</dataSource>
`;

const field = (dataset: string, name: string, grain?: string) => ({
  dataset,
  field: name,
  ...(grain === undefined ? {} : { grain }),
});
const question = (...rows: object[]) => ({
  source: {
    surface: 'semantic',
    request: { connection: 'own', model: 'own', rows, values: [{ metric: 'net_sales' }] },
  },
});
const QUERY = {
  version: 1,
  title: 'Regions',
  ...question(field('stores', 'region')),
  filterable: ['stores.country'],
  drill: {
    down: [{ field: 'stores.region', to: ['stores.country', 'stores.city'] }],
    rows: ['stores.store', 'sales.quantity_sold'],
  },
};
const tile = (id: string, x: number, y: number, more: object) => ({
  id,
  kind: 'table',
  title: id,
  x,
  y,
  w: 6,
  h: 4,
  ...more,
});
const DASHBOARD = {
  version: 1,
  title: 'Limits',
  layout: { columns: 12 },
  tiles: [
    // A member of every object is no value that somebody clicked.
    tile('constructor', 0, 0, {
      query: question(field('stores', 'region')),
      drives: ['cities', 'gone'],
      drill: { down: [{ field: 'stores.region', to: ['stores.country'] }] },
    }),
    tile('cities', 6, 0, { query: question(field('stores', 'city')), drives: ['constructor'] }),
    tile('gone', 0, 4, { query: { path: 'shared/walk/gone.service' } }),
  ],
};

const ALL = `filters='["stores.region","stores.country"]' drill export="csv,xlsx" heading`;
const FROM = 'FROM main.sales JOIN main.stores USING (store_id)';
const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

let walk: EmbedWalk;
let page: Page;
let warehouse: DuckDBInstance;

beforeAll(async () => {
  warehouse = await DuckDBInstance.create(process.env[DEMO_WAREHOUSE] ?? '', { access_mode: 'READ_ONLY' });
  const viewer = { id: 'v-1', attributes: { regions: ['North'] } };
  // A token without a viewer sees no rows of this model.
  const everyone = { id: 'v-2', attributes: { regions: ['Central', 'North', 'South', 'West'] } };
  walk = await startEmbedWalk({
    query: QUERY,
    dashboard: DASHBOARD,
    files: { 'datasources/own.yaml': MODEL, 'datasources/own.sds': DATASOURCE },
    viewers: {
      '/viewer': viewer,
      ...Object.fromEntries(
        ['/whole', '/dashboard', ...LANGUAGES.map((tag) => `/${tag}`)].map((path) => [path, everyone]),
      ),
    },
    pages: {
      '/whole': { kind: 'query', attributes: ALL },
      '/viewer': { kind: 'query', attributes: ALL },
      '/dashboard': { kind: 'dashboard', attributes: 'drill filters export="xlsx"' },
      ...Object.fromEntries(
        LANGUAGES.map((tag) => [`/${tag}`, { kind: 'query', attributes: `${ALL} locale="${tag}"` } as const]),
      ),
    },
  });
  page = walk.page;
  const key = { ...walk.key, 'content-type': 'application/json' };
  const body = JSON.stringify(question(field('stores', 'region')).source.request);
  const ask = () =>
    fetch(`${walk.product.url}/rest/service/api/ai/semantic/query`, { method: 'POST', headers: key, body });
  await vi.waitFor(async () => expect((await ask()).status).toBe(200), { timeout: 60_000, interval: 500 });
});
afterAll(async () => {
  await walk?.stop();
  warehouse?.closeSync();
});

async function sums(by: string, where = 'TRUE'): Promise<readonly (readonly [string, string])[]> {
  const connection = await warehouse.connect();
  const text = `SELECT ${by}, CAST(SUM(net_amount) AS DOUBLE) ${FROM} WHERE ${where} GROUP BY 1 ORDER BY 1`;
  const rows = (await connection.runAndReadAll(text)).getRows();
  return rows.map(([name, sum]) => [
    String(name),
    `${new Intl.NumberFormat('en', { maximumFractionDigits: 0 }).format(Number(sum))} EUR`,
  ]);
}

/** Returns the rows of a table, sorted by the first column. */
async function shown(within = '', on = page): Promise<readonly (readonly string[])[]> {
  const rows = await on
    .locator(`service-embed ${within} tbody tr`)
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td')].map((cell) => (cell.textContent ?? '').trim())),
    );
  return rows.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
}
const crumbs = () => page.locator('service-embed .crumb').allInnerTexts();
const address = (path: string, state: unknown) =>
  `${walk.host.url}${path}?walk=${encodeURIComponent(typeof state === 'string' ? state : JSON.stringify(state))}`;
const step = (name: string, value: unknown) => ({ field: `stores.${name}`, values: { [`stores.${name}`]: value } });

test('a viewer sees the own rows only: in figures, offered values, steps, rows and files', async () => {
  await page.goto(`${walk.host.url}/viewer`);
  await expect.poll(() => shown()).toEqual(await sums('region', "region = 'North'"));
  await page.getByRole('button', { name: /^Region/ }).click();
  await expect.poll(() => page.locator('service-embed .panel:popover-open .option').allInnerTexts()).toEqual(['North']);
  await page.keyboard.press('Escape');
  await page.locator('service-embed tbody td').first().click();
  await page.getByRole('menuitem', { name: 'Drill down to Country' }).click();
  await expect.poll(() => shown()).toEqual(await sums('country', "region = 'North'"));
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Excel workbook' }).click();
  const [sheet] = await readWorkbook(await (await download).path());
  const names = (sheet?.data ?? []).flatMap(([name, number]) => (typeof number === 'number' ? [String(name)] : []));
  expect(names.toSorted()).toEqual((await sums('country', "region = 'North'")).map(([name]) => name));
  // A step into the rows of somebody else leads to nothing.
  await page.goto(address('/viewer', { drilled: { query: [step('region', 'South')] } }));
  await page.getByText('No data').waitFor();
  expect(await crumbs()).toEqual(['All', 'South']);
  await page.goto(address('/viewer', { filters: { 'stores.region': { in: ['South'] } } }));
  await page.getByText('No data').waitFor();
  expect(await violations(page)).toEqual([]);
});

test('a wrong or hostile address shows the whole answer or a notice, and can be left', async () => {
  const whole = await sums('region');
  // What has no known shape is ignored.
  for (const state of [
    '{',
    'null',
    '[]',
    '{"filters":{"stores.region":{"in":[{"a":1}]}}}',
    '{"filters":{"__proto__":{"in":["North"]},"stores.secret":{"in":["x"]}}}',
    '{"drilled":{"query":[{"field":5}]},"selected":{"constructor":5}}',
    `{"drilled":{"other":${JSON.stringify([step('region', 'North')])}}}`,
  ]) {
    await page.goto(address('/whole', state));
    await expect.poll(() => shown(), { message: state }).toEqual(whole);
  }
  // What the document does not allow is refused, without a figure, and the way back is there.
  for (const [state, back] of [
    [{ drilled: { query: [step('city', 'Oslo')] } }, 'All'],
    [{ drilled: { query: [step('region', 'North'), step('region', 'South')] } }, 'All'],
    [{ drilled: { query: [{ field: 'stores.region', values: { 'sales.order_id': '1' } }] } }, 'All'],
    [{ filters: { 'stores.region': { period: 'yesterday; DROP TABLE' } } }, 'Clear filters'],
    [{ filters: { 'stores.region': { in: Array.from({ length: 201 }, (_, at) => `r${at}`) } } }, 'Clear filters'],
  ] as const) {
    await page.goto(address('/whole', state));
    await page.locator('service-embed .failure').waitFor();
    expect(await shown()).toEqual([]);
    await page.getByRole('button', { name: back, exact: true }).click();
    await expect.poll(() => shown(), { message: JSON.stringify(state) }).toEqual(whole);
  }
  const script = '<img src=x onerror=alert(1)>';
  await page.goto(address('/whole', { filters: { 'stores.region': { in: [script] } } }));
  await page.getByText('No data').waitFor();
  expect(await page.locator('service-embed img').count()).toBe(0);
});

test('a double click goes one step, and quick clicks end in the figures of the last one', async () => {
  await page.goto(`${walk.host.url}/dashboard`);
  const table = '[aria-label=constructor]';
  await expect.poll(() => shown(table)).toEqual(await sums('region'));
  expect(await page.locator('service-embed .chip').count()).toBe(0);
  const cells = page.locator(`service-embed ${table} tbody tr td:first-child`);
  const names = await cells.allInnerTexts();
  const cities = page.locator('service-embed [aria-label=cities] tbody tr td:first-child');
  await cities.first().waitFor();
  // Cities narrow regions; the marked row is that of the last click.
  const first = (await cities.allInnerTexts()).slice(0, 5);
  for (const name of first) await cities.filter({ hasText: name }).first().click({ noWaitAfter: true });
  const last = first.at(-1) ?? '';
  await expect.poll(() => shown(table)).toEqual(await sums('region', `city = '${last}'`));
  expect(await page.locator('service-embed .chip').allInnerTexts()).toEqual([expect.stringContaining(last)]);
  await page.locator('service-embed .chip').click();
  await expect.poll(() => shown(table)).toEqual(await sums('region'));
  await page.goto(`${walk.host.url}/whole`);
  const region = page.locator('service-embed tbody td').first();
  await region.waitFor();
  await page.getByRole('button', { name: 'Export' }).waitFor();
  const [name = ''] = names;
  await page.goto(address('/whole', { drilled: { query: [step('region', name)] } }));
  await expect.poll(() => shown()).toEqual(await sums('country', `region = '${name}'`));
  const country = ((await page.locator('service-embed tbody td').first().textContent()) ?? '').trim();
  await page.locator('service-embed tbody td').first().dblclick();
  await page.getByRole('menuitem', { name: 'Drill down to City' }).dblclick();
  await expect.poll(() => shown()).toEqual(await sums('city', `region = '${name}' AND country = '${country}'`));
  expect(await crumbs()).toEqual(['All', name, country]);
});

test('a refused tile takes nothing from the others, and the workbook says that it is missing', async () => {
  await page.goto(`${walk.host.url}/dashboard`);
  const gone = page.locator('service-embed [aria-label=gone]');
  await gone.getByText('This tile is not available.').waitFor();
  await expect.poll(() => shown('[aria-label=cities]')).toEqual(await sums('city'));
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Whole dashboard: Excel workbook' }).click();
  const sheets = await readWorkbook(await (await download).path());
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['constructor', 'cities', 'gone']);
  expect(sheets[2]?.data.flat()).toContain('This tile is not available.');
  expect(await violations(page)).toEqual([]);
});

test('a click in each language reports raw values, and the words are those of the language', async () => {
  for (const tag of LANGUAGES) {
    await page.goto(`${walk.host.url}/${tag}`);
    const cell = page.locator('service-embed tbody td').first();
    await cell.waitFor();
    const selected = page.locator('service-embed').evaluate(
      (embed) =>
        new Promise<unknown>((resolve) =>
          embed.addEventListener(
            'service-select',
            (event: Event) => resolve(event instanceof CustomEvent && event.detail),
            {
              once: true,
            },
          ),
        ),
    );
    const name = ((await cell.textContent()) ?? '').trim();
    await cell.click();
    const connection = await warehouse.connect();
    const sql = `SELECT CAST(SUM(net_amount) AS DOUBLE) ${FROM} WHERE region = '${name}'`;
    const [[sum] = []] = (await connection.runAndReadAll(sql)).getRows();
    const values = Object(Object(await selected).values);
    expect(values['stores.region']).toBe(name);
    expect(Number(values.net_sales)).toBeCloseTo(Number(sum), 2);
    await page.getByRole('menuitem').first().waitFor();
    expect((await page.getByRole('menuitem').allInnerTexts()).length, tag).toBe(2);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('a server that cannot be reached, and an ended token, leave no figure under a wrong name', async () => {
  const alone = await openPage(walk.browser);
  const noted = complaints(alone);
  await alone.goto(`${walk.host.url}/whole`);
  const cell = alone.locator('service-embed tbody td').first();
  await cell.waitFor();
  const name = ((await cell.textContent()) ?? '').trim();
  await cell.click();
  await alone.getByRole('menuitem', { name: 'Drill down to Country' }).waitFor();
  await alone.route('**/rest/**', (route) => route.abort());
  await alone.getByRole('menuitem', { name: 'Drill down to Country' }).click();
  await alone.locator('service-embed .failure').waitFor();
  expect(await shown('', alone)).toEqual([]);
  await alone.unroute('**/rest/**');
  await alone.getByRole('button', { name: 'All', exact: true }).click();
  await expect.poll(() => shown('', alone)).toEqual(await sums('region'));
  const list = await walk.product.call('GET', '/rest/service/api/embed/tokens');
  const tokens: readonly unknown[] = Object.values(Object(list.body)).find(Array.isArray) ?? [];
  for (const each of Array.isArray(list.body) ? list.body : tokens) {
    const { id, token, resourcePath } = Object(each);
    if (resourcePath === PATHS.query)
      await walk.product.call('DELETE', `/rest/service/api/embed/tokens/${id ?? token}`);
  }
  await alone.locator('service-embed tbody td').first().click();
  await alone.getByRole('menuitem', { name: 'Show rows' }).click();
  await alone.getByText('These rows are not available.').waitFor();
  await alone.keyboard.press('Escape');
  await alone.getByRole('button', { name: 'Export' }).click();
  await alone.getByRole('button', { name: 'Excel workbook' }).click();
  await alone.getByText('The file could not be made. Try again.').waitFor();
  await alone.keyboard.press('Escape');
  await alone.locator('service-embed tbody td', { hasText: name }).first().click();
  await alone.getByRole('menuitem', { name: 'Drill down to Country' }).click();
  await alone.locator('service-embed .failure').waitFor();
  expect(await shown('', alone)).toEqual([]);
  expect(noted.filter((text) => !/Failed to load resource|ERR_FAILED/.test(text))).toEqual([]);
  await alone.context().close();
});

test('nothing of it disturbed the policy of the pages', () => {
  // The browser notes each refused read.
  expect(walk.complained.filter((text) => !text.includes('Failed to load resource'))).toEqual([]);
});
