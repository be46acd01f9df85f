import { expect, nextFrame } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '../src/index.ts';
import { PALETTE } from '../src/chart/theme.ts';
import { EMBED_INVALID, manyRows, SALES } from './answers.ts';
import {
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

/** Returns the relative luminance by WCAG 2.2 of a colour that the browser has resolved. */
function luminance(colour: string): number {
  const channels = (/\d+, \d+, \d+/.exec(colour)?.[0] ?? '').split(', ').map((channel) => Number(channel) / 255);
  const [r = 0, g = 0, b = 0] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

describe('the theme of an embed', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(async () => {
    clearPage();
    network.restore();
    await emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
  });

  const answered = (body: unknown, attributes: Readonly<Record<string, string>> = {}, status = 200) =>
    placeAnswered(network, body, attributes, status);

  /** Resolves a custom property of the element as a colour. */
  function colour(element: Element, name: string): string {
    const probe = document.createElement('i');
    probe.style.color = `var(${name})`;
    inside(element).append(probe);
    const resolved = getComputedStyle(probe).color;
    probe.remove();
    return resolved;
  }

  for (const theme of ['light', 'dark']) {
    it(`has text of at least 4.5:1 and series of at least 3:1 in ${theme}`, async () => {
      const element = await answered(SALES, { theme });
      await shows(element, 'table');
      const grounds = ['--_bg', '--_header', '--_tile', '--_hover'].map((name) => colour(element, name));
      for (const ground of grounds) {
        for (const name of ['--_fg', '--_muted', '--_negative', '--_error']) {
          expect(contrast(colour(element, name), ground), `${name} on ${ground}`).to.be.at.least(4.5);
        }
      }
      const probe = document.createElement('i');
      document.body.append(probe);
      for (const series of PALETTE) {
        probe.style.color = series;
        expect(contrast(getComputedStyle(probe).color, grounds[0] ?? ''), series).to.be.at.least(3);
      }
      probe.remove();
      await axeFindsNothing(element);
    });

    it(`passes axe as a chart and as a failure in ${theme}`, async () => {
      const chart = await answered(SALES, { theme, render: 'chart' });
      await drawn(chart);
      await axeFindsNothing(chart);
      const failed = place({ theme, path: 'shared/other.service' });
      await waitUntil(() => network.calls.length === 2);
      network.call(1).answer(EMBED_INVALID, 401);
      await shows(failed, '[role=alert]');
      await axeFindsNothing(failed);
    });
  }

  it('follows the system where it is auto, a chart too, without another request', async () => {
    const element = await answered(SALES, { theme: 'auto', render: 'chart' });
    const text = async () => JSON.stringify((await drawn(element)).textStyle);
    expect(await text()).to.contain('rgb(28, 37, 48)');
    await emulateMedia({ colorScheme: 'dark' });
    await waitUntil(async () => (await text()).includes('rgb(230, 234, 240)'), 'the chart stayed light');
    expect(colour(element, '--_bg')).to.equal('rgb(23, 27, 34)');
    expect(network.calls).to.have.length(1);
  });

  it('is light for a value that is none, and the page overrides either', async () => {
    const element = await answered(SALES, { theme: 'purple' });
    await shows(element, 'table');
    expect(colour(element, '--_bg')).to.equal('rgb(255, 255, 255)');
    element.theme = 'dark';
    element.style.setProperty('--service-embed-bg', 'rgb(1, 2, 3)');
    await element.updateComplete;
    expect([colour(element, '--_bg'), colour(element, '--_fg')]).to.deep.equal(['rgb(1, 2, 3)', 'rgb(230, 234, 240)']);
  });

  it('has tokens for type, corners, density and lines', async () => {
    const element = await answered(manyRows(3_000));
    const row = await shows(element, 'tbody tr:not(.spacer)');
    const tokens = {
      'font-size': '12px',
      font: 'Georgia',
      radius: '3px',
      'row-height': '24px',
      'grid-line': 'rgb(9, 9, 9)',
    };
    for (const [name, value] of Object.entries(tokens)) element.style.setProperty(`--service-embed-${name}`, value);
    await nextFrame();
    const cell = getComputedStyle(one(row, 'td'));
    expect([cell.fontSize, cell.fontFamily, cell.boxShadow]).to.deep.equal([
      '12px',
      'Georgia',
      'rgb(9, 9, 9) 0px -1px 0px 0px inset',
    ]);
    expect(getComputedStyle(one(inside(element), '.surface')).borderRadius).to.equal('3px');
    // Rows of another height are still found where the scroll bar says they are.
    const box = one(inside(element), '.scroller');
    box.scrollTop = 24 * 2_000;
    await waitUntil(() => inside(element).querySelector('tr[aria-rowindex="2002"]') !== null);
    const rowBox = one(inside(element), 'tr[aria-rowindex="2002"]').getBoundingClientRect();
    expect(rowBox.top - one(inside(element), 'th').getBoundingClientRect().bottom).to.be.closeTo(0, 3);
  });

  it('moves nothing where the visitor or the page wants no motion', async () => {
    await emulateMedia({ reducedMotion: 'reduce' });
    const element = await answered(SALES, { render: 'chart' });
    expect((await drawn(element)).animation).to.equal(false);
    await emulateMedia({ reducedMotion: 'no-preference' });
    clearPage();
    const still = place({ render: 'chart' });
    still.style.setProperty('--service-embed-motion', '0s');
    await waitUntil(() => network.calls.length === 2);
    network.call(1).answer(SALES);
    expect((await drawn(still)).animation).to.equal(false);
  });

  it('names every part that a page may style', async () => {
    const element = await answered(SALES);
    await shows(element, '[role=grid]');
    const style = document.createElement('style');
    style.textContent =
      'service-embed::part(header-cell) { color: rgb(4, 5, 6); } service-embed::part(cell) { color: rgb(7, 8, 9); }';
    document.head.append(style);
    expect(getComputedStyle(one(inside(element), 'th')).color).to.equal('rgb(4, 5, 6)');
    expect(getComputedStyle(one(inside(element), 'td')).color).to.equal('rgb(7, 8, 9)');
    style.remove();
  });

  it('runs from right to left where the page does', async () => {
    document.documentElement.dir = 'rtl';
    const element = await answered(SALES, { render: 'chart', locale: 'ar' });
    const option = await drawn(element);
    expect(option.xAxis).to.be.an('array');
    expect(Array.isArray(option.xAxis) && option.xAxis[0].inverse).to.equal(true);
    expect(readSeries(option)).to.have.length(2);
    const table = place({ path: 'shared/other.service' });
    await waitUntil(() => network.calls.length === 2);
    network.call(1).answer(SALES);
    await shows(table, 'table');
    const [first, last] = ['th:first-child', 'th:last-child'].map((each) =>
      one(inside(table), each).getBoundingClientRect(),
    );
    expect(first?.left).to.be.greaterThan(last?.left ?? 0);
    document.documentElement.dir = '';
  });

  it('writes dates and times in its own language and time zone', async () => {
    const columns = [
      { key: 'd', label: 'Day', type: 'dimension', dataType: 'date' },
      { key: 't', label: 'Instant', type: 'dimension', dataType: 'timestamptz' },
    ];
    const body = { ...SALES, columns, records: [{ d: '2026-03-01', t: '2026-03-01T23:30:00Z' }] };
    const element = await answered(body, { locale: 'de', 'time-zone': 'Asia/Tokyo' });
    await shows(element, 'td');
    // Half past eleven at night in Greenwich is the next morning in Tokyo; a day is a day everywhere.
    expect(texts(inside(element), 'td')).to.deep.equal(['01.03.2026', '02.03.2026, 08:30']);
    expect(texts(inside(element), 'time')).to.deep.equal(['21.09.2026, 23:13']);
  });
});
