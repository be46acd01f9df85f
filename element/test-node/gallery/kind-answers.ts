/** The answers of the gallery of kinds: the same numbers every time. */
import { answer, cell, dimension, metric, periods } from '../../test/answers.ts';

type Json = Readonly<Record<string, unknown>>;

const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 });
const plain = new Intl.NumberFormat('en');
export const money = (value: number): Json => cell(value, euros.format(value));
export const count = (value: number): Json => cell(value, plain.format(value));
export const percent = (value: number): Json => cell(value, `${(value * 100).toFixed(1)}%`);

/** Returns the same numbers between 0 and 1 every time (Park and Miller 1988). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export const CHANNELS = ['Web shop', 'Stores', 'Partners', 'Phone'] as const;
export const MONTHS = Array.from({ length: 36 }, (_, index) =>
  new Date(Date.UTC(2024, index, 1)).toISOString().slice(0, 10),
);
export const season = (month: number): number => 1 + 0.28 * Math.sin(((month % 12) - 2) / 1.9) + month * 0.012;

/** September 2026 is the month of the answer, so it is not complete. */
export const byChannel = (channels: readonly string[], months: readonly string[], more: Json = {}) => {
  const random = randomNumbers(7);
  const labels = Object.fromEntries(
    months.map((month) => [
      month,
      new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(month)),
    ]),
  );
  return answer(
    [
      periods('calendar.month', 'Month', labels),
      dimension('sales.channel', 'Channel'),
      metric('net_sales', 'Net sales'),
    ],
    months.flatMap((month, at) =>
      channels.map((channel, index) => ({
        'calendar.month': month,
        'sales.channel': channel,
        net_sales: money(
          Math.round(
            (96_000 / (index + 1.3)) * season(at) * (0.9 + 0.2 * random()) * (month === '2026-09-01' ? 0.62 : 1),
          ),
        ),
      })),
    ),
    { title: 'Net sales by month and channel', ...more },
  );
};

const CATEGORIES = ['Lighting', 'Furniture', 'Textiles', 'Kitchen', 'Garden', 'Office', 'Toys', 'Storage'] as const;
export const byCategory = (title: string) => {
  const random = randomNumbers(11);
  return answer(
    [
      dimension('products.category', 'Category'),
      dimension('sales.channel', 'Channel'),
      metric('net_sales', 'Net sales'),
    ],
    CATEGORIES.flatMap((category, at) =>
      CHANNELS.slice(0, 3).map((channel) => ({
        'products.category': category,
        'sales.channel': channel,
        net_sales: money(Math.round((420_000 / (at + 2)) * (0.4 + random()))),
      })),
    ),
    { title },
  );
};

export const PRODUCTS = [
  'Adjustable standing desk, oak',
  'Reading lamp with dimmer',
  'Linen curtain, 140 × 260 cm',
  'Cast iron casserole, 5 litres',
  'Folding garden chair, set of two',
  'Ergonomic office chair',
  'Wooden railway starter set',
] as const;

export const cities = Array.from({ length: 28 }, (_, index) => `City ${String(index + 1).padStart(2, '0')}`);

const WEEKDAYS = {
  1: 'Monday',
  2: 'Tuesday',
  3: 'Wednesday',
  4: 'Thursday',
  5: 'Friday',
  6: 'Saturday',
  7: 'Sunday',
} as const;

export const steps = (title: string, rows: readonly (readonly [string, number])[], label = 'Step') =>
  answer(
    [dimension('step', label), metric('amount', 'Amount')],
    rows.map(([step, amount]) => ({ step, amount: money(amount) })),
    { title },
  );

export const orders = (() => {
  const random = randomNumbers(3);
  const columns = [dimension('customers.name', 'Customer'), metric('value', 'Order value')];
  return answer(
    columns,
    Array.from({ length: 240 }, (_, index) => ({
      'customers.name': `Customer ${index + 1}`,
      value: money(Math.round(40 + 90 * (random() + random() + random() + random() * random() * 3))),
    })),
    { title: 'Order values' },
  );
})();

