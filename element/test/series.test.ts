import { expect, oneEvent } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../src/index.ts';
import { answer, cell, dimension, metric } from './answers.ts';
import {
  axeFindsNothing,
  clearPage,
  drawn,
  inside,
  one,
  placeAnswered,
  readSeries,
  shows,
  texts,
  waitUntil,
} from './embed-dom.ts';
import { Network } from './network.ts';

const channels = (count: number, metrics = [metric('m', 'Net sales')]) =>
  answer(
    [dimension('month', 'Month', 'date'), dimension('channel', 'Channel'), ...metrics],
    ['2026-01-01', '2026-02-01'].flatMap((month, at) =>
      Array.from({ length: count }, (_, index) => ({
        month,
        channel: `Channel ${index + 1}`,
        ...Object.fromEntries(
          metrics.map(({ key }) => [key, cell((index + 1) * 10 + at, `${(index + 1) * 10 + at} €`)]),
        ),
      })),
    ),
  );

describe('a chart of several dimensions', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const answered = (body: unknown, attributes: Readonly<Record<string, string>>) =>
    placeAnswered(network, body, { render: 'chart', locale: 'en', ...attributes });

  it('has one line for each member, and names the lines at their ends', async () => {
    const element = await answered(channels(3), { mode: 'line' });
    const series = readSeries(await drawn(element));
    const at = (month: number) => Date.UTC(2026, month, 1);
    expect(series.map(({ name, data }) => [name, data])).to.deep.equal([
      [
        'Channel 1',
        [
          [at(0), 10],
          [at(1), 11],
        ],
      ],
      [
        'Channel 2',
        [
          [at(0), 20],
          [at(1), 21],
        ],
      ],
      [
        'Channel 3',
        [
          [at(0), 30],
          [at(1), 31],
        ],
      ],
    ]);
    expect(texts(inside(element), '.chart svg text')).to.include.members(['Channel 1', 'Channel 2', 'Channel 3']);
    await axeFindsNothing(element);
  });

  it('asks the server for the members that it does not draw, as one', async () => {
    const element = await answered(channels(14), { mode: 'stacked-bar' });
    await waitUntil(() => network.calls.length === 2);
    const asked = network.call(1).url.searchParams.get('others');
    // The two smallest are left to the server.
    expect(JSON.parse(asked ?? '')).to.deep.equal({
      field: 'channel',
      except: Array.from({ length: 12 }, (_, index) => `Channel ${index + 3}`),
    });
    network.call(1).answer(
      answer(
        [dimension('month', 'Month', 'date'), metric('m', 'Net sales')],
        [
          { month: '2026-01-01', m: cell(777, '777 €') },
          { month: '2026-02-01', m: cell(888, '888 €') },
        ],
      ),
    );
    const series = readSeries(await drawn(element));
    expect(series).to.have.length(13);
    expect([series.at(-1)?.name, series.at(-1)?.data]).to.deep.equal(['Other', [777, 888]]);
  });

  it('leaves them out with a note where the metric does not add up', async () => {
    const rate = { ...metric('m', 'Rate'), aggregationKind: 'ratio' };
    const element = await answered(channels(14, [rate]), { mode: 'line' });
    expect(readSeries(await drawn(element))).to.have.length(12);
    expect(texts(inside(element), '.status-badge')).to.deep.equal(['The 12 largest of 14 series of Channel']);
    expect(network.calls).to.have.length(1);
  });

  it('has a small chart for each metric, each with its scale', async () => {
    const element = await answered(channels(2, [metric('m', 'Net sales'), metric('n', 'Orders')]), { mode: 'bar' });
    const option = await drawn(element);
    expect(option.grid).to.have.length(2);
    expect(readSeries(option).map(({ name, xAxisIndex }) => [name, xAxisIndex])).to.deep.equal([
      ['Channel 1', 0],
      ['Channel 2', 0],
      ['Channel 1', 1],
      ['Channel 2', 1],
    ]);
  });

  it('is a matrix with the reason where no chart has a place for all dimensions', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const body = answer(
      [...names.map((name) => dimension(name, name)), metric('m', 'M')],
      [{ a: '1', b: '2', c: '3', d: '4', m: cell(5, '5') }],
    );
    const element = await answered(body, { mode: 'bar' });
    const rendered = oneEvent(element, 'service-render');
    await shows(element, '.matrix');
    expect((await rendered).detail.view).to.equal('matrix');
    expect(texts(inside(element), '.status-badge')).to.deep.equal(['A bar chart needs at most 3 dimensions']);
    await axeFindsNothing(element);
  });

  it('reports the settings that it cannot use, and is drawn without them', async () => {
    const chart = JSON.stringify({ stack: 'tall', smooth: true, colour: 'red' });
    const element = await answered(channels(2), { mode: 'line', chart });
    const { detail } = await oneEvent(element, 'service-render');
    expect(detail.view).to.equal('chart:line');
    expect(detail.problems.map(({ place }: { place: string }) => place)).to.deep.equal(['chart.stack', 'chart.colour']);
    expect(readSeries(await drawn(element))[0]?.smooth).to.equal(true);
  });

  it('takes its series from the attribute and the property', async () => {
    const element = await answered(channels(3), { mode: 'bar', series: 'month' });
    expect(readSeries(await drawn(element)).map(({ name }) => name)).to.deep.equal(['Jan 2026', 'Feb 2026']);
    element.series = null;
    element.chart = { stack: 'normal' };
    await element.updateComplete;
    const series = readSeries(await drawn(element));
    expect(series.map(({ name, stack }) => [name, stack])).to.deep.equal(
      ['Channel 1', 'Channel 2', 'Channel 3'].map((name) => [name, 'all-0']),
    );
  });

  it('speaks the language of the page', async () => {
    document.documentElement.lang = 'de';
    const element = await placeAnswered(network, channels(2), { render: 'chart', mode: 'line' });
    await drawn(element);
    const label = one(inside(element), '.chart').getAttribute('aria-label');
    document.documentElement.lang = 'en';
    expect(label).to.contain('Net sales nach Month und Channel').and.to.contain('Die Werte folgen als Tabelle.');
  });

  const kinds = ['pie', 'heatmap', 'treemap', 'sunburst', 'sankey', 'scatter', 'boxplot', 'histogram', 'radar'];
  for (const mode of [...kinds, 'bar', 'area', 'combo'])
    it(`is walked through by the keyboard as ${mode}`, async () => {
      const element = await answered(channels(4), { mode });
      const first = oneEvent(element, 'service-render');
      await drawn(element);
      expect((await first).detail.view).to.equal(`chart:${mode}`);
      const points = one(inside(element), '[role=slider]');
      points.focus();
      await element.updateComplete;
      const before = points.getAttribute('aria-valuetext');
      expect(before).not.to.equal('');
      if (Number(points.getAttribute('aria-valuemax')) > 1) {
        await sendKeys({ press: 'ArrowRight' });
        await element.updateComplete;
        expect(points.getAttribute('aria-valuetext')).not.to.equal(before);
      }
      await axeFindsNothing(element);
    });
});
