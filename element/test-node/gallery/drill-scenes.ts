import type { Page } from 'playwright';
import type { Reply } from '../host-page.ts';
import * as data from './data.ts';
import type { Scene } from './scenes.ts';

const ok = (body: unknown): Reply => ({ body });
const GRID = '[role=grid]';
const BAR = '.chart svg path';

/** The document allows a step to the city, and rows. */
const REGIONS = {
  ...data.regions,
  drill: { down: [{ field: 'stores.region', label: 'Store', by: ['stores.region'] }], trail: [], rows: true },
};
const STORES = {
  ...storesOf('Central'),
  drill: { down: [], trail: [{ label: 'Region', text: 'Central' }], rows: true },
};
const ROWS = { ...storesOf('South'), meta: { rowCount: 3, truncated: true } };

function storesOf(region: string): Readonly<Record<string, unknown>> {
  const { records, ...answer }: Readonly<Record<string, unknown>> = data.stores;
  const all: readonly unknown[] = Array.isArray(records) ? records : [];
  return { ...answer, records: all.filter((record) => JSON.stringify(record).includes(region)) };
}

/** Answers the query, after a step the cities, and the rows. */
const replies =
  (rows: Reply, below: Reply = ok(STORES)) =>
  (path: string): Reply => {
    const { pathname, searchParams } = new URL(path, 'https://host.test');
    if (pathname.endsWith('/rows')) return rows;
    return searchParams.has('drill') ? below : ok(REGIONS);
  };

const DOWN = { drilled: { query: [{ field: 'stores.region', values: { 'stores.region': 'Central' } }] } };

/** Goes a step down, as a page restores it, and waits for what then is below the breadcrumbs. */
const goDown =
  (selector: string) =>
  async (page: Page): Promise<void> => {
    await page
      .locator('service-embed')
      .evaluate((element, state) => Object.assign(element, { filterState: state }), DOWN);
    await page.locator('service-embed .crumbs').waitFor();
    await page.locator(`service-embed ${selector}`).first().waitFor({ state: 'attached' });
  };

const below = (name: string, shows: string, reply: Reply, selector: string): Scene => ({
  ...query,
  name,
  shows,
  attributes: { drill: '', height: '320px' },
  ready: [GRID],
  reply: replies(ok(ROWS), reply),
  act: goDown(selector),
});

/** A matrix that leads to the rows behind a cell. */
const MATRIX = {
  ...data.cube,
  drill: { down: [{ field: 'stores.city', label: 'Month', by: ['stores.city'] }], trail: [], rows: true },
};

const query = {
  attributes: { drill: '', render: 'chart', height: '400px' },
  reply: replies(ok(ROWS)),
  ready: [BAR],
} as const;

/** Selects the first point with the keyboard. */
async function select(page: Page): Promise<void> {
  await page.locator('service-embed .points').focus();
  await page.keyboard.press('Enter');
  await page.locator('service-embed .drill-menu:popover-open').waitFor();
}

const showRows =
  (width: number, selector: string) =>
  async (page: Page): Promise<void> => {
    await page.setViewportSize({ width, height: 560 });
    await select(page);
    await page.getByRole('menuitem', { name: 'Show rows' }).click();
    await page.locator(`service-embed dialog[open] ${selector}`).first().waitFor();
  };

const rows = (name: string, shows: string, reply: Reply, selector: string, width = 900): Scene => ({
  ...query,
  name,
  shows,
  width: width - 32,
  reply: replies(reply),
  act: showRows(width, selector),
});

const hidden = {
  ...data.nothing,
  meta: { rowCount: 0, truncated: false, suppressed: { count: 1, reason: 'Groups of fewer than 5 are hidden.' } },
};

