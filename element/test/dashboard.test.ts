import { expect, nextFrame, oneEvent } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { LoadDetail } from '../src/index.ts';
import '../src/index.ts';
import { answer, cell, EMBED_INVALID, metric, NO_ROWS, SALES } from './answers.ts';
import {
  all,
  axeFindsNothing,
  clearPage,
  drawn,
  inside,
  one,
  place,
  readSeries,
  shows,
  texts,
  waitUntil,
} from './embed-dom.ts';
import { Network } from './network.ts';

const REVENUE = answer(
  [metric('orders', 'Orders'), metric('net_sales', 'Net sales')],
  [{ orders: cell(12, '12'), net_sales: cell(-1234567.8, '-1,234,567.80') }],
);

const BOARD = {
  title: 'Retail',
  layout: { columns: 12 },
  tiles: [
    { id: 'lines', kind: 'chart', title: 'Over time', chartType: 'line', x: 6, y: 2, w: 6, h: 4 },
    { id: 'f', kind: 'filter', title: 'Year', x: 0, y: 0, w: 12, h: 1 },
    { id: 'intro', kind: 'text', text: '# Not *markdown*, <b>not HTML</b>', x: 0, y: 1, w: 12, h: 1 },
    { id: 'revenue', kind: 'kpi', title: 'Revenue', measure: 'net_sales', x: 0, y: 2, w: 3, h: 2 },
    { id: 'a/b', kind: 'kpi', title: 'First number', x: 3, y: 2, w: 3, h: 2 },
    { id: 'map', kind: 'map', title: 'Stores', x: 0, y: 4, w: 6, h: 2 },
  ],
};

