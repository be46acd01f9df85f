/** Tests what the explorer does over time and in words: two ways to one table, comparisons, gaps, forecasts, unusual values, and questions that owners certify. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StandIn, standIn } from '../../server/llm/testing/stand-in.ts';
import { violationsInBothThemes } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { signInOverRest } from './embedding.ts';
import { type Product, startProduct } from './product.ts';
import { signIn } from './sign-in.ts';

/** Trips between towns over 36 months: none in June 2024, and ten times the kilometres in September 2024. */
const TRIPS = [
  `CREATE TABLE towns AS SELECT * FROM (VALUES (1, 'Ulm'), (2, 'Bonn'), (3, 'Kiel')) AS t(town_id, town)`,
  `CREATE TABLE trips AS SELECT row_number() OVER () AS trip_id, 1 + n % 3 AS from_id, 1 + (n + 1 + m % 2) % 3 AS to_id,
     (DATE '2023-01-15' + to_months(m::INTEGER))::DATE AS day, (100 + m + n) * CASE WHEN m = 20 THEN 10 ELSE 1 END AS km
   FROM range(36) AS months(m), range(4) AS numbers(n) WHERE m <> 17`,
];
const MODEL = `
semantic_model:
  - name: trips
    datasets:
      - { name: trips, source: trips, primary_key: [trip_id], fields: [{ name: day, label: Day, expression: [{ dialect: ANSI_SQL, expression: day }], dimension: { is_time: true } }] }
      - { name: towns, source: towns, primary_key: [town_id], fields: [{ name: town, label: Town, expression: [{ dialect: ANSI_SQL, expression: town }] }] }
    relationships:
      - { name: departs, from: trips, to: towns, from_columns: [from_id], to_columns: [town_id] }
      - { name: arrives, from: trips, to: towns, from_columns: [to_id], to_columns: [town_id] }
    metrics:
      - { name: kilometres, label: Kilometres, expression: [{ dialect: ANSI_SQL, expression: SUM(trips.km) }] }
`;
const QUESTION = 'Kilometres by town of arrival';
const byTown = (via: string) => ({
  rows: [{ dataset: 'towns', field: 'town', via }],
  values: [{ metric: 'kilometres' }],
  sorts: [{ dataset: 'towns', field: 'town', direction: 'ASC' }],
});

let product: Product;
let browser: Browser;
let model: StandIn;
let page: Page;
let complained: readonly string[];
let sayItIsSaid: () => void = () => undefined;
const saidSo = new Promise<void>((resolve) => {
  sayItIsSaid = resolve;
});
/** The rows that the warehouse itself answers. */
let ask: (sql: string) => Promise<readonly (readonly unknown[])[]>;

beforeAll(async () => {
  // The scripted model misreads every question: the towns of departure. First it writes a wrong name, which it corrects when the page has said so.
  model = await standIn('anthropic', async (_, index) => {
    if (index === 1) await saidSo;
    return {
      tool: 'SemanticAiQueryRequest',
      input: { connection: 'trips', model: 'trips', ...byTown(index === 0 ? 'depart' : 'departs') },
    };
  });
  product = await startProduct({
    args: [],
    environment: {
      SERVICE_AI_ASK_PROVIDER: 'anthropic',
      SERVICE_AI_ASK_ENDPOINT: model.endpoint,
      ANTHROPIC_API_KEY: 'a key of the tests',
    },
  });
  const data = join(product.home, 'data');
  mkdirSync(data, { recursive: true });
  const file = await DuckDBInstance.create(join(data, 'trips.duckdb'));
  const writer = await file.connect();
  for (const statement of TRIPS) await writer.run(statement);
  writer.closeSync();
  file.closeSync();
  const own = await (await DuckDBInstance.create(':memory:')).connect();
  for (const statement of TRIPS) await own.run(statement);
  ask = async (sql) => (await own.runAndReadAll(sql)).getRowsJson();
  const datasources = join(product.home, 'datasources');
  writeFileSync(join(datasources, 'trips.yaml'), MODEL);
  writeFileSync(
    join(datasources, 'trips.sds'),
    `<dataSource><id>trips</id><name>trips</name><type>SEMANTIC</type><semanticYaml>trips.yaml</semanticYaml>
     <location>jdbc:duckdb:data/trips.duckdb</location><enabled>true</enabled></dataSource>`,
  );
  const models = async () => (await product.call('GET', '/rest/service/api/ai/semantic/models')).body;
  while (!JSON.stringify(await models()).includes('trips')) await new Promise((resolve) => setTimeout(resolve, 100));
  browser = await openBrowser();
  // High enough for a table of all months.
  page = await openPage(browser, { viewport: { width: 1280, height: 2_000 }, reducedMotion: 'reduce' });
  complained = complaints(page);
  await page.goto(`${product.url}/ui/explore/trips/trips`);
  await signIn(page, product);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await model?.close();
});

