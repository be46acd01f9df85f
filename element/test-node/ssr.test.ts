import { expect, test } from 'vitest';
import { renderToString } from '../src/ssr/index.ts';
import { answer, cell, dimension, metric, NO_ROWS, SALES } from '../test/answers.ts';

const PLACE = { server: 'https://analytics.test', path: 'shared/sales.service' };

/** What a reader sees of HTML: its text, without tags, styles and what the tags hold. */
function textOf(html: string): string {
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
  expect(html).toContain('<caption class="unseen">Sales by region</caption>');
  expect(textOf(html)).toMatch(/Region Net sales Returns North 1,234.50 € -20.00 € South 987.00 € 0.00 €/);
  // No listener and no property of the element is left in the HTML.
  expect(html).not.toMatch(/\s[@.?]\w+=/);
});

for (const mode of ['bar', 'line', 'pie', 'scatter'] as const) {
  test(`a ${mode} chart is written as SVG, with its values as a table`, async () => {
    const html = await renderToString({ answer: SALES, attributes: { ...PLACE, render: 'chart', mode } });
    expect(html).toMatch(/<svg [^>]*width="800" height="400"/);
    expect(html).toContain('role="img" aria-label="');
    expect(html).toContain('<td class="number" part="cell">1,234.50 €</td>');
    expect(html).not.toMatch(/<script|on\w+=/);
  });
}

test('a number is written with how it changed', async () => {
  const months = answer(
    [dimension('m', 'Month', 'date'), metric('s', 'Net sales')],
    [
      { m: '2026-01-01', s: cell(100, '100 €') },
      { m: '2026-02-01', s: cell(125, '125 €') },
    ],
  );
  const html = await renderToString({ answer: months, attributes: { ...PLACE, render: 'kpi', locale: 'en' } });
  expect(textOf(html)).toContain('125 € ▲ +25% vs Jan 2026');
});

test('a hierarchical matrix is written with its groups', async () => {
  const columns = [dimension('r', 'Region'), dimension('s', 'Store'), dimension('y', 'Year'), metric('m', 'Net sales')];
  const rows = [{ r: 'North', s: 'Oslo', y: '2025', m: cell(1, '1 €') }];
  const html = await renderToString({ answer: answer(columns, rows), attributes: { ...PLACE, render: 'matrix' } });
  expect(textOf(html)).toContain('Region / Store 2025 North 1 Oslo 1 €');
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

test('an empty answer says so, and what is no answer is refused', async () => {
  expect(textOf(await renderToString({ answer: NO_ROWS, attributes: PLACE }))).toContain('No data');
  await expect(renderToString({ answer: { error: 'x' }, attributes: PLACE })).rejects.toThrow(TypeError);
  await expect(renderToString({ answer: SALES, attributes: { ...PLACE, kind: 'dashboard' } })).rejects.toThrow(
    TypeError,
  );
});

test('styles carry the nonce of the page, and a height that is none is not written', async () => {
  const attributes = { ...PLACE, height: '1px;position:fixed' };
  const html = await renderToString({ answer: SALES, attributes, nonce: 'abc' });
  expect(html).toContain('<style nonce="abc">');
  expect(html).toContain('style="min-height:400px"');
});
