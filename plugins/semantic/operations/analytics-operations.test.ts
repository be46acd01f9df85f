/** Tests anomalies and forecasts through REST, over data from a known process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RestClient, restClient } from '../../../router/testing/rest-client.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { ENGINES, type EngineName, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { AnomalySummary, CellAnomaly, Forecasts } from '../../analytics/index.ts';
import { AnomalyRequest, ForecastRequest } from '../schemas-analytics.ts';
import { Fixture, scope } from '../testing/fixture.ts';

const ROOT = 'POST /rest/service/api/ai/semantic';

/** Sales of month `t` from January 2020 on, 48 of them: a line, a season and a little more; Rome sells twice of it. */
const SEASON = [0, 5, -3, 8, 12, 20, 15, 6, -8, -20, -5, -30];
const course = (t: number) => 100 + 2 * t + (SEASON[t % 12] ?? 0) + ((7 * t) % 5) - 2;
const monthText = (t: number) => `${2020 + Math.floor(t / 12)}-${String((t % 12) + 1).padStart(2, '0')}`;
const MONTHS = 48;
/** A spike in month 30 of Oslo; one in month 40 of few receipts. */
const SPIKE_MONTH = 30;
const SUPPRESSED_MONTH = 40;

/** Makes the receipts of one city's month; they share its amount. */
function receipts(t: number, city: string, amount: number, count: number) {
  return Array.from({ length: count }, () => `('${monthText(t)}', '${city}', ${amount / count})`);
}
const rows = Array.from({ length: MONTHS }, (_, t) => [
  ...receipts(
    t,
    'Oslo',
    course(t) + (t === SPIKE_MONTH ? 150 : t === SUPPRESSED_MONTH ? 900 : 0),
    t === SUPPRESSED_MONTH ? 2 : 5,
  ),
  ...receipts(t, 'Rome', 2 * course(t), 5),
]).flat();
const TABLES = [
  'CREATE TABLE sales (month VARCHAR(7), city VARCHAR(10), amount DOUBLE PRECISION)',
  `INSERT INTO sales VALUES ${rows.join(', ')}`,
];
const DOCUMENT = `
version: 0.1.1
semantic_model:
  - name: retail
    datasets:
      - name: sales
        source: sales
        fields:
          - { name: month, expression: [{ dialect: ANSI_SQL, expression: month }] }
          - { name: city, expression: [{ dialect: ANSI_SQL, expression: city }] }
    metrics:
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] }
      - { name: receipts, expression: [{ dialect: ANSI_SQL, expression: COUNT(*) }] }
`;

const MONTH = { dataset: 'sales', field: 'month' };
const CITY = { dataset: 'sales', field: 'city' };
const query = { connection: 'test', rows: [MONTH], values: [{ metric: 'amount' }] };
const inRome = { ...query, filters: [{ ...CITY, op: 'EQ', value: 'Rome' }] };
const inOslo = { ...query, filters: [{ ...CITY, op: 'EQ', value: 'Oslo' }] };
const along = { timeAxis: 'sales.month' };

