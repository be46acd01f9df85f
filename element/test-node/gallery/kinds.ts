import type { ChartSettings } from '../../src/generated/chart-settings.ts';
import { answer, dimension, metric } from '../../test/answers.ts';
import {
  byCategory,
  byChannel,
  CHANNELS,
  cities,
  count,
  days,
  hours,
  levels,
  MONTHS,
  money,
  orders,
  PRODUCTS,
  percent,
  prices,
  season,
  steps,
  stores,
} from './kind-answers.ts';

/** One chart of the gallery of kinds: an answer, and how it is drawn. */
export interface Kind {
  readonly name: string;
  readonly shows: string;
  readonly mode: string;
  readonly chart?: ChartSettings;
  readonly answer: object;
  /** The rest of a series that the chart asks for. */
  readonly others?: object;
  readonly height?: string;
}

export const KINDS: readonly Kind[] = [
  {
    name: 'kind-line',
    shows: 'Lines of the members of a dimension, with an incomplete last month',
    mode: 'line',
    answer: byChannel(CHANNELS.slice(0, 3), MONTHS.slice(0, 33)),
  },
  {
    name: 'kind-line-others',
    shows: 'The twelve largest of 28 members, and the others from the server',
    mode: 'line',
    answer: byChannel(cities, MONTHS.slice(0, 12)),
    others: answer(
      [dimension('calendar.month', 'Month', 'date'), metric('net_sales', 'Net sales')],
      MONTHS.slice(0, 12).map((month, at) => ({
        'calendar.month': month,
        net_sales: money(Math.round(72_000 * season(at))),
      })),
    ),
  },
  {
    name: 'kind-area-percent',
    shows: 'Areas stacked to 100 %',
    mode: 'area',
    chart: { stack: 'percent' },
    answer: byChannel(CHANNELS, MONTHS.slice(0, 24)),
  },
  {
    name: 'kind-stacked-bar',
    shows: 'Stacked bars of categories by channel',
    mode: 'stacked-bar',
    answer: byCategory('Net sales by category and channel'),
  },
  {
    name: 'kind-bar-lying',
    shows: 'Bars that lie because their labels are long',
    mode: 'bar',
    answer: steps(
      'Best products',
      PRODUCTS.map((product, at) => [product, Math.round(310_000 / (at + 1.6))] as const),
      'Product',
    ),
  },
  {
    name: 'kind-facets',
    shows: 'Small charts of a third dimension, on one scale',
    mode: 'line',
    chart: { facet: 'sales.channel' },
    answer: byChannel(CHANNELS, MONTHS.slice(0, 24)),
  },
  {
    name: 'kind-references',
    shows: 'A target, a band and an event',
    mode: 'line',
    chart: {
      references: [
        { type: 'target', value: 110_000, label: 'Plan' },
        { type: 'band', from: 60_000, to: 80_000, label: 'Usual' },
        { type: 'event', at: '2025-03-01', label: 'New shop' },
      ],
    },
    answer: byChannel(CHANNELS.slice(0, 1), MONTHS.slice(0, 24)),
  },
  { name: 'kind-histogram', shows: 'A histogram', mode: 'histogram', answer: orders },
  {
    name: 'kind-boxplot',
    shows: 'Box plots',
    mode: 'boxplot',
    answer: byChannel(CHANNELS, MONTHS.slice(0, 24)),
    chart: { category: 'sales.channel', series: 'calendar.month' },
  },
  {
    name: 'kind-heatmap',
    shows: 'A heat map of weekdays and hours',
    mode: 'heatmap',
    answer: hours,
  },
  { name: 'kind-calendar', shows: 'A calendar', mode: 'calendar', answer: days, height: '360px' },
  { name: 'kind-treemap', shows: 'A treemap of two levels', mode: 'treemap', answer: levels },
  { name: 'kind-sunburst', shows: 'A sunburst of two levels', mode: 'sunburst', answer: levels, height: '340px' },
  {
    name: 'kind-funnel',
    shows: 'A funnel',
    mode: 'funnel',
    answer: steps('From visit to order', [
      ['Visits', 48_200],
      ['Product views', 31_480],
      ['Carts', 9_650],
      ['Orders', 5_310],
      ['Second orders', 1_240],
    ]),
  },
  {
    name: 'kind-waterfall',
    shows: 'A waterfall with totals',
    mode: 'waterfall',
    chart: { totals: ['Margin 2025', 'Margin 2026'] },
    answer: steps('What changed the margin', [
      ['Margin 2025', 412_000],
      ['Volume', 58_000],
      ['Prices', 31_000],
      ['Discounts', -46_000],
      ['Purchasing', -72_000],
      ['Freight', -18_000],
      ['Margin 2026', 365_000],
    ]),
  },
  {
    name: 'kind-sankey',
    shows: 'Flows between two dimensions',
    mode: 'sankey',
    answer: byCategory('Net sales by category and channel'),
  },
  {
    name: 'kind-radar',
    shows: 'A radar chart',
    mode: 'radar',
    answer: answer(
      [
        dimension('stores.region', 'Region'),
        ...['Service', 'Prices', 'Range', 'Delivery', 'Returns'].map((name) => metric(name.toLowerCase(), name)),
      ],
      ['North', 'South', 'Central'].map((region, at) => ({
        'stores.region': region,
        ...Object.fromEntries(
          ['service', 'prices', 'range', 'delivery', 'returns'].map((name, index) => [
            name,
            count(3 + ((at * 2 + index * 3) % 5)),
          ]),
        ),
      })),
      { title: 'Marks of customers' },
    ),
  },
  {
    name: 'kind-gauge',
    shows: 'A gauge with bands and a target',
    mode: 'gauge',
    chart: { bands: [0.3, 0.5, 0.7], target: 0.55 },
    answer: answer([metric('margin_rate', 'Margin rate')], [{ margin_rate: percent(0.463) }], { title: 'Margin rate' }),
    height: '240px',
  },
  {
    name: 'kind-bullet',
    shows: 'Bullet charts with targets and bands',
    mode: 'bullet',
    chart: { targetColumn: 'plan', bands: [100_000, 150_000, 200_000] },
    answer: answer(
      [dimension('stores.region', 'Region'), metric('net_sales', 'Net sales'), metric('plan', 'Plan')],
      [
        ['North', 142_000, 150_000],
        ['South', 171_000, 160_000],
        ['Central', 98_000, 120_000],
      ].map(([region, sales, plan]) => ({
        'stores.region': region,
        net_sales: money(Number(sales)),
        plan: money(Number(plan)),
      })),
      { title: 'Net sales and plan' },
    ),
    height: '220px',
  },
  { name: 'kind-candlestick', shows: 'Candlesticks', mode: 'candlestick', answer: prices },
  {
    name: 'kind-scatter',
    shows: 'Points by region with their trend',
    mode: 'scatter',
    chart: { trend: true, colourBy: 'stores.region' },
    answer: stores,
  },
  { name: 'kind-bubble', shows: 'Bubbles', mode: 'bubble', chart: { colourBy: 'stores.region' }, answer: stores },
  {
    name: 'kind-map',
    shows: 'Points at their places',
    mode: 'map',
    chart: { latitude: 'latitude', longitude: 'longitude' },
    answer: answer(
      [
        dimension('stores.city', 'Store'),
        dimension('latitude', 'Latitude', 'decimal'),
        dimension('longitude', 'Longitude', 'decimal'),
        metric('net_sales', 'Net sales'),
      ],
      (
        [
          ['Lisbon', 38.7, -9.1, 184_320],
          ['Copenhagen', 55.7, 12.6, 171_905],
          ['Madrid', 40.4, -3.7, 158_440],
          ['Berlin', 52.5, 13.4, 149_870],
          ['Oslo', 59.9, 10.8, 132_615],
          ['Vienna', 48.2, 16.4, 118_230],
          ['Rome', 41.9, 12.5, 97_560],
        ] as const
      ).map(([city, latitude, longitude, sales]) => ({
        'stores.city': city,
        latitude,
        longitude,
        net_sales: money(sales),
      })),
      { title: 'Net sales by store' },
    ),
  },
  {
    name: 'kind-small-pies',
    shows: 'A pie for each channel',
    mode: 'pie',
    answer: byCategory('Net sales by category and channel'),
  },
];
