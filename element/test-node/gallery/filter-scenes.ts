import type { Page } from 'playwright';
import type { Reply } from '../host-page.ts';
import * as data from './data.ts';
import type { Scene } from './scenes.ts';

const ok = (body: unknown): Reply => ({ body });
const GRID = '[role=grid]';
const FIELDS = ['stores.region', 'sales.date', 'net_sales.amount', 'stores.is_open'];

const listOf = (field: string, label: string, values: readonly string[], truncated = false) => ({
  field,
  label,
  dataType: 'text',
  control: 'list',
  values: values.map((value) => ({ value, label: value })),
  truncated,
});

const CITIES = ['Berlin', 'Copenhagen', 'Helsinki', 'Lisbon', 'Madrid', 'Oslo', 'Rome', 'Vienna', 'Warsaw'];

/** What each field offers. */
const OFFERS: Readonly<Record<string, object>> = {
  'stores.region': listOf('stores.region', 'Region', ['Central', 'North', 'South']),
  'stores.city': listOf('stores.city', 'Store', CITIES, true),
  'sales.date': {
    ...listOf('sales.date', 'Day', []),
    dataType: 'date',
    control: 'date',
    range: { least: '2024-01-01', greatest: '2026-06-30' },
  },
  'net_sales.amount': {
    ...listOf('net_sales.amount', 'Amount', []),
    dataType: 'decimal',
    control: 'range',
    range: { least: 5, greatest: 4_800 },
  },
  'stores.is_open': { ...listOf('stores.is_open', 'Open now', []), dataType: 'boolean', control: 'switch' },
};

function replies(whole: Reply, offers: Readonly<Record<string, object>> = OFFERS): (path: string) => Reply {
  return (path) => {
    const url = new URL(path, 'https://host.test');
    if (!url.pathname.endsWith('/values')) return whole;
    const offer = offers[url.searchParams.get('field') ?? ''];
    if (offer !== undefined && url.searchParams.has('q')) return ok({ ...offer, values: [], truncated: false });
    return offer === undefined ? { status: 400, body: { error: 'VALIDATION_ERROR' } } : ok(offer);
  };
}

/** Sets what the visitor chose, as a page restores it. */
async function choose(page: Page, filters: object): Promise<void> {
  await page.locator('service-embed').evaluate((element, state) => Object.assign(element, { filterState: state }), {
    filters,
  });
}

const open = (label: string) => async (page: Page) => {
  await page.locator('service-embed button.filter', { hasText: label }).click();
  await page.locator('service-embed .panel:popover-open').waitFor();
};

/** Answers the query without a filter, and a filtered one differently. */
const whenFiltered =
  (filtered: Reply) =>
  (path: string): Reply => {
    const { pathname, searchParams } = new URL(path, 'https://host.test');
    return !pathname.endsWith('/values') && searchParams.has('filter') ? filtered : replies(ok(data.stores))(path);
  };

const query = {
  attributes: { filters: JSON.stringify(FIELDS), height: '480px' },
  reply: replies(ok(data.stores)),
  ready: [GRID, '.toggle-filter'],
} as const;

const filterTile = (id: string, field: string, title: string, x: number, drives: readonly string[]) => ({
  id,
  kind: 'filter',
  field,
  title,
  drives,
  x,
  y: 0,
  w: 4,
  h: 1,
});
const boardWithFilters = {
  ...data.board,
  tiles: [
    filterTile('f-region', 'stores.region', 'Region', 0, ['regions']),
    filterTile('f-day', 'sales.date', 'Day', 4, ['sales', 'regions', 'shares']),
    filterTile('f-open', 'stores.is_open', 'Open now', 8, []),
    ...data.boardTiles.map((tile) => ({ ...tile, y: Number(tile.y) + 1 })),
  ],
};
const TILE_FIELDS: Readonly<Record<string, string>> = {
  'f-region': 'stores.region',
  'f-day': 'sales.date',
  'f-open': 'stores.is_open',
};
const board = (path: string): Reply => {
  const { pathname } = new URL(path, 'https://host.test');
  const [, tile = '', values] = /\/tiles\/([^/]*)(\/values)?$/.exec(pathname) ?? [];
  if (tile === '') return ok(boardWithFilters);
  return ok(values === undefined ? data.tiles[tile] : OFFERS[TILE_FIELDS[tile] ?? '']);
};

const CLICKED = {
  title: 'Retail overview',
  layout: { columns: 12 },
  tiles: [
    {
      id: 'regions',
      kind: 'chart',
      title: 'Sales by region',
      chartType: 'bar',
      drives: ['sales'],
      x: 0,
      y: 0,
      w: 8,
      h: 4,
    },
    { id: 'sales', kind: 'kpi', title: 'Net sales', measure: 'stores', x: 8, y: 0, w: 4, h: 2 },
  ],
};

