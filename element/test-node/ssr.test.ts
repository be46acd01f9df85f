import { describe, expect, test } from 'vitest';
import { CHART_MODES } from '../src/generated/closed-lists.ts';
import { renderToString } from '../src/ssr/index.ts';
import { answer, cell, dimension, manyRows, metric, NO_ROWS, SALES } from '../test/answers.ts';

const PLACE = { server: 'https://analytics.test', path: 'shared/sales.service' };

/** Returns the visible text of HTML, without tags and styles. */
function visibleText(html: string): string {
  return html
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

test('importing the element where there is no page does nothing and does not fail', async () => {
  expect(globalThis.document).toBe(undefined);
  const { ServiceEmbed } = await import('../src/index.ts');
  expect(ServiceEmbed).toBeTypeOf('function');
});

test('a query is written as a declarative shadow root with its table', async () => {
  const html = await renderToString({ answer: SALES, attributes: PLACE });
  expect(html).toMatch(
    /^<service-embed server="https:\/\/analytics.test" path="shared\/sales.service"><template shadowrootmode="open"><style>/,
  );
  expect(html).toMatch(/<\/template><\/service-embed>$/);
  expect(html).toContain('<caption class="visually-hidden">Sales by region</caption>');
  expect(visibleText(html)).toMatch(/Region Net sales Returns North 1,234.50 € -20.00 € South 987.00 € 0.00 €/);
  // The HTML contains no listener and no property of the element.
  expect(html).not.toMatch(/\s[@.?]\w+=/);
});

for (const mode of ['bar', 'line', 'pie', 'scatter'] as const) {
  test(`a ${mode} chart is written as SVG, with its values as a table`, async () => {
    const html = await renderToString({ answer: SALES, attributes: { ...PLACE, render: 'chart', mode } });
    expect(html).toMatch(/<svg [^>]*width="800" height="400"/);
    expect(html).toContain('role="img" aria-label="');
    expect(html).toContain('<td>1,234.50 €</td>');
    expect(html).not.toMatch(/<script|on\w+=/);
  });
}

describe('reads more', () => {
  const columns = [
    dimension('month', 'Month'),
    { ...dimension('channel', 'Channel'), axis: 'columns' },
    { ...metric('net', 'Net'), aggregationKind: 'sum' },
  ];
  const value = (net: number) => cell(net, `${net}.00`);
  const wide = answer(
    columns,
    ['January', 'February'].flatMap((month) =>
      Array.from({ length: 15 }, (_, at) => ({ month, channel: `No ${at + 1}`, net: value(10 + at) })),
    ),
  );
  const rest = answer(
    columns.filter(({ key }) => key !== 'channel'),
    ['January', 'February'].map((month) => ({ month, net: value(33) })),
  );
  const attributes = { ...PLACE, render: 'chart', mode: 'stacked-bar' };

  test.each([
    ['a query', { answer: wide, attributes }, undefined],
    [
      'a tile',
      {
        layout: {
          title: 'T',
          layout: { columns: 12 },
          tiles: [{ id: 'a', kind: 'chart', chartType: 'stacked-bar', x: 0, y: 0, w: 12, h: 4 }],
        },
        tiles: { a: wide },
        attributes: { ...PLACE, kind: 'dashboard' },
      },
      'a',
    ],
  ])('of %s: the rest of a long series, which its chart draws as one', async (_, options, tile) => {
    const asked: unknown[] = [];
    const html = await renderToString({
      ...options,
      readMore: async ({ value: text, ...more }) => {
        const { field, except } = JSON.parse(text);
        asked.push([more, field, except.length]);
        return rest;
      },
    });
    expect(asked).toEqual([[{ tile, parameter: 'others' }, 'channel', 12]]);
    expect(html).toMatch(/<text[^>]*>Other<\/text>/);
    expect(html).not.toContain('The 12 largest of 15');
    const failing = await renderToString({ ...options, readMore: () => Promise.reject(new Error('gone')) });
    expect(failing).not.toMatch(/<text[^>]*>Other<\/text>/);
    expect(failing).toContain('The 12 largest of 15 series of Channel');
    // ECharts numbers its classes for each chart of a process.
    const unnumbered = (written: string) => written.replace(/ class="zr[^"]*"/g, '');
    expect(unnumbered(failing)).toBe(unnumbered(await renderToString(options)));
  });

  test('of a matrix: its subtotals', async () => {
    const net = { ...metric('net', 'Net'), aggregationKind: 'sum' };
    const [region, store, year] = [dimension('r', 'Region'), dimension('s', 'Store'), dimension('y', 'Year')];
    const rows = [
      { r: 'North', s: 'Oslo', y: '2025', net: value(1) },
      { r: 'North', s: 'Bergen', y: '2025', net: value(2) },
    ];
    const parts: Readonly<Record<string, unknown>> = {
      '["s"]': answer([region, year, net], [{ r: 'North', y: '2025', net: value(303) }]),
      '["r","s"]': answer([year, net], [{ y: '2025', net: value(404) }]),
    };
    const html = await renderToString({
      answer: answer([region, store, year, net], rows),
      attributes: { ...PLACE, render: 'matrix' },
      readMore: async ({ parameter, value: text }) => (parameter === 'without' ? parts[text] : undefined),
    });
    expect(visibleText(html)).toMatch(/North 2 303\.00 .*Total 404\.00/);
  });
});

test('a number is written with how it changed', async () => {
  const months = answer(
    [dimension('m', 'Month', 'date'), metric('s', 'Net sales')],
    [
      { m: '2026-01-01', s: cell(100, '100 €') },
      { m: '2026-02-01', s: cell(125, '125 €') },
    ],
  );
  const html = await renderToString({ answer: months, attributes: { ...PLACE, render: 'kpi', locale: 'en' } });
  expect(visibleText(html)).toContain('125 € Feb 2026 ▲ +25% vs Jan 2026');
});

test('a hierarchical matrix is written with its groups', async () => {
  const columns = [dimension('r', 'Region'), dimension('s', 'Store'), dimension('y', 'Year'), metric('m', 'Net sales')];
  const rows = [{ r: 'North', s: 'Oslo', y: '2025', m: cell(1, '1 €') }];
  const html = await renderToString({ answer: answer(columns, rows), attributes: { ...PLACE, render: 'matrix' } });
  expect(visibleText(html)).toContain('Region / Store 2025 North 1 Oslo 1 €');
});

test('markup in data, titles and attributes is text', async () => {
  const hostile = `"><img src=x onerror='hack()'>&amp;`;
  const body = answer([dimension('a', hostile), metric('m', 'M')], [{ a: hostile, m: cell(1, hostile) }], {
    title: hostile,
  });
  for (const render of ['table', 'chart', 'kpi', 'matrix']) {
    const html = await renderToString({
      answer: body,
      attributes: { ...PLACE, path: hostile, render, 'on"x': hostile },
    });
    expect(html).not.toContain('<img');
    expect(html).not.toContain('on"x');
  }
});

test('an empty answer is reported, and JSON of another shape is refused', async () => {
  expect(visibleText(await renderToString({ answer: NO_ROWS, attributes: PLACE }))).toContain('No data');
  await expect(renderToString({ answer: { error: 'x' }, attributes: PLACE })).rejects.toThrow(TypeError);
});

test('styles carry the nonce of the page, no element has styles of its own, and a height that is none is not written', async () => {
  const attributes = { ...PLACE, render: 'chart', height: '1px;position:fixed' };
  const html = await renderToString({ answer: SALES, attributes, nonce: 'abc' });
  expect(html).toContain('<style nonce="abc">');
  expect(html).not.toContain(' style="');
  expect(html).toContain('{min-height:400px}');
  expect(html).not.toContain('position:fixed}');
});

test('renders the first 500 rows of a long table, and reports that there are more', async () => {
  const html = await renderToString({ answer: manyRows(1_200), attributes: PLACE });
  expect(html.match(/<tr class="" part="row"/g)).toHaveLength(500);
  expect(visibleText(html)).toContain('500 499.00');
  expect(visibleText(html)).toContain('Only the first 500 rows');
});

test('a chart has the colours of the page: none is written into it', async () => {
  const html = await renderToString({
    answer: SALES,
    attributes: { ...PLACE, render: 'chart', mode: 'line', theme: 'auto' },
  });
  const svg = /<svg [\s\S]*<\/svg>/.exec(html)?.[0] ?? '';
  const colours = new Set([...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour));
  // It belongs to an unpainted shape of ECharts, a clipping path.
  expect([...colours].filter((colour) => colour?.startsWith('#'))).toEqual(['#000']);
  expect(colours).toContain('var(--_muted)');
  expect(colours).toContain('var(--service-embed-chart-2, #d06217)');
});

test('data that looks like a colour mark stays unchanged', async () => {
  const body = answer([dimension('a', '="#00ff01"'), metric('m', 'M')], [{ a: '#00ff01', m: cell(1, '="#00ff06"') }]);
  const html = await renderToString({ answer: body, attributes: { ...PLACE, render: 'chart' } });
  expect(visibleText(html)).toContain('#00ff01');
  expect(visibleText(html)).toContain('=&#34;#00ff06&#34;');
});

describe('a chart of odd numbers and times is drawn like any other', () => {
  const odd = [0, 1e308, -1e308, 5e-324, null, '90071992547409931234', 'NaN', 1e15, 0.1];
  const categories = {
    text: ['a', 'a', null, '', 'W'.repeat(500)],
    date: ['0001-01-01', '9999-12-31', '2026-02-30', null, '2026-01-01'],
    timestamptz: ['1900-01-01T00:00:00Z', '2026-01-01T00:00:01Z', '2026-01-01T05:00:00+02:00'],
    integer: [1, 2, 1e300],
  };
  // Charts that one dimension does not fit are drawn as one of these.
  const unfit = ['boxplot', 'heatmap', 'sankey', 'candlestick', 'map'];
  for (const mode of CHART_MODES.filter((each) => !unfit.includes(each))) {
    for (const [type, values] of Object.entries(categories)) {
      test(`${mode} by ${type}`, async () => {
        for (const rows of [1, 2, values.length]) {
          for (const shift of odd.keys()) {
            const record = (row: number): Readonly<Record<string, unknown>> => ({
              c: values[row],
              m: cell(odd[(row + shift) % odd.length] ?? null, '1 %'),
              n: cell(odd[(2 * row + shift) % odd.length] ?? null, '2'),
            });
            const forecast = {
              m: { confidence: 95, points: [{ index: rows + 300, value: odd[shift], lower: -1e308, upper: 1e308 }] },
            };
            const body = answer(
              [dimension('c', 'C', type), metric('m', 'M'), metric('n', 'N')],
              Array.from({ length: rows }, (_, row) => record(row)),
              { forecast },
            );
            const html = await renderToString({ answer: body, attributes: { ...PLACE, render: 'chart', mode } });
            expect(/<svg[\s\S]*<\/svg>/.exec(html)?.[0]).not.toMatch(/="[^"]*(NaN|Infinity|undefined)/);
          }
        }
      });
    }
  }

  test.each([
    ['months as text', 'text', ['2024-11', '2024-12'], ['2025-01', '2025-02'], ['2025-01', '2025-02']],
    ['quarters', 'text', ['Q3 2024', 'Q4 2024'], ['Q1 2025', 'Q2 2025'], ['Q1 2025', 'Q2 2025']],
    ['captions without a period', 'text', ['Nov', 'Dec'], [undefined, undefined], ['+1', '+2']],
    [
      'the last days of months',
      'date',
      ['2023-12-31', '2024-01-31'],
      ['2024-02-29', '2024-03-31'],
      ['Feb 29, 2024', 'Mar 31, 2024'],
    ],
    ['days that the server does not name', 'date', ['2024-01-01', '2024-01-02'], [], ['Jan 3, 2024', 'Jan 4, 2024']],
  ])('a forecast goes on with the axis: %s', async (_, type, labels, periods, expected) => {
    const points = [0, 1].map((step) => ({
      index: 2 + step,
      value: 30 + step,
      lower: 20,
      upper: 40,
      ...(periods[step] === undefined ? {} : { period: periods[step] }),
    }));
    const rows = labels.map((c, row) => ({ c, m: cell(10 + row, `${10 + row} €`) }));
    const body = answer([dimension('c', 'C', type), metric('m', 'Sales')], rows, {
      forecast: { m: { method: 'ets', confidence: 0.95, points } },
    });
    const attributes = { ...PLACE, render: 'chart', mode: 'line', locale: 'en' };
    const text = visibleText(await renderToString({ answer: body, attributes }));
    for (const [step, label] of expected.entries()) {
      expect(text).toContain(`${label} · forecast`);
      expect(text).toMatch(new RegExp(`forecast\\s*Sales: ${30 + step} € \\(95%: 20 € – 40 €\\)`));
    }
  });

  test.each([
    ['percent', 0.388, '38.8%', 0.4789, '47.9%'],
    ['thousands', 1_148_864, '1,148,864 EUR', 673_087.8, '673,088 EUR'],
    ['the notation of another language', 1_234.5, '1.234,50 €', 20_000.555, '€20,000.56'],
    ['the sign in front', 12.5, '$12.50', -3, '-$3.00'],
    ['what is no number as it stands', 1_200, '1.2K', 1_300, '1,300'],
  ])('what was expected is written as the cells are: %s', async (_, number, text, expected, written) => {
    const cells = { ...cell(number, text), anomaly: { score: 4, expected, direction: 'low' } };
    const body = answer([dimension('c', 'C'), metric('m', 'Sales')], [{ c: 'x', m: cells }]);
    const attributes = { ...PLACE, render: 'chart', mode: 'line', locale: 'en' };
    expect(visibleText(await renderToString({ answer: body, attributes }))).toContain(`(unusual, expected ${written})`);
  });

  test('so do 200,000 of them, as many as differ', async () => {
    const rows = Array.from({ length: 200_000 }, (_, row) => ({
      c: `${row}`,
      m: cell(row, `${row}`),
      n: cell(-row, ''),
    }));
    const body = answer([dimension('c', 'C'), metric('m', 'M'), metric('n', 'N')], rows);
    const attributes = { ...PLACE, render: 'chart', mode: 'combo', locale: 'en' };
    expect(visibleText(await renderToString({ answer: body, attributes }))).toContain('First 2,000 of 200,000 points');
  });
});