async function startOver(): Promise<void> {
  await page.goto(`${product.url}/ui/explore/trips/trips`);
  await page.getByRole('treeitem', { name: /^Kilometres/ }).click();
}

/** Returns the table's rows, with numbers as numbers. */
const rowsOf = async () =>
  (
    await page
      .locator('ui-answer-view service-embed tbody tr')
      .filter({ has: page.locator('td:visible') })
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td, th')].map((cell) => cell.textContent?.trim() ?? '')),
      )
  ).map((cells) => cells.map((cell) => (/^[-+]?[\d,.]+$/.test(cell) ? Number(cell.replaceAll(',', '')) : cell)));

async function asTable(): Promise<void> {
  await page.locator('ui-answer-view label', { hasText: 'Table' }).click();
  await page.locator('ui-answer-view service-embed[render=table]').waitFor();
}

const chip = (shelf: string) => page.locator(`[data-shelf=${shelf}] .text`);

test('of two ways to a table one is chosen: among the candidates of the mistake, then in the chip', async () => {
  await startOver();
  await page.getByRole('treeitem', { name: /^Town ?,/ }).click();
  await page.getByRole('group', { name: 'Use instead' }).getByRole('button', { name: 'departs' }).click();
  await asTable();
  const kilometres = (key: string) =>
    ask(`SELECT town, SUM(km)::INTEGER FROM trips JOIN towns ON town_id = ${key} GROUP BY 1 ORDER BY 1`);
  const [departing, arriving] = [await kilometres('from_id'), await kilometres('to_id')];
  expect(departing).not.toEqual(arriving);
  await expect.poll(async () => (await rowsOf()).toSorted()).toEqual(departing);
  await chip('rows').click();
  await page.getByRole('radio', { name: /arrives/i }).check();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await rowsOf()).toSorted()).toEqual(arriving);
});

test('a month without data is shown as zero, and values are compared with the year before', async () => {
  await startOver();
  await page.getByRole('treeitem', { name: /^Day/ }).click();
  await chip('rows').click();
  await page.getByRole('radio', { name: 'show as zero' }).check();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await asTable();
  const months = await ask(
    `SELECT SUM(km)::INTEGER FROM trips GROUP BY date_trunc('month', day) ORDER BY date_trunc('month', day)`,
  );
  const filled = months.map(([km]) => Number(km)).toSpliced(17, 0, 0);
  await expect.poll(async () => (await rowsOf()).map(([, km]) => km)).toEqual(filled);
  await chip('values').click();
  await page.getByRole('radio', { name: 'the year before' }).check();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // There is nothing to compare with before the first month; the month without data is zero there, too.
  await expect
    .poll(async () => (await rowsOf()).map(([, km, base]) => [km, base]))
    .toEqual(filled.map((km, at) => [km, at < 12 ? '–' : filled[at - 12]]));
});

