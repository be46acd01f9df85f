/** Tests random calendars with periods of any length over random events against a loop over the events, on every engine. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import type { AnyEngineName } from '../../../../server/warehouse/testing/engines.ts';
import { testsOn } from '../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Value } from '../../testing/tables.ts';

const DAY = 86_400_000;
const START = Date.UTC(2023, 11, 20) / DAY;
const text = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

/** Random periods by their lengths, with unordered keys; some days are missing, and some are in the table twice. */
const calendars = fc.record({
  lengths: fc.array(fc.constantFrom(1, 4, 7, 28, 35), { minLength: 3, maxLength: 12 }),
  keys: fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 12, maxLength: 12 }),
  missing: fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 15 }),
  twice: fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 15 }),
});
const events = fc.array(fc.tuple(fc.integer({ min: -20, max: 230 }), fc.constantFrom('a', 'b')), {
  minLength: 60,
  maxLength: 60,
});
const [drawn] = fc.sample(fc.tuple(calendars, events), { seed: SEED, numRuns: 1 });
if (drawn === undefined) throw new Error('nothing was drawn');
const [calendar, found] = drawn;

/** The keys of a day's rows in the table. */
const rowsOfDay = new Map<number, number[]>();
let next = START;
for (const [index, length] of calendar.lengths.entries()) {
  for (let day = next; day < next + length; day += 1) {
    if (calendar.missing.includes(day - START)) continue;
    const key = calendar.keys[index] ?? 0;
    // The second row of a day has its own period or the next one.
    const other = calendar.keys[(index + (day % 2)) % calendar.lengths.length] ?? 0;
    rowsOfDay.set(day, calendar.twice.includes(day - START) ? [key, other] : [key]);
  }
  next += length;
}
const periodKey = (day: number) => (rowsOfDay.has(day) ? Math.min(...(rowsOfDay.get(day) ?? [])) : null);
/** Keys by the first days of their periods. */
const order = [...new Set([...rowsOfDay.keys()].toSorted((a, b) => a - b).map((day) => periodKey(day)))];
const periodPlace = (key: number | null) => (key === null ? order.length : order.indexOf(key));

const rows = found.map(([day, shop], id) => ({ id, day: START + day, shop, amount: id + 1 }));
const TABLES = [
  {
    name: 'events',
    columns: [
      ['id', 'integer'],
      ['day', 'date'],
      ['at', 'timestamp'],
      ['shop', 'text'],
      ['amount', 'integer'],
    ],
    // Half an hour before midnight in UTC, which is the day after in Tokyo.
    rows: rows.map(({ id, day, shop, amount }): Value[] => [id, text(day), `${text(day)} 23:30:00`, shop, amount]),
  },
  {
    name: 'periods',
    columns: [
      ['day', 'date'],
      ['period_id', 'integer'],
    ],
    rows: [...rowsOfDay].flatMap(([day, keys]) => keys.map((key): Value[] => [text(day), key])),
  },
] as const;

const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const DOCUMENT = `
semantic_model:
  - name: shop
    custom_extensions:
      - vendor_name: SERVICE
        data: '{"calendars": [{"dataset": "periods", "date": "day", "grains": [{"name": "span", "field": "period_id"}]}]}'
    datasets:
      - { name: events, source: events, primary_key: [id], fields: [${field('day')}, ${field('at')}, ${field('shop')}] }
      - { name: periods, source: periods, fields: [${field('day')}, ${field('period_id')}] }
    metrics:
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }] }
      - name: running
        expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }]
        custom_extensions:
          - { vendor_name: SERVICE, data: '{"cumulative": {"by": "events.day", "window": {"count": 30, "grain": "day"}}}' }
${Object.entries({
  to_date: { to_date: 'span' },
  one_span: { window: { count: 1, grain: 'span' } },
  two_spans: { window: { count: 2, grain: 'span' } },
  to_date_first: { to_date: 'span', take: 'first' },
  to_date_mean: { to_date: 'span', take: 'average' },
})
  .map(([name, cumulative]) => {
    const data = JSON.stringify({ cumulative: { by: 'events.day', ...cumulative } });
    return `      - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }], custom_extensions: [{ vendor_name: SERVICE, data: '${data}' }] }`;
  })
  .join('\n')}
${Object.entries({
  two_before: { offset: { by: 'events.day', count: 2, grain: 'span' } },
  at_span: { offset: { by: 'events.day', to: 'span' } },
  at_month: { offset: { by: 'events.day', to: 'month' } },
  a_month_before: { offset: { by: 'events.day', count: 1, grain: 'month' } },
  three_days_before: { offset: { by: 'events.day', count: 3, grain: 'day' } },
  to_date_two_before: { cumulative: { by: 'events.day', to_date: 'span' }, offset: { count: 2, grain: 'span' } },
})
  .map(([name, kinds]) => {
    const data = JSON.stringify(kinds);
    return `      - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }], custom_extensions: [{ vendor_name: SERVICE, data: '${data}' }] }`;
  })
  .join('\n')}
`;