// What an operation makes of an answer does not depend on the engine; `conformance.test.ts` runs its statements on every engine.
describe.each(ENGINES)('on %s', (engine: EngineName) => {
  let fixture: Fixture;
  let rest: RestClient;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, TABLES);
    fixture = await Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document: DOCUMENT,
    });
    rest = restClient(fixture.surface.plugin);
  });
  afterAll(() => fixture.close());

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into a JSON answer as any client does.
  async function ask(operation: 'anomaly' | 'forecast', body: unknown): Promise<{ status: number; body: any }> {
    const { status, body: answer } = await rest.call(`${ROOT}/${operation}`, {
      caller: { kind: 'user', via: 'api-key', ...scope('ROLE_USER') },
      body,
    });
    return { status, body: answer };
  }

  it.each(['ets', 'arima', 'prophet'])('%s continues a line with a season, and names the months', async (method) => {
    const { status, body } = await ask('forecast', { query: inRome, ...along, method, horizon: 3 });
    expect(status).toBe(200);
    expect(body.records).toHaveLength(MONTHS);
    const { points, models, ...rest } = body.forecast.amount;
    expect(models.length).toBeGreaterThan(0);
    expect(rest).toEqual({ method, horizon: 3, confidence: 0.95, grain: 'month' });
    expect(points.map(({ index, period }: { index: number; period: string }) => [index, period])).toEqual([
      [48, '2024-01'],
      [49, '2024-02'],
      [50, '2024-03'],
    ]);
    for (const [k, { value, lower, upper }] of points.entries()) {
      expect(Math.abs(value - 2 * course(MONTHS + k))).toBeLessThan(16);
      expect(lower).toBeLessThanOrEqual(value);
      expect(upper).toBeGreaterThanOrEqual(value);
    }
  });

  it('defaults are ets, six points, 95 %', async () => {
    const { body } = await ask('forecast', { query: inRome, ...along });
    expect(body.forecast.amount).toMatchObject({ method: 'ets', horizon: 6, confidence: 0.95 });
    expect(body.forecast.amount.points).toHaveLength(6);
  });

  it('each combination of the other fields is a separate series', async () => {
    const { body } = await ask('forecast', { query: { ...query, rows: [CITY, MONTH] }, ...along, horizon: 1 });
    const { points, series } = body.forecast.amount;
    expect(points).toEqual([]);
    expect(series.map(({ by }: { by: object }) => by)).toEqual([{ 'sales.city': 'Oslo' }, { 'sales.city': 'Rome' }]);
    expect(series[1].points[0]).toMatchObject({ index: 48, period: '2024-01' });
  });

  it('stl flags the month that leaves its season, in its cell', async () => {
    const { status, body } = await ask('anomaly', { query: inOslo, ...along, method: 'stl', threshold: 8 });
    expect(status).toBe(200);
    const flagged = body.records.filter((record: { amount: { anomaly?: object } }) => record.amount.anomaly);
    expect(flagged.map((record: Record<string, unknown>) => record['sales.month'])).toEqual([
      monthText(SPIKE_MONTH),
      monthText(SUPPRESSED_MONTH),
    ]);
    expect(flagged[0].amount.anomaly).toMatchObject({ direction: 'high' });
    expect(Math.abs(flagged[0].amount.anomaly.expected - course(SPIKE_MONTH))).toBeLessThan(15);
    expect(body.anomaly).toMatchObject({ method: 'stl', threshold: 8, anomalyCount: 2 });
  });

  it.each([
    ['zscore', 3],
    ['mad', 3.5],
    ['stl', 3],
  ])('the default threshold of %s is %d', async (method, threshold) => {
    const { body } = await ask('anomaly', { query: inOslo, ...along, method });
    expect(body.anomaly.threshold).toBe(threshold);
  });

  it.each([
    [{ timeAxis: 'sales.city' }, 'timeAxis', ['sales.month']],
    [{ ...along, method: 'theta' }, 'method', ['ets', 'arima', 'prophet']],
    [{ ...along, horizon: 0 }, 'horizon', undefined],
    [{ ...along, horizon: 366 }, 'horizon', undefined],
    [{ ...along, interval: 1 }, 'interval', undefined],
    [{ ...along, interval: 0.99999 }, 'interval', undefined],
    [{ ...along, interval: 0 }, 'interval', undefined],
    [{}, 'timeAxis', undefined],
  ])('%j is refused', async (wrong, field, available) => {
    const { status, body } = await ask('forecast', { query, ...wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'VALIDATION_ERROR', field, ...(available && { available }) });
  });

  it('mistakes in the query are reported at their place in the body', async () => {
    const { body } = await ask('anomaly', { query: { ...query, values: [{ metric: 'amont' }] }, ...along });
    expect(body).toMatchObject({ error: 'VALIDATION_ERROR', field: 'query.values[0].metric' });
    expect(body.available[0]).toBe('amount');
    expect((await ask('anomaly', { query, ...along, threshold: 0 })).body).toMatchObject({ field: 'threshold' });
    expect((await ask('anomaly', { query: { ...query, values: [] }, ...along })).body).toMatchObject({
      field: 'query.values',
    });
  });

  it('a field without times is refused as a time axis', async () => {
    const { status, body } = await ask('anomaly', { query: { ...query, rows: [CITY] }, timeAxis: 'sales.city' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ field: 'timeAxis', message: expect.stringContaining('not read as time') });
  });

  it('no rows, one row: no forecast and a reason', async () => {
    const nowhere = { ...query, filters: [{ ...CITY, op: 'EQ', value: 'Nowhere' }] };
    expect((await ask('forecast', { query: nowhere, ...along })).body.forecast.amount).toMatchObject({
      points: [],
      reason: 'empty',
    });
    const once = { ...inRome, filters: [...inRome.filters, { ...MONTH, op: 'EQ', value: '2020-01' }] };
    expect((await ask('forecast', { query: once, ...along })).body.forecast.amount).toMatchObject({
      points: [],
      reason: 'too_short',
    });
    expect((await ask('anomaly', { query: once, ...along })).body.anomaly.series).toMatchObject([
      { metric: 'amount', reason: 'too_short', anomalyCount: 0 },
    ]);
  });
});

