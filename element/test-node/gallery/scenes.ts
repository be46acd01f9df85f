import type { Page } from 'playwright';
import type { Reply } from '../host-page.ts';
import * as data from './data.ts';
import { DRILL_SCENES } from './drill-scenes.ts';
import { FILTER_SCENES } from './filter-scenes.ts';
import { levels } from './kind-answers.ts';
import { KINDS } from './kinds.ts';

/** Describes one picture of the gallery: the page's HTML, the service's answers, and the actions before it is taken. */
export interface Scene {
  readonly name: string;
  /** Caption of the picture. */
  readonly shows: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Answers by path below `embed/`; a single reply answers every read. */
  readonly reply: Reply | ((path: string, method: string) => Reply);
  /** CSS selectors inside the element. The picture is taken when all of them match. */
  readonly ready: readonly string[];
  /** CSS pixels; default 640. */
  readonly width?: number;
  /** Widths of several elements side by side, in place of one. */
  readonly widths?: readonly number[];
  readonly dir?: 'rtl';
  /** Styles of the host page. */
  readonly css?: string;
  readonly act?: (page: Page) => Promise<void>;
}

const ok = (body: unknown): Reply => ({ body });
const refused: Reply = { status: 401, body: { error: 'EMBED_INVALID' } };

/** Answers the layout, and each tile by its id. */
function board(replies: Readonly<Record<string, Reply>> = {}): (path: string) => Reply {
  return (path) => {
    const tile = /\/tiles\/(.*)$/.exec(path)?.[1];
    return tile === undefined ? ok(data.board) : (replies[tile] ?? ok(data.tiles[tile]));
  };
}

/** Creates a scene of a box that gives every question the same answer. */
function box(
  name: string,
  shows: string,
  answer: Reply,
  ready: string,
  { question = data.QUESTION, ...more }: Partial<Scene> & { readonly question?: string } = {},
): Scene {
  return {
    name,
    shows,
    attributes: { kind: 'ai', height: '240px' },
    reply: (_, method) => (method === 'POST' ? answer : ok(data.box)),
    ready: ['.ask-title'],
    async act(page) {
      await page.locator('service-embed .ask-input').fill(question);
      await page.keyboard.press('Enter');
      await page.locator(`service-embed ${ready}`).first().waitFor({ state: 'attached' });
    },
    ...more,
  };
}

const answered = (answer: object, more: object = {}): Reply => ({
  events: [['answer', { ...answer, title: data.QUESTION, queryUsed: data.QUERY, followUps: data.FOLLOW_UPS, ...more }]],
});

const DRAWN = '.chart svg path';
const GRID = '[role=grid]';