/** Going down and the rows behind a figure, in each state. */
export const DRILL_SCENES: readonly Scene[] = [
  { ...query, name: 'drill-menu', shows: 'What a bar leads to, after a click or Enter', act: select },
  {
    ...query,
    name: 'drill-menu-phone',
    shows: 'The same on a phone: at the lower edge',
    width: 358,
    async act(page) {
      await page.setViewportSize({ width: 390, height: 640 });
      await select(page);
    },
  },
  {
    ...query,
    name: 'drill-matrix',
    shows: 'What a cell of a matrix leads to',
    attributes: { drill: '', render: 'matrix', height: '440px' },
    reply: (path) => {
      const { searchParams } = new URL(path, 'https://host.test');
      return ok(
        searchParams.has('without') ? data.cubeWithout(JSON.parse(searchParams.get('without') ?? '[]')) : MATRIX,
      );
    },
    ready: ['.matrix .total .number'],
    width: 860,
    async act(page) {
      await page.locator('service-embed .matrix tbody tr').nth(1).locator('td').nth(2).click();
      await page.locator('service-embed .drill-menu:popover-open').waitFor();
    },
  },
  {
    ...query,
    name: 'drill-down',
    shows: 'A table after a step down, with breadcrumbs that lead up again',
    attributes: { drill: '', height: '400px' },
    ready: [GRID],
    async act(page) {
      await page.locator('service-embed').evaluate((element) =>
        Object.assign(element, {
          filterState: { drilled: { query: [{ field: 'stores.region', values: { 'stores.region': 'Central' } }] } },
        }),
      );
      await page.locator('service-embed .crumbs').waitFor();
      await page.locator('service-embed td', { hasText: 'Vienna' }).first().waitFor();
    },
  },
  below('drill-pending', 'After a click, while the finer data is read', 'never', '.led.updating'),
  below(
    'drill-empty',
    'Nothing below: the breadcrumbs lead up again',
    ok({ ...data.nothing, drill: STORES.drill }),
    '.notice',
  ),
  below(
    'drill-failed',
    'Finer data that could not be read: no figure stands under a wrong name',
    { status: 503, body: {} },
    '.failure',
  ),
  rows('drill-rows', 'The first rows behind a bar, in a panel', ok(ROWS), GRID),
  rows('drill-rows-phone', 'Rows on a phone: the panel comes from the lower edge', ok(ROWS), GRID, 390),
  rows('drill-rows-loading', 'Rows during loading', 'never', '.skeleton'),
  rows('drill-rows-empty', 'A figure without rows any more', ok(data.nothing), '.notice'),
  rows('drill-rows-hidden', 'Rows of a group that is too small', ok(hidden), '.notice'),
  rows('drill-rows-failed', 'Rows that could not be read', { status: 503, body: {} }, '.rows-again'),
  rows('drill-rows-refused', 'Rows that the document does not show any more', { status: 401, body: {} }, '.failure'),
  {
    name: 'dashboard-drill',
    shows: 'A tile after a step down, and a number with a button for its rows',
    attributes: { kind: 'dashboard', drill: '', height: '400px' },
    reply: (path) => {
      const { pathname, searchParams } = new URL(path, 'https://host.test');
      const tile = /\/tiles\/([^/]*)/.exec(pathname)?.[1];
      if (tile === undefined) return ok(BOARD);
      if (tile === 'orders') return ok({ ...Object(data.tiles.orders), drill: { down: [], trail: [], rows: true } });
      return ok(searchParams.has('drill') ? STORES : REGIONS);
    },
    ready: [BAR],
    width: 760,
    async act(page) {
      await page.locator('service-embed').evaluate((element) =>
        Object.assign(element, {
          filterState: { drilled: { regions: [{ field: 'stores.region', values: { 'stores.region': 'Central' } }] } },
        }),
      );
      await page.locator('service-embed .crumbs').waitFor();
      await page.locator('service-embed .show-rows').waitFor();
    },
  },
];

const BOARD = {
  title: 'Retail overview',
  layout: { columns: 12 },
  tiles: [
    { id: 'regions', kind: 'chart', title: 'Sales by region', chartType: 'bar', x: 0, y: 0, w: 8, h: 4 },
    { id: 'orders', kind: 'kpi', title: 'Orders', measure: 'orders', x: 8, y: 0, w: 4, h: 2 },
  ],
};