describe('a date by its grain', () => {
  const BY_DAY = [
    'CREATE TABLE sales (day DATE, city VARCHAR(10), amount DOUBLE PRECISION)',
    `INSERT INTO sales VALUES ${Array.from({ length: 30 }, (_, t) => `('${monthText(t)}-05', 'Oslo', ${100 + t})`).join(', ')}`,
  ];
  const document = DOCUMENT.replace(
    'name: month, expression: [{ dialect: ANSI_SQL, expression: month }]',
    'name: day, expression: [{ dialect: ANSI_SQL, expression: day }], dimension: { is_time: true }',
  );

  it('the time axis is the field as dataset.field, or the key of its column, which is needed with two grains', async () => {
    const warehouse = await startWarehouse('duckdb', BY_DAY);
    const fixture = await Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document,
    });
    try {
      const rest = restClient(fixture.surface.plugin);
      const caller = { kind: 'user', via: 'api-key', ...scope('ROLE_USER') } as const;
      const ask = (timeAxis: string, ...grains: readonly string[]) =>
        rest.call(`${ROOT}/forecast`, {
          caller,
          body: {
            query: { ...query, rows: grains.map((grain) => ({ dataset: 'sales', field: 'day', grain })) },
            timeAxis,
            horizon: 1,
          },
        });
      for (const timeAxis of ['sales.day', 'sales.day.month']) {
        const { status, body } = await ask(timeAxis, 'month');
        expect([status, body]).toMatchObject([
          200,
          { forecast: { amount: { grain: 'month', points: [{ index: 30, period: '2022-07-01' }] } } },
        ]);
      }
      expect((await ask('sales.day', 'month', 'year')).body).toMatchObject({
        error: 'VALIDATION_ERROR',
        field: 'timeAxis',
        available: ['sales.day.month', 'sales.day.year'],
      });
    } finally {
      await fixture.close();
    }
  });
});

