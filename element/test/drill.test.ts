import { expect } from '@open-wc/testing';
import '../src/index.ts';
import { answer, cell, dimension, metric, SALES } from './answers.ts';
import { all, axeFindsNothing, clearPage, inside, one, place, shows, texts, waitUntil } from './embed-dom.ts';
import { Network } from './network.ts';

const DOWN = { down: [{ field: 'stores.region', label: 'City', by: ['stores.region'] }], trail: [], rows: true };
const REGIONS = { ...SALES, drill: DOWN };
const CITIES = answer(
  [dimension('stores.city', 'City'), metric('net_sales', 'Net sales')],
  [{ 'stores.city': 'Oslo', net_sales: cell(1, '1') }],
  { drill: { down: [], trail: [{ label: 'Region', text: 'North' }], rows: true } },
);
const STEPS = [{ field: 'stores.region', values: { 'stores.region': 'North' } }];
const NO_ROWS = answer([], []);

describe('going down', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const drillOf = (index: number): unknown => JSON.parse(network.call(index).url.searchParams.get('drill') ?? 'null');
  const items = (element: HTMLElement) => all(inside(element), '.drill-menu button');

  /** Places a query that may go down, and answers it. */
  async function placed(attributes: Readonly<Record<string, string>> = {}, body: object = REGIONS) {
    const element = place({ drill: '', ...attributes });
    await waitUntil(() => network.calls.length === 1);
    network.call().answer(body);
    await shows(element, '[role=grid] td');
    return element;
  }

  async function menuOf(element: HTMLElement): Promise<void> {
    one(inside(element), 'tbody td').click();
    await shows(element, '.drill-menu:popover-open');
  }

  it('is a choice after a click, is kept in the state, and leads up by breadcrumbs', async () => {
    const element = await placed();
    await menuOf(element);
    expect(texts(inside(element), '.drill-menu button')).to.deep.equal(['Drill down to City', 'Show rows']);
    await axeFindsNothing(element);
    items(element)[0]?.click();
    await waitUntil(() => network.calls.length === 2);
    expect(drillOf(1)).to.deep.equal(STEPS);
    // The text of the click stands until the server has it.
    expect(texts(inside(element), '.crumb')).to.deep.equal(['All', 'North']);
    expect(element.filterState).to.deep.equal({ filters: {}, drilled: { query: STEPS } });
    network.call(1).answer(CITIES);
    await waitUntil(() => texts(inside(element), 'tbody td')[0] === 'Oslo');
    expect(inside(element).querySelector('.drill-menu')).to.equal(null);
    await axeFindsNothing(element);
    one(inside(element), 'button.crumb').click();
    await waitUntil(() => network.calls.length === 3);
    expect(drillOf(2)).to.equal(null);
    expect(element.filterState).to.deep.equal({ filters: {} });
  });

  it('needs no choice where a row leads to one thing, and nothing without the word of page or document', async () => {
    const element = await placed({}, { ...REGIONS, drill: { ...DOWN, rows: false } });
    one(inside(element), 'tbody td').click();
    await waitUntil(() => network.calls.length === 2);
    expect(drillOf(1)).to.deep.equal(STEPS);
    clearPage();
    network.calls.splice(0);
    const closed = place({});
    await waitUntil(() => network.calls.length === 1);
    network.call().answer(REGIONS);
    await shows(closed, '[role=grid] td');
    one(inside(closed), 'tbody td').click();
    await shows(closed, 'tr.chosen');
    expect([network.calls.length, inside(closed).querySelector('.drill-menu, .crumbs')]).to.deep.equal([1, null]);
  });

  it('offers no step from a value with nothing below it, in tables and charts', async () => {
    const [way] = DOWN.down;
    const down = [{ ...way, leaves: ['North'] }];
    const element = await placed({}, { ...REGIONS, drill: { down, trail: [], rows: false } });
    const [north, south] = all(inside(element), 'tbody tr td:first-child');
    north?.click();
    await shows(element, 'tr.chosen');
    expect([texts(inside(element), 'tr.chosen td')[0], network.calls.length]).to.deep.equal(['North', 1]);
    south?.click();
    await waitUntil(() => network.calls.length === 2);
    expect(drillOf(1)).to.deep.equal([{ field: 'stores.region', values: { 'stores.region': 'South' } }]);
    clearPage();
    network.calls.splice(0);
    const chart = place({ drill: '', render: 'chart' });
    await waitUntil(() => network.calls.length === 1);
    network.call().answer({ ...REGIONS, drill: { down, trail: [], rows: true } });
    const points = await shows(chart, '.points');
    points.focus();
    points.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    // Only the rows are left, which need no choice.
    await shows(chart, 'dialog[open]');
    expect(network.calls.at(-1)?.url.pathname.endsWith('/rows')).to.equal(true);
  });

  it('restores a state with its way up, also where the server refuses the step', async () => {
    const element = place({ drill: '' });
    element.filterState = { drilled: { query: STEPS } };
    await waitUntil(() => network.calls.length === 1);
    expect(drillOf(0)).to.deep.equal(STEPS);
    network.call().answer({ error: 'VALIDATION_ERROR' }, 400);
    await shows(element, '.failure');
    await shows(element, '.crumb');
    expect(texts(inside(element), '.crumb')).to.deep.equal(['All', 'North']);
    one(inside(element), 'button.crumb').click();
    await waitUntil(() => network.calls.length === 2);
    expect(drillOf(1)).to.equal(null);
  });

  it('reads the rows behind a row, and says why there are none', async () => {
    const element = await placed();
    const open = async () => {
      network.calls.splice(0);
      await menuOf(element);
      items(element)[1]?.click();
      await shows(element, 'dialog[open]');
      await waitUntil(() => network.calls.length === 1);
    };
    await open();
    const { url } = network.call();
    expect(url.pathname.endsWith('/rows')).to.equal(true);
    expect(JSON.parse(url.searchParams.get('at') ?? '')).to.deep.equal({ 'stores.region': 'North' });
    expect(one(inside(element), '.rows .skeleton').textContent).to.contain('Loading');
    network.call().answer(SALES);
    await shows(element, '.rows [role=grid]');
    await axeFindsNothing(element);
    one(inside(element), '.rows-close').click();
    await waitUntil(() => inside(element).querySelector('dialog') === null);
    const said: string[] = [];
    for (const [body, status] of [
      [NO_ROWS, 200],
      [{ ...NO_ROWS, meta: { rowCount: 0, truncated: false, suppressed: { count: 1, reason: 'few' } } }, 200],
      [{}, 401],
      [{}, 503],
    ] as const) {
      await open();
      network.call().answer(body, status);
      said.push((await shows(element, '.rows .notice-title')).textContent ?? '');
      if (status === 503) break;
      one(inside(element), '.rows-close').click();
      await waitUntil(() => inside(element).querySelector('dialog') === null);
    }
    expect(said).to.deep.equal([
      'No rows',
      'These rows are hidden',
      'These rows are not available.',
      'The rows could not be read.',
    ]);
    one(inside(element), '.rows-again').click();
    await waitUntil(() => network.calls.length === 2);
    network.call(1).answer(SALES);
    await shows(element, '.rows [role=grid]');
  });

  it('marks the clicked row of a restored state, in a tile that narrows another', async () => {
    const tile = (id: string, more: object = {}) => ({ id, kind: 'table', x: 0, y: 0, w: 6, h: 3, ...more });
    const element = place({ kind: 'dashboard', path: 'shared/d.servicedash', drill: '' });
    element.filterState = { selected: { a: { 'stores.region': 'South' } } };
    await waitUntil(() => network.calls.length === 1);
    network
      .call()
      .answer({ title: 'Retail', layout: { columns: 12 }, tiles: [tile('a', { drives: ['b'] }), tile('b')] });
    await waitUntil(() => network.calls.length === 3);
    for (const end of ['/tiles/a', '/tiles/b']) network.to(end).answer(SALES);
    await shows(element, 'tr.chosen');
    expect(all(inside(element), 'tr.chosen').map((row) => row.textContent?.includes('South'))).to.deep.equal([true]);
    one(inside(element), '.chip').click();
    await waitUntil(() => inside(element).querySelector('tr.chosen') === null);
  });

  it('leads from the cells of a matrix, by click and by keys alone', async () => {
    const cube = answer(
      [dimension('stores.region', 'Region'), dimension('year', 'Year', 'integer'), metric('net_sales', 'Net sales')],
      [
        { 'stores.region': 'North', year: 2024, net_sales: cell(1, '1') },
        { 'stores.region': 'North', year: 2025, net_sales: cell(2, '2') },
        { 'stores.region': 'South', year: 2025, net_sales: cell(3, '3') },
      ],
      { drill: { ...DOWN, rows: false } },
    );
    const element = place({ drill: '', render: 'matrix' });
    const selected: unknown[] = [];
    element.addEventListener('service-select', ({ detail }) =>
      selected.push([detail.row, detail.column, detail.values]),
    );
    await waitUntil(() => network.calls.length === 1);
    network.call().answer(cube);
    await shows(element, '.matrix td');
    await axeFindsNothing(element);
    const cellAt = (row: number, column: number) =>
      all(inside(element), '.matrix tbody tr')[row]?.querySelectorAll<HTMLElement>('th, td')[column];
    // The answer has no row for South in 2024.
    cellAt(1, 1)?.click();
    await element.updateComplete;
    expect([selected, network.calls.length]).to.deep.equal([[], 1]);
    cellAt(0, 2)?.click();
    await waitUntil(() => network.calls.length === 2);
    expect(selected).to.deep.equal([[1, 'net_sales', { 'stores.region': 'North', year: 2025, net_sales: 2 }]]);
    expect(drillOf(1)).to.deep.equal(STEPS);
    network.call(1).answer(cube);
    await shows(element, 'button.crumb');
    // Until the answer is here, a click on the former one leads nowhere.
    await waitUntil(() => inside(element).querySelector('.updating') === null);
    const stops = () => all(inside(element), '.matrix [tabindex="0"]').length;
    await waitUntil(() => stops() === 1);
    const press = (key: string) =>
      inside(element).activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, composed: true }),
      );
    one(inside(element), '.matrix [tabindex="0"]').focus();
    for (const key of ['Home', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowRight', 'End']) press(key);
    expect(inside(element).activeElement).to.equal(cellAt(1, 2));
    await element.updateComplete;
    expect(stops()).to.equal(1);
    press('Enter');
    await waitUntil(() => network.calls.length === 3);
    expect(selected[1]).to.deep.equal([2, 'net_sales', { 'stores.region': 'South', year: 2025, net_sales: 3 }]);
  });

  it('shows no figure under a step whose read fails, and leads up again', async () => {
    const element = await placed({}, { ...REGIONS, drill: { ...DOWN, rows: false } });
    one(inside(element), 'tbody td').click();
    await waitUntil(() => network.calls.length === 2);
    network.call(1).answer({}, 503);
    await shows(element, '.failure');
    expect(inside(element).querySelector('tbody td')).to.equal(null);
    expect(texts(inside(element), '.crumb')).to.deep.equal(['All', 'North']);
    one(inside(element), 'button.crumb').click();
    await waitUntil(() => network.calls.length === 3);
    network.call(2).answer(REGIONS);
    await shows(element, 'tbody td');
  });

  it('has a button for the rows of a number', async () => {
    const element = place({ drill: '', render: 'kpi' });
    await waitUntil(() => network.calls.length === 1);
    const figure = answer([metric('net_sales', 'Net sales')], [{ net_sales: cell(5, '5') }]);
    network.call().answer({ ...figure, drill: { down: [], trail: [], rows: true } });
    (await shows(element, '.show-rows')).click();
    await waitUntil(() => network.calls.length === 2);
    expect(network.call(1).url.searchParams.get('at')).to.equal('{}');
  });
});
