import { expect, nextFrame } from '@open-wc/testing';
import '../src/index.ts';
import { answer, cell, dimension, EMBED_INVALID, manyRows, metric, NO_ROWS, SALES } from './answers.ts';
import { all, axeFindsNothing, clearPage, inside, one, place, shows, texts, waitUntil } from './embed-dom.ts';
import { Network } from './network.ts';

describe('a query as a table', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  async function answered(body: unknown, attributes: Readonly<Record<string, string>> = {}) {
    const element = place(attributes);
    await waitUntil(() => network.calls.length > 0);
    network.call().answer(body);
    await shows(element, 'table');
    return element;
  }

  it('is a real table with a caption, column headers and the cells as the server writes them', async () => {
    const element = await answered(SALES);
    const root = inside(element);
    expect(texts(root, 'caption')).to.deep.equal(['Sales by region']);
    expect(texts(root, 'th[scope=col]')).to.deep.equal(['Region', 'Net sales', 'Returns']);
    expect(texts(root, 'tbody td')).to.deep.equal(['North', '1,234.50 €', '-20.00 €', 'South', '987.00 €', '0.00 €']);
    await axeFindsNothing(element);
  });

  it('sets numbers at the end of their column, in figures of one width, and colours only negative ones', async () => {
    const root = inside(await answered(SALES));
    const [region, sales, returns, , , zero] = all(root, 'tbody td');
    const style = (each: HTMLElement | undefined) => getComputedStyle(each ?? document.body);
    expect(style(region).textAlign).to.equal('start');
    expect(style(sales).textAlign).to.equal('end');
    expect(style(sales).fontVariantNumeric).to.equal('tabular-nums');
    expect(style(returns).color).to.equal('rgb(179, 38, 30)');
    expect(style(zero).color).to.equal(style(sales).color);
  });

  it('keeps its header in sight while it scrolls', async () => {
    const root = inside(await answered(manyRows(100), { height: '200px' }));
    const scroller = one(root, '.scroller');
    scroller.scrollTop = 500;
    await nextFrame();
    const top = scroller.getBoundingClientRect().top;
    expect(one(root, 'th').getBoundingClientRect().top).to.be.closeTo(top, 1);
  });

  it('renders only the visible rows of 5,000, with their number and their indexes', async () => {
    const element = await answered(manyRows(5_000));
    const root = inside(element);
    expect(one(root, 'table').getAttribute('aria-rowcount')).to.equal('5001');
    expect(all(root, 'tbody tr').length).to.be.below(80);
    expect(texts(root, 'tbody tr[aria-rowindex="2"] td')).to.deep.equal(['1', '0.00']);
    // 36 pixels a row: at 90,000 pixels the 2,501st row is the first in sight, and the header is row 1.
    one(root, '.scroller').scrollTop = 90_000;
    await waitUntil(() => root.querySelector('tr[aria-rowindex="2502"]') !== null);
    expect(texts(root, 'tr[aria-rowindex="2502"] td')).to.deep.equal(['2501', '2500.00']);
    const row = one(root, 'tr[aria-rowindex="2502"]').getBoundingClientRect();
    const header = one(root, 'th').getBoundingClientRect();
    expect(row.top - header.bottom).to.be.closeTo(0, 2);
    await axeFindsNothing(element);
  });

  it('reaches the last row of a long table', async () => {
    const root = inside(await answered(manyRows(5_000)));
    one(root, '.scroller').scrollTop = 1_000_000;
    await waitUntil(() => root.querySelector('tr[aria-rowindex="5001"]') !== null);
    expect(texts(root, 'tr[aria-rowindex="5001"] td')).to.deep.equal(['5000', '4999.00']);
  });

  it('shows markup in data as text', async () => {
    const hostile = '<img src=x onerror="window.hacked=1"><b>bold</b>';
    const columns = [dimension('a', hostile), metric('m', 'M')];
    const element = await answered(answer(columns, [{ a: hostile, m: cell(1, hostile) }], { title: hostile }));
    const root = inside(element);
    expect(texts(root, 'tbody td')).to.deep.equal([hostile, hostile]);
    expect(texts(root, 'th')[0]).to.equal(hostile);
    expect(root.querySelector('img, b')).to.equal(null);
    expect(Object.hasOwn(window, 'hacked')).to.equal(false);
  });

  it('keeps two columns of one name, a column named like an object method, and exact numbers apart', async () => {
    const columns = [dimension('a', 'Name'), metric('constructor', 'Name'), metric('big', 'Big', 'integer')];
    const root = inside(
      await answered(answer(columns, [{ a: 'x', big: cell('90071992547409931234', '90071992547409931234') }])),
    );
    expect(texts(root, 'th')).to.deep.equal(['Name', 'Name', 'Big']);
    expect(texts(root, 'tbody td')).to.deep.equal(['x', '–', '90071992547409931234']);
  });

  it('shows hidden values, missing data and the age of the answer', async () => {
    const columns = [dimension('a', 'Region'), metric('m', 'Net sales')];
    const records = [{ a: 'North', m: { value: null, formatted: null, suppressed: true } }];
    const meta = { rowCount: 1, truncated: true, suppressed: { count: 1, reason: 'Groups under 5 are hidden.' } };
    const element = await answered(answer(columns, records, { meta }));
    const root = inside(element);
    expect(texts(root, 'tbody td')).to.deep.equal(['North', '– (hidden)']);
    const said = one(root, '.status-line').textContent;
    expect(said).to.contain('Only the first 1 row');
    expect(said).to.contain('1 row with hidden values');
    expect(one(root, 'time').getAttribute('datetime')).to.equal('2026-09-21T14:13:20.000Z');
    await axeFindsNothing(element);
  });

  it('takes nothing from the page but the nine custom properties', async () => {
    document.body.style.cssText = 'font: italic 40px Georgia; color: red; letter-spacing: 9px; text-align: right';
    const element = await answered(SALES);
    element.style.setProperty('--service-embed-fg', 'rgb(1, 2, 3)');
    const style = getComputedStyle(one(inside(element), 'tbody td'));
    expect([style.fontSize, style.fontStyle, style.letterSpacing]).to.deep.equal(['14px', 'normal', 'normal']);
    expect(style.color).to.equal('rgb(1, 2, 3)');
    document.body.removeAttribute('style');
  });
});

