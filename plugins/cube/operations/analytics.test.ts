/** Anomalies and forecasts of a cube, along its time levels. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { AnomalyRequest, ForecastRequest } from '../api/analytics-schemas.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import type { CubeSettings } from '../settings.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';

/** Units of month `t` from January 2021: a line, a season, and a spike. Six lines each, two in the spike's month. */
const SEASON = [0, 5, -3, 8, 12, 20, 15, 6, -8, -20, -5, -30];
const course = (t: number) => 200 + 3 * t + (SEASON[t % 12] ?? 0) + ((7 * t) % 5) - 2;
const MONTHS = 36;
const SPIKE = 29;
const sales = Array.from({ length: MONTHS }, (_, t) => {
  const lines = t === SPIKE ? 2 : 6;
  const units = course(t) + (t === SPIKE ? 300 : 0);
  // Shop A has no sales in the first two months.
  return Array.from({ length: lines }, (_, i) =>
    i % 2 === 0 ? `(${t}, 'A', ${units / lines}, ${t < 2 ? null : t})` : `(${t}, 'B', ${units / lines}, ${t})`,
  );
}).flat();
const SHORT = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const periods = Array.from({ length: MONTHS }, (_, t) => {
  const month = (t % 12) + 1;
  const year = 2021 + Math.floor(t / 12);
  return `(${t}, ${year}, 'Q${Math.ceil(month / 3)}', ${month}, 'Month ${month}', 'FY ${year}', '${SHORT[month - 1]}')`;
});
const TABLES = [
  'CREATE TABLE period (id INTEGER, year INTEGER, quarter VARCHAR(2), month INTEGER, name VARCHAR(20), fiscal VARCHAR(10), short VARCHAR(3))',
  `INSERT INTO period VALUES ${periods.join(', ')}`,
  'CREATE TABLE sales (period_id INTEGER, shop VARCHAR(5), units DOUBLE PRECISION, seen DOUBLE PRECISION)',
  `INSERT INTO sales VALUES ${sales.join(', ')}`,
];
const SCHEMA = `<Schema name="Shops"><Cube name="Sales" defaultMeasure="Units"><Table name="sales"/>
  <Dimension name="Time" type="TimeDimension" foreignKey="period_id"><Hierarchy hasAll="true" primaryKey="id"><Table name="period"/>
    <Level name="Year" column="year" type="Numeric" uniqueMembers="true" levelType="TimeYears"/>
    <Level name="Quarter" column="quarter" uniqueMembers="false" levelType="TimeQuarters"/>
    <Level name="Month" column="month" type="Numeric" captionColumn="name" uniqueMembers="false" levelType="TimeMonths"/>
  </Hierarchy></Dimension>
  <Dimension name="Season" type="TimeDimension" foreignKey="period_id"><Hierarchy hasAll="true" primaryKey="id"><Table name="period"/>
    <Level name="Fiscal" column="fiscal" uniqueMembers="true"/>
    <Level name="Month" column="month" captionColumn="short" type="Numeric" uniqueMembers="false"/>
  </Hierarchy></Dimension>
  <Dimension name="Dated" foreignKey="period_id"><Hierarchy hasAll="true" primaryKey="id"><Table name="period"/>
    <Level name="Fiscal year" column="fiscal" uniqueMembers="true" levelType="TimeYears"/>
  </Hierarchy></Dimension>
  <Dimension name="Plain" foreignKey="period_id"><Hierarchy hasAll="true" primaryKey="id"><Table name="period"/>
    <Level name="Year" column="year" type="Numeric" uniqueMembers="true"/>
  </Hierarchy></Dimension>
  <Dimension name="Shop"><Hierarchy hasAll="true"><Level name="Shop" column="shop" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Units" column="units" aggregator="sum" formatString="#,##0"/>
  <Measure name="Seen" column="seen" aggregator="max"/>
  <Measure name="Lines" column="units" aggregator="count"/>
</Cube></Schema>`;

interface Body {
  readonly forecast: { readonly Units: { readonly points: readonly { readonly period?: string }[] } };
}

const query = {
  cube: 'test/Shops/Shops/Sales',
  measures: [{ name: 'Units' }],
  rows: [{ dimension: 'Time', level: 'Month' }],
};