/** The filters of embeds, in each state. */
export const FILTER_SCENES: readonly Scene[] = [
  { ...query, name: 'filters', shows: 'A table with filters of four kinds' },
  {
    ...query,
    name: 'filters-chosen',
    shows: 'Filters with choices, and the button that removes them',
    act: (page) =>
      choose(page, {
        'stores.region': { in: ['North', 'South'] },
        'sales.date': { from: '2026-01-01', to: '2026-03-31' },
        'stores.is_open': { in: [true] },
      }),
  },
  {
    ...query,
    name: 'filters-list',
    shows: 'The values of a field, with a search on the server',
    attributes: { filters: '["stores.city"]', height: '480px' },
    ready: [GRID, 'button.filter:enabled'],
    async act(page) {
      await choose(page, { 'stores.city': { in: ['Lisbon'] } });
      await open('Store')(page);
    },
  },
  {
    ...query,
    name: 'filters-none',
    shows: 'A search in the values that finds none',
    attributes: { filters: '["stores.city"]', height: '480px' },
    ready: [GRID, 'button.filter:enabled'],
    async act(page) {
      await open('Store')(page);
      await page.locator('service-embed .panel:popover-open input[type=search]').fill('Paris');
      await page.locator('service-embed .panel-note', { hasText: 'No values found' }).waitFor();
    },
  },
  {
    ...query,
    name: 'filters-pending',
    shows: 'A choice whose answer is being read',
    reply: whenFiltered('never'),
    async act(page) {
      await choose(page, { 'stores.region': { in: ['North'] } });
      await page.locator('service-embed .filters.updating').waitFor();
    },
  },
  {
    ...query,
    name: 'filters-failed',
    shows: 'A choice whose answer could not be read: no other answer stands below it',
    attributes: { filters: JSON.stringify(FIELDS), height: '320px' },
    reply: whenFiltered({ status: 503, body: {} }),
    async act(page) {
      await choose(page, { 'stores.region': { in: ['North'] } });
      await page.locator('service-embed .failure').waitFor();
    },
  },
  {
    ...query,
    name: 'filters-date',
    shows: 'Relative periods and days of a date',
    async act(page) {
      await choose(page, { 'sales.date': { period: 'last_n_days', n: 30 } });
      await open('Day')(page);
    },
  },
  {
    ...query,
    name: 'filters-phone',
    shows: 'A filter on a phone: its panel is at the lower edge',
    width: 358,
    attributes: { filters: '["stores.region","sales.date"]', height: '560px' },
    ready: [GRID, 'button.filter:enabled'],
    act: open('Region'),
  },
  {
    ...query,
    name: 'filters-empty',
    shows: 'A choice without data',
    reply: replies(ok(data.nothing)),
    ready: ['.notice', '.toggle-filter'],
    act: (page) => choose(page, { 'stores.region': { in: ['North'] } }),
  },
  {
    ...query,
    name: 'filters-refused',
    shows: 'A filter that the document does not offer, beside one that it does',
    attributes: { filters: '["stores.region","stores.secret"]', height: '320px' },
    ready: [GRID, '.filter.failed', 'button.filter:enabled'],
  },
  {
    ...query,
    name: 'filters-loading',
    shows: 'Filters during loading',
    reply: 'never',
    ready: ['.filters', '.skeleton'],
  },
  {
    name: 'dashboard-filters',
    shows: 'A dashboard with its filter tiles',
    attributes: { kind: 'dashboard', filters: '', height: '480px' },
    reply: board,
    ready: ['.tile-filter .toggle-filter', '.chart svg path'],
    width: 900,
    act: (page) => choose(page, { 'f-region': { in: ['South'] } }),
  },
  {
    name: 'dashboard-filters-phone',
    shows: 'The same on a phone',
    attributes: { kind: 'dashboard', filters: '', height: '480px' },
    reply: board,
    ready: ['.tile-filter .toggle-filter', '.chart svg path'],
    width: 358,
    act: (page) => choose(page, { 'f-region': { in: ['South'] } }),
  },
  {
    name: 'dashboard-pending',
    shows: 'A dashboard after a choice: the tiles that it drives are being read, one could not be',
    attributes: { kind: 'dashboard', filters: '', height: '480px' },
    reply: (path) => {
      if (!new URL(path, 'https://host.test').searchParams.has('filter')) return board(path);
      return path.includes('/tiles/shares') ? { status: 503, body: {} } : 'never';
    },
    ready: [
      '.tile-filter .toggle-filter',
      '.grid:not(:has(.skeleton))',
      '.tile-chart:nth-last-of-type(1) .chart svg path',
    ],
    width: 900,
    async act(page) {
      await choose(page, { 'f-day': { period: 'ytd' } });
      await page.locator('service-embed .tile .failure').waitFor();
    },
  },
  {
    name: 'dashboard-clicked',
    shows: 'A dashboard after a click in a bar: the chip above takes it back',
    attributes: { kind: 'dashboard', drill: '', height: '400px' },
    reply: (path) => {
      const tile = /\/tiles\/([^/?]*)/.exec(path)?.[1];
      return ok(tile === undefined ? CLICKED : data.tiles[tile]);
    },
    ready: ['.chart svg path'],
    width: 760,
    async act(page) {
      await page
        .locator('service-embed')
        .evaluate((element) =>
          Object.assign(element, { filterState: { selected: { regions: { 'stores.region': 'Central' } } } }),
        );
      await page.locator('service-embed .chip').waitFor();
    },
  },
];