describe('small cells', () => {
  it.each([null, -1])('are masked with %s before scoring and forecasting', async (mask) => {
    const warehouse = await startWarehouse('duckdb', TABLES);
    const fixture = await Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document: DOCUMENT,
      settings: { kAnonymity: { threshold: 5, mask } },
    });
    try {
      const rest = restClient(fixture.surface.plugin);
      const caller = { kind: 'user', via: 'api-key', ...scope('ROLE_USER') } as const;
      const masked = { ...inOslo, values: [{ metric: 'amount' }, { metric: 'receipts' }] };
      const { body } = await rest.call(`${ROOT}/anomaly`, {
        caller,
        body: { query: masked, ...along, method: 'stl', threshold: 8 },
      });
      expect(body).toMatchObject({ meta: { suppressed: { count: 1 } }, anomaly: { anomalyCount: 1 } });
      expect(JSON.stringify(body)).toContain('"gaps":1');
      const forecast = await rest.call(`${ROOT}/forecast`, { caller, body: { query: masked, ...along } });
      expect(forecast.body).toMatchObject({ forecast: { amount: { gaps: 1 } } });
    } finally {
      await fixture.close();
    }
  });
});

/** Series of one field each, along months from January 2020 on: null where a month has no amount, absent without a row. */
const MONTHLY: Readonly<Record<string, readonly (number | null | undefined)[]>> = {
  good: Array.from({ length: 40 }, (_, t) => 100 + 10 * Math.sin(t / 2) + (t % 3)),
  constant: Array.from({ length: 40 }, () => 7),
  nothing: Array.from({ length: 40 }, () => null),
  lone: [42],
  short: [1, 2, 3],
  gaps: Array.from({ length: 40 }, (_, t) => (t % 4 === 3 ? undefined : 50 + t)),
  holes: Array.from({ length: 40 }, (_, t) => (t % 8 === 0 ? 50 + t : undefined)),
  huge: Array.from({ length: 40 }, (_, t) => 1e300 * (t % 5)),
  tiny: Array.from({ length: 40 }, (_, t) => 1e-300 * (t % 5)),
  ends: Array.from({ length: 40 }, (_, t) => (t < 30 ? 50 + t : null)),
};
const EDGES = [
  'CREATE TABLE sales (month VARCHAR(7), city VARCHAR(10), amount DOUBLE PRECISION)',
  `INSERT INTO sales VALUES ${Object.entries(MONTHLY)
    .flatMap(([name, values]) =>
      values.flatMap((value, t) => (value === undefined ? [] : [`('${monthText(t)}', '${name}', ${value})`])),
    )
    .join(', ')}`,
];

/** Lists every number of a JSON value by its path; `null` where JSON cannot represent the number. */
function numbersIn(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, each]) => numbersIn(each, `${path}.${key}`));
}