describe('a dashboard', () => {
  const attributes = { ...PLACE, path: 'shared/retail.servicedash', kind: 'dashboard', locale: 'en' };
  const place = { x: 0, y: 0, w: 6, h: 4 };
  const layout = {
    title: 'Retail',
    layout: { columns: 12 },
    tiles: [
      { ...place, id: 'intro', kind: 'text', text: '<b>Hello</b>', h: 1 },
      { ...place, id: 'chart', kind: 'chart', title: 'By region', chartType: 'stacked-bar', y: 1 },
      { ...place, id: 'number', kind: 'kpi', title: 'Sales', measure: 'net_sales', x: 6, y: 1, w: 3, h: 2 },
      { ...place, id: 'failed', kind: 'kpi', title: 'Orders', measure: 'orders', x: 9, y: 1, w: 3, h: 2 },
      { ...place, id: 'map', kind: 'map', title: 'Map', x: 6, y: 3, w: 6, h: 2 },
      { ...place, id: 'f', kind: 'filter', title: 'Filter' },
    ],
  };
  const tiles = { chart: SALES, number: SALES, failed: { error: 'EMBED_INVALID' } };

  test('is written with its layout and each tile: text, chart as SVG with its values, number, failure, placeholder', async () => {
    const html = await renderToString({ layout, tiles, attributes });
    expect(html).toMatch(
      /^<service-embed server="[^"]*" path="[^"]*" kind="dashboard" locale="en"><template shadowrootmode="open">/,
    );
    expect(html.match(/<section class="tile /g)).toHaveLength(5);
    expect(visibleText(html)).toMatch(/&#60;b&#62;Hello&#60;\/b&#62; By region/);
    expect(html.match(/<svg /g)).toHaveLength(1);
    expect(visibleText(html)).toMatch(/North 1,234.50 € -20.00 € South 987.00 € 0.00 €/);
    expect(visibleText(html)).toMatch(
      /Sales 1,234.50 €.*Orders This tile is not available\..*Map This kind of tile cannot be shown here\./,
    );
    expect(visibleText(html)).not.toContain('Filter');
    // A rule and not an attribute places a tile: column 7, line 2 (both from 1), 3 columns wide, 2 lines high.
    expect(html).toContain('{--x:7;--y:2;--w:3;--h:2}');
    expect(html).not.toMatch(/<b>|\sstyle="|\s[@.?]\w+=/);
  });

  test('paints a chart for the room of its tile', async () => {
    const html = await renderToString({ layout, tiles, attributes, width: 1_000 });
    // 6 of 12 columns are 494 wide with the gap between them taken off; padding and border of the tile are 34 more. 4 lines
    // are 372 high; of these the title takes 27, padding and border 30.
    expect(html).toMatch(/<svg [^>]*width="460" height="315"/);
  });

  test('needs its layout, and a query its answer', async () => {
    await expect(renderToString({ answer: SALES, attributes })).rejects.toThrow(TypeError);
    await expect(renderToString({ layout, tiles, attributes: PLACE })).rejects.toThrow(TypeError);
    await expect(renderToString({ layout: { error: 'x' }, tiles, attributes })).rejects.toThrow(TypeError);
  });
});

describe('a box for questions', () => {
  const attributes = { ...PLACE, path: 'shared/ask.serviceask', kind: 'ai', locale: 'en' };
  const box = {
    title: 'Ask <the> shop',
    description: 'Sales',
    suggestions: ['Sales by region?', 'a"b'],
    configured: true,
  };

  test('is rendered without a conversation, and its controls are disabled until the element takes over', async () => {
    const html = await renderToString({ box, attributes });
    expect(html).toMatch(/^<service-embed [^>]*kind="ai" locale="en"><template shadowrootmode="open">/);
    expect(visibleText(html)).toContain('Ask &#60;the&#62; shop Sales');
    expect(visibleText(html)).toContain('Try one of these Sales by region? a&#34;b');
    const controls = html.match(/<(?:input|button)\b[^>]*>/g) ?? [];
    expect(controls).toHaveLength(4);
    for (const control of controls) expect(control).toMatch(/ disabled\b/);
    expect(html).not.toMatch(/\s[@.?]\w+=/);
  });

  test('that is closed reports it, with example questions', async () => {
    const html = await renderToString({ box: { ...box, configured: false }, attributes });
    expect(visibleText(html)).toContain(
      'Questions are not available here right now Example questions Sales by region?',
    );
    expect(html).not.toMatch(/<(input|button)\b/);
  });

  test('needs the answer of its own read', async () => {
    await expect(renderToString({ box: SALES, attributes })).rejects.toThrow(TypeError);
    await expect(renderToString({ answer: SALES, attributes })).rejects.toThrow(TypeError);
    await expect(renderToString({ box, attributes: PLACE })).rejects.toThrow(TypeError);
  });
});