type Row = (typeof rows)[number];
/** Sums some rows by period, in order. */
function sums(some: readonly Row[], shift = 0): Map<number | null, number> {
  const byKey = new Map<number | null, number>();
  for (const { day, amount } of some)
    byKey.set(periodKey(day + shift), (byKey.get(periodKey(day + shift)) ?? 0) + amount);
  return new Map([...byKey].toSorted(([a], [b]) => periodPlace(a) - periodPlace(b)));
}
const SPAN = { dataset: 'events', field: 'day', grain: 'span' };

const DATE = { dataset: 'events', field: 'day' };
const daysOfKey = (key: number | null) =>
  [...rowsOfDay.keys()].filter((day) => periodKey(day) === key).toSorted((a, b) => a - b);
/** Returns the first day of the window of a period to date; `undefined` for a day without a period. */
const toDate = (day: number) => (periodKey(day) === null ? undefined : daysOfKey(periodKey(day))[0]);
/** Returns the first day of the `count` periods that end with a day. */
function spansBefore(day: number, count: number): number | undefined {
  if (periodKey(day) === null) return undefined;
  const [daysOfPeriod, place] = [daysOfKey(periodKey(day)), periodPlace(periodKey(day))];
  const isWhole = daysOfPeriod.at(-1) === day;
  const begins = order[isWhole ? place - count + 1 : place - count];
  if (begins === undefined) return Math.min(...rowsOfDay.keys());
  const days = daysOfKey(begins);
  return days[isWhole ? 0 : Math.min(daysOfPeriod.indexOf(day) + 1, days.length - 1)];
}
function windowSum(end: number, begin: (day: number) => number | undefined): number | null {
  const first = begin(end);
  const within = first === undefined ? [] : rows.filter(({ day }) => day >= first && day <= end);
  return within.length === 0 ? null : within.reduce((sum, { amount }) => sum + amount, 0);
}
function mean(days: readonly number[], begin: (day: number) => number | undefined): number | null {
  const each = days.flatMap((day) => windowSum(day, begin) ?? []);
  return each.length === 0 ? null : each.reduce((sum, value) => sum + value, 0) / each.length;
}
function startOf(day: number, grain: 'day' | 'month' | 'span'): number | undefined {
  if (grain === 'span') return periodKey(day) === null ? undefined : daysOfKey(periodKey(day))[0];
  if (grain === 'day') return day;
  return day - new Date(day * DAY).getUTCDate() + 1;
}
function daysOf(start: number, grain: 'day' | 'month' | 'span'): readonly number[] {
  if (grain === 'span') return daysOfKey(periodKey(start));
  return Array.from({ length: 31 }, (_, n) => start + n).filter((day) => startOf(day, grain) === start);
}

/** Returns the day a month before; the last day of a month that lacks it. */
function monthBefore(day: number): number {
  const date = new Date(day * DAY);
  const last = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0) / DAY;
  return last - Math.max(new Date(last * DAY).getUTCDate() - date.getUTCDate(), 0);
}
/** Returns the day with the same place in the period two before; the last day of a shorter period. */
function twoBefore(day: number): number | undefined {
  const earlier = order[periodPlace(periodKey(day)) - 2];
  if (periodKey(day) === null || earlier === undefined) return undefined;
  const days = daysOfKey(earlier);
  return days[Math.min(daysOfKey(periodKey(day)).indexOf(day), days.length - 1)];
}
/** Sums the rows of some days, each once. */
function sumOf(days: readonly (number | undefined)[]): number | null {
  const within = rows.filter(({ day }) => days.includes(day));
  return within.length === 0 ? null : within.reduce((sum, { amount }) => sum + amount, 0);
}

