/** Tests conversions of random events against a loop over them: windows, equal columns, dates and times, zones, groups. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { runsOn } from '../../../../server/warehouse/testing/runs-on.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2024, 1, 20);
const event = fc.record({
  hours: fc.option(fc.integer({ min: 0, max: 60 * 24 }), { freq: 20 }),
  user: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 12 }),
  product: fc.option(fc.constantFrom('p', 'q'), { freq: 8 }),
  channel: fc.option(fc.constantFrom('ads', 'mail'), { freq: 8 }),
});
const [visits = [], buys = []] = fc.sample(fc.array(event, { minLength: 40, maxLength: 40 }), {
  seed: SEED,
  numRuns: 2,
});
type Event = (typeof visits)[number];

const at = ({ hours }: Event) => (hours === null ? null : START + hours * HOUR);
const text = (instant: number | null, length: number) =>
  instant === null ? null : new Date(instant).toISOString().slice(0, length).replace('T', ' ');
const COLUMNS: Table['columns'] = [
  ['id', 'integer'],
  ['at', 'timestamp'],
  ['day', 'date'],
  ['user_id', 'integer'],
  ['product', 'text'],
  ['channel', 'text'],
  ['amount', 'integer'],
];
const table = (name: string, events: readonly Event[]): Table => ({
  name,
  columns: COLUMNS,
  rows: events.map((one, id) => [id, text(at(one), 19), text(at(one), 10), one.user, one.product, one.channel, id]),
});

const WINDOWS = {
  ever: undefined,
  hours: { count: 36, grain: 'hour' },
  days: { count: 2, grain: 'day' },
  week: { count: 1, grain: 'week' },
  month: { count: 1, grain: 'month' },
} as const;
/** The date columns of both sides. */
const DATES = { clocks: ['at', 'at'], days: ['day', 'day'], mixed: ['day', 'at'] } as const;
type WindowName = keyof typeof WINDOWS;
type DateName = keyof typeof DATES;
const names = (Object.keys(WINDOWS) as WindowName[]).flatMap((window) =>
  (Object.keys(DATES) as DateName[])
    .filter((dates) => window !== 'hours' || dates === 'clocks')
    .flatMap((dates) => [false, true].map((isAlike) => ({ window, dates, isAlike }))),
);
const nameOf = ({ window, dates, isAlike }: (typeof names)[number]) => `${window}_${dates}${isAlike ? '_alike' : ''}`;
const metrics = names.map((one) => {
  const [base, conversion] = DATES[one.dates];
  const data = {
    conversion: {
      base: 'visit_count',
      entity: { base: 'visits.user_id', conversion: 'buys.user_id' },
      by: { base: `visits.${base}`, conversion: `buys.${conversion}` },
      window: WINDOWS[one.window],
      take: 'count',
      constant: one.isAlike ? [{ base: 'visits.product', conversion: 'buys.product' }] : [],
    },
  };
  return `      - { name: ${nameOf(one)}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "SUM(buys.amount)" }] }, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }] }`;
});
const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const dataset = (name: string) => `
      - name: ${name}
        source: ${name}
        primary_key: [id]
        fields:
${['at', 'day', 'product', 'channel'].map(field).join('\n')}`;
const document = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:${dataset('visits')}${dataset('buys')}
    metrics:
      - { name: visit_count, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(visits.id) }] } }
