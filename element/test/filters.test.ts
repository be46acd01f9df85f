import { expect, oneEvent } from '@open-wc/testing';
import type { FilterStateDetail } from '../src/index.ts';
import '../src/index.ts';
import { answer, cell, dimension, metric, SALES } from './answers.ts';
import { all, axeFindsNothing, clearPage, inside, one, place, shows, texts, waitUntil } from './embed-dom.ts';
import type { Call } from './network.ts';
import { Network } from './network.ts';

const offer = (field: string, control: string, values: readonly (string | number)[] = [], more: object = {}) => ({
  field,
  label: `The ${field.split('.')[1]}`,
  dataType: 'text',
  control,
  values: values.map((value) => ({ value, label: String(value) })),
  truncated: false,
  ...more,
});
const REGIONS = offer('stores.region', 'list', ['North', 'South'], { truncated: true });
const DAYS = offer('sales.date', 'date', [], { range: { least: '2025-01-01', greatest: '2025-12-31' } });
const OPEN = offer('stores.is_open', 'switch');
const NORTH = answer(
  [dimension('stores.region', 'Region'), metric('net_sales', 'Net sales')],
  [{ 'stores.region': 'North', net_sales: cell(1, '1') }],
);

describe('filters', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
    history.replaceState(null, '', withoutState());
  });

  function withoutState(): URL {
    const url = new URL(location.href);
    url.searchParams.delete('sales');
    return url;
  }

  const rowsOfSales = 2;
  const isOffer = ({ url }: Call) => url.pathname.endsWith('/values');
  const reads = () => network.calls.filter((call) => !isOffer(call));
  const filterOf = (call: Call | undefined): unknown => JSON.parse(call?.url.searchParams.get('filter') ?? 'null');

  /** Places a query with three filters, and answers what they offer. */
  async function filtered(attributes: Readonly<Record<string, string>> = {}) {
    const element = place({ filters: '["stores.region","sales.date","stores.is_open"]', ...attributes });
    await waitUntil(() => network.calls.length === 4);
    for (const call of network.calls.filter(isOffer)) {
      const field = call.url.searchParams.get('field');
      call.answer([REGIONS, DAYS, OPEN].find((each) => each.field === field));
    }
    await waitUntil(() => inside(element).querySelectorAll('button.filter:enabled').length === 3);
    return element;
  }

  it('are not there without the attribute', async () => {
    const element = place();
    await waitUntil(() => network.calls.length > 0);
    network.call().answer(SALES);
    await shows(element, 'table');
    expect(network.calls.length).to.equal(1);
    expect(inside(element).querySelector('.filters')).to.equal(null);
  });

  it('narrow a query by values, a period and a switch; the state is one property and one event', async () => {
    const element = await filtered();
    reads()[0]?.answer(SALES);
    await shows(element, 'table');
    expect(texts(inside(element), '.filter-name')).to.deep.equal(['The region', 'The date', 'The is_open']);

    const [region, date, isOpen] = all(inside(element), 'button.filter');
    region?.click();
    await shows(element, '.panel:popover-open .option');
    await axeFindsNothing(element);
    const told = oneEvent(element, 'service-filter-state');
    one(inside(element), '.panel:popover-open input[type=checkbox]').click();
    const { detail }: CustomEvent<FilterStateDetail> = await told;
    expect(detail.filterState).to.deep.equal({ filters: { 'stores.region': { in: ['North'] } } });
    await waitUntil(() => reads().length === 2);
    expect(filterOf(reads()[1])).to.deep.equal([{ field: 'stores.region', op: 'IN', values: ['North'] }]);
    // The answer before stays until the new one arrives.
    expect(texts(inside(element), 'tbody tr')).to.not.have.length(1);
    reads()[1]?.answer(NORTH);
    await waitUntil(() => inside(element).querySelectorAll('tbody tr').length === 1);

    isOpen?.click();
    date?.click();
    await shows(element, '.panel:popover-open .period');
    one(inside(element), '.panel:popover-open .period').click();
    await waitUntil(() => texts(inside(element), '.filter-value').includes('Last 7 days'));
    expect(element.filterState).to.deep.equal({
      filters: {
        'stores.region': { in: ['North'] },
        'stores.is_open': { in: [true] },
        'sales.date': { period: 'last_n_days', n: 7 },
      },
    });
    await waitUntil(() => filterOf(reads().at(-1)) !== null && reads().length === 4);
    expect(filterOf(reads().at(-1))).to.deep.include({
      field: 'sales.date',
      op: 'RELATIVE',
      values: ['last_n_days', 7],
    });

    one(inside(element), '.filters > .clear').click();
    await waitUntil(() => reads().length === 5);
    expect(reads()[4]?.url.searchParams.has('filter')).to.equal(false);
    expect(element.filterState).to.deep.equal({ filters: {} });
  });

  it('search the values on the server', async () => {
    const element = await filtered();
    one(inside(element), 'button.filter').click();
    const search = await shows(element, '.panel:popover-open input[type=search]');
    if (!(search instanceof HTMLInputElement)) throw new Error('no search');
    search.value = 'ea';
    search.dispatchEvent(new Event('input'));
    await waitUntil(() => network.calls.some(({ url }) => url.searchParams.get('q') === 'ea'));
    network.calls.at(-1)?.answer({ ...REGIONS, values: [{ value: 'East', label: 'East' }], truncated: false });
    await waitUntil(() => texts(inside(element), '.option').join() === 'East');
  });

  it('stand in the address where the page says so, and are restored from it', async () => {
    const element = await filtered({ 'state-param': 'sales' });
    one(inside(element), '[role=switch]').click();
    await waitUntil(() => new URL(location.href).searchParams.has('sales'));
    const before = filterOf(reads().at(-1));
    element.remove();
    network.calls.splice(0);
    await filtered({ 'state-param': 'sales' });
    expect(filterOf(reads()[0])).to.deep.equal([{ field: 'stores.is_open', op: 'IN', values: [true] }]);
    expect(before).to.deep.equal(null);
  });

  it('take a state from the page, add it to the filter of the page, and ignore what is no state', async () => {
    const element = await filtered({ filter: '{"stores.country":["DE"]}' });
    element.filterState = { filters: { 'sales.date': { from: '2025-01-01', to: '2025-01-31' } } };
    await waitUntil(() => reads().length === 2);
    expect(filterOf(reads()[1])).to.deep.equal([
      { field: 'stores.country', op: 'IN', values: ['DE'] },
      { field: 'sales.date', op: 'GTE', values: ['2025-01-01'] },
      // The last day counts, also where the field has a time.
      { field: 'sales.date', op: 'LT', values: ['2025-02-01'] },
    ]);
    Object.assign(element, { filterState: { filters: { 'stores.region': 'North', 'sales.date': { in: [{}] } } } });
    await waitUntil(() => reads().length === 3);
    expect(filterOf(reads()[2])).to.deep.equal({ 'stores.country': ['DE'] });
  });

  it('keep the choice before where the page cancels the event', async () => {
    const element = await filtered();
    element.addEventListener('service-filter-state', (event) => event.preventDefault());
    one(inside(element), '[role=switch]').click();
    await element.updateComplete;
    expect(one(inside(element), '[role=switch]').getAttribute('aria-checked')).to.equal('false');
    expect(element.filterState ?? undefined).to.equal(undefined);
  });

  it('are clicks in a tile where the page and the document allow it, with a chip that takes them back', async () => {
    const tile = (id: string, more: object = {}) => ({ id, kind: 'table', x: 0, y: 0, w: 6, h: 3, ...more });
    const element = place({ kind: 'dashboard', path: 'shared/d.servicedash', drill: '', 'state-param': 'sales' });
    await waitUntil(() => network.calls.length === 1);
    const tiles = [tile('a', { title: 'Regions', drives: ['b'] }), tile('b', { title: 'Months' }), tile('c')];
    network.call().answer({ title: 'Retail', layout: { columns: 12 }, tiles });
    await waitUntil(() => network.calls.length === 4);
    for (const end of ['/tiles/a', '/tiles/b', '/tiles/c']) network.to(end).answer(SALES);
    await waitUntil(() => inside(element).querySelectorAll('.tile [role=grid]').length === 3);
    const selected = oneEvent(element, 'service-select');
    const cellOf = (at: number) => inside(element).querySelectorAll<HTMLElement>('.selecting td')[at];
    cellOf(1)?.click();
    const { detail } = await selected;
    // Raw numbers stand beside the texts.
    expect(detail.record).to.deep.include({ 'stores.region': 'North', net_sales: '1,234.50 €' });
    expect(detail.values).to.deep.equal({ 'stores.region': 'North', net_sales: 1234.5, returns: -20 });
    await waitUntil(() => network.calls.length === 5);
    const [last] = network.calls.slice(-1);
    expect(last?.url.pathname.endsWith('/tiles/b')).to.equal(true);
    expect(filterOf(last)).to.deep.equal([{ field: 'stores.region', op: 'EQ', values: ['North'] }]);
    expect(element.filterState).to.deep.equal({ filters: {}, selected: { a: { 'stores.region': 'North' } } });
    expect(new URL(location.href).searchParams.get('sales')).to.contain('North');
    expect(texts(inside(element), '.chip span')).to.deep.equal(['Region: North']);
    await axeFindsNothing(element);
    one(inside(element), '.chip').click();
    await waitUntil(() => network.calls.length === 6);
    expect(filterOf(network.calls.at(-1))).to.equal(null);
    expect(inside(element).querySelector('.chip')).to.equal(null);
    // A tile without the owner's word only selects.
    inside(element).querySelectorAll<HTMLElement>('.tile:last-of-type td')[0]?.click();
    await element.updateComplete;
    expect(network.calls.length).to.equal(6);
  });

  it('of a dashboard narrow the tiles that they drive, and no other', async () => {
    const tile = (id: string, kind: string, more: object = {}) => ({ id, kind, x: 0, y: 0, w: 6, h: 1, ...more });
    const element = place({ kind: 'dashboard', path: 'shared/d.servicedash', filters: '' });
    await waitUntil(() => network.calls.length === 1);
    network.call().answer({
      title: 'Retail',
      layout: { columns: 12 },
      tiles: [
        tile('f', 'filter', { field: 'stores.region', title: 'Region', drives: ['a'] }),
        tile('a', 'table', { title: 'Stores' }),
        tile('b', 'table', { title: 'Products' }),
      ],
    });
    await waitUntil(() => network.calls.length === 4);
    for (const end of ['/tiles/a', '/tiles/b']) network.to(end).answer(SALES);
    network.to('/tiles/f/values').answer(REGIONS);
    await shows(element, 'button.filter:enabled');
    expect(inside(element).getElementById('drives-f')?.textContent).to.equal('Filters Stores');
    one(inside(element), 'button.filter').click();
    (await shows(element, '.panel:popover-open input[type=checkbox]')).click();
    await waitUntil(() => network.calls.length === 5);
    const [last] = network.calls.slice(-1);
    expect(last?.url.pathname.endsWith('/tiles/a')).to.equal(true);
    expect(filterOf(last)).to.deep.equal([{ field: 'stores.region', op: 'IN', values: ['North'] }]);
    last?.answer(NORTH);
    await waitUntil(() => inside(element).querySelectorAll('.tile-table tbody tr').length < 2 * rowsOfSales);
    await axeFindsNothing(element);
    one(inside(element), '.filters-summary .clear').click();
    await waitUntil(() => network.calls.length === 6);
  });
});
