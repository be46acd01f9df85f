/** Tests that filters by the keys that answers show find the same periods: on every engine, by every grain. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

/** Each day with a key of text, one of numbers, and a name that is the key of another period. */
const DAYS = [
  ['2019-12-30', 'a', 1, 'b'],
  ['2019-12-31', 'A', 1, 'a'],
  ['2020-01-01', ' a', 2, '1'],
  ['2020-02-29', 'a ', 3, '2'],
  ['2020-03-30', '7', 20, '07'],
  ['2020-12-31', '07', 7, '7'],
  ['2021-01-03', '2020-01-01', 1_000_003, '20'],
  ['2024-10-27', '', 9, '3'],
  ['1969-07-20', 'b', 10, '9'],
  ['1910-05-05', '1.0', 11, '10'],
] as const;
const CALENDAR: Table = {
  name: 'calendar',
  columns: [
    ['day', 'date'],
    ['text_key', 'text'],
    ['number_key', 'integer'],
    ['date_key', 'date'],
    ['name', 'text'],
  ],
  rows: DAYS.map(([day, text, number, name]) => [day, text, number, day, name]),
};
const SALES: Table = {
  name: 'sales',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['at', 'timestamp'],
  ],
  // The second row of 27 October is an hour after the first, at the same local time in Berlin.
  rows: [...DAYS.map(([day], id) => [id, day, `${day} 00:30:00`] as const), [90, '2024-10-27', '2024-10-27 01:30:00']],
};
const KEYS = ['text_key', 'number_key', 'date_key'];
const GRAINS = {
  day: ['day', 'week', 'month', 'quarter', 'year', 'tax_month', 'tax_quarter', 'tax_year', 'day_of_week', ...KEYS],
  at: ['second', 'minute', 'hour', 'day', 'week', 'year', 'tax_quarter', 'hour_of_day', 'week_of_year', ...KEYS],
} as const;
/** The grains that Trino gets: one of each kind, and the hour, because `server/warehouse/grains.test.ts` asks it for the periods of all. */
const ON_TRINO: { readonly [Field in keyof typeof GRAINS]: readonly (typeof GRAINS)[Field][number][] } = {
  day: ['day', 'week', 'month', 'tax_quarter', 'day_of_week', 'text_key', 'number_key', 'date_key'],
  at: ['hour', 'day', 'week', 'hour_of_day', 'week_of_year', 'text_key'],
};
const calendars = [
  { name: 'tax', year_start: { month: 4, day: 6 } },
  { dataset: 'calendar', date: 'day', grains: KEYS.map((field) => ({ name: field, field, label: 'name' })) },
];
const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const document = `
version: "0.1.1"
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ calendars })}' }]
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
${['day', 'at'].map(field).join('\n')}
      - name: calendar
        source: calendar
        primary_key: [day]
        fields:
${['day', 'name', ...KEYS].map(field).join('\n')}
    metrics:
      - { name: number, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(sales.id) }] } }
`;

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    // The periods of the calendar are read once, not with each request.
    shop = await openOn(engine, [SALES, CALENDAR], { document, settings: { cacheTtlMs: 600_000 } });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  it.each(['day', 'at'] as const)(
    'a key of %s from an answer finds its period, and no other',
    async (name) => {
      for (const grain of (engine === 'trino' ? ON_TRINO : GRAINS)[name]) {
        const reference = { dataset: 'sales', field: name, grain };
        const request = { rows: [reference], values: [{ metric: 'number' }], timezone: 'Europe/Berlin' };
        const shown = await shop.table(request);
        expect(shown.length).toBeGreaterThan(1);
        for (const group of askedOn(engine, groupsOf(shown), grain)) {
          const filters = [{ ...reference, op: 'IN', values: group.map(([key]) => key) }];
          expect([grain, await shop.table({ ...request, filters })]).toEqual([grain, group]);
        }
      }
    },
    120_000,
  );
});

/** Returns the groups to ask an engine for: all, and two of them on Trino, which takes a tenth of a second for each. */
function askedOn<T>(engine: string, groups: readonly T[], grain: string): readonly T[] {
  if (engine !== 'trino') return groups;
  const first = (SEED + grain.length) % groups.length;
  return [...groups.slice(first), ...groups.slice(0, first)].slice(0, 2);
}

/**
 * Returns groups of the items, in their order, about twice the logarithm of their number. For each two items a group has the first and not the second:
 * an item that finds another one, or none, changes what a group of its finds.
 */
function groupsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  let size = 1;
  while (codesOf(size).length < items.length) size += 1;
  const codes = codesOf(size);
  return Array.from({ length: size }, (_, bit) => items.filter((_item, at) => ((codes[at] ?? 0) >> bit) % 2 === 1));
}

/** Returns the numbers of so many bits of which half are set: none has all bits of another. */
function codesOf(size: number): readonly number[] {
  const ones = (code: number) => code.toString(2).replaceAll('0', '').length;
  return Array.from({ length: 2 ** size }, (_, code) => code).filter((code) => ones(code) === Math.ceil(size / 2));
}
