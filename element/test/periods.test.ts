import { expect, oneEvent } from '@open-wc/testing';
import '../src/index.ts';
import { answer, cell, dimension, metric, periods } from './answers.ts';
import { all, clearPage, drawn, inside, one, placeAnswered, shows, texts, waitUntil } from './embed-dom.ts';
import { Network } from './network.ts';

const KEY = 'sales.date.quarter';
/** By value, not by time: the last quarter comes first. */
const QUARTERS = answer(
  [
    periods(KEY, 'Date of sale (quarter)', {
      '2024-10-01': 'Q4 2024',
      '2025-01-01': 'Q1 2025',
      '2025-04-01': 'Q2 2025',
      '2025-07-01': 'Q3 2025',
    }),
    metric('s', 'Net sales'),
  ],
  [
    { [KEY]: '2025-04-01', s: cell(30, '30 €') },
    { [KEY]: '2024-10-01', s: cell(20, '20 €') },
    { [KEY]: '2025-01-01', s: cell(10, '10 €') },
  ],
  {
    forecast: {
      s: {
        method: 'ets',
        confidence: 0.95,
        points: [{ index: 3, value: 25, lower: 20, upper: 30, period: '2025-07-01' }],
      },
    },
  },
);

const WEEKDAY = 'sales.date.day_of_week';
const WEEKDAYS = answer(
  [
    periods(WEEKDAY, 'Date of sale (day of week)', { 1: 'Monday', 2: 'Tuesday', 7: 'Sunday' }, 'integer'),
    metric('s', 'Net sales'),
  ],
  [
    { [WEEKDAY]: 7, s: cell(3, '3 €') },
    { [WEEKDAY]: 1, s: cell(2, '2 €') },
    { [WEEKDAY]: 2, s: cell(1, '1 €') },
  ],
);

interface Axis {
  readonly type: string;
  readonly data?: readonly string[];
  readonly axisLabel: { readonly customValues?: readonly number[]; readonly formatter?: (time: number) => string };
}

describe('periods and parts of dates', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const answered = (body: unknown, attributes: Readonly<Record<string, string>> = {}) =>
    placeAnswered(network, body, { locale: 'en', ...attributes });

  async function readAxis(body: unknown, mode: string): Promise<Axis> {
    const element = await answered(body, { render: 'chart', mode });
    const option = await drawn(element);
    const axis: unknown = Array.isArray(option.xAxis) ? option.xAxis[0] : undefined;
    return axis as Axis; // ECharts keeps the option as given.
  }

  it('are points of a time axis with their labels, including forecast periods', async () => {
    const axis = await readAxis(QUARTERS, 'line');
    const { customValues = [], formatter } = axis.axisLabel;
    expect(axis.type).to.equal('time');
    expect(customValues).to.deep.equal(['2024-10-01', '2025-01-01', '2025-04-01', '2025-07-01'].map(Date.parse));
    expect(customValues.map((time) => formatter?.(time))).to.deep.equal(['Q4 2024', 'Q1 2025', 'Q2 2025', 'Q3 2025']);
  });

  it('label bars in the order of time', async () => {
    expect((await readAxis(QUARTERS, 'bar')).data).to.deep.equal(['Q4 2024', 'Q1 2025', 'Q2 2025', 'Q3 2025']);
  });

  it('that are parts of dates keep their own order, Monday first', async () => {
    expect((await readAxis(WEEKDAYS, 'bar')).data).to.deep.equal(['Monday', 'Tuesday', 'Sunday']);
  });

  it("appear in tables and exports; dates without a grain use the embed's language", async () => {
    const opened = dimension('o', 'Opened', 'date');
    const body = answer(
      [...(QUARTERS.columns as []), opened],
      [{ [KEY]: '2025-04-01', s: cell(30, '30 €'), o: '2020-05-01' }],
    );
    const element = await answered(body, { locale: 'de' });
    await shows(element, 'tbody td');
    expect(texts(inside(element), 'tbody td')).to.deep.equal(['Q2 2025', '30\u00a0€', '01.05.2020']);
    expect(await (await element.exportCsv()).text()).to.match(/\r\nQ2 2025,30,2020-05-01\r\n$/);
  });

  it('that are parts are words in tables, and not numbers at the end of their cells', async () => {
    const element = await answered(WEEKDAYS);
    await shows(element, 'tbody td');
    expect(texts(inside(element), 'tbody td')).to.include('Sunday');
    expect(one(inside(element), 'tbody td').classList.contains('number')).to.equal(false);
    expect(await (await element.exportCsv()).text()).to.contain('\r\nSunday,3\r\n');
  });

  it('are sorted as time by the head of a table', async () => {
    const element = await answered(QUARTERS, { render: 'table' });
    await shows(element, 'table[role=grid]');
    all(inside(element), 'thead th')[0]?.click();
    await waitUntil(() => texts(inside(element), 'tbody td')[0] === 'Q4 2024');
    expect(texts(inside(element), 'tbody td:first-child')).to.deep.equal(['Q4 2024', 'Q1 2025', 'Q2 2025']);
  });

  it('go out by their value, which filters take', async () => {
    const element = await answered(QUARTERS);
    await shows(element, 'table[role=grid]');
    const selected = oneEvent(element, 'service-select');
    all(inside(element), 'tbody td')[0]?.click();
    expect((await selected).detail.record).to.deep.equal({ [KEY]: '2025-04-01', s: '30 €' });
  });

  it('give the latest number and its comparison', async () => {
    const element = await answered(QUARTERS, { render: 'kpi' });
    await shows(element, '.sparkline');
    expect(texts(inside(element), '.kpi')).to.deep.equal(['30 €']);
    expect(texts(inside(element), '.delta')).to.deep.equal(['▲ +200% vs Q1 2025']);
  });

  it('are the heads of a matrix', async () => {
    const body = answer(
      [dimension('r', 'Region'), ...(QUARTERS.columns as [])],
      [
        { r: 'North', [KEY]: '2024-10-01', s: cell(1, '1 €') },
        { r: 'North', [KEY]: '2025-01-01', s: cell(2, '2 €') },
      ],
    );
    const element = await answered(body, { render: 'matrix' });
    await shows(element, 'table.matrix');
    expect(texts(inside(element), 'thead th')).to.deep.equal(['Region', 'Q4 2024', 'Q1 2025']);
  });
});
