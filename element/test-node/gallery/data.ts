import { answer, cell, dimension, metric } from '../../test/answers.ts';

/** A small shop chain as constants, so that the pictures are the same every time. */

type Json = Readonly<Record<string, unknown>>;

const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 });
const plain = new Intl.NumberFormat('en');

const money = (value: number): Json => cell(value, euros.format(value));
const count = (value: number): Json => cell(value, plain.format(value));
const percent = (share: number): Json => cell(share, `${(share * 100).toFixed(1)}%`);
const hidden: Json = { value: null, formatted: null, suppressed: true };

const STORES: readonly (readonly [string, string, number, number, number])[] = [
  ['Lisbon', 'South', 184_320, 2_310, -4_120],
  ['Copenhagen', 'North', 171_905, 1_987, -2_870],
  ['Madrid', 'South', 158_440, 2_140, -6_015],
  ['Berlin', 'Central', 149_870, 1_905, -3_390],
  ['Oslo', 'North', 132_615, 1_422, -1_980],
  ['Vienna', 'Central', 118_230, 1_510, -2_240],
  ['Rome', 'South', 97_560, 1_388, -3_105],
  ['Warsaw', 'Central', 88_905, 1_275, -1_460],
  ['Helsinki', 'North', 76_480, 884, -1_015],
];

const storeColumns = [
  dimension('stores.city', 'Store'),
  dimension('stores.region', 'Region'),
  metric('net_sales', 'Net sales'),
  metric('orders', 'Orders', 'integer'),
  metric('returns', 'Returns'),
];
const storeRows = STORES.map(([city, region, sales, orders, returns]) => ({
  'stores.city': city,
  'stores.region': region,
  net_sales: money(sales),
  orders: count(orders),
  returns: money(returns),
}));

export const stores = answer(storeColumns, storeRows, { title: 'Sales by store' });

/** The two smallest groups are hidden. */
export const suppressed = answer(
  storeColumns,
  storeRows.map((row, index) => (index < 7 ? row : { ...row, net_sales: hidden, orders: hidden, returns: hidden })),
  {
    title: 'Sales by store',
    meta: { rowCount: 9, truncated: false, suppressed: { count: 2, reason: 'Groups of fewer than 5 are hidden.' } },
  },
);

export const truncated = answer(storeColumns, storeRows, {
  title: 'Sales by store',
  meta: { rowCount: 9, truncated: true, partial: true },
});

export const nothing = answer(storeColumns, [], { title: 'Sales by store' });

export const textOnly = answer(
  [dimension('stores.city', 'Store'), dimension('stores.region', 'Region')],
  STORES.map(([city, region]) => ({ 'stores.city': city, 'stores.region': region })),
  { title: 'Stores' },
);

const REGIONS: readonly (readonly [string, number, number])[] = [
  ['South', 440_320, 398_110],
  ['Central', 357_005, 371_640],
  ['North', 381_000, 322_480],
  ['East', 204_650, 187_300],
  ['Online', 512_880, 430_970],
];

export const regions = answer(
  [dimension('stores.region', 'Region'), metric('net_sales', 'This year'), metric('previous', 'Last year')],
  REGIONS.map(([region, now, before]) => ({ 'stores.region': region, net_sales: money(now), previous: money(before) })),
  { title: 'Sales by region' },
);

export const shares = answer(
  [dimension('stores.region', 'Region'), metric('net_sales', 'Net sales')],
  REGIONS.map(([region, now]) => ({ 'stores.region': region, net_sales: money(now) })),
  { title: 'Share of sales' },
);

const MONTHS = Array.from({ length: 18 }, (_, index) => new Date(Date.UTC(2025, index, 1)).toISOString().slice(0, 10));
const ONLINE = [42, 39, 47, 51, 55, 53, 49, 52, 61, 66, 78, 95, 58, 54, 63, 68, 73, 71];
const IN_STORES = [88, 81, 92, 90, 97, 102, 96, 94, 99, 104, 118, 141, 93, 89, 98, 101, 103, 109];

