/** Tests grains of dates on every engine: unusual days, and random instants compared with an oracle that only uses `Intl`. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Moment } from '../../router/capabilities/dialect.ts';
import { type DateGrain, grainsOf, type MomentType, type WeekDay } from '../../router/date-grains.ts';
import { SEED } from '../../router/testing/seed.ts';
import { DIALECTS } from './dialects.ts';
import { describeEngines } from './testing/describe-engines.ts';
import { type AnyEngineName, sql, startWarehouse, type TestWarehouse } from './testing/engines.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Sao_Paulo',
];

const DAY = 86_400_000;

/** The local time in a zone, computed by `Intl` without the product. */
const formats = new Map(
  ZONES.map((zone) => [
    zone,
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
);
function shown(zone: string, instant: number): number {
  const parts = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE');
  return Date.parse(`${parts.format(instant).replace(' ', 'T')}Z`) + (((instant % 1000) + 1000) % 1000);
}

/** Computes the value of a grain by counting on a calendar. */
function oracle(grain: DateGrain, instant: number, zone: string | undefined, firstDay: WeekDay): string | number {
  const clock = zone === undefined ? instant : shown(zone, instant);
  const at = new Date(clock);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const iso = (y: number, m: number, d: number) => {
    const made = new Date(0);
    made.setUTCFullYear(y, m, d);
    return made.toISOString().split('T')[0] ?? '';
  };
  const weekday = at.getUTCDay() === 0 ? 7 : at.getUTCDay();
  const ordinal = (y: number, m: number, d: number) =>
    Math.round((Date.parse(`${iso(y, m, d)}T00:00Z`) - Date.parse(`${iso(y, 0, 1)}T00:00Z`)) / DAY) + 1;
  const cut = (unit: number) => new Date(instant - (((clock % unit) + unit) % unit)).toISOString().slice(0, 19);
  const sinceFirst = (weekday - firstDay + 7) % 7;
  switch (grain) {
    case 'second':
      return cut(1_000);
    case 'minute':
      return cut(60_000);
    case 'hour':
      return cut(3_600_000);
    case 'day':
      return iso(year, month, day);
    case 'week':
      return iso(year, month, day - sinceFirst);
    case 'month':
      return iso(year, month, 1);
    case 'quarter':
      return iso(year, Math.floor(month / 3) * 3, 1);
    case 'year':
      return iso(year, 0, 1);
    case 'hour_of_day':
      return at.getUTCHours();
    case 'day_of_week':
      return weekday;
    case 'day_of_month':
      return day;
    case 'day_of_year':
      return ordinal(year, month, day);
    case 'week_of_year': {
      const middle = new Date(`${iso(year, month, day - sinceFirst + 3)}T00:00Z`);
      return Math.ceil(ordinal(middle.getUTCFullYear(), middle.getUTCMonth(), middle.getUTCDate()) / 7);
    }
    case 'month_of_year':
      return month + 1;
    case 'quarter_of_year':
      return Math.floor(month / 3) + 1;
  }
}

const COLUMNS: Readonly<Record<AnyEngineName, Readonly<Record<MomentType, string>>>> = {
  duckdb: { date: 'DATE', timestamp: 'TIMESTAMP', timestamptz: 'TIMESTAMPTZ' },
  postgresql: { date: 'DATE', timestamp: 'TIMESTAMP', timestamptz: 'TIMESTAMPTZ' },
  sqlite: { date: 'DATE', timestamp: 'TIMESTAMP', timestamptz: 'TIMESTAMPTZ' },
  mariadb: { date: 'DATE', timestamp: 'DATETIME(6)', timestamptz: 'TIMESTAMP(6) NULL' },
  clickhouse: {
    date: 'Nullable(Date32)',
    timestamp: 'Nullable(DateTime64(6))',
    timestamptz: "Nullable(DateTime64(6, 'UTC'))",
  },
  trino: { date: 'DATE', timestamp: 'TIMESTAMP', timestamptz: 'TIMESTAMPTZ' },
};

function formatInstant(instant: number, type: MomentType): string {
  const text = new Date(instant).toISOString();
  return type === 'date' ? (text.split('T')[0] ?? '') : text.replace('T', ' ').replace(/\.000Z|Z/, '');
}

const SMALLEST = Date.UTC(1970, 0, 2);
const LARGEST = Date.UTC(2037, 11, 30);
/** Times near the clock changes of summer time too, which a uniform choice would seldom include. */
const instants = fc.oneof(
  fc.integer({ min: SMALLEST, max: LARGEST }),
  fc
    .tuple(fc.integer({ min: 1976, max: 2036 }), fc.constantFrom(2, 3, 8, 9, 10), fc.integer({ min: 0, max: 30 * DAY }))
    .map(([year, month, more]) => Date.UTC(year, month, 1) + more),
);
const sample = fc.sample(instants, { seed: SEED, numRuns: 300 });
/** Times that some engines cannot store as instants. */
const far = fc.sample(fc.integer({ min: Date.UTC(1905, 0, 1), max: Date.UTC(2290, 0, 1) }), {
  seed: SEED,
  numRuns: 300,
});

const ODD = [
  '2024-02-29 23:59:59.999',
  '2023-12-31 00:00:00',
  '2021-01-03 12:00:00',
  '2020-12-31 08:30:15',
  '2000-02-29 00:00:00',
  '1900-03-01 00:00:00',
  '1999-12-31 23:59:59',
  '2100-02-28 23:00:00',
  '2016-01-01 00:00:00',
  '2015-12-28 00:00:00',
].map((text) => Date.parse(`${text.replace(' ', 'T')}Z`));

/** Returns the values of each expression in the order of the rows, from one statement. */
async function columnsOf(on: TestWarehouse['warehouse'], table: string, expressions: readonly string[]) {
  const selected = expressions.map((expression, at) => `${expression} AS x${at}`);
  const answer = await on.query(sql(`SELECT i, ${selected.join(', ')} FROM ${table} ORDER BY i`), { maxRows: 1_000 });
  return expressions.map((_, at) =>
    (answer.values[at + 1] ?? []).map((value) =>
      typeof value === 'string' ? value.replace(' ', 'T').replace(/(\.0+)?Z?$/, '') : value,
    ),
  );
}

async function values(on: TestWarehouse['warehouse'], table: string, expression: string) {
  const [column = []] = await columnsOf(on, table, [expression]);
  return column;
}

const momentOf = (type: MomentType, zone: string | undefined): Moment => ({ expression: 'x', type, zone });

describeEngines(`grains of $engine (SEED=${SEED})`, (engine) => {
  const grains = DIALECTS[engine].grains;
  let on: TestWarehouse;
  const tables: Readonly<Record<string, readonly [MomentType, readonly (number | null)[]]>> = {
    dates: ['date', [...ODD, ...far, null].map((one) => (one === null ? null : Math.floor(one / DAY) * DAY))],
    clocks: ['timestamp', [...ODD, ...far, null]],
    stamps: ['timestamp', [...sample, ...far.filter((at) => at >= Date.UTC(1950, 0, 1)), null]],
    zoned: ['timestamptz', [...sample, null]],
  };

  beforeAll(async () => {
    const end = engine === 'clickhouse' ? ' ENGINE = MergeTree ORDER BY tuple()' : '';
    const zone = engine === 'duckdb' || engine === 'postgresql' ? '+00' : engine === 'trino' ? ' UTC' : '';
    on = await startWarehouse(
      engine,
      Object.entries(tables).flatMap(([name, [type, rows]]) => {
        const value = (at: number | null) =>
          at === null ? 'NULL' : `'${formatInstant(at, type)}${type === 'timestamptz' ? zone : ''}'`;
        return [
          ...(engine === 'mariadb' ? ["SET time_zone = '+00:00'"] : []),
          `CREATE TABLE ${name} (i INTEGER, x ${COLUMNS[engine][type]})${end}`,
          `INSERT INTO ${name} VALUES ${rows.map((at, i) => `(${i}, ${value(at)})`).join(', ')}`,
        ];
      }),
    );
  });
  afterAll(() => on?.stop());

  const check = async (table: string, zone: string | undefined, firstDay: WeekDay, chosen?: readonly DateGrain[]) => {
    const [type = 'date', rows = []] = tables[table] ?? [];
    const tested = chosen ?? grainsOf(type);
    const expressions = tested.map((grain) => grains?.[grain](momentOf(type, zone), firstDay) ?? '');
    const columns = await columnsOf(on.warehouse, table, expressions);
    for (const [at, grain] of tested.entries()) {
      const actual = columns[at];
      const expectedValues = rows.map((row) => (row === null ? null : oracle(grain, row, zone, firstDay)));
      expect({ grain, zone, firstDay, actual }).toEqual({ grain, zone, firstDay, actual: expectedValues });
    }
  };

  it('of days', () => check('dates', undefined, 1));
  it('of timestamps without a zone', () => check('clocks', undefined, 1));
  it('of weeks with another first day', async () => {
    for (const firstDay of [7, 6, 4] as const)
      await check('dates', undefined, firstDay, ['week', 'week_of_year', 'day_of_week']);
  });
  it('before Christ and ten thousand years from now, where the engine has such days', async () => {
    if (engine !== 'duckdb' && engine !== 'postgresql') return;
    // By hand: 15 March 44 BC, which is the year -43 of ISO 8601, is the 74th day of its year.
    const day = (text: string) => `(SELECT 1 AS i, CAST('${text}' AS DATE) AS x) AS days`;
    const bc = day(engine === 'duckdb' ? '0044-03-15 (BC)' : '0044-03-15 BC');
    const of = async (grain: DateGrain, from: string, firstDay: WeekDay = 1) =>
      (await values(on.warehouse, from, grains?.[grain](momentOf('date', undefined), firstDay) ?? ''))[0];
    expect(await of('month', bc)).toBe('-000043-03-01');
    expect(await of('quarter', bc)).toBe('-000043-01-01');
    expect(await of('year', bc)).toBe('-000043-01-01');
    expect(await of('day_of_year', bc)).toBe(74);
    expect(await of('month_of_year', bc)).toBe(3);
    const far = day('12345-03-15');
    expect(await of('month', far)).toBe('+012345-03-01');
    expect(await of('year', far)).toBe('+012345-01-01');
    expect(await of('quarter_of_year', far)).toBe(1);
    const weekday = new Date('+012345-03-15T00:00Z').getUTCDay();
    expect(await of('day_of_week', far)).toBe(weekday === 0 ? 7 : weekday);
  });
  it.each(ZONES)('of instants in %s', async (zone) => {
    await check('zoned', zone, 1);
    await check('zoned', zone, 7, ['week', 'week_of_year']);
  });
  it.each(ZONES)('of UTC timestamps, also far from now, in %s', (zone) => check('stamps', zone, 1));

  it('adds seconds, days and months, and ends at the last day of a shorter month', async () => {
    const shifted = DIALECTS[engine].shifted;
    const steps = [
      ['clocks', 'second', 0],
      ['clocks', 'second', -86_400 * 7],
      ['zoned', 'second', 5_400],
      ['dates', 'day', -31],
      ['dates', 'month', -1],
      ['dates', 'month', 13],
      ['clocks', 'month', -3],
      ['zoned', 'month', -1],
    ] as const;
    for (const [table, unit, count] of steps) {
      const [type = 'date', rows = []] = tables[table] ?? [];
      const expected = rows.map((at) => {
        if (at === null) return null;
        const date = new Date(at);
        const day = date.getUTCDate();
        if (unit === 'month') {
          date.setUTCDate(1);
          date.setUTCMonth(date.getUTCMonth() + count + 1, 0);
          date.setUTCDate(Math.min(day, date.getUTCDate()));
        }
        const later = date.getTime() + (unit === 'month' ? 0 : count * (unit === 'day' ? DAY : 1_000));
        return formatInstant(later, type).replace(' ', 'T');
      });
      const texts = await values(on.warehouse, table, shifted?.(momentOf(type, undefined), String(count), unit) ?? '');
      const actual = texts.map((value) => (typeof value === 'string' ? value.replace(/(\.\d*?)0+$/, '$1') : value));
      const expectedValues = expected.map((value) => value?.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') ?? null);
      expect({ table, unit, count, actual }).toEqual({ table, unit, count, actual: expectedValues });
    }
  });
});