${metrics.join('\n')}
`;

/** Returns the local day of an instant in a zone. */
const dayIn = (zone: string, instant: number) =>
  Date.parse(`${new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(instant)}T00:00Z`);
const monthBefore = (instant: number) => {
  const date = new Date(instant);
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0)).getUTCDate();
  return start + (Math.min(date.getUTCDate(), days) - 1) * DAY + (instant % DAY);
};
const BEGINS: Readonly<Record<WindowName, (moment: number) => number>> = {
  ever: () => Number.NEGATIVE_INFINITY,
  hours: (moment) => moment - 36 * HOUR,
  days: (moment) => moment - 2 * DAY,
  week: (moment) => moment - 7 * DAY,
  month: monthBefore,
};
const KEYS = ['channel', 'product', 'month', 'day'] as const;
const REFERENCES = {
  channel: { dataset: 'visits', field: 'channel' },
  product: { dataset: 'visits', field: 'product' },
  month: { dataset: 'visits', field: 'at', grain: 'month' },
  day: { dataset: 'visits', field: 'at', grain: 'day' },
} as const;

/** Returns the first requested day, and the day after the last. */
const stretch = (from: number | undefined, days: number | undefined) => {
  const first = START + (from ?? 0) * DAY;
  return [
    from === undefined ? Number.NEGATIVE_INFINITY : first,
    days === undefined ? Number.POSITIVE_INFINITY : first + days * DAY,
  ] as const;
};

interface Asked {
  readonly metric: (typeof names)[number];
  readonly keys: readonly (typeof KEYS)[number][];
  readonly zone: string;
  readonly only: string | undefined;
  /** The first day of the requested visits, and the number of days. */
  readonly from: number | undefined;
  readonly days: number | undefined;
}

function answer({ metric, keys, zone, only, from, days }: Asked): readonly (readonly unknown[])[] {
  const [base, conversion] = DATES[metric.dates];
  const isByDay = metric.dates !== 'clocks';
  const momentOf = (one: Event, column: 'at' | 'day') => {
    const instant = at(one);
    if (instant === null) return null;
    // A date is the same everywhere; the day of a timestamp depends on the zone.
    if (column === 'day') return instant - (instant % DAY);
    return isByDay ? dayIn(zone, instant) : instant;
  };
  const sums = new Map<number, number>();
  buys.forEach((buy, amount) => {
    const moment = momentOf(buy, conversion);
    if (moment === null || buy.user === null || (metric.isAlike && buy.product === null)) return;
    let latest: { readonly id: number; readonly moment: number } | undefined;
    visits.forEach((visit, id) => {
      const visitMoment = momentOf(visit, base);
      if (visitMoment === null || visitMoment > moment || visit.user !== buy.user) return;
      if (metric.isAlike && visit.product !== buy.product) return;
      if (latest === undefined || visitMoment >= latest.moment) latest = { id, moment: visitMoment };
    });
    if (latest === undefined || latest.moment <= BEGINS[metric.window](moment)) return;
    sums.set(latest.id, (sums.get(latest.id) ?? 0) + amount);
  });
  const groups = new Map<string, { readonly cells: readonly unknown[]; value: number | null }>();
  visits.forEach((visit, id) => {
    if (only !== undefined && visit.channel !== only) return;
    const instant = at(visit);
    const [since, before] = stretch(from, days);
    const isAsked =
      instant === null
        ? from === undefined && days === undefined
        : dayIn(zone, instant) >= since && dayIn(zone, instant) < before;
    if (!isAsked) return;
    const day = instant === null ? null : new Date(dayIn(zone, instant)).toISOString().slice(0, 10);
    const cells = keys.map((key) => {
      if (key === 'day') return day;
      return key === 'month' ? day && `${day.slice(0, 7)}-01` : visit[key];
    });
    const key = JSON.stringify(cells);
    const group = groups.get(key) ?? { cells, value: null };
    const sumOfVisit = sums.get(id);
    groups.set(key, sumOfVisit === undefined ? group : { cells, value: (group.value ?? 0) + sumOfVisit });
  });
  if (keys.length === 0 && groups.size === 0) return [[null]];
  return [...groups.values()].map(({ cells, value }) => [...cells, value]);
}

const written = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).toSorted();

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    const tables = [table('visits', visits), table('buys', buys)];
    shop = await openOn(engine, tables, { document });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  it(`of every window, by days and clocks, in zones, by groups (SEED=${SEED})`, async () => {
    const queries: fc.Arbitrary<Asked> = fc.record({
      metric: fc.constantFrom(...names),
      keys: fc.subarray([...KEYS]),
      zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'),
      only: fc.constantFrom(undefined, undefined, 'ads'),
      from: fc.option(fc.integer({ min: -2, max: 62 }), { nil: undefined }),
      days: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(queries, async (one) => {
        const { metric, keys, zone, only, from, days } = one;
        const [since, before] = stretch(from, days);
        const rows = await shop.table({
          rows: keys.map((key) => REFERENCES[key]),
          values: [{ metric: nameOf(metric) }],
          timezone: zone,
          filters: [
            ...(only === undefined ? [] : [{ ...REFERENCES.channel, op: 'EQ', value: only }]),
            ...(from === undefined ? [] : [{ ...REFERENCES.day, op: 'GTE', value: text(since, 10) }]),
            ...(days === undefined ? [] : [{ ...REFERENCES.day, op: 'LT', value: text(before, 10) }]),
          ],
        });
        const cells = rows.map((row) => row.map((cell) => (/^\d+$/.test(String(cell)) ? Number(cell) : cell)));
        expect(written(cells)).toEqual(written(answer(one)));
      }),
      { seed: SEED, numRuns: runsOn(engine, 80) },
    );
  });
});