export const stores = (() => {
  const random = randomNumbers(5);
  return answer(
    [
      dimension('stores.city', 'Store'),
      dimension('stores.region', 'Region'),
      metric('visits', 'Visits', 'integer'),
      metric('net_sales', 'Net sales'),
      metric('staff', 'Staff', 'integer'),
    ],
    Array.from({ length: 42 }, (_, index) => {
      const visits = Math.round(2_000 + 9_000 * random());
      return {
        'stores.city': `Store ${index + 1}`,
        'stores.region': ['North', 'South', 'Central'][index % 3],
        visits: count(visits),
        net_sales: money(Math.round(visits * (9 + 7 * random()))),
        staff: count(Math.round(4 + 26 * random() ** 2)),
      };
    }),
    { title: 'Stores' },
  );
})();

export const levels = (() => {
  const random = randomNumbers(13);
  return answer(
    [
      dimension('products.category', 'Category'),
      dimension('products.product', 'Product'),
      metric('net_sales', 'Net sales'),
    ],
    CATEGORIES.slice(0, 5).flatMap((category, at) =>
      Array.from({ length: 4 }, (_, index) => ({
        'products.category': category,
        'products.product': `${category.replace(/s$/, '')} ${['basic', 'plus', 'pro', 'mini'][index]}`,
        net_sales: money(Math.round((180_000 / (at + 1.5) / (index + 1)) * (0.7 + 0.6 * random()))),
      })),
    ),
    { title: 'Net sales by category and product' },
  );
})();

export const days = (() => {
  const random = randomNumbers(17);
  return answer(
    [{ ...dimension('calendar.day', 'Day', 'date'), grain: 'day' }, metric('orders', 'Orders', 'integer')],
    Array.from({ length: 540 }, (_, index) => {
      const date = new Date(Date.UTC(2025, 0, 1 + index));
      const weekend = [0, 6].includes(date.getUTCDay()) ? 1.7 : 1;
      return {
        'calendar.day': date.toISOString().slice(0, 10),
        orders: count(Math.round(60 * weekend * (0.7 + 0.6 * random()) * season(date.getUTCMonth()))),
      };
    }),
    { title: 'Orders by day' },
  );
})();

export const prices = (() => {
  const random = randomNumbers(19);
  let last = 100;
  return answer(
    [
      { ...dimension('day', 'Day', 'date'), grain: 'day' },
      metric('open', 'Open'),
      metric('close', 'Close'),
      metric('low', 'Low'),
      metric('high', 'High'),
    ],
    Array.from({ length: 30 }, (_, index) => {
      const open = last;
      const close = Math.round((open + 6 * (random() - 0.46)) * 100) / 100;
      last = close;
      const price = (value: number) => cell(Math.round(value * 100) / 100, value.toFixed(2));
      return {
        day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
        open: price(open),
        close: price(close),
        low: price(Math.min(open, close) - 2 * random()),
        high: price(Math.max(open, close) + 2 * random()),
      };
    }),
    { title: 'Copper price' },
  );
})();

export const hours = (() => {
  const random = randomNumbers(23);
  return answer(
    [
      {
        ...dimension('hour', 'Hour', 'integer'),
        labels: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [at + 8, `${at + 8}:00`])),
      },
      { ...dimension('weekday', 'Weekday', 'integer'), labels: WEEKDAYS },
      metric('orders', 'Orders', 'integer'),
    ],
    Array.from({ length: 12 }, (_, at) => at + 8).flatMap((hour) =>
      [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
        hour,
        weekday,
        orders: count(Math.round(30 * (weekday > 5 ? 2 : 1) * (1 - Math.abs(hour - 14) / 9) * (0.8 + 0.5 * random()))),
      })),
    ),
    { title: 'Orders by weekday and hour' },
  );
})();