export const months = answer(
  [dimension('month', 'Month', 'date'), metric('stores', 'In stores'), metric('online', 'Online')],
  MONTHS.map((month, index) => ({
    month,
    stores: money((IN_STORES[index] ?? 0) * 1_000),
    online: money((ONLINE[index] ?? 0) * 1_000),
  })),
  { title: 'Sales by month' },
);

export const quarters = answer(
  [
    dimension('quarter', 'Quarter'),
    metric('a', 'Coffee'),
    metric('b', 'Tea'),
    metric('c', 'Bakery'),
    metric('d', 'Merchandise'),
  ],
  [
    ['Q1 25', 92, 41, 66, 18],
    ['Q2 25', 98, 44, 71, 22],
    ['Q3 25', 104, 39, 69, 25],
    ['Q4 25', 121, 58, 84, 41],
    ['Q1 26', 101, 45, 70, 24],
    ['Q2 26', 109, 47, 76, 27],
  ].map(([quarter, ...values]) => ({
    quarter,
    ...Object.fromEntries(values.map((value, index) => ['abcd'[index] ?? '', money(Number(value) * 1_000)])),
  })),
  { title: 'Sales by category' },
);

export const margins = answer(
  [dimension('quarter', 'Quarter'), metric('sales', 'Net sales'), metric('margin', 'Margin')],
  [
    ['Q1 25', 217, 0.312],
    ['Q2 25', 235, 0.335],
    ['Q3 25', 237, 0.341],
    ['Q4 25', 304, 0.298],
    ['Q1 26', 240, 0.327],
    ['Q2 26', 259, 0.352],
  ].map(([quarter, sales, margin]) => ({
    quarter,
    sales: money(Number(sales) * 1_000),
    margin: percent(Number(margin)),
  })),
  { title: 'Sales and margin' },
);

export const visits = answer(
  [dimension('stores.city', 'Store'), metric('visitors', 'Visitors a day', 'integer'), metric('basket', 'Basket')],
  Array.from({ length: 60 }, (_, index) => {
    // A fixed sequence that looks scattered (the golden ratio), not a random one.
    const u = (index * 0.618034) % 1;
    const v = (index * 0.7548777) % 1;
    const visitors = Math.round(180 + 900 * u);
    return {
      'stores.city': `Store ${index + 1}`,
      visitors: count(visitors),
      basket: money(Math.round(14 + visitors / 60 + 9 * v)),
    };
  }),
  { title: 'Visitors and basket' },
);

/** An unusual month, and a forecast of half a year with its band. */
export const outlook = answer(
  [dimension('month', 'Month', 'date'), metric('online', 'Online sales')],
  MONTHS.map((month, index) => ({
    month,
    online:
      index === 8
        ? { ...money(31_000), anomaly: { score: 6.1, expected: 60_000, direction: 'low' } }
        : money((ONLINE[index] ?? 0) * 1_000),
  })),
  {
    title: 'Online sales, with a forecast',
    forecast: {
      online: {
        method: 'mstl',
        horizon: 6,
        confidence: 0.9,
        points: [70, 72, 84, 90, 104, 126].map((value, index) => ({
          index: 18 + index,
          value: value * 1_000,
          lower: (value - 5 - index * 2.2) * 1_000,
          upper: (value + 5 + index * 2.4) * 1_000,
        })),
      },
    },
  },
);

/** Returns the answer of a cube without some of its dimensions. */
export function cubeWithout(without: readonly string[]): Json {
  const dimensions = [
    dimension('stores.region', 'Region'),
    dimension('stores.city', 'Store'),
    dimension('year', 'Year', 'integer'),
  ].filter(({ key }) => !without.includes(String(key)));
  const groups = new Map<string, { readonly by: Json; sales: number; returns: number }>();
  const stores = STORES.slice(0, 6).toSorted(([, a], [, b]) => a.localeCompare(b));
  for (const [city, region, sales, , returns] of stores) {
    for (const [index, year] of [2024, 2025, 2026].entries()) {
      const members: Json = { 'stores.region': region, 'stores.city': city, year };
      const by = Object.fromEntries(dimensions.map(({ key }) => [String(key), members[String(key)]]));
      const key = JSON.stringify(by);
      const group = groups.get(key) ?? { by, sales: 0, returns: 0 };
      groups.set(key, group);
      group.sales += Math.round(sales * (0.82 + 0.09 * index));
      group.returns += Math.round(returns * (1.1 - 0.05 * index));
    }
  }
  return answer(
    [...dimensions, metric('net_sales', 'Net sales'), metric('returns', 'Returns')],
    [...groups.values()].map(({ by, sales, returns }) => ({ ...by, net_sales: money(sales), returns: money(returns) })),
    { title: 'Sales by region, store and year' },
  );
}