describe('along the levels of time', () => {
  let warehouse: TestWarehouse;
  let state: StateStore;
  let folder: string;
  const open = (settings: Partial<CubeSettings> = {}) =>
    Fixture.open({
      warehouses: warehouse.warehouses,
      address: warehouse.address,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      state,
      schema: SCHEMA,
      settings,
    });
  let cubes: Fixture;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-cube-analytics-'));
    warehouse = await startWarehouse('duckdb', TABLES);
    state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
    await state.migrate({ cube: recentQueryMigrations });
    cubes = await open();
  });
  afterAll(async () => {
    await cubes.close();
    await state.close();
    await warehouse.stop();
    await rm(folder, { recursive: true });
  });

  it.each(['[Time].[Time].[Month]', '[Time].[Month]', 'Time/Month', 'Time.Month'])(
    '%s: months go on',
    async (timeAxis) => {
      const { status, body } = await cubes.call('POST /forecast', { query, timeAxis, horizon: 2 });
      expect(status).toBe(200);
      expect(body.data).toHaveLength(MONTHS);
      expect(body.forecast.Units).toMatchObject({
        grain: 'month',
        points: [
          { index: 36, period: 'Month 1' },
          { index: 37, period: 'Month 2' },
        ],
      });
      expect(Math.abs(body.forecast.Units.points[0].value - course(36))).toBeLessThan(30);
    },
  );

  it('quarters and years are in the order of time, too', async () => {
    const quarters = { ...query, rows: [{ dimension: 'Time', level: 'Quarter' }] };
    const { body } = await cubes.call('POST /forecast', { query: quarters, timeAxis: 'Time/Quarter', horizon: 1 });
    expect(body.forecast.Units).toMatchObject({ grain: 'quarter', points: [{ index: 12, period: 'Q1' }] });
    const years = { ...query, rows: [{ dimension: 'Time', level: 'Year' }] };
    const { body: yearly } = await cubes.call('POST /forecast', { query: years, timeAxis: 'Time/Year' });
    expect(yearly.forecast.Units).toMatchObject({
      grain: 'year',
      models: [{ name: 'short', weight: 1 }],
      reason: 'too_short',
    });
    expect(yearly.forecast.Units.points).toHaveLength(6);
  });

  it('columns make separate series, and the unusual cell is marked', async () => {
    const crossed = { ...query, columns: [{ dimension: 'Shop', level: 'Shop' }] };
    const { body } = await cubes.call('POST /anomaly', {
      query: crossed,
      timeAxis: 'Time/Month',
      method: 'stl',
      threshold: 8,
    });
    expect(body.anomaly.series.map(({ by }: { by: object }) => by)).toEqual([
      { 'Shop.Shop': 'A' },
      { 'Shop.Shop': 'B' },
    ]);
    const marked = body.data.flatMap((row: Record<string, { anomaly?: object }>, index: number) =>
      Object.entries(row).flatMap(([key, cell]) => (cell.anomaly ? [[index, key]] : [])),
    );
    expect(marked).toEqual([
      [SPIKE, 'A / Units'],
      [SPIKE, 'B / Units'],
    ]);
  });

  it('small groups are masked first, with any mask', async () => {
    const masked = await open({ kAnonymity: { threshold: 5, mask: -1 } });
    try {
      const { body } = await masked.call('POST /anomaly', {
        query,
        timeAxis: 'Time/Month',
        method: 'stl',
        threshold: 8,
      });
      expect(body.metadata.suppressed).toMatchObject({ count: 1 });
      expect(body.anomaly).toMatchObject({ anomalyCount: 0, series: [{ gaps: 1 }] });
    } finally {
      await masked.close();
    }
  });

  it("the next periods have the captions of the level's members, also of members that the query does not show", async () => {
    // Ten months, January to October 2021. The captions of November and December come from the level.
    const members = Array.from({ length: 10 }, (_, t) => `[Time].[2021].[Q${Math.floor(t / 3) + 1}].[${t + 1}]`);
    const part = { ...query, rows: [{ dimension: 'Time', level: 'Month', members }] };
    const typed = await cubes.call('POST /forecast', { query: part, timeAxis: 'Time/Month', horizon: 4 });
    const names = (body: Body) => body.forecast.Units.points.map(({ period }) => period);
    expect(names(typed.body)).toEqual(['Month 11', 'Month 12', 'Month 1', 'Month 2']);
    const cut = members.map((_, t) => `[Season].[FY 2021].[${t + 1}]`);
    const untyped = { ...query, rows: [{ dimension: 'Season', level: 'Month', members: cut }] };
    const { body } = await cubes.call('POST /forecast', { query: untyped, timeAxis: 'Season/Month', horizon: 4 });
    expect(names(body)).toEqual(['Nov', 'Dec', 'Jan', 'Feb']);
  });

  it('a level that is not a time level is refused with the time levels', async () => {
    const rows = [
      { dimension: 'Time', level: 'Year' },
      { dimension: 'Shop', level: 'Shop' },
    ];
    for (const operation of ['forecast', 'anomaly']) {
      const request = { query: { ...query, rows }, timeAxis: 'Shop/Shop' };
      const { status, body } = await cubes.call(`POST /${operation}`, request);
      expect([status, body.field, body.available]).toEqual([400, 'timeAxis', ['[Time].[Year]']]);
      expect(body.error).toContain('The level [Shop].[Shop] is not a level of time');
      const alone = { query: { ...query, rows: rows.slice(1) }, timeAxis: '[Shop].[Shop]' };
      expect((await cubes.call(`POST /${operation}`, alone)).body).toMatchObject({ field: 'timeAxis' });
    }
  });

  it("a level is a time level by its type, its dimension's type, or the names of its members", async () => {
    for (const [dimension, level] of [
      ['Dated', 'Fiscal year'],
      ['Season', 'Fiscal'],
      ['Plain', 'Year'],
    ]) {
      const request = { query: { ...query, rows: [{ dimension, level }] }, timeAxis: `${dimension}/${level}` };
      expect([level, (await cubes.call('POST /anomaly', request)).status]).toEqual([level, 200]);
    }
  });

  it('members without a period name are in the order of their level, also if the first series lacks some', async () => {
    const crossed = {
      ...query,
      measures: [{ name: 'Seen' }],
      rows: [
        { dimension: 'Shop', level: 'Shop' },
        { dimension: 'Season', level: 'Month' },
      ],
    };
    const { body } = await cubes.call('POST /forecast', { query: crossed, timeAxis: 'Season/Month', horizon: 2 });
    expect(body.forecast.Seen).toMatchObject({
      grain: 'position',
      series: [
        { by: { 'Shop.Shop': 'A' }, points: [{ period: 'Jan' }, { period: 'Feb' }] },
        { by: { 'Shop.Shop': 'B' }, points: [{ period: 'Jan' }, { period: 'Feb' }] },
      ],
    });
    // A begins in the third month. If its months were at other positions, its line of one unit a month would continue
    // differently.
    const [a] = body.forecast.Seen.series;
    expect(a.points[0]).toMatchObject({ index: MONTHS - 2 });
    expect(Math.abs(a.points[0].value - MONTHS)).toBeLessThan(1.5);
  });

  it('a saved query requests the same, and its mistakes are reported with the legal values', async () => {
    const ask = (analytics: unknown) => cubes.surface.source.prepare(query).run(scope('ROLE_USER'), { analytics });
    const { forecast } = await ask({ kind: 'forecast', timeAxis: 'Time/Month', horizon: 1 });
    expect(forecast).toMatchObject({ Units: { points: [{ index: 36, period: 'Month 1' }] } });
    const { anomaly, records } = await ask({ kind: 'anomaly', timeAxis: 'Time/Month', method: 'stl', threshold: 8 });
    expect(anomaly).toMatchObject({ method: 'stl', anomalyCount: 1 });
    expect(records[SPIKE]?.Units).toMatchObject({ anomaly: { direction: 'high' } });
    await expect(ask({ kind: 'forecast', timeAxis: 'Time/Week' })).rejects.toMatchObject({
      field: 'timeAxis',
      available: ['[Time].[Month]'],
    });
    await expect(ask({ kind: 'anomaly', timeAxis: 'Time/Month', method: 'iqr' })).rejects.toMatchObject({
      field: 'method',
      available: ['zscore', 'mad', 'stl'],
    });
  });

  it('the examples of the interface are requests', () => {
    for (const schema of [AnomalyRequest, ForecastRequest]) {
      const examples = z.array(z.unknown()).min(1).parse(schema.meta()?.examples);
      for (const example of examples) expect(schema.parse(example)).toEqual(example);
    }
  });

  it('a level that the query does not show, an order by a measure, a wrong name: 400 with the place', async () => {
    expect((await cubes.call('POST /forecast', { query, timeAxis: 'Time/Week' })).body).toMatchObject({
      status: 'VALIDATION_ERROR',
      field: 'timeAxis',
      available: ['[Time].[Month]'],
    });
    const ordered = { ...query, order: [{ by: 'Units', direction: 'desc' }] };
    expect((await cubes.call('POST /anomaly', { query: ordered, timeAxis: 'Time/Month' })).body).toMatchObject({
      field: 'query.order',
    });
    const wrong = { ...query, measures: [{ name: 'Unit' }] };
    expect((await cubes.call('POST /anomaly', { query: wrong, timeAxis: 'Time/Month' })).body).toMatchObject({
      field: expect.stringMatching(/^query\.measures/),
      available: expect.arrayContaining(['Units']),
    });
  });
});
