/**
 * Tests random windows over random orders, several in a query, against a loop over the orders: by every grain, filled, moved in
 * time.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../../../../../router/testing/seed.ts';
import { describeEngines } from '../../../../../server/warehouse/testing/describe-engines.ts';
import { runsOn } from '../../../../../server/warehouse/testing/runs-on.ts';
import { openOn } from '../../../testing/engine-fixture.ts';
import type { Fixture } from '../../../testing/fixture.ts';
import type { Table } from '../../../testing/tables.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const START = Date.UTC(2024, 0, 1);
const [orders = []] = fc.sample(
  fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 200 * 24 }),
      fc.option(fc.constantFrom('a', 'b'), { freq: 12 }),
      fc.option(fc.integer({ min: 1, max: 5 }), { freq: 8 }),
    ),
    { minLength: 60, maxLength: 60 },
  ),
  { seed: SEED, numRuns: 1 },
);
const TABLE: Table = {
  name: 'orders',
  columns: [
    ['id', 'integer'],
    ['at', 'timestamp'],
    ['store', 'text'],
    ['customer', 'integer'],
  ],
  rows: orders.map(([hours, store, customer], id) => [
    id,
    new Date(START + hours * HOUR).toISOString().slice(0, 19).replace('T', ' '),
    store,
    customer,
  ]),
};
const WINDOWS = {
  all: {},
  days: { window: { count: 10, grain: 'day' } },
  weeks: { window: { count: 2, grain: 'week' } },
  month: { window: { count: 1, grain: 'month' } },
  months: { window: { count: 2, grain: 'month' } },
  tax_window: { window: { count: 1, grain: 'tax_quarter' } },
  mtd: { to_date: 'month' },
  ytd: { to_date: 'year' },
  tax_to_date: { to_date: 'tax_quarter' },
  first: { take: 'first' },
  first_days: { window: { count: 10, grain: 'day' }, take: 'first' },
  mean_days: { window: { count: 10, grain: 'day' }, take: 'average' },
  mean_mtd: { to_date: 'month', take: 'average' },
} as const;
const OFFSETS = {
  none: undefined,
  month: { count: 1, grain: 'month' },
  quarter: { count: 1, grain: 'tax_quarter' },
  ten: { count: 10, grain: 'day' },
  to_month: { to: 'month' },
  to_tax_year: { to: 'tax_year' },
} as const;
type WindowName = keyof typeof WINDOWS;
/** A window, or the rows of the period itself. */
type MetricName = WindowName | 'plain';
type OffsetName = keyof typeof OFFSETS;
/** What windows count: distinct customers, and rows with a customer. */
const COUNTS = {
  different: 'COUNT(DISTINCT orders.customer)',
  all: 'COUNT(orders.customer)',
} as const;
type CountName = keyof typeof COUNTS;
const metrics = Object.entries({ ...WINDOWS, plain: undefined }).flatMap(([name, window]) =>
  Object.entries(OFFSETS).flatMap(([moved, offset]) => {
    const data = JSON.stringify({ cumulative: window && { by: 'orders.at', ...window }, offset });
    return Object.entries(COUNTS).map(
      ([count, expression]) =>
        `      - { name: ${name}_${moved}_${count}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }, custom_extensions: [{ vendor_name: SERVICE, data: '${data}' }] }`,
    );
  }),
);
const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const document = `
version: "0.1.1"
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '{"calendars": [{"name": "tax", "year_start": {"month": 4, "day": 6}}]}' }]
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
${['at', 'store'].map(field).join('\n')}
    metrics:
${metrics.join('\n')}
`;

