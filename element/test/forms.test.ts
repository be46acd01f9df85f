import { expect, nextFrame, oneEvent } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../src/index.ts';
import { PALETTE } from '../src/chart/theme.ts';
import { answer, cell, dimension, metric, SALES } from './answers.ts';
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
import { frames } from './frames.ts';
import { Network } from './network.ts';

const MONTHS = answer(
  [dimension('m', 'Month', 'date'), metric('s', 'Net sales')],
  [
    { m: '2026-02-01', s: cell(120, '120 €') },
    { m: '2026-03-01', s: cell(90, '90 €') },
    { m: '2026-01-01', s: cell(100, '100 €') },
  ],
);

describe('the forms of an answer', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const answered = (body: unknown, attributes: Readonly<Record<string, string>>) =>
    placeAnswered(network, body, { locale: 'en', ...attributes });

  describe('one number', () => {
    it('is the latest of a series by date, with its change and a line of all', async () => {
      const element = await answered(MONTHS, { render: 'kpi' });
      await shows(element, '.sparkline');
      expect(texts(inside(element), '.kpi')).to.deep.equal(['90 €']);
      // 90 after 120 is a quarter less.
      expect(texts(inside(element), '.delta')).to.deep.equal(['▼ -25% vs Feb 2026']);
      // Three points from left to right: the middle one is the highest, the last the lowest.
      const points = one(inside(element), 'polyline').getAttribute('points')?.split(' ');
      expect(points).to.deep.equal(['0.00,19.67', '50.00,1.00', '100.00,29.00']);
      await axeFindsNothing(element);
    });

    it('is compared with the column that is named, or that is named like it', async () => {
      const columns = [metric('s', 'Sales'), metric('s_previous', 'Last year'), metric('plan', 'Plan')];
      const row = { s: cell(110, '110'), s_previous: cell(100, '100'), plan: cell(220, '220') };
      const element = await answered(answer(columns, [row]), { render: 'kpi' });
      await shows(element, '.delta');
      expect(texts(inside(element), '.delta')).to.deep.equal(['▲ +10% vs Last year']);
      element.compare = 'plan';
      await element.updateComplete;
      expect(texts(inside(element), '.delta')).to.deep.equal(['▼ -50% vs Plan']);
      element.measure = 'plan';
      element.compare = 's';
      await element.updateComplete;
      expect([texts(inside(element), '.kpi'), texts(inside(element), '.delta')]).to.deep.equal([
        ['220'],
        ['▲ +100% vs Sales'],
      ]);
    });

    it('is compared with the base of a comparison that the query asks for', async () => {
      const columns = [metric('s', 'Sales'), metric('s.base', 'Sales (previous year)'), metric('s.ratio', 'Ratio')];
      const row = { s: cell(90, '90'), 's.base': cell(120, '120'), 's.ratio': cell(0.75, '0.75') };
      const element = await answered(answer(columns, [row]), { render: 'kpi' });
      await shows(element, '.delta');
      expect(texts(inside(element), '.delta')).to.deep.equal(['▼ -25% vs previous year']);
    });

    for (const [now, base, delta] of [
      [cell(0.463, '46.3%'), cell(0.47, '47.0%'), '▼ -0.7 points vs previous year'],
      [cell(0.47, '47.0%'), cell(0, '0.0%'), '▲ +47 points vs previous year'],
      [cell(0, '0.0%'), cell(0.125, '12.5%'), '▼ -12.5 points vs previous year'],
      [cell(46.3, '46.3 %'), cell(47, '47.0 %'), '▼ -0.7 points vs previous year'],
      [cell(0.5, '50%'), cell(0.5, '50%'), '● 0 points vs previous year'],
      // A price is a ratio but no rate.
      [cell(62.31, '62.31 EUR'), cell(61, '61.00 EUR'), '▲ +2.1% vs previous year'],
    ] as const)
      it(`changes in points where it is a rate: ${delta}`, async () => {
        const columns = [metric('r', 'Rate'), metric('r.base', 'Rate (previous year)')];
        const element = await answered(answer(columns, [{ r: now, 'r.base': base }]), { render: 'kpi' });
        await shows(element, '.delta');
        expect(texts(inside(element), '.delta')).to.deep.equal([delta]);
      });

    it('is compared with nothing where nothing is known, hidden or zero before', async () => {
      const columns = [metric('s', 'Sales'), metric('orders', 'Orders')];
      const element = await answered(answer(columns, [{ s: cell(1, '1'), orders: cell(2, '2') }]), { render: 'kpi' });
      await shows(element, '.kpi');
      await nextFrame();
      expect(inside(element).querySelector('.delta, .sparkline')).to.equal(null);
    });
  });

  describe('a matrix', () => {
    const cube = answer(
      [
        dimension('r', 'Region'),
        dimension('s', 'Store'),
        dimension('y', 'Year', 'integer'),
        metric('m', 'Sales'),
        metric('n', 'Orders'),
      ],
      [
        { r: 'North', s: 'Oslo', y: 2024, m: cell(1, '1 €'), n: cell(10, '10') },
        { r: 'North', s: 'Oslo', y: 2025, m: cell(-2, '-2 €'), n: cell(20, '20') },
        { r: 'North', s: 'Bergen', y: 2025, m: cell(3, '3 €'), n: cell(30, '30') },
        { r: 'South', s: 'Rome', y: 2024, m: { value: null, formatted: null, suppressed: true }, n: cell(40, '40') },
      ],
    );
    const OPEN_CUBE = answer(
      [dimension('r', 'Region'), dimension('s', 'Store'), dimension('y', 'Year', 'integer'), metric('m', 'Sales')],
      [
        { r: 'North', s: 'Oslo', y: 2024, m: cell(1, '1 €') },
        { r: 'North', s: 'Bergen', y: 2025, m: cell(3, '3 €') },
        { r: 'South', s: 'Rome', y: 2024, m: cell(4, '4 €') },
      ],
    );
    const rows = (element: Element) =>
      all(inside(element), 'tbody tr').map((row) =>
        texts(row, 'th, td')
          .map((text) => text.replace(/\s+/g, ' '))
          .join('|'),
      );

    it('has the last dimension across and the others as groups of rows', async () => {
      const element = await answered(cube, { render: 'matrix' });
      await shows(element, '.matrix');
      expect(all(inside(element), 'thead tr').map((row) => texts(row, 'th').join('|'))).to.deep.equal([
        'Region / Store|2024|2025',
        'Sales|Orders|Sales|Orders',
      ]);
      expect(rows(element)).to.deep.equal([
        'North 2||||',
        'Oslo|1 €|10|-2 €|20',
        'Bergen|–|–|3 €|30',
        'South 1||||',
        'Rome|– (hidden)|40|–|–',
        'Total||||',
      ]);
      await axeFindsNothing(element);
    });

    it('has the subtotals and the total of the server', async () => {
      const element = await answered(OPEN_CUBE, { render: 'matrix' });
      await shows(element, '.matrix');
      await waitUntil(() => network.calls.length === 3);
      const asked = network.calls.slice(1).map(({ url }) => JSON.parse(url.searchParams.get('without') ?? ''));
      expect(asked).to.deep.equal([['r', 's'], ['s']]);
      const year = dimension('y', 'Year', 'integer');
      network.call(1).answer(answer([year, metric('m', 'Sales')], [{ y: 2024, m: cell(100, '100 €') }]));
      network.call(2).answer(
        answer(
          [dimension('r', 'Region'), year, metric('m', 'Sales')],
          [
            { r: 'South', y: 2025, m: cell(7, '7 €') },
            { r: 'North', y: 2024, m: cell(5, '5 €') },
          ],
        ),
      );
      await waitUntil(() => rows(element).length === 6);
      await waitUntil(() => rows(element)[0] === 'North 2|5 €|–');
      expect(rows(element)).to.deep.equal([
        'North 2|5 €|–',
        'Oslo|1 €|–',
        'Bergen|–|3 €',
        'South 1|–|7 €',
        'Rome|4 €|–',
        'Total|100 €|–',
      ]);
      await axeFindsNothing(element);
    });

    it('has no total where the server computes none', async () => {
      const element = await answered(OPEN_CUBE, { render: 'matrix' });
      await waitUntil(() => network.calls.length === 3);
      network.call(1).answer({ error: 'VALIDATION_ERROR' }, 400);
      await waitUntil(() => rows(element).length === 5);
      expect(rows(element)[0]).to.equal('North 2|');
    });

    it('asks for no total of a cut answer', async () => {
      const element = await answered({ ...OPEN_CUBE, meta: { rowCount: 3, truncated: true } }, { render: 'matrix' });
      await shows(element, '.matrix');
      await nextFrame();
      expect(rows(element)).to.have.length(5);
      expect(network.calls).to.have.length(1);
    });

    it('keeps its names in sight when it is scrolled sideways, and only them', async () => {
      const element = await answered(cube, { render: 'matrix' });
      element.style.width = '260px';
      await shows(element, '.matrix');
      const lefts = () =>
        ['tbody th', 'thead tr:first-child th:first-child', 'thead tr:nth-child(2) th', 'tbody td:nth-child(2)'].map(
          (each) => Math.round(one(inside(element), each).getBoundingClientRect().left),
        );
      const [name = 0, corner = 0, column = 0, number = 0] = lefts();
      one(inside(element), '.scroller').scrollLeft = 50;
      await nextFrame();
      expect(lefts()).to.deep.equal([name, corner, column - 50, number - 50]);
    });

    it('closes and opens its groups', async () => {
      const element = await answered(cube, { render: 'matrix' });
      const button = await shows(element, '.branch button');
      button.click();
      await element.updateComplete;
      expect(button.getAttribute('aria-expanded')).to.equal('false');
      expect(rows(element)).to.deep.equal(['North 2||||', 'South 1||||', 'Rome|– (hidden)|40|–|–', 'Total||||']);
      button.click();
      await element.updateComplete;
      expect(rows(element)).to.have.length(6);
    });

    it('is a plain table where there is nothing to group', async () => {
      const element = await answered(answer([metric('m', 'Sales')], [{ m: cell(1, '1') }]), { render: 'matrix' });
      await waitUntil(() => texts(inside(element), 'tbody td').join() === '1');
    });
  });

  describe('a chart', () => {
    it('stacks bars', async () => {
      const series = readSeries(await drawn(await answered(SALES, { render: 'chart', mode: 'stacked-bar' })));
      expect(series.map(({ type, stack }) => [type, stack])).to.deep.equal([
        ['bar', 'all'],
        ['bar', 'all'],
      ]);
    });

    it('fills areas', async () => {
      const series = readSeries(await drawn(await answered(SALES, { render: 'chart', mode: 'area' })));
      expect(series.map(({ type, areaStyle }) => [type, areaStyle !== undefined])).to.deep.equal([
        ['line', true],
        ['line', true],
      ]);
    });

    it('scatters the first metric against the second', async () => {
      const element = await answered(SALES, { render: 'chart', mode: 'scatter' });
      const [series] = readSeries(await drawn(element));
      const data = JSON.parse(JSON.stringify(series?.data));
      expect(data.map(({ value }: { value: unknown }) => value)).to.deep.equal([
        [1234.5, -20],
        [987, 0],
      ]);
      expect(texts(inside(element), '.chart svg text')).to.include.members(['Net sales', 'Returns']);
      await axeFindsNothing(element);
    });

    it('combines bars with lines, which have an axis of their own where their numbers are of another size', async () => {
      const columns = [dimension('r', 'Region'), metric('s', 'Sales'), metric('g', 'Margin')];
      const rows = [
        { r: 'N', s: cell(1000, '1,000'), g: cell(0.12, '12%') },
        { r: 'S', s: cell(2000, '2,000'), g: cell(0.24, '24%') },
      ];
      const element = await answered(answer(columns, rows), { render: 'chart', mode: 'combo' });
      const series = readSeries(await drawn(element));
      expect(series.map(({ type, yAxisIndex }) => [type, yAxisIndex])).to.deep.equal([
        ['bar', 0],
        ['line', 1],
      ]);
      // Abbreviated on one axis, in percent on the other, like the server's texts.
      const labels = texts(inside(element), '.chart svg text');
      expect(labels).to.include('2K');
      expect(labels.some((text) => /^(20|25|24)%$/.test(text))).to.equal(true);
    });

    it('abbreviates and groups by the language of the embed', async () => {
      const big = answer([dimension('r', 'R'), metric('s', 'S')], [{ r: 'N', s: cell(4e6, '4.000.000') }]);
      const element = await answered(big, { render: 'chart', locale: 'de' });
      await drawn(element);
      expect(texts(inside(element), '.chart svg text')).to.include('4 Mio.'.replace(' ', '\u00a0'));
    });

    it('draws rings around anomalies, and the forecast with its band', async () => {
      const columns = [dimension('m', 'Month', 'date'), metric('s', 'Net sales')];
      const rows = ['2026-01-01', '2026-02-01', '2026-03-01'].map((m, index) => ({
        m,
        s: {
          ...cell(10 + index, `${10 + index} €`),
          ...(index === 1 ? { anomaly: { score: 5, expected: 20, direction: 'low' } } : {}),
        },
      }));
      const forecast = {
        s: {
          method: 'mstl',
          horizon: 2,
          confidence: 0.9,
          points: [
            { index: 3, value: 14, lower: 12, upper: 17 },
            { index: 4, value: 15, lower: 11, upper: 20 },
            { index: 'x' },
          ],
        },
      };
      const element = await answered(answer(columns, rows, { forecast }), { render: 'chart', mode: 'line' });
      const series = readSeries(await drawn(element));
      const of = (id: string) => series.find((each) => String(each.id).startsWith(id))?.data;
      const at = (month: number) => Date.UTC(2026, month, 1);
      expect(of('anomaly-0')).to.deep.equal([[at(1), 11]]);
      expect(of('forecast-0')).to.deep.equal([
        [at(2), 12],
        [at(3), 14],
        [at(4), 15],
      ]);
      // The band starts at its lower edge: 17 - 12 and 20 - 11 high.
      expect(of('upper-0')).to.deep.equal([
        [at(2), 0],
        [at(3), 5],
        [at(4), 9],
      ]);
      const points = one(inside(element), '[role=slider]');
      points.focus();
      await sendKeys({ press: 'ArrowRight' });
      await element.updateComplete;
      expect(points.getAttribute('aria-valuetext')).to.equal('Feb 1, 2026\nNet sales: 11 € (unusual, expected 20 €)');
    });

    it('has instants on an axis by the clock of its time zone, and days as they are', async () => {
      const instants = (times: readonly string[]) =>
        answer(
          [dimension('t', 'Time', 'timestamptz'), metric('s', 'S')],
          times.map((t) => ({ t, s: cell(1, '1') })),
        );
      // Berlin is an hour ahead of UTC, and two hours from the 29th of March 2026 at 1 o'clock UTC on.
      const times = ['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z', '2026-03-29T06:30:00Z'];
      const attributes = { render: 'chart', mode: 'line', 'time-zone': 'Europe/Berlin' };
      const element = await answered(instants(times), attributes);
      const readX = async (of: Element) =>
        JSON.parse(JSON.stringify(readSeries(await drawn(of))[0]?.data)).map(([x]: readonly [number]) => x);
      const at = (hour: number, minute: number) => Date.UTC(2026, 2, 29, hour, minute);
      expect(await readX(element)).to.deep.equal([at(1, 30), at(3, 30), at(8, 30)]);
      expect(texts(inside(element), '.chart svg text')).to.include('6:00 AM');
      clearPage();
      network.calls.length = 0;
      const days = await answered(instants(['2026-03-28T00:00:00Z', '2026-03-29T00:00:00Z']), attributes);
      expect(await readX(days)).to.deep.equal([Date.UTC(2026, 2, 28), Date.UTC(2026, 2, 29)]);
    });

    it('goes on to the right where clocks are put back', async () => {
      const body = answer(
        [dimension('t', 'Time', 'timestamptz'), metric('s', 'S')],
        // In Berlin both are half past two in the night of the 25th of October 2026.
        ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((t) => ({ t, s: cell(1, '1') })),
      );
      const element = await answered(body, { render: 'chart', mode: 'line', 'time-zone': 'Europe/Berlin' });
      const data = JSON.parse(JSON.stringify(readSeries(await drawn(element))[0]?.data));
      expect(data.map(([x]: readonly [number]) => x)).to.deep.equal([
        Date.UTC(2026, 9, 25, 2, 30),
        Date.UTC(2026, 9, 25, 2, 30) + 1,
      ]);
    });

    it('is walked through by the keyboard, which shows and chooses each point', async () => {
      const element = await answered(SALES, { render: 'chart' });
      await drawn(element);
      const points = one(inside(element), '[role=slider]');
      points.focus();
      await element.updateComplete;
      const said = () => [points.getAttribute('aria-valuenow'), points.getAttribute('aria-valuetext')];
      expect(said()).to.deep.equal(['1', 'North\nNet sales: 1,234.50 €\nReturns: -20.00 €']);
      await sendKeys({ press: 'ArrowRight' });
      await sendKeys({ press: 'ArrowRight' });
      await element.updateComplete;
      expect(said()).to.deep.equal(['2', 'South\nNet sales: 987.00 €\nReturns: 0.00 €']);
      await waitUntil(() => texts(inside(element), '.chart svg text').some((text) => text.includes('987.00 €')));
      const selected = oneEvent(element, 'service-select');
      await sendKeys({ press: 'Enter' });
      expect((await selected).detail.record).to.deep.equal({
        'stores.region': 'South',
        net_sales: '987.00 €',
        returns: '0.00 €',
      });
      // Points that are not selected are paler.
      await element.updateComplete;
      const [series] = readSeries(await drawn(element));
      expect(series?.data).to.deep.equal([{ value: 1234.5, itemStyle: { opacity: 0.35 } }, 987]);
      await axeFindsNothing(element);
    });

    it('is shown as a table when the reader wants it, the chosen row marked, and as a chart again', async () => {
      const element = await answered(SALES, { render: 'chart' });
      await drawn(element);
      one(inside(element), '[role=slider]').focus();
      await sendKeys({ press: 'Enter' });
      one(inside(element), '.toggle').click();
      const table = await shows(element, '.chart-box [role=grid]');
      expect(texts(table, 'tr.chosen td:first-child')).to.deep.equal(['North']);
      expect(one(inside(element), '.toggle').getAttribute('aria-pressed')).to.equal('true');
      await axeFindsNothing(element);
      one(inside(element), '.toggle').click();
      await drawn(element);
    });

    it('takes its colours from the page', async () => {
      const element = place({ render: 'chart' });
      element.style.setProperty('--service-embed-chart-1', '#123456');
      await waitUntil(() => network.calls.length > 0);
      network.call().answer(SALES);
      expect((await drawn(element)).color).to.deep.equal(['#123456', ...PALETTE.slice(1)]);
    });

    it('does not load the charts part before it is near the viewport', async () => {
      const space = document.createElement('div');
      space.style.height = '5000px';
      document.body.append(space);
      const element = place({ render: 'chart' });
      const loaded = oneEvent(element, 'service-load');
      await waitUntil(() => network.calls.length > 0);
      network.call().answer(SALES);
      await loaded;
      await element.updateComplete;
      // The element's own observer was created first, so it is called first.
      await new Promise((resolve) => new IntersectionObserver(resolve, { rootMargin: '400px' }).observe(element));
      await frames(1);
      expect(inside(element).querySelector('.chart')).to.equal(null);
      expect(inside(element).querySelector('.skeleton')).not.to.equal(null);
      element.scrollIntoView();
      await drawn(element);
      space.remove();
    });
  });
});