test('an unusual value is marked and a series is forecast in the chart, also where a table was shown', async () => {
  await startOver();
  await page.getByRole('treeitem', { name: /^Day/ }).click();
  await asTable();
  const analysed = (kind: string) =>
    page.waitForResponse(
      (each) => each.url().endsWith('/view/answer') && each.request().postDataJSON().analytics?.kind === kind,
    );
  const [marked] = await Promise.all([analysed('anomaly'), page.getByRole('button', { name: 'Anomalies' }).click()]);
  const { columns, records } = await marked.json();
  const [month, kilometres] = columns.map(({ key }: { key: string }) => key);
  // The month with ten times the kilometres, alone.
  expect(
    records.filter((each: Record<string, { anomaly?: unknown }>) => each[kilometres]?.anomaly !== undefined),
  ).toMatchObject([{ [month]: expect.anything(), [kilometres]: { value: 4_860 } }]);
  await page.locator('ui-answer-view service-embed[render=chart] svg').first().waitFor();
  const [ahead] = await Promise.all([analysed('forecast'), page.getByRole('button', { name: 'Forecast' }).click()]);
  expect((await ahead.json()).forecast[kilometres].points.length).toBeGreaterThan(0);
  const further = page.waitForResponse((each) => each.request().postDataJSON()?.analytics?.horizon === 6);
  await page.getByLabel('How far ahead').selectOption('6');
  expect((await (await further).json()).forecast[kilometres].points).toHaveLength(6);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('a question in words becomes a request, which is corrected by hand and certified on the page of the model', async () => {
  const answered = async (key: string) =>
    expect
      .poll(rowsOf)
      .toEqual(
        await ask(`SELECT town, SUM(km)::INTEGER FROM trips JOIN towns ON town_id = ${key} GROUP BY 1 ORDER BY 1`),
      );
  const inWords = async () => {
    await page.getByLabel('Ask in words').fill(QUESTION);
    await page.keyboard.press('Enter');
    await page.getByText('This is the request for your question.').waitFor();
  };
  await page.goto(`${product.url}/ui/explore/trips/trips`);
  const understood = inWords();
  await page.getByText('Correcting the request…').waitFor();
  sayItIsSaid();
  await understood;
  await asTable();
  await answered('from_id');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await chip('rows').click();
  await page.getByRole('radio', { name: /arrives/i }).check();
  await page.keyboard.press('Escape');
  await answered('to_id');

  // Somebody marks the answer as wrong; the owner corrects its request.
  const { status } = await fetch(`${product.url}/rest/service/api/ai/semantic/ask/feedback`, {
    method: 'POST',
    headers: { ...(await signInOverRest(product)), 'content-type': 'application/json' },
    body: JSON.stringify({
      connection: 'trips',
      model: 'trips',
      question: QUESTION,
      verdict: 'wrong',
      comment: 'These are the towns of departure.',
      queryUsed: byTown('departs'),
    }),
  });
  expect(status).toBe(200);
  await page.goto(`${product.url}/ui/data/trips/questions`);
  await page.getByRole('heading', { name: QUESTION }).waitFor();
  await page.getByText('These are the towns of departure.').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  const request = page.getByLabel('The request that answers it');
  await request.fill(JSON.stringify(byTown('arives')));
  await page.getByRole('button', { name: 'Certify' }).click();
  // A mistake is shown with the names that exist.
  await page.getByRole('alert').filter({ hasText: 'arrives' }).waitFor();
  await request.fill(JSON.stringify(byTown('arrives')));
  await page.getByRole('button', { name: 'Certify' }).click();
  await page.getByText('No question was refused').waitFor();

  // The same question has the right answer now, without the language model.
  const asked = model.requests.length;
  await page.goto(`${product.url}/ui/explore/trips/trips`);
  await inWords();
  await asTable();
  await answered('to_id');
  expect(model.requests).toHaveLength(asked);
  expect(complained.filter((each) => !each.includes('400'))).toEqual([]);
});