describe('series that are hard to work on', () => {
  let fixture: Fixture;
  let rest: RestClient;
  beforeAll(async () => {
    const warehouse = await startWarehouse('duckdb', EDGES);
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT });
    rest = restClient(fixture.surface.plugin);
  });
  afterAll(() => fixture.close());
  const caller = { kind: 'user', via: 'api-key', ...scope('ROLE_USER') } as const;
  const byCity = { ...query, rows: [CITY, MONTH] };

  it.each(['ets', 'arima', 'prophet'].flatMap((method) => [1, 365].map((horizon) => [method, horizon] as const)))(
    '%s, %d ahead: numbers or a reason',
    async (method, horizon) => {
      const body = { query: byCity, ...along, method, horizon };
      const { status, body: answer } = await rest.call(`${ROOT}/forecast`, { caller, body });
      expect(status).toBe(200);
      const { series } = z.object({ forecast: Forecasts }).parse(answer).forecast.amount ?? {};
      const reasons = Object.fromEntries((series ?? []).map(({ by, reason }) => [by['sales.city'], reason]));
      expect(reasons).toMatchObject({
        good: undefined,
        constant: 'constant',
        nothing: 'empty',
        lone: 'too_short',
        short: 'too_short',
        gaps: undefined,
        holes: 'too_many_gaps',
        ends: undefined,
      });
      for (const { by, points, models, reason } of series ?? []) {
        const hasForecast = reason === undefined || ['constant', 'short'].includes(String(by['sales.city']));
        expect(points).toHaveLength(hasForecast ? horizon : 0);
        // Weights are rounded to three decimals.
        const weight = models?.reduce((sum, each) => sum + each.weight, 0);
        if (hasForecast) expect(weight).toBeCloseTo(1, 2);
        else expect(models).toBeUndefined();
        for (const [, number] of numbersIn(points.map(({ period: _, ...numbers }) => numbers))) {
          expect(number).toSatisfy(Number.isFinite);
        }
      }
      // January 2020 and forty months.
      const good = series?.find(({ by }) => by['sales.city'] === 'good')?.points;
      expect(good?.[0]).toMatchObject({ index: 40, period: '2023-05' });
      // Its last ten months have no amount: the forecast begins behind them.
      const ends = series?.find(({ by }) => by['sales.city'] === 'ends')?.points;
      expect(ends?.[0]).toMatchObject({ index: 40, period: '2023-05' });
    },
  );

  it.each(['zscore', 'mad', 'stl'])('%s: numbers or a reason', async (method) => {
    const { body } = await rest.call(`${ROOT}/anomaly`, { caller, body: { query: byCity, ...along, method } });
    const { anomaly, records } = z
      .object({ anomaly: AnomalySummary, records: z.array(z.record(z.string(), z.unknown())) })
      .parse(body);
    const reasons = Object.fromEntries((anomaly.series ?? []).map(({ by, reason }) => [by?.['sales.city'], reason]));
    expect(reasons).toMatchObject({ good: undefined, constant: 'constant', nothing: 'empty', lone: 'too_short' });
    const marks = records.flatMap(({ amount }) =>
      typeof amount === 'object' && amount !== null && 'anomaly' in amount ? [CellAnomaly.parse(amount.anomaly)] : [],
    );
    expect(marks).toHaveLength(anomaly.anomalyCount);
    for (const { score, expected } of marks) expect([score, expected].every(Number.isFinite)).toBe(true);
  });

  it('a saved query has the same analysis, and its mistakes are reported with the legal values', async () => {
    const ask = (analytics: unknown) => fixture.surface.source.prepare(byCity).run(caller, { analytics });
    const { forecast } = await ask({ kind: 'forecast', ...along, horizon: 2 });
    const direct = await rest.call(`${ROOT}/forecast`, { caller, body: { query: byCity, ...along, horizon: 2 } });
    expect(direct.body).toMatchObject({ forecast });
    expect((await ask({ kind: 'anomaly', ...along })).anomaly).toMatchObject({ method: 'zscore', threshold: 3 });
    await expect(ask({ kind: 'anomaly', timeAxis: 'sales.day' })).rejects.toMatchObject({
      field: 'timeAxis',
      available: expect.arrayContaining(['sales.month']),
    });
    await expect(ask({ kind: 'forecast', ...along, method: 'theta' })).rejects.toMatchObject({
      field: 'method',
      available: ['ets', 'arima', 'prophet'],
    });
    await expect(ask({ kind: 'trend', ...along })).rejects.toMatchObject({
      field: 'kind',
      available: ['anomaly', 'forecast'],
    });
  });

  it('a runtime filter keeps only the series that pass it', async () => {
    const runtimeFilters = [{ field: 'sales.city', op: 'EQ', values: ['good'] }] as const;
    const analytics = { kind: 'forecast', ...along, horizon: 2 };
    const { forecast } = await fixture.surface.source.prepare(byCity).run(caller, { analytics, runtimeFilters });
    expect(forecast).toMatchObject({
      amount: { points: [{ index: 40 }, { index: 41 }], series: [{ by: { 'sales.city': 'good' } }] },
    });
  });
});

it('the examples of the interface are requests', () => {
  for (const schema of [AnomalyRequest, ForecastRequest]) {
    const examples = z.array(z.unknown()).min(1).parse(schema.meta()?.examples);
    for (const example of examples) expect(schema.parse(example)).toEqual(example);
  }
});