describe('a dashboard', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  async function laidOut(layout: unknown = BOARD) {
    const element = place({ kind: 'dashboard', path: 'shared/demo/retail.servicedash' });
    await waitUntil(() => network.calls.length > 0);
    network.call().answer(layout);
    await shows(element, '.grid');
    return element;
  }

  it('asks for its layout once, then for every chart and number at the same time, and for nothing else', async () => {
    await laidOut();
    const base = '/rest/service/api/embed/dashboard/shared/demo/retail.servicedash';
    expect(network.calls.map(({ url }) => url.pathname)).to.deep.equal([
      base,
      `${base}/tiles/revenue`,
      `${base}/tiles/a%2Fb`,
      `${base}/tiles/lines`,
    ]);
    for (const { headers, init } of network.calls) {
      expect(headers.get('X-Service-Embed-Token')).to.equal('tx-secret');
      expect(init.credentials).to.equal('omit');
    }
  });

  it('shows each kind of tile: text as text, a number, a chart, a placeholder, and no filter', async () => {
    const element = await laidOut();
    network.to('/revenue').answer(REVENUE);
    network.to('/a%2Fb').answer(REVENUE);
    network.to('/lines').answer(SALES);
    const series = readSeries(await drawn(element, '.tile-chart'));
    expect(series.map(({ type }) => type)).to.deep.equal(['line', 'line']);
    const root = inside(element);
    expect(texts(root, '.tile-title')).to.deep.equal(['Revenue', 'First number', 'Over time', 'Stores']);
    expect(texts(root, 'p.text')).to.deep.equal(['# Not *markdown*, <b>not HTML</b>']);
    expect(texts(root, '.kpi')).to.deep.equal(['-1,234,567.80', '12']);
    expect(one(root, '.tile-unsupported').textContent).to.contain('cannot be shown');
    await axeFindsNothing(element);
  });

  it('places tiles by their grid cells and closes the row that an omitted filter leaves', async () => {
    const root = inside(await laidOut());
    const grid = one(root, '.grid').getBoundingClientRect();
    const [text, revenue, , chart] = all(root, '.tile').map((tile) => tile.getBoundingClientRect());
    expect(text?.top).to.equal(grid.top);
    expect(text?.width).to.equal(grid.width);
    // A row is 84 pixels high and rows are 12 apart.
    expect((revenue?.top ?? 0) - grid.top).to.equal(96);
    expect(revenue?.height).to.equal(180);
    expect(chart?.height).to.equal(372);
    expect((chart?.left ?? 0) - grid.left).to.be.closeTo((grid.width + 12) / 2, 0.5);
  });

  it('puts tiles one under the other in a narrow place, in reading order', async () => {
    const element = await laidOut();
    element.style.width = '400px';
    await nextFrame();
    const boxes = all(inside(element), '.tile').map((tile) => tile.getBoundingClientRect());
    expect(boxes.every(({ width }) => width === 400)).to.equal(true);
    const tops = boxes.map(({ top }) => top);
    expect(tops).to.deep.equal([...tops].sort((a, b) => a - b));
  });

  it('lets one tile fail alone, loudly, while the others load, arrive or are empty', async () => {
    const element = await laidOut();
    network.to('/revenue').answer(EMBED_INVALID, 401);
    network.to('/a%2Fb').answer(NO_ROWS);
    await waitUntil(() => texts(inside(element), '.tile [role=alert]').length > 0);
    await waitUntil(() => texts(inside(element), '.tile .notice-title').includes('No data'));
    const [revenue, first] = all(inside(element), '.tile-kpi');
    expect(revenue?.textContent).to.contain('This tile is not available.');
    expect(revenue?.textContent).not.to.contain('No data');
    expect(first?.querySelector('[role=alert]')).to.equal(null);
    expect(one(inside(element), '.tile-chart').getAttribute('aria-busy')).to.equal('true');
    expect(inside(element).querySelector('.tile-chart .skeleton')).not.to.equal(null);
    await axeFindsNothing(element);
  });

  it('reports a measure that is not in the answer', async () => {
    const element = await laidOut({
      ...BOARD,
      tiles: [{ id: 'k', kind: 'kpi', measure: 'profit', x: 0, y: 0, w: 3, h: 2 }],
    });
    network.to('/k').answer(REVENUE);
    expect((await shows(element, '.tile [role=alert]')).textContent).to.contain('This number is not available.');
  });

  it('reports in one generic sentence that it is not available', async () => {
    const element = place({ kind: 'dashboard' });
    await waitUntil(() => network.calls.length > 0);
    network.call().answer(EMBED_INVALID, 401);
    expect((await shows(element, '[role=alert]')).textContent.trim()).to.equal('This embed is not available.');
    await axeFindsNothing(element);
  });

  it('shows a skeleton while its layout loads, and reports a dashboard without tiles', async () => {
    const element = place({ kind: 'dashboard' });
    await shows(element, '.skeleton.tiles');
    await axeFindsNothing(element);
    await waitUntil(() => network.calls.length === 1);
    network.call().answer({ title: 'Nothing', tiles: [{ id: 'f', kind: 'filter', x: 0, y: 0, w: 1, h: 1 }] });
    expect((await shows(element, '.notice')).textContent).to.contain('This dashboard is empty.');
    await axeFindsNothing(element);
  });

  it('keeps a tile that reaches beyond the grid inside of it', async () => {
    const tiles = [{ id: 't', kind: 'text', text: 'wide', x: 10, y: -3, w: 99, h: 0 }];
    const root = inside(await laidOut({ title: 'Odd', layout: { columns: 12 }, tiles }));
    const grid = one(root, '.grid').getBoundingClientRect();
    const tile = one(root, '.tile').getBoundingClientRect();
    expect(tile.right).to.be.closeTo(grid.right, 0.5);
    expect(tile.height).to.equal(84);
  });

  it('announces each tile by its id, and itself when all have arrived or failed', async () => {
    const events: string[] = [];
    const element = place({ kind: 'dashboard', path: 'shared/demo/retail.servicedash' });
    for (const name of ['service-load', 'service-render', 'service-error'] as const) {
      element.addEventListener(name, ({ detail }) => {
        expect([detail.kind, detail.path]).to.deep.equal(['dashboard', 'shared/demo/retail.servicedash']);
        events.push(`${name} ${detail.tile ?? 'all'}`);
      });
    }
    await waitUntil(() => network.calls.length > 0);
    network.call().answer(BOARD);
    await shows(element, '.grid');
    const whole = new Promise<LoadDetail>((resolve) =>
      element.addEventListener('service-load', ({ detail }) => detail.tile === undefined && resolve(detail)),
    );
    network.to('/revenue').answer(REVENUE);
    await waitUntil(() => events.includes('service-render revenue'));
    network.to('/a%2Fb').answer(EMBED_INVALID, 401);
    await waitUntil(() => events.includes('service-error a/b'));
    expect(events).not.to.include('service-load all');
    network.to('/lines').answer({ ...SALES, meta: { rowCount: 2, truncated: true } });
    const { title, rowCount, partial, truncated } = await whole;
    // Four tiles besides the text are visible; one of those with data has no answer.
    expect([title, rowCount, partial, truncated]).to.deep.equal(['Retail', 5, true, true]);
    await waitUntil(() => events.includes('service-render lines'));
    expect([...events].sort()).to.deep.equal([
      'service-error a/b',
      'service-load all',
      'service-load lines',
      'service-load revenue',
      'service-render lines',
      'service-render revenue',
    ]);
  });

  it('exports the rows and the picture of a named tile, and announces a selection in it', async () => {
    const element = await laidOut();
    network.to('/revenue').answer(REVENUE);
    network.to('/a%2Fb').answer(REVENUE);
    network.to('/lines').answer(SALES);
    await drawn(element, '.tile-chart');
    expect(await (await element.exportCsv('revenue')).text()).to.match(/Orders,Net sales\r\n12,-1234567.8\r\n$/);
    expect(await (await element.exportImage({ tile: 'lines', type: 'svg' })).text()).to.contain('<svg');
    const selected = oneEvent(element, 'service-select');
    const points = one(inside(element), '.tile-chart [role=slider]');
    points.focus();
    await sendKeys({ press: 'Enter' });
    const { detail } = await selected;
    expect([detail.tile, detail.row, detail.record.net_sales]).to.deep.equal(['lines', 0, '1,234.50 €']);
  });

  it('shows how old its oldest tile is', async () => {
    const element = await laidOut();
    network.to('/revenue').answer({ ...REVENUE, freshness: { computedAtMillis: 1_700_000_000_000, cached: true } });
    network.to('/a%2Fb').answer(REVENUE);
    await waitUntil(() => texts(inside(element), '.kpi').length === 2);
    expect(one(inside(element), 'time').getAttribute('datetime')).to.equal('2023-11-14T22:13:20.000Z');
  });
});
