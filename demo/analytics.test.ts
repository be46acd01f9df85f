/** Tests saved queries with analytics: messages on saving, and answers of their embeds. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AskingProduct, BASE, CUBE_ID, startAsking } from './testing/asking.ts';

let product: AskingProduct;
beforeAll(async () => {
  product = await startAsking({ provider: '' });
});
afterAll(() => product?.stop());

const ADMIN = { as: 'admin' } as const;
const PATH = 'shared/analytics-test.service';

const SEMANTIC = {
  surface: 'semantic',
  request: {
    connection: 'demo',
    model: 'shop',
    rows: [{ dataset: 'sales', field: 'date', grain: 'month' }],
    values: [{ metric: 'net_sales' }],
  },
};
const CUBE = {
  surface: 'cube',
  request: { cube: CUBE_ID, measures: [{ name: 'Net Sales' }], rows: [{ dimension: 'Time', level: 'Month' }] },
};
const saved = (source: object, analytics: object) => ({ version: 1, title: 'Sales by month', source, analytics });
const put = (document: object) => product.call(`PUT /repository/${PATH}`, document, ADMIN);

async function embedded(): Promise<{ readonly status: number; readonly body: Readonly<Record<string, never>> }> {
  const made = await product.call('POST /embed/tokens', { resourceKind: 'query', resourcePath: PATH }, ADMIN);
  const answer = await fetch(`${product.url}${BASE}/embed/query/${PATH}`, {
    headers: { 'x-service-embed-token': made.body.token },
  });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, never>> };
}

describe.each([
  [
    'semantic',
    SEMANTIC,
    ['sales.date.month', 'sales.date', 'Sales.Date.Month'],
    'net_sales',
    ['2026-01-01', '2026-02-01', '2026-03-01'],
  ],
  [
    'cube',
    CUBE,
    ['[Time].[Month]', '[Time].[Time].[Month]', 'Time/Month', 'Time.Month'],
    'Net Sales',
    ['January', 'February', 'March'],
  ],
] as const)('a saved query of the %s surface', (_surface, source, axes, metric, next) => {
  test.each(axes)('is saved with a forecast along %s, and its embed returns the forecast', async (timeAxis) => {
    expect(await put(saved(source, { kind: 'forecast', timeAxis, horizon: 3 }))).toMatchObject({ status: 200 });
    const { status, body } = await embedded();
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
    const { forecast } = body as {
      forecast?: Readonly<Record<string, { points: readonly Record<string, unknown>[] }>>;
    };
    const [metricForecast] = Object.values(forecast ?? {});
    expect(Object.keys(forecast ?? {})).toEqual([metric]);
    // The demo's data ends in December 2025, which is row 35.
    expect(metricForecast?.points.map(({ index, period }) => [index, period])).toEqual([
      [36, next[0]],
      [37, next[1]],
      [38, next[2]],
    ]);
    for (const { value, lower, upper } of metricForecast?.points ?? []) {
      expect(Number(lower)).toBeLessThan(Number(value));
      expect(Number(upper)).toBeGreaterThan(Number(value));
    }
  });

  test('is saved with anomaly detection, and its embed returns the summary', async () => {
    expect((await put(saved(source, { kind: 'anomaly', timeAxis: axes[0], method: 'mad' }))).status).toBe(200);
    const { body } = await embedded();
    expect(body).toMatchObject({ anomaly: { method: 'mad', threshold: 3.5, grain: 'month' } });
  });

  test.each(['stores.region', '[Store].[Region]', 'Time/Year', 'sales.date.year', 'nothing'])(
    'is refused with a time axis that is not among its columns: %s',
    async (timeAxis) => {
      expect(await put(saved(source, { kind: 'forecast', timeAxis }))).toMatchObject({
        status: 400,
        body: {
          error: 'VALIDATION_ERROR',
          field: 'analytics.timeAxis',
          available: [source === SEMANTIC ? 'sales.date.month' : 'Time.Month'],
        },
      });
    },
  );

  test.each([
    [{ kind: 'forecast', timeAxis: axes[0], horizon: 366 }, 'analytics.horizon'],
    [{ kind: 'forecast', timeAxis: axes[0], interval: 1 }, 'analytics.interval'],
    [{ kind: 'forecast', timeAxis: axes[0], method: 'crystal' }, 'analytics.method'],
    [{ kind: 'anomaly', timeAxis: axes[0], threshold: 0 }, 'analytics.threshold'],
    [{ kind: 'anomaly' }, 'analytics.timeAxis'],
  ])('is refused with %j', async (analytics, field) => {
    expect(await put(saved(source, analytics))).toMatchObject({ status: 400, body: { field } });
  });
});

test('mistakes in the query are reported before mistakes in its time axis', async () => {
  const source = { ...SEMANTIC, request: { ...SEMANTIC.request, rows: [{ dataset: 'sales' }] } };
  expect(await put(saved(source, { kind: 'forecast', timeAxis: 'sales.date.month' }))).toMatchObject({
    status: 400,
    body: { field: 'source.request.rows[0].field' },
  });
});

test('a query that names a dataset by a synonym may name its time axis by that synonym, too', async () => {
  const synonym = 'receipts';
  const source = {
    ...SEMANTIC,
    request: { ...SEMANTIC.request, rows: [{ dataset: synonym, field: 'date', grain: 'month' }] },
  };
  for (const timeAxis of [`${synonym}.date.month`, 'Receipts.Date.Month']) {
    expect((await put(saved(source, { kind: 'forecast', timeAxis, horizon: 2 }))).status).toBe(200);
    expect(await embedded()).toMatchObject({
      status: 200,
      body: { forecast: { net_sales: { points: [{ period: '2026-01-01' }, { period: '2026-02-01' }] } } },
    });
  }
});

test('the example of the guide forecasts six months', async () => {
  const request: unknown = JSON.parse(readFileSync('docs/examples/analytics/forecast.json', 'utf8'));
  const { status, body } = await product.call('POST /ai/semantic/forecast', request);
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
  expect(body.forecast.net_sales.points).toMatchObject(
    ['01', '02', '03', '04', '05', '06'].map((month) => ({ period: `2026-${month}-01` })),
  );
});