describeEngines(`on $engine, with SEED=${SEED}`, suite);

function suite(engine: AnyEngineName): void {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    // The periods of the tables are read once, not with each request.
    shop = await openOn(engine, TABLES, { document: DOCUMENT, settings: { cacheTtlMs: 600_000 } });
  });
  afterAll(() => shop?.close());
  const table = async (request: object) =>
    (await shop.table({ values: [{ metric: 'amount' }], ...request })).map((row) =>
      row.map((cell) => (typeof cell === 'string' && /^-?\d+$/.test(cell) ? Number(cell) : cell)),
    );

  test('sums by period, of dates and of local days in another zone', async () => {
    expect(shop.problems).toEqual([]);
    expect(await table({ rows: [SPAN] })).toEqual([...sums(rows)]);
    const tokyo = { rows: [{ ...SPAN, field: 'at' }], timezone: 'Asia/Tokyo' };
    expect(await table(tokyo)).toEqual([...sums(rows, 1)]);
  });

  test('filters by periods keep what a loop keeps', async () => {
    const [low, high] = [order[0], order[Math.floor(order.length / 2)]];
    if (low === undefined || high === undefined) throw new Error('no periods');
    const kept = (test: (place: number) => boolean) =>
      rows.filter(({ day }) => periodKey(day) !== null && test(periodPlace(periodKey(day))));
    const cases: readonly (readonly [object, readonly Row[]])[] = [
      [{ op: 'EQ', value: high }, kept((place) => place === periodPlace(high))],
      [{ op: 'NEQ', value: high }, kept((place) => place !== periodPlace(high))],
      [{ op: 'BETWEEN', values: [low, high] }, kept((place) => place <= periodPlace(high))],
      [{ op: 'GT', value: high }, kept((place) => place > periodPlace(high))],
      [{ op: 'IN', values: [low, high] }, kept((place) => place === 0 || place === periodPlace(high))],
      [{ op: 'IS_NULL' }, rows.filter(({ day }) => periodKey(day) === null)],
    ];
    for (const [filter, some] of cases) {
      expect(await table({ rows: [SPAN], filters: [{ ...SPAN, ...filter }] }), JSON.stringify(filter)).toEqual([
        ...sums(some),
      ]);
    }
  });

  test('windows end with the last day of each period', async () => {
    const shown = [...sums(rows).keys()].filter((key) => key !== null);
    const ends = new Map([...rowsOfDay.keys()].toSorted((a, b) => a - b).map((day) => [periodKey(day), day]));
    expect(await table({ rows: [SPAN], values: [{ metric: 'running' }] })).toEqual(
      shown.map((key) => [key, windowSum(ends.get(key) ?? 0, (day) => day - 29)]),
    );
  });

  test('windows of periods begin where a loop over the days finds, by every grain', async () => {
    const metrics = ['to_date', 'one_span', 'two_spans', 'to_date_first', 'to_date_mean'];
    const values = metrics.map((metric) => ({ metric }));
    const valuesOf = (all: readonly number[], left: readonly number[]) => {
      const [first = 0, last = 0] = [all[0], left.at(-1)];
      return [
        windowSum(last, toDate),
        windowSum(last, (day) => spansBefore(day, 1)),
        windowSum(last, (day) => spansBefore(day, 2)),
        windowSum(first, toDate),
        mean(left, toDate),
      ];
    };
    const rounded = (some: readonly (readonly unknown[])[]) =>
      some.map((row) => row.map((cell) => (typeof cell === 'number' ? Math.round(cell * 1e6) / 1e6 : cell)));
    const stretch = { ...DATE, op: 'BETWEEN', values: [text(START + 20), text(START + 101)] };
    for (const [filters, [from, to]] of [
      [[], [-1_000_000, 1_000_000]],
      [[stretch], [START + 20, START + 101]],
    ] as const) {
      const some = rows.filter(({ day }) => day >= from && day <= to);
      // Trino plans each for seconds, and gets each grain once.
      const grains =
        engine !== 'trino'
          ? (['day', 'month', 'span'] as const)
          : filters.length === 0
            ? (['span'] as const)
            : (['day', 'month'] as const);
      for (const grain of grains) {
        const shown = [...new Set(some.map(({ day }) => startOf(day, grain)))].flatMap((start) => start ?? []);
        const expected = shown
          .toSorted((a, b) => a - b)
          .map((start) => {
            const all = daysOf(start, grain);
            const label = grain === 'span' ? periodKey(start) : text(start);
            return [
              label,
              ...valuesOf(
                all,
                all.filter((day) => day >= from && day <= to),
              ),
            ];
          });
        const request = { rows: [{ ...DATE, grain }], values, filters };
        expect(rounded(await table(request)), `${grain} ${JSON.stringify(filters)}`).toEqual(rounded(expected));
      }
      // Each day with a fact counts for its weekday, and all of them for the total.
      const days = some.map(({ day }) => day).toSorted((a, b) => a - b);
      const between = Array.from({ length: (days.at(-1) ?? 0) - (days[0] ?? 0) + 1 }, (_, n) => (days[0] ?? 0) + n);
      const [total] = rounded(await table({ values, filters }));
      expect(total).toEqual(rounded([valuesOf(days, between)])[0]);
    }
  });

  test('offsets by the periods, and other offsets shown by the periods, have the rows of the days that a loop finds', async () => {
    const starts = order.flatMap((key) => (key === null ? [] : daysOfKey(key).slice(0, 1)));
    const days = [...rowsOfDay.keys()].toSorted((a, b) => a - b);
    const daysTwoBefore = (start: number) => {
      const earlier = order[periodPlace(periodKey(start)) - 2];
      return earlier === undefined ? [] : daysOfKey(earlier);
    };
    const bySpan: Readonly<Record<string, (start: number) => number | null>> = {
      two_before: (start) => sumOf(daysTwoBefore(start)),
      at_span: (start) => sumOf([start]),
      at_month: (start) => sumOf([startOf(start, 'month')]),
      a_month_before: (start) => sumOf(daysOfKey(periodKey(start)).map(monthBefore)),
      three_days_before: (start) => sumOf(daysOfKey(periodKey(start)).map((day) => day - 3)),
      // A window is a range of days: days of no period, or of another period, count in it too.
      to_date_two_before: (start) => {
        const last = daysTwoBefore(start).at(-1);
        return last === undefined ? null : windowSum(last, toDate);
      },
    };
    for (const [metric, wanted] of Object.entries(bySpan)) {
      const expected = starts.flatMap((start) => (wanted(start) === null ? [] : [[periodKey(start), wanted(start)]]));
      const rows = await table({ rows: [SPAN], values: [{ metric }] });
      expect(
        rows.filter(([, value]) => value !== null),
        metric,
      ).toEqual(expected);
    }
    const byDay: Readonly<Record<string, (day: number) => number | null>> = {
      two_before: (day) => sumOf([twoBefore(day)]),
      at_span: (day) => sumOf([toDate(day)]),
    };
    for (const [metric, wanted] of Object.entries(byDay)) {
      for (const [from, to] of [
        [START, START + 1_000],
        [START + 20, START + 101],
      ] as const) {
        const shown = days.filter((day) => day >= from && day <= to && wanted(day) !== null);
        const filters = [{ ...DATE, op: 'BETWEEN', values: [text(from), text(to)] }];
        const request = { rows: [{ ...DATE, grain: 'day' }], values: [{ metric }], filters };
        expect(await table(request), `${metric} ${from}`).toEqual(shown.map((day) => [text(day), wanted(day)]));
      }
    }
  });

  test('all periods between the first and the last are filled, and compared with the periods before', async () => {
    const some = rows.filter((row) => row.shop === 'a');
    const byKey = sums(some);
    const places = [...byKey.keys()].filter((key) => key !== null).map(periodPlace);
    const between = order.filter(
      (key) => periodPlace(key) >= Math.min(...places) && periodPlace(key) <= Math.max(...places),
    );
    const nulls = byKey.has(null) ? [[null, byKey.get(null), null]] : [];
    const values = [{ metric: 'amount', compare: { to: { offset: -2, grain: 'span' } } }];
    const filters = [{ dataset: 'events', field: 'shop', op: 'EQ', value: 'a' }];
    const answered = await table({ rows: [{ ...SPAN, fill: true }], values, filters });
    expect(answered.map((row) => row.slice(0, 3))).toEqual([
      ...between.map((key) => {
        const earlier = order[periodPlace(key) - 2];
        return [key, byKey.get(key) ?? null, earlier === undefined ? null : (byKey.get(earlier) ?? null)];
      }),
      ...nulls,
    ]);
  });
}