/** Waits until `text` is `count` times in the chart, and the chart stays unchanged for some frames. */
async function awaitDrawing(page: Page, text: string, count: number): Promise<void> {
  const drawing = page.locator('service-embed .chart svg');
  await drawing
    .locator('text', { hasText: text })
    .nth(count - 1)
    .waitFor({ state: 'attached' });
  let before = '';
  for (let now = await drawing.innerHTML(); now !== before; now = await drawing.innerHTML()) {
    before = now;
    await page.evaluate(async () => {
      for (let frame = 0; frame < 10; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
  }
}

function chart(name: string, mode: string, shows: string, body: unknown): Scene {
  return { name, shows, attributes: { render: 'chart', mode, height: '340px' }, reply: ok(body), ready: [DRAWN] };
}

async function openFiles(page: Page): Promise<void> {
  await page.locator('service-embed .export-button').click();
  await page.locator('service-embed .export-menu:popover-open').waitFor();
}

/** The widths at which each kind of chart is shown. */
const WIDTHS = [300, 520, 900] as const;

const kindScenes = KINDS.map(
  ({ name, shows, mode, chart: settings, answer: body, others, height = '320px' }): Scene => ({
    name,
    shows,
    attributes: {
      render: 'chart',
      mode,
      height,
      ...(settings === undefined ? {} : { chart: JSON.stringify(settings) }),
    },
    reply: (path) => ok(path.includes('others=') ? others : body),
    ready: [DRAWN],
    widths: WIDTHS,
  }),
);

/** Opens the first member of a sunburst by a click into its sector, right of the middle. */
const openedSunburst: Scene = {
  name: 'kind-sunburst-opened',
  shows: 'A sunburst with an opened member: the circle in its middle leads back',
  attributes: { render: 'chart', mode: 'sunburst', height: '340px' },
  reply: ok(levels),
  ready: [DRAWN],
  width: 320,
  async act(page) {
    // A chart that draws again closes the member that was opened before.
    await awaitDrawing(page, 'Lighting', 1);
    const box = await page.locator('service-embed .chart svg').boundingBox();
    if (box === null) throw new Error('There is no drawing.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.click(x + Math.min(box.width, box.height) * 0.18, y);
    await page.locator('service-embed .chart svg text', { hasText: '↩' }).waitFor();
    await page.mouse.move(box.x + 2, box.y + 2);
    await page.mouse.move(0, 0);
    // The tooltip that the pointer left is gone: only it has the text of a value.
    await page.waitForFunction(
      () =>
        ![...(document.querySelector('service-embed')?.shadowRoot?.querySelectorAll('.chart svg text') ?? [])].some(
          ({ textContent }) => textContent?.startsWith('Net sales:'),
        ),
    );
    await awaitDrawing(page, '↩', 1);
  },
};

export const SCENES: readonly Scene[] = [
  { name: 'table', shows: 'A query as a table', attributes: {}, reply: ok(data.stores), ready: [GRID] },
  {
    name: 'table-formatted',
    shows: 'Bars and colours in cells, headings above columns, and a column that stays in place',
    attributes: {
      chart: JSON.stringify({
        table: {
          frozen: 1,
          bars: ['net_sales'],
          scales: ['orders', 'returns'],
          headings: { 'Sales and returns': ['net_sales', 'orders', 'returns'] },
        },
      }),
    },
    reply: ok(data.stores),
    ready: [GRID, "td[style*='--to']"],
    widths: [320, 640],
  },
  {
    name: 'kpi-target',
    shows: 'A number with its target and its change',
    attributes: { render: 'kpi', measure: 'online', height: '220px', chart: '{"target":150000,"change":"difference"}' },
    reply: ok(data.months),
    ready: ['.target', '.delta'],
    widths: [320, 420],
  },
  {
    name: 'table-sorted',
    shows: 'A sorted table with a selected row and a focused cell',
    attributes: {},
    reply: ok(data.stores),
    ready: [GRID],
    async act(page) {
      await page.locator('service-embed th').nth(3).click();
      await page.locator('service-embed tbody tr').nth(2).locator('td').first().click();
      await page.keyboard.press('ArrowRight');
    },
  },
  {
    name: 'matrix',
    shows: 'A hierarchical matrix with subtotals of the server',
    attributes: { render: 'matrix', height: '440px' },
    reply: (path) => ok(data.cubeWithout(JSON.parse(new URL(path, 'http://x').searchParams.get('without') ?? '[]'))),
    ready: ['.matrix .total .number'],
    width: 860,
  },
  {
    name: 'kpi',
    shows: 'One number with its change and its history',
    attributes: { render: 'kpi', measure: 'online', height: '190px' },
    reply: ok(data.months),
    ready: ['.sparkline'],
    width: 320,
  },
  chart('bar', 'bar', 'Bars, one for each metric', data.regions),
  chart('line', 'line', 'Lines over an axis of time', data.months),
  chart('pie', 'pie', 'A pie with its legend', data.shares),
  chart('stacked-bar', 'stacked-bar', 'Stacked bars', data.quarters),
  chart('area', 'area', 'Areas over an axis of time', data.months),
  chart('scatter', 'scatter', 'One metric against another', data.visits),
  chart('combo', 'combo', 'Bars and a line on an axis of its own', data.margins),
  chart('forecast', 'line', 'An unusual month, and a forecast with its band', data.outlook),
  {
    ...chart('tooltip', 'bar', 'The keyboard at a point', data.regions),
    async act(page) {
      await page.locator('service-embed [role=slider]').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await awaitDrawing(page, 'Last year', 2);
    },
  },
  {
    ...chart('chart-as-table', 'bar', 'The same chart shown as a table', data.regions),
    async act(page) {
      await page.locator('service-embed .toggle').click();
      await page.locator('service-embed [role=grid]').waitFor();
    },
  },
  {
    name: 'dashboard',
    shows: 'A dashboard',
    attributes: { kind: 'dashboard' },
    reply: board(),
    ready: [
      '.grid:not(:has(.skeleton))',
      '.tile:nth-of-type(6) .chart svg path',
      '.tile:nth-of-type(9) .chart svg path',
      '.sparkline',
    ],
    width: 1080,
  },
  {
    name: 'dashboard-tiles',
    shows: 'Tiles that failed, are empty, are loading or hide values',
    attributes: { kind: 'dashboard' },
    reply: board({
      sales: refused,
      orders: 'never',
      shares: { status: 502, body: {} },
      regions: ok(data.nothing),
      months: 'never',
      quarters: ok({
        ...data.quarters,
        meta: { rowCount: 6, truncated: true, suppressed: { count: 1, reason: 'Groups of fewer than 5 are hidden.' } },
      }),
    }),
    ready: ['.tile:nth-of-type(9) .chart svg path', '.failure'],
    width: 1080,
  },
  {
    name: 'dashboard-mobile',
    shows: 'The dashboard on a phone',
    attributes: { kind: 'dashboard' },
    reply: board(),
    ready: ['.grid:not(:has(.skeleton))', '.tile:nth-of-type(6) .chart svg path', '.sparkline'],
    width: 360,
  },
  {
    name: 'mobile',
    shows: 'A chart on a phone',
    attributes: { render: 'chart', mode: 'bar', height: '300px' },
    reply: ok(data.regions),
    ready: [DRAWN],
    width: 360,
  },
  { name: 'loading', shows: 'A table during loading', attributes: {}, reply: 'never', ready: ['.skeleton.table'] },
  {
    name: 'loading-chart',
    shows: 'A chart during loading',
    attributes: { render: 'chart' },
    reply: 'never',
    ready: ['.skeleton.bars'],
  },
  {
    name: 'loading-dashboard',
    shows: 'A dashboard during loading',
    attributes: { kind: 'dashboard' },
    reply: 'never',
    ready: ['.skeleton.tiles'],
    width: 860,
  },
  {
    name: 'empty',
    shows: 'A query without rows',
    attributes: { height: '220px' },
    reply: ok(data.nothing),
    ready: ['.notice'],
  },
  {
    name: 'no-series',
    shows: 'A chart without a numeric column',
    attributes: { render: 'chart', height: '220px' },
    reply: ok(data.textOnly),
    ready: ['.notice'],
  },
  {
    name: 'unavailable',
    shows: 'A read that failed',
    attributes: { height: '220px' },
    reply: refused,
    ready: ['.failure'],
  },
  {
    name: 'error',
    shows: 'A malformed filter',
    attributes: { filter: '{', height: '220px' },
    reply: refused,
    ready: ['.failure'],
  },
  {
    name: 'suppressed',
    shows: 'Values hidden to protect small groups',
    attributes: {},
    reply: ok(data.suppressed),
    ready: [GRID],
  },
  {
    name: 'truncated',
    shows: 'A cut answer with some data missing',
    attributes: {},
    reply: ok(data.truncated),
    ready: [GRID],
  },
  {
    name: 'rtl',
    shows: 'A table from right to left',
    attributes: { locale: 'ar', height: '240px' },
    reply: ok(data.arabic),
    ready: [GRID],
    dir: 'rtl',
  },
  {
    name: 'rtl-chart',
    shows: 'A chart from right to left',
    attributes: { locale: 'ar', render: 'chart', height: '340px' },
    reply: ok(data.arabic),
    ready: [DRAWN],
    dir: 'rtl',
  },
  {
    ...box('ask', 'A box for questions before the first question', 'never', ''),
    act: async () => {},
  },
  box('ask-running', 'A question during answering', 'never', '.ask-progress'),
  box('ask-chart', 'An answer as a chart, with follow-up questions', answered(data.regions), DRAWN),
  box('ask-table', 'An answer as a table, with its query', answered(data.stores), GRID, {
    async act(page) {
      await page.locator('service-embed .ask-chip').first().click();
      await page.locator('service-embed .ask-query summary').click();
    },
  }),
  box('ask-number', 'An answer of one number', answered(data.oneNumber), '.is-kpi', {
    question: 'How much was sold?',
  }),
  box(
    'ask-not-understood',
    'A question that was not understood',
    {
      events: [
        [
          'error',
          {
            error: 'OFF_TOPIC',
            message: 'The weather is not in this data, which is about sales and stock.',
            available: data.box.suggestions,
          },
        ],
      ],
    },
    '.ask-exchange .notice',
    { question: 'Will it rain tomorrow?' },
  ),
  box('ask-failed', 'A question that could not be answered', { status: 502, body: {} }, '.ask-failed'),
  {
    ...box('ask-closed', 'A box that accepts no questions', 'never', ''),
    reply: ok({ ...data.box, configured: false }),
    act: async () => {},
  },
  box('ask-mobile', 'A box on a phone', answered(data.regions), DRAWN, { width: 360 }),
  {
    name: 'dashboard-german',
    shows: 'A dashboard on a German page: one notation everywhere',
    attributes: { kind: 'dashboard', locale: 'de', heading: '' },
    reply: board(),
    ready: [
      '.grid:not(:has(.skeleton))',
      '.tile:nth-of-type(6) .chart svg path',
      '.tile:nth-of-type(9) .chart svg path',
      '.sparkline',
    ],
    width: 1080,
  },
  {
    name: 'export-menu',
    shows: 'The menu of files of a query, with a heading above',
    attributes: { export: 'csv,xlsx,png,pdf', heading: '', render: 'chart', height: '340px' },
    reply: ok(data.regions),
    ready: [DRAWN, '.export-button'],
    act: openFiles,
  },
  {
    name: 'export-making',
    shows: 'The menu of files while the server makes one',
    attributes: { export: 'csv,xlsx,pdf', height: '340px' },
    reply: (path) => (path.includes('format=') ? 'never' : ok(data.stores)),
    ready: [GRID, '.export-button'],
    async act(page) {
      await page.setViewportSize({ width: 672, height: 480 });
      await openFiles(page);
      await page.locator('service-embed .export-item').nth(1).click();
      await page.locator('service-embed .export-item[aria-disabled=true]').first().waitFor();
    },
  },
  {
    name: 'export-dashboard',
    shows: 'The menu of files of a dashboard',
    attributes: { kind: 'dashboard', export: 'csv,xlsx,png,pdf' },
    reply: board(),
    ready: [
      '.grid:not(:has(.skeleton))',
      '.tile:nth-of-type(6) .chart svg path',
      '.tile:nth-of-type(9) .chart svg path',
      '.sparkline',
      '.export-button',
    ],
    width: 1080,
    async act(page) {
      await page.setViewportSize({ width: 1112, height: 900 });
      await openFiles(page);
    },
  },
  {
    name: 'export-phone',
    shows: 'The menu of files on a phone, after a file that could not be made',
    attributes: { export: 'csv,xlsx,pdf' },
    reply: (path) => (path.includes('format=') ? { status: 502, body: {} } : ok(data.stores)),
    ready: [GRID, '.export-button'],
    width: 360,
    async act(page) {
      await openFiles(page);
      await page.locator('service-embed .export-item').nth(1).click();
      await page.locator('service-embed .export-state.failed').waitFor();
    },
  },
  ...FILTER_SCENES,
  ...DRILL_SCENES,
  ...kindScenes,
  openedSunburst,
];
