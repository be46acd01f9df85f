import { expect, nextFrame } from '@open-wc/testing';
import { getInstanceByDom } from 'echarts/core';
import '../src/index.ts';
import { PALETTE } from '../src/chart/theme.ts';
import { EmbedElement } from '../src/embed-element.ts';
import { answer, cell, dimension, manyRows, metric, NAMES_ONLY, SALES } from './answers.ts';
import {
  all,
  axeFindsNothing,
  clearPage,
  drawn,
  inside,
  one,
  place,
  placeAnswered,
  readSeries,
  shows,
  texts,
  waitUntil,
} from './embed-dom.ts';
import { Network } from './network.ts';

/** Returns the type of the horizontal axis. */
function axisType(option: Readonly<Record<string, unknown>>): unknown {
  const axis: unknown = Array.isArray(option.xAxis) ? option.xAxis[0] : undefined;
  return typeof axis === 'object' && axis !== null && 'type' in axis ? axis.type : undefined;
}

describe('a query as a chart', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const answered = (body: unknown, attributes: Readonly<Record<string, string>> = {}) =>
    placeAnswered(network, body, { render: 'chart', ...attributes });

  for (const mode of ['bar', 'line']) {
    it(`draws a ${mode} series of each metric over the first other column`, async () => {
      const element = await answered(SALES, { mode });
      const [sales, returns] = readSeries(await drawn(element));
      expect([sales?.type, sales?.name, sales?.data]).to.deep.equal([mode, 'Net sales', [1234.5, 987]]);
      expect([returns?.type, returns?.name, returns?.data]).to.deep.equal([mode, 'Returns', [-20, 0]]);
      expect(texts(inside(element), '.chart svg text')).to.include.members(['North', 'South', 'Net sales', 'Returns']);
      await axeFindsNothing(element);
    });
  }

  it('draws the first metric as a pie, and counts the values without a slice', async () => {
    const columns = [dimension('r', 'Region'), metric('m', 'Net sales'), metric('n', 'Cost')];
    const rows = [
      { r: 'North', m: cell(3, '3'), n: cell(9, '9') },
      { r: 'South', m: cell(-1, '-1'), n: cell(9, '9') },
      { r: 'East', m: cell(1, '1'), n: cell(9, '9') },
    ];
    const element = await answered(answer(columns, rows), { mode: 'pie' });
    const series = readSeries(await drawn(element));
    expect(series).to.have.length(1);
    expect(series[0]?.type).to.equal('pie');
    const slices = JSON.parse(JSON.stringify(series[0]?.data));
    // East is the third member, so it has the third colour, whatever is drawn.
    expect(slices).to.deep.equal([
      { name: 'North', value: 3, rowIndex: 0, itemStyle: { color: PALETTE[0] } },
      { name: 'East', value: 1, rowIndex: 2, itemStyle: { color: PALETTE[2] } },
    ]);
    expect(texts(inside(element), '.status-badge')).to.deep.equal(['1 of zero or less not drawn']);
    await axeFindsNothing(element);
  });

  it('draws bars for a mode it does not know', async () => {
    expect(readSeries(await drawn(await answered(SALES, { mode: 'radar' })))[0]?.type).to.equal('bar');
  });

  for (const mode of ['bar', 'line', 'pie']) {
    it(`reports a result without a numeric column for a ${mode}`, async () => {
      const element = await answered(NAMES_ONLY, { mode });
      const said = await shows(element, '.notice');
      expect(said.textContent).to.contain('No numeric series');
      expect(said.textContent).to.contain(`${mode} chart`);
      expect(inside(element).querySelector('svg')).to.equal(null);
      await axeFindsNothing(element);
    });
  }

  it('takes a number that groups as a label beside a metric', async () => {
    const columns = [dimension('year', 'Year', 'integer'), metric('m', 'Net sales')];
    const option = await drawn(await answered(answer(columns, [{ year: 2025, m: cell(5, '5') }])));
    expect(readSeries(option).map(({ name }) => name)).to.deep.equal(['Net sales']);
    expect(option.xAxis).to.have.nested.property('[0].data').that.deep.equals(['2025']);
  });

  it('reads numbers by their type where an answer has no metric, and a metric of dates as a label', async () => {
    const plain = answer([dimension('a', 'Age', 'integer'), dimension('n', 'Name')], [{ a: 7, n: 'Ada' }]);
    const option = await drawn(await answered(plain));
    expect(readSeries(option)[0]?.data).to.deep.equal([7]);
    expect(option.xAxis).to.have.nested.property('[0].data').that.deep.equals(['Ada']);
    const dates = answer(
      [dimension('n', 'Name'), metric('last', 'Last order', 'date')],
      [{ n: 'Ada', last: cell('2026-01-02', '2026-01-02') }],
    );
    const second = place({ path: 'shared/dates.service', render: 'chart' });
    await waitUntil(() => network.calls.length === 2);
    network.call(1).answer(dates);
    expect((await shows(second, '.notice')).textContent).to.contain('No numeric series');
  });

  it('draws no point for a hidden or a missing value', async () => {
    const columns = [dimension('r', 'Region'), metric('m', 'Net sales')];
    const rows = [
      { r: 'A', m: { value: -1, formatted: '*', suppressed: true } },
      { r: 'B', m: cell(null, null) },
      { r: 'C', m: cell(4, '4') },
    ];
    expect(readSeries(await drawn(await answered(answer(columns, rows))))[0]?.data).to.deep.equal([null, null, 4]);
  });

  it('draws the first 2,000 of 50,000 bars, reports it, and thins lines, and keeps all of them in its table', async function () {
    this.timeout(30_000);
    const element = await answered(manyRows(50_000), { locale: 'en' });
    const [series] = readSeries(await drawn(element));
    expect(series?.data).to.have.length(2_000);
    expect(texts(inside(element), '.status-badge')).to.deep.equal([
      'First 2,000 of 50,000 points; all are in the table',
    ]);
    one(inside(element), '.toggle').click();
    const table = await shows(element, '.as-table table');
    expect(table.getAttribute('aria-rowcount')).to.equal('50001');
    element.mode = 'line';
    one(inside(element), '.toggle').click();
    expect(readSeries(await drawn(element))[0]?.data).to.have.length(2_000);
    expect(texts(inside(element), '.status-badge')).to.deep.equal([
      '2,000 of 50,000 points, with each highest and lowest; all are in the table',
    ]);
  });

  it('puts dates on an axis of time, as far apart as they are', async () => {
    const columns = [dimension('d', 'Month', 'date'), metric('m', 'Net sales')];
    const rows = ['2026-01-01', '2026-02-01', '2026-12-01'].map((d) => ({ d, m: cell(1, '1') }));
    const element = await answered(answer(columns, rows), { mode: 'line', locale: 'en' });
    const option = await drawn(element);
    expect(axisType(option)).to.equal('time');
    expect(readSeries(option)[0]?.data).to.deep.equal([
      [Date.UTC(2026, 0, 1), 1],
      [Date.UTC(2026, 1, 1), 1],
      [Date.UTC(2026, 11, 1), 1],
    ]);
    expect(texts(inside(element), '.chart svg text')).to.include('Jul');
  });

  it('writes the dates of months as months below bars, in the language of the embed', async () => {
    const columns = [dimension('d', 'Month', 'date'), metric('m', 'Net sales')];
    const rows = ['2026-01-01', '2026-02-01'].map((d) => ({ d, m: cell(1, '1') }));
    const element = await answered(answer(columns, rows), { locale: 'de' });
    expect(axisType(await drawn(element))).to.equal('category');
    expect(texts(inside(element), '.chart svg text')).to.include.members(['Jan. 2026', 'Feb. 2026']);
  });

  it('has a description and a table of its values for screen readers', async () => {
    const element = await answered(SALES);
    await drawn(element);
    const chart = one(inside(element), '.chart');
    expect(chart.getAttribute('role')).to.equal('img');
    expect(chart.getAttribute('aria-label')).to.equal(
      'Net sales and Returns by Region: from 987.00 € to 1,234.50 €, highest North. The values follow as a table.',
    );
    expect(texts(inside(element), 'table caption')).to.deep.equal(['Sales by region']);
    expect(texts(inside(element), 'tbody td:first-child')).to.deep.equal(['North', 'South']);
    expect(texts(inside(element), 'tbody td:nth-child(2)')).to.deep.equal(['1,234.50 €', '987.00 €']);
  });

  it('shows the strings of the server in its tooltip, painted and never parsed as markup', async () => {
    const hostile = '<img src=x onerror="window.hacked=1">{b|bold}';
    const columns = [dimension('r', 'Region'), metric('m', 'Net sales')];
    const element = await answered(answer(columns, [{ r: hostile, m: cell(1234.5, '1.234,50 EUR') }]));
    await drawn(element);
    const host = one(inside(element), '.chart');
    getInstanceByDom(host)?.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: 0 });
    const tip = () => texts(host, 'svg text').join('\n').replaceAll('\u2060', '');
    await waitUntil(() => tip().includes('Net sales: 1.234,50 EUR'), 'no tooltip');
    expect(tip()).to.contain(hostile);
    expect(host.querySelector('img')).to.equal(null);
    expect(
      all(host, ':scope > div')
        .flatMap((layer) => [...layer.children])
        .every(({ localName }) => localName === 'svg'),
    ).to.equal(true);
    expect(Object.hasOwn(window, 'hacked')).to.equal(false);
  });

  it('follows its size, and comes to rest', async () => {
    const element = await answered(SALES);
    await drawn(element);
    const chart = getInstanceByDom(one(inside(element), '.chart'));
    element.style.width = '500px';
    // 500 less the border of the surface (1) and the margin of the chart (12) on both sides.
    await waitUntil(() => chart?.getWidth() === 474);
    const height = element.getBoundingClientRect().height;
    let drawings = 0;
    chart?.on('rendered', () => {
      drawings += 1;
    });
    for (let frame = 0; frame < 10; frame += 1) await nextFrame();
    expect(drawings).to.be.below(10);
    expect(element.getBoundingClientRect().height).to.equal(height);
  });

  it('takes on a new theme without another request', async () => {
    const element = await answered(SALES);
    await drawn(element);
    const chart = getInstanceByDom(one(inside(element), '.chart'));
    const text = () => JSON.stringify(chart?.getOption().textStyle);
    element.style.setProperty('--service-embed-fg', 'rgb(250, 240, 230)');
    await waitUntil(() => text().includes('rgb(250, 240, 230)'));
    expect(network.calls).to.have.length(1);
  });

  it('is let go of when the element leaves the page, and drawn again when it returns', async () => {
    const element = await answered(SALES);
    await drawn(element);
    const chart = getInstanceByDom(one(inside(element), '.chart'));
    element.remove();
    expect(chart?.isDisposed()).to.equal(true);
    document.body.append(element);
    await drawn(element);
    expect(network.calls).to.have.length(1);
  });

  it('reports a chart file that does not load, and shows the values as a table', async () => {
    class WithoutCharts extends EmbedElement {
      protected override loadPart(): Promise<never> {
        return Promise.reject(new TypeError('refused by the policy of the page'));
      }
    }
    customElements.define('embed-without-charts', WithoutCharts);
    const element = document.createElement('embed-without-charts');
    element.setAttribute('server', 'https://analytics.test');
    element.setAttribute('path', 'shared/sales.service');
    element.setAttribute('render', 'chart');
    document.body.append(element);
    await waitUntil(() => network.calls.length > 0);
    network.call().answer(SALES);
    expect((await shows(element, '.status-badge')).textContent).to.contain('could not be loaded');
    expect(texts(inside(element), 'tbody td:first-child')).to.deep.equal(['North', 'South']);
    await axeFindsNothing(element);
    element.remove();
  });
});
