import { expect, oneEvent } from '@open-wc/testing';
import '../src/index.ts';
import { answer, cell, dimension, metric } from './answers.ts';
import { all, axeFindsNothing, clearPage, inside, one, placeAnswered, shows, texts, waitUntil } from './embed-dom.ts';
import { Network } from './network.ts';

const COLUMNS = [
  dimension('region', 'Region'),
  dimension('city', 'City'),
  metric('sales', 'Net sales'),
  metric('margin', 'Margin'),
  metric('orders', 'Orders'),
];
const ROWS = [
  ['North', 'Oslo', 100, -50, 3],
  ['North', 'Bergen', 50, 100, 4],
  ['South', 'Rome', 25, 0, 5],
] as const;
const sales = (rows: readonly (readonly (string | number)[])[] = ROWS) =>
  answer(
    COLUMNS,
    rows.map(([region, city, net, margin, orders]) => ({
      region,
      city,
      sales: cell(Number(net), `${net} €`),
      margin: cell(Number(margin), `${margin} €`),
      orders: cell(Number(orders), String(orders)),
    })),
  );

describe('the settings of tables and numbers', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const placeTable = (chart: object, attributes: Readonly<Record<string, string>> = {}, body = sales()) =>
    placeAnswered(network, body, { render: 'table', locale: 'en', chart: JSON.stringify(chart), ...attributes });
  const property = (td: HTMLElement, name: string) => td.style.getPropertyValue(name);

  it('draws bars in cells from zero, on one scale for each column', async () => {
    const element = await placeTable({ table: { bars: ['sales', 'margin'] } });
    await shows(element, "td[style*='--to']");
    const bars = all(inside(element), 'tbody tr').map((row) =>
      all(row, 'td').map((td) => [property(td, '--from'), property(td, '--to')].join(' ')),
    );
    // Net sales are 0 to 100. Margins are -50 to 100, so zero is at a third.
    expect(bars).to.deep.equal([
      [' ', ' ', '0% 100%', '0% 33.3%', ' '],
      [' ', ' ', '0% 50%', '33.3% 100%', ' '],
      [' ', ' ', '0% 25%', '33.3% 33.3%', ' '],
    ]);
    await axeFindsNothing(element);
  });

  for (const theme of ['light', 'dark'])
    it(`colours cells by value in ${theme}, and the numbers keep a contrast of 4.5:1`, async () => {
      const element = await placeTable({ table: { scales: ['sales', 'margin'] } }, { theme });
      await shows(element, "td[style*='--tint']");
      const tints = all(inside(element), 'tbody tr').map((row) =>
        all(row, 'td')
          .slice(2, 4)
          .map((td) => property(td, '--tint')),
      );
      const mix = (name: string, share: string) => `color-mix(in srgb,var(--${name}) ${share},transparent)`;
      expect(tints).to.deep.equal([
        [mix('above', '22%'), mix('below', '11%')],
        [mix('above', '7.3%'), mix('above', '22%')],
        [mix('above', '0%'), mix('above', '0%')],
      ]);
      // The browser computes the ground that it paints.
      const ground = getComputedStyle(one(inside(element), '.surface')).backgroundColor;
      for (const td of all(inside(element), "td[style*='--tint']")) {
        const layers = getComputedStyle(td).backgroundImage;
        const tint = /linear-gradient\((color\(srgb[^)]*\)|rgba?\([^)]*\))/.exec(
          layers.slice(layers.lastIndexOf('linear-gradient')),
        )?.[1];
        const probe = document.createElement('i');
        document.body.append(probe);
        expect(tint, layers).not.to.equal(undefined);
        const under = channels(ground);
        const [r = 0, g = 0, b = 0, a = 1] = channels(tint ?? '');
        const painted = [r, g, b].map((channel, at) => channel * a + (under[at] ?? 0) * (1 - a));
        expect(contrast(painted, channels(getComputedStyle(td).color))).to.be.greaterThan(4.5);
        probe.remove();
      }
      await axeFindsNothing(element);
    });

  it('keeps the first columns in place while the table scrolls sideways', async () => {
    const element = await placeTable({ table: { frozen: 2 } });
    element.style.width = '300px';
    const table = await shows(element, 'table[data-frozen-2]');
    const box = one(inside(element), '.scroller');
    const places = () => all(table, 'tbody tr:first-child td').map((td) => Math.round(td.getBoundingClientRect().left));
    const before = places();
    box.scrollLeft = 40;
    expect(box.scrollLeft).to.equal(40);
    const after = places();
    expect(after.map((left, at) => left - (before[at] ?? 0))).to.deep.equal([0, 0, -40, -40, -40]);
    // A frozen cell is in front of the cell that scrolls below it.
    const [region] = all(table, 'tbody tr:first-child td');
    const edge = region?.getBoundingClientRect();
    expect(inside(element).elementFromPoint((edge?.right ?? 0) - 3, (edge?.top ?? 0) + 5)).to.equal(region);
    await axeFindsNothing(element);
  });

  it('freezes only the columns that leave room for the others on a phone', async () => {
    const long = 'A very long name of a region';
    const element = await placeTable({ table: { frozen: 2 } }, {}, sales([[long, long, 1, 2, 3]]));
    element.style.width = '320px';
    await shows(element, 'table[data-frozen]');
    await waitUntil(() => !inside(element).querySelector('table[data-frozen-2]'));
    const table = one(inside(element), 'table');
    const covered = all(table, 'tbody tr:first-child td')
      .filter((td) => getComputedStyle(td).position === 'sticky')
      .reduce((sum, td) => sum + td.offsetWidth, 0);
    expect(covered).to.be.lessThan(0.6 * 320);
  });

  it('writes headings above neighbouring columns, and sorts by the columns below them', async () => {
    const element = await placeTable({ table: { headings: { Money: ['sales', 'margin'], Count: ['orders'] } } });
    await shows(element, '.headings');
    const cells = all(inside(element), '.headings > *').map((each) => [each.textContent, each.getAttribute('colspan')]);
    expect(cells).to.deep.equal([
      ['', '2'],
      ['Money', '2'],
      ['Count', '1'],
    ]);
    await shows(element, '[role=grid]');
    const header = all(inside(element), 'thead tr:last-child th')[3];
    header?.click();
    await element.updateComplete;
    // The first click sorts numbers from the largest.
    expect(texts(inside(element), 'tbody tr td:nth-child(4)')).to.deep.equal(['100 €', '0 €', '-50 €']);
    // A heading is no column: a click on it changes nothing.
    all(inside(element), '.headings th')[0]?.click();
    await element.updateComplete;
    expect(texts(inside(element), 'tbody tr td:nth-child(4)')).to.deep.equal(['100 €', '0 €', '-50 €']);
    await axeFindsNothing(element);
  });

  it('reports the settings of a table that it cannot use', async () => {
    const element = await placeTable({ table: { bars: ['sales', 'profit'], frozen: 9 } });
    const { detail } = await oneEvent(element, 'service-render');
    expect(detail.problems).to.deep.equal([
      {
        place: 'chart.table.bars[1]',
        message: 'Use the key of a column of the answer.',
        available: ['region', 'city', 'sales', 'margin', 'orders'],
      },
      { place: 'chart.table.frozen', message: 'Use a whole number from 0 to 3.', available: [] },
    ]);
  });

  const months = (previous: number, now: number) =>
    answer(
      [dimension('month', 'Month', 'date'), metric('m', 'Net sales'), metric('plan', 'Plan')],
      [
        { month: '2026-01-01', m: cell(previous, `${previous} €`), plan: cell(200, '200 €') },
        { month: '2026-02-01', m: cell(now, `${now} €`), plan: cell(400, '400 €') },
      ],
    );
  const placeNumber = (chart: object, body = months(100, 150)) =>
    placeAnswered(network, body, { render: 'kpi', measure: 'm', locale: 'en', chart: JSON.stringify(chart) });

  it('shows the target of a number and the share that is reached', async () => {
    const element = await placeNumber({ target: 300 });
    expect((await shows(element, '.target')).textContent).to.equal('50% of the target 300 €');
    expect(one(inside(element), '.progress i').style.width).to.equal('50%');
    await axeFindsNothing(element);
  });

  it('takes the target of a number from a column', async () => {
    const element = await placeNumber({ targetColumn: 'plan', target: 1 });
    expect((await shows(element, '.target')).textContent).to.equal('38% of the target 400 €');
  });

  for (const [change, text] of [
    ['percent', '▲ +50% vs Jan 2026'],
    ['difference', '▲ +50 € vs Jan 2026'],
  ] as const)
    it(`shows the change of a number as ${change}`, async () => {
      const element = await placeNumber({ change });
      await shows(element, '.delta');
      await waitUntil(() => texts(inside(element), '.delta')[0] === text, `not ${text}`);
    });

  it('shows no change of a number where the setting says so', async () => {
    const element = await placeNumber({ change: 'none', target: 300 });
    await shows(element, '.target');
    await shows(element, '.sparkline');
    expect(inside(element).querySelector('.delta')).to.equal(null);
  });
});

/** Reads the channels of a computed colour, from 0 to 255, and its opacity. */
function channels(colour: string): readonly number[] {
  const numbers = [...colour.replace('srgb', '').matchAll(/[\d.]+/g)].map(([number]) => Number(number));
  return colour.startsWith('color(') ? numbers.map((number, at) => (at < 3 ? number * 255 : number)) : numbers;
}

/** Returns the contrast of two colours, by WCAG 2.2. */
function contrast(a: readonly number[], b: readonly number[]): number {
  const luminance = (rgb: readonly number[]): number =>
    rgb
      .slice(0, 3)
      .map((channel) => channel / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, light, at) => sum + light * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0);
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