const iso = (day: number) => new Date(day).toISOString().slice(0, 10);
/** Returns the first day of the month that is `months` after the month of a day. */
const first = (day: number, months: number) => {
  const date = new Date(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};
/** Moves a day by months; a day that the month lacks becomes its last. */
const byMonths = (day: number, months: number) => {
  const start = first(day, months);
  return Math.min(start + (new Date(day).getUTCDate() - 1) * DAY, first(start, 1) - DAY);
};
/** Returns the first day of a fiscal period: months begin on the 6th, quarters count from April. */
const tax = (day: number, length: number) => {
  const month = first(day - 5 * DAY, 0);
  const behind = (new Date(month).getUTCMonth() + 12 - 3) % length;
  return first(month, -behind) + 5 * DAY;
};
const GRAINS = {
  day: { start: (day: number) => day, after: (start: number) => start + DAY },
  week: {
    start: (day: number) => day - ((new Date(day).getUTCDay() + 6) % 7) * DAY,
    after: (start: number) => start + 7 * DAY,
  },
  month: { start: (day: number) => first(day, 0), after: (start: number) => first(start, 1) },
  quarter: {
    start: (day: number) => first(day, -(new Date(day).getUTCMonth() % 3)),
    after: (start: number) => first(start, 3),
  },
  year: {
    start: (day: number) => Date.UTC(new Date(day).getUTCFullYear(), 0, 1),
    after: (start: number) => first(start, 12),
  },
  tax_month: { start: (day: number) => tax(day, 1), after: (start: number) => byMonths(start, 1) },
  tax_quarter: { start: (day: number) => tax(day, 3), after: (start: number) => byMonths(start, 3) },
  tax_year: { start: (day: number) => tax(day, 12), after: (start: number) => byMonths(start, 12) },
} as const;
type GrainName = keyof typeof GRAINS;
/** The first day of the window whose last day is the day before `end`. */
const BEGINS: Readonly<Record<WindowName, (end: number) => number>> = {
  all: () => Number.NEGATIVE_INFINITY,
  first: () => Number.NEGATIVE_INFINITY,
  days: (end) => end - 10 * DAY,
  first_days: (end) => end - 10 * DAY,
  mean_days: (end) => end - 10 * DAY,
  mean_mtd: (end) => first(end - DAY, 0),
  weeks: (end) => end - 14 * DAY,
  month: (end) => byMonths(end, -1),
  months: (end) => byMonths(end, -2),
  tax_window: (end) => byMonths(end, -3),
  mtd: (end) => first(end - DAY, 0),
  ytd: (end) => GRAINS.year.start(end - DAY),
  tax_to_date: (end) => GRAINS.tax_quarter.start(end - DAY),
};
const STEPS: Readonly<Record<string, { readonly months: number } | { readonly days: number } | undefined>> = {
  month: { months: 1 },
  quarter: { months: 3 },
  ten: { days: 10 },
};
const back = (day: number, step: (typeof STEPS)[string]) => {
  if (step === undefined) return day;
  return 'months' in step ? byMonths(day, -step.months) : day - step.days * DAY;
};
/** Returns the moved end of a range, after every moved day of the range. */
const backEnd = (end: number, step: (typeof STEPS)[string]) => {
  if (step === undefined || 'days' in step) return back(end, step);
  return Math.max(back(end, step), back(end - DAY, step) + DAY);
};

/** Returns the wall-clock milliseconds of an instant in a zone. */
const wall = (zone: string, instant: number) =>
  Date.parse(
    `${new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(instant).replace(' ', 'T')}Z`,
  );

interface Asked {
  readonly name: MetricName;
  readonly moved: OffsetName;
  readonly count: CountName;
  /** `total` for an answer without the date. */
  readonly grain: GrainName | 'hour' | 'day_of_week' | 'total';
  readonly zone: string;
  readonly byStore: boolean;
  readonly from: number | undefined;
  readonly days: number | undefined;
  readonly fill: false | true | 'zero';
}

interface Found {
  readonly day: number;
  readonly hour: number;
  readonly store: string | null;
  readonly customer: number | null;
}
const countOf = (count: CountName, within: readonly Found[]): number => {
  const customers = within.flatMap(({ customer }) => customer ?? []);
  return count === 'all' ? customers.length : new Set(customers).size;
};
/** Computes the mean over the windows that end with some days; windows without rows do not count. */
const meanOf = (
  days: readonly number[],
  windowAt: (end: number) => readonly Found[],
  count: CountName,
): number | null => {
  const each = days.map((day) => windowAt(day + DAY)).filter((within) => within.length > 0);
  return each.length === 0 ? null : each.reduce((sum, within) => sum + countOf(count, within), 0) / each.length;
};
const dayOfWeek = (day: number) => ((new Date(day).getUTCDay() + 6) % 7) + 1;
const daysFrom = (start: number, end: number) =>
  Array.from({ length: Math.max(0, (end - start) / DAY) }, (_, index) => start + index * DAY);

/** Computes the answer by looping over orders and periods. */
function answer(query: Asked): readonly (readonly unknown[])[] {
  const { name, moved, count, grain, zone, byStore, from, days, fill } = query;
  const rows = orders.map(([hours, store, customer]): Found => {
    const instant = START + hours * HOUR;
    const clock = wall(zone, instant);
    return { day: clock - (clock % DAY), hour: instant - (clock % HOUR), store: byStore ? store : '', customer };
  });
  const since = from === undefined ? undefined : START + from * DAY;
  const before = days === undefined ? undefined : (since ?? START) + days * DAY;
  const step = STEPS[moved];
  const passes = (day: number) =>
    (since === undefined || day >= back(since, step)) && (before === undefined || day < backEnd(before, step));
  if (grain === 'total' || grain === 'day_of_week') return ofParts(query, rows, passes);
  /** Returns the periods, or the hour, that show a row. */
  const places = ({ day, hour }: Found): readonly number[] => {
    if (grain === 'hour') return [hour];
    if (step === undefined) return [GRAINS[grain].start(day)];
    if ('days' in step) return [GRAINS[grain].start(day + step.days * DAY)];
    if (grain === 'day') {
      const isAsked = (one: number) => (since === undefined || one >= since) && (before === undefined || one < before);
      return daysFrom(day, day + 130 * DAY).filter((one) => back(one, step) === day && isAsked(one));
    }
    const isTax = grain.startsWith('tax');
    const month = isTax ? tax(day, 1) : first(day, 0);
    return [GRAINS[grain].start(byMonths(month, step.months))];
  };
  const shown = new Set<string>();
  for (const row of rows) {
    if (!passes(row.day)) continue;
    for (const place of places(row)) shown.add(JSON.stringify([place, row.store]));
  }
  const groups = new Map([...shown].map((key) => [key, JSON.parse(key) as [number, string | null]]));
  const everyStore = byStore ? [...new Set(rows.map(({ store }) => store))] : [''];
  for (const [place] of [...groups.values()]) {
    for (const store of everyStore) groups.set(JSON.stringify([place, store]), [place, store]);
  }
  if (fill !== false && grain !== 'hour') {
    const { start, after } = GRAINS[grain];
    const placesWithRows = [...groups.values()].map(([place]) => place);
    const low = since === undefined ? Math.min(...placesWithRows) : start(since);
    const high = before === undefined ? Math.max(...placesWithRows) : start(before - DAY);
    for (let period = low; period <= high; period = after(period)) {
      for (const store of everyStore) groups.set(JSON.stringify([period, store]), [period, store]);
    }
  }
  const computed = [...groups].map(([key, [place, store]]) => {
    const storeRows = rows.filter((row) => row.store === store);
    const valueAt = (): number | null => {
      if (name === 'plain') {
        const within = storeRows.filter((row) => passes(row.day) && places(row).includes(place));
        return within.length === 0 ? null : countOf(count, within);
      }
      if (grain === 'hour') {
        const day = rows.find(({ hour }) => hour === place)?.day ?? 0;
        const within = storeRows.filter((row) => row.hour <= place && row.day >= BEGINS[name](day + DAY));
        return within.length === 0 ? null : countOf(count, within);
      }
      const { start, after } = GRAINS[grain];
      const windowAt = (end: number) => storeRows.filter(({ day }) => day < end && day >= BEGINS[name](end));
      if (name.startsWith('mean') && !moved.startsWith('to_')) {
        return meanOf(daysFrom(place, after(place)).filter(passes), windowAt, count);
      }
      const isFirst = name.startsWith('first');
      const last = isFirst ? place + DAY : after(place);
      const whole = (): number => {
        if (moved === 'to_month') return GRAINS.month.start(place) + DAY;
        if (moved === 'to_tax_year') return GRAINS.tax_year.start(place) + DAY;
        if (step === undefined) return last;
        if ('days' in step) return last - step.days * DAY;
        if (grain === 'day' || isFirst) return back(place, step) + DAY;
        return start(place) === place ? after(back(place, step)) : Number.NaN;
      };
      const end = before === undefined ? whole() : Math.min(whole(), backEnd(before, step));
      const within = windowAt(end);
      return within.length === 0 ? null : countOf(count, within);
    };
    const isNull = fill === true && !shown.has(key);
    const value = valueAt();
    // A mean of nothing is none.
    const empty = isNull || name.startsWith('mean') ? null : 0;
    const row = [grain === 'hour' ? place : iso(place), ...(byStore ? [store] : []), value ?? empty];
    return { store, row, isAnswered: shown.has(key) || value !== null };
  });
  const answered = computed.filter(({ isAnswered }) => isAnswered);
  if (fill === false || grain === 'hour') return answered.map(({ row }) => row);
  const series = new Set(answered.map(({ store }) => store));
  return computed.flatMap(({ store, row }) => (series.has(store) || !byStore ? [row] : []));
}

/** Joins the answers of several metrics by their groups. A group that a metric alone would not show has no value of it. */
function answerOfAll(asked: readonly Asked[]): readonly (readonly unknown[])[] {
  const groups = new Map<string, { readonly group: readonly unknown[]; readonly values: Map<Asked, unknown> }>();
  for (const one of asked) {
    for (const row of answer(one)) {
      const group = row.slice(0, -1);
      const key = JSON.stringify(group);
      const found = groups.get(key) ?? { group, values: new Map() };
      found.values.set(one, row.at(-1));
      groups.set(key, found);
    }
  }
  const none = ({ name, fill }: Asked) => (fill === 'zero' && !name.startsWith('mean') ? 0 : null);
  return [...groups.values()].map(({ group, values }) => [
    ...group,
    ...asked.map((one) => (values.has(one) ? values.get(one) : none(one))),
  ]);
}

/** Computes the answer by a part of the date, or in total: windows end with the last day that has rows of any store. */
function ofParts(
  { name, count, grain, byStore }: Asked,
  rows: readonly Found[],
  passes: (day: number) => boolean,
): readonly (readonly unknown[])[] {
  const partOf = (day: number) => (grain === 'total' ? 0 : dayOfWeek(day));
  const left = rows.filter(({ day }) => passes(day));
  const isOne = grain === 'total' && !byStore;
  const shown = new Set(left.map(({ day, store }) => JSON.stringify([partOf(day), store])));
  if (isOne) shown.add(JSON.stringify([0, '']));
  const parts = [...new Set([...left.map(({ day }) => partOf(day)), ...(grain === 'total' ? [0] : [])])];
  const groups = parts.flatMap((part) =>
    [...new Set(rows.map(({ store }) => store))].map((store) => ({ part, store })),
  );
  return groups.flatMap(({ part, store }) => {
    const storeRows = rows.filter((row) => row.store === store);
    const ends = left.flatMap(({ day }) => (partOf(day) === part ? [day] : [])).toSorted((a, b) => a - b);
    const [low = 0, high = -DAY] = [ends[0], ends.at(-1)];
    const valueAt = (): number | null => {
      if (name === 'plain') {
        const within = storeRows.filter(({ day }) => passes(day) && partOf(day) === part);
        return within.length === 0 ? null : countOf(count, within);
      }
      const windowAt = (end: number) => storeRows.filter(({ day }) => day < end && day >= BEGINS[name](end));
      const within = windowAt((name.startsWith('first') ? low : high) + DAY);
      if (!name.startsWith('mean')) return within.length === 0 ? null : countOf(count, within);
      const between = daysFrom(low, high + DAY).filter((day) => partOf(day) === part);
      return meanOf(between, windowAt, count);
    };
    // A mean of nothing is none.
    const valueOfRows = valueAt();
    if (valueOfRows === null && !shown.has(JSON.stringify([part, store]))) return [];
    const value = name.startsWith('mean') ? valueOfRows : (valueOfRows ?? 0);
    return [[...(grain === 'total' ? [] : [part]), ...(byStore ? [store] : []), value]];
  });
}

const NOT_FILLED: readonly string[] = ['hour', 'day_of_week', 'total'];
/** Means of engines differ in their last digits. */
const numeric = (cell: unknown) => (/^\d+(\.\d+)?$/.test(String(cell)) ? Math.round(Number(cell) * 1e6) / 1e6 : cell);
const written = (table: readonly (readonly unknown[])[]) =>
  table.map((row) => JSON.stringify(row.map(numeric))).toSorted();

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [TABLE], { document });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  it(`by every grain, in zones, of stores and of parts of the time, filled and moved (SEED=${SEED})`, async () => {
    const metric = fc.record({
      name: fc.constantFrom(...(Object.keys(WINDOWS) as WindowName[]), 'plain' as const, 'plain' as const),
      count: fc.constantFrom(...(Object.keys(COUNTS) as CountName[])),
    });
    const queries = fc
      .record({
        // Several windows of one kind are computed together on some engines.
        metrics: fc.uniqueArray(metric, { minLength: 1, maxLength: 5, selector: (one) => JSON.stringify(one) }),
        moved: fc.constantFrom(...(Object.keys(OFFSETS) as OffsetName[])),
        grain: fc.constantFrom(...(Object.keys(GRAINS) as GrainName[]), 'hour', 'day_of_week', 'total'),
        zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'),
        byStore: fc.boolean(),
        from: fc.option(fc.integer({ min: 0, max: 150 }), { nil: undefined }),
        days: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
        fill: fc.constantFrom(false as const, true as const, 'zero' as const),
      })
      // Hours and parts are not offset, weeks and means here not by months; filled hours are tested by hand elsewhere.
      .filter(({ grain, moved }) => !NOT_FILLED.includes(grain) || moved === 'none')
      .filter(
        ({ metrics, moved }) =>
          moved === 'none' || moved.startsWith('to_') || metrics.every(({ name }) => !name.startsWith('mean')),
      )
      .filter(({ metrics, moved }) => !moved.startsWith('to_') || metrics.every(({ name }) => name !== 'plain'))
      .filter(({ grain, moved }) => grain !== 'week' || (moved !== 'month' && moved !== 'quarter'))
      .map((one) => (NOT_FILLED.includes(one.grain) ? { ...one, fill: false as const } : one));
    await fc.assert(
      fc.asyncProperty(queries, async (one) => {
        const { metrics, moved, grain, zone, byStore, from, days, fill } = one;
        const at = { dataset: 'orders', field: 'at', grain: 'day' };
        const since = START + (from ?? 0) * DAY;
        const rows = await shop.table({
          rows: [
            ...(grain === 'total' ? [] : [{ ...at, grain, ...(fill === false ? {} : { fill }) }]),
            ...(byStore ? [{ dataset: 'orders', field: 'store' }] : []),
          ],
          values: metrics.map(({ name, count }) => ({ metric: `${name}_${moved}_${count}` })),
          timezone: zone,
          filters: [
            ...(from === undefined ? [] : [{ ...at, op: 'GTE', value: iso(since) }]),
            ...(days === undefined ? [] : [{ ...at, op: 'LTE', value: iso(since + (days - 1) * DAY) }]),
          ],
        });
        const cells = rows.map(([one, ...rest]) => [
          grain === 'hour' ? Date.parse(String(one)) : numeric(one),
          ...rest.map(numeric),
        ]);
        expect(written(cells)).toEqual(written(answerOfAll(metrics.map((each) => ({ ...one, ...each })))));
      }),
      // Trino plans each of these statements for a second.
      { seed: SEED, numRuns: runsOn(engine, 75) },
    );
  }, 300_000);
});
