import { expect } from '@open-wc/testing';
import '../src/index.ts';
import { answer, cell, dimension, metric, SALES } from './answers.ts';
import { all, clearPage, drawn, inside, place, placeAnswered, shows, texts, waitUntil } from './embed-dom.ts';
import { Network } from './network.ts';

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

describe('mistakes of pages and servers', () => {
  let network: Network;
  const warned: string[] = [];
  const { warn } = console;
  beforeEach(() => {
    network = new Network();
    warned.length = 0;
    console.warn = (...parts: readonly unknown[]) => warned.push(parts.join(' '));
  });
  afterEach(() => {
    console.warn = warn;
    clearPage();
    network.restore();
  });

  const answered = (body: unknown, attributes: Readonly<Record<string, string>> = {}) =>
    placeAnswered(network, body, attributes);

  const malformed = {
    kind: 'report',
    render: 'hologram',
    mode: 'spiral',
    theme: 'purple',
    height: '12 parsecs',
    'refresh-interval': 'often',
    locale: 'not a locale',
    'time-zone': 'Middle/Earth',
  };

  it('has the default of each malformed attribute, and one warning for it', async () => {
    const element = await answered(SALES, malformed);
    await shows(element, 'table');
    expect(element.getBoundingClientRect().height).to.equal(400);
    element.requestUpdate();
    await element.updateComplete;
    expect(warned).to.have.length(Object.keys(malformed).length);
    for (const [attribute, value] of Object.entries(malformed)) {
      expect(warned.filter((text) => text.includes(`${attribute}="${value}"`))).to.have.length(1);
    }
  });

  it('does not warn about correct or empty attributes', async () => {
    await shows(
      await answered(SALES, { kind: '', mode: '', height: '', theme: 'auto', locale: 'de-CH', 'time-zone': 'UTC' }),
      'table',
    );
    expect(warned).to.deep.equal([]);
  });

  for (const render of ['table', 'chart', 'kpi', 'matrix']) {
    it(`shows markup everywhere in an answer as text in a ${render}`, async () => {
      const columns = [
        dimension('a', MARKUP),
        dimension('b', MARKUP),
        metric('m', MARKUP),
        metric('m_previous', MARKUP),
      ];
      const record = { a: MARKUP, b: `{b|${MARKUP}`, m: cell(1, MARKUP), m_previous: cell(2, MARKUP) };
      const meta = { rowCount: 1, truncated: true, suppressed: { count: 2, reason: MARKUP } };
      const element = await answered(answer(columns, [record, record], { title: MARKUP, meta }), { render });
      await shows(element, { table: 'table', chart: '.chart svg', kpi: '.kpi', matrix: '.matrix' }[render] ?? 'table');
      expect(inside(element).querySelector('img, script')).to.equal(null);
      expect(inside(element).textContent).to.contain('<img src=x');
      expect(Object.hasOwn(window, 'hacked')).to.equal(false);
    });
  }

  it('survives values of a megabyte', async function () {
    this.timeout(20_000);
    const huge = 'W'.repeat(1_000_000);
    const columns = [dimension('a', huge), metric('m', 'M')];
    const begun = performance.now();
    const element = await answered(answer(columns, [{ a: huge, m: cell(1, huge) }], { title: 'T' }));
    await shows(element, 'td');
    expect(texts(inside(element), 'td')[0]).to.have.length(1_001);
    element.render = 'chart';
    await drawn(element);
    expect(performance.now() - begun).to.be.below(8_000);
  });

  it('survives 500 columns of 3,000 rows', async function () {
    this.timeout(30_000);
    const keys = Array.from({ length: 500 }, (_, index) => `c${index}`);
    const record = Object.fromEntries(keys.map((key, index) => [key, index]));
    const element = await answered(
      answer(
        keys.map((key) => metric(key, key)),
        Array.from({ length: 3_000 }, () => record),
      ),
    );
    await shows(element, 'td');
    expect(all(inside(element), 'th')).to.have.length(500);
    expect(all(inside(element), 'tbody tr').length).to.be.below(100);
  });

  it('treats values that are no finite number as missing', async () => {
    const columns = [dimension('a', 'A'), metric('m', 'M')];
    const values = ['NaN', 'Infinity', 'twelve', {}, [], true];
    const rows = values.map((value, index) => ({ a: String(index), m: { value, formatted: String(value) } }));
    const element = await answered(answer(columns, [...rows, { a: 'x', m: cell(3, '3') }]), { render: 'chart' });
    const option = await drawn(element);
    const series = Array.isArray(option.series) ? option.series[0] : undefined;
    expect(series.data).to.deep.equal([null, null, null, null, null, null, 3]);
  });

  it('shows two columns of one key and one name as two', async () => {
    const twice = [dimension('a', 'A'), metric('m', 'M'), metric('m', 'M')];
    const element = await answered(answer(twice, [{ a: 'x', m: cell(1, '1') }]), { render: 'chart' });
    await drawn(element);
    expect(texts(inside(element), 'tbody td')).to.deep.equal(['x', '1', '1']);
  });

  for (const [what, body] of [
    ['a list', []],
    ['no columns', { ...SALES, columns: undefined }],
    ['a record that is a list', { ...SALES, records: [[1]] }],
    ['no freshness', { ...SALES, freshness: null }],
  ] as const) {
    it(`is not available where the answer is ${what}`, async () => {
      const element = place();
      const failureCode = new Promise<string>((resolve) =>
        element.addEventListener('service-error', ({ detail }) => resolve(detail.code)),
      );
      await waitUntil(() => network.calls.length > 0);
      network.call().answer(body);
      expect(await failureCode).to.equal('INVALID_ANSWER');
      await shows(element, '[role=alert]');
    });
  }

  it('draws a forecast or an anomaly of no known shape as nothing', async () => {
    for (const forecast of [
      7,
      { m: null },
      { m: { points: 'x' } },
      { m: { points: [{ index: 1e12, value: 1 }, null] } },
    ]) {
      clearPage();
      network.calls.length = 0;
      const row = { a: 'x', m: { ...cell(1, '1'), anomaly: 'odd' } };
      const element = await answered(answer([dimension('a', 'A'), metric('m', 'M')], [row], { forecast }), {
        render: 'chart',
      });
      const { series } = await drawn(element);
      expect(series).to.have.length(1);
    }
  });
});