describe('the states of a query', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  for (const render of ['table', 'chart']) {
    it(`is a skeleton of the final size while a ${render} loads`, async () => {
      const element = place({ render, height: '320px' });
      const skeleton = await shows(element, '.skeleton');
      expect(one(inside(element), '.surface').getAttribute('aria-busy')).to.equal('true');
      expect(skeleton.textContent).to.contain('Loading');
      expect(element.getBoundingClientRect().height).to.equal(320);
      await axeFindsNothing(element);
      network.call().answer(SALES);
      await shows(element, 'table');
      expect(one(inside(element), '.surface').getAttribute('aria-busy')).to.equal('false');
      expect(element.getBoundingClientRect().height).to.equal(320);
    });
  }

  it('reports a query without rows', async () => {
    const element = place();
    await waitUntil(() => network.calls.length > 0);
    network.call().answer(NO_ROWS);
    expect((await shows(element, '.notice')).textContent).to.contain('No data');
    expect(inside(element).querySelector('[role=alert]')).to.equal(null);
    await axeFindsNothing(element);
  });

  const failures: readonly [string, () => void][] = [
    ['a refused token', () => network.call().answer({ ...EMBED_INVALID, message: 'secret detail' }, 401)],
    ['a broken warehouse', () => network.call().answer({ error: 'WAREHOUSE_ERROR', message: 'secret detail' }, 502)],
    ['a lost connection', () => network.call().breakOff()],
    ['an answer that is no JSON', () => network.call().answer('<html>secret detail</html>')],
    ['an answer of another shape', () => network.call().answer({ message: 'secret detail' })],
  ];
  for (const [what, fail] of failures) {
    it(`shows the same message after ${what}, and no text of the server`, async () => {
      const element = place();
      await waitUntil(() => network.calls.length > 0);
      fail();
      const error = await shows(element, '[role=alert]');
      expect(error.textContent.trim()).to.equal('This embed is not available.');
      expect(inside(element).textContent).not.to.contain('secret');
      await axeFindsNothing(element);
    });
  }

  for (const [height, expected] of [
    ['250px', 250],
    ['20em', 280],
    ['1px; position: fixed', 400],
    ['tall', 400],
  ] as const) {
    it(`is at least ${expected} pixels high for height="${height}"`, async () => {
      const element = place({ height });
      await shows(element, '.skeleton');
      expect(element.getBoundingClientRect().height).to.equal(expected);
      expect(getComputedStyle(one(inside(element), '.surface')).position).to.equal('relative');
    });
  }
});