export const cube = cubeWithout([]);

export const arabic = answer(
  [dimension('r', 'المنطقة'), metric('s', 'المبيعات'), metric('n', 'المرتجعات')],
  [
    ['الجنوب', 440_320, -4_120],
    ['الوسط', 357_005, -3_390],
    ['الشمال', 381_000, -2_870],
    ['الشرق', 204_650, -1_460],
  ].map(([r, s, n]) => ({ r, s: money(Number(s)), n: money(Number(n)) })),
  { title: 'المبيعات حسب المنطقة' },
);

const tile = (id: string, kind: string, place: readonly [number, number, number, number], more: Json): Json => {
  const [x, y, w, h] = place;
  return { id, kind, x, y, w, h, ...more };
};

export const boardTiles: readonly Json[] = [
  tile('intro', 'text', [0, 0, 12, 1], {
    title: 'How the shops are doing',
    text: 'Net sales of all stores and online, in euros. Refreshed every hour.',
  }),
  tile('sales', 'kpi', [0, 1, 3, 2], { title: 'Net sales', measure: 'stores' }),
  tile('online', 'kpi', [3, 1, 3, 2], { title: 'Online', measure: 'online' }),
  tile('orders', 'kpi', [6, 1, 3, 2], { title: 'Orders', measure: 'orders' }),
  tile('map', 'map', [9, 1, 3, 2], { title: 'Stores on a map' }),
  tile('months', 'chart', [0, 3, 7, 4], { title: 'Sales by month', chartType: 'line' }),
  tile('shares', 'chart', [7, 3, 5, 4], { title: 'Share of sales', chartType: 'pie' }),
  tile('regions', 'chart', [0, 7, 6, 4], { title: 'Sales by region', chartType: 'bar' }),
  tile('quarters', 'chart', [6, 7, 6, 4], { title: 'Sales by category', chartType: 'stacked-bar' }),
];

export const board: Json = { title: 'Retail overview', layout: { columns: 12 }, tiles: boardTiles };

export const tiles: Readonly<Record<string, Json>> = {
  sales: months,
  online: months,
  orders: answer([metric('orders', 'Orders', 'integer')], [{ orders: count(14_821) }], { title: 'Orders' }),
  months,
  shares,
  regions,
  quarters,
};

/** One number and chart of each kind on the board. */
export const fiveTiles = ['sales', 'orders', 'months', 'shares', 'regions'].map((id, index) =>
  tile(id, index < 2 ? 'kpi' : 'chart', [(index % 3) * 4, Math.floor(index / 3) * 2, 4, 2], {
    title: id,
    ...(index < 2 ? { measure: ['stores', 'orders'][index] } : { chartType: ['line', 'pie', 'bar'][index - 2] }),
  }),
);

/** An ask box, and a question to it. */
export const box = {
  title: 'Ask the shop',
  description: 'Sales, margin, stock and customers of the chain, 2023 to 2025.',
  suggestions: ['Which regions sold most?', 'How did sales go month by month?', 'Which stores have most returns?'],
  configured: true,
};
export const QUESTION = 'Which regions sold most?';
export const QUERY = {
  connection: 'demo',
  model: 'shop',
  rows: [{ dataset: 'stores', field: 'region' }],
  values: [{ metric: 'net_sales' }],
};
export const FOLLOW_UPS = ['By Country', 'By Store', 'By Month'];

export const oneNumber = answer([metric('net_sales', 'Net sales')], [{ net_sales: money(1_078_325) }]);
