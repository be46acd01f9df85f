import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../src/api/parse-answer.ts';
import { readWrittenNumber } from '../src/api/written-number.ts';
import { formatsFor } from '../src/formats.ts';
import { inNotation } from '../src/notation/part.ts';
import { renderToString } from '../src/ssr/index.ts';
import { loadFormats } from '../src/ssr/load-formats.ts';
import { answer, cell, dimension, metric, periods } from '../test/answers.ts';

/** Returns the text of a metric's cell in a notation, with plain spaces. */
function written(locale: string, text: string, value: number | string, change?: 'points'): string {
  const json = answer([{ ...metric('m', 'Metric'), ...(change ? { change } : {}) }], [{ m: cell(value, text) }]);
  const shown = inNotation(parseAnswer(json), formatsFor(locale, 'UTC'));
  return (shown.rows[0]?.[0]?.text ?? '').replaceAll(/[\u00a0\u202f]/g, ' ');
}

describe('numbers in the notation of the viewer', () => {
  // The right sides follow the Unicode CLDR: de, fr, es and en-US, tr for a sign before, ar-EG and hi for other digits.
  test.each([
    ['de', '€109,000', 109_000, '109.000 €'],
    ['de', '€109,000.50', 109_000.5, '109.000,50 €'],
    ['fr', '€109,000.50', 109_000.5, '109 000,50 €'],
    ['en-US', '109.000,50 €', 109_000.5, '€109,000.50'],
    ['de', '-$1,234.00', -1234, '-1.234,00 $'],
    ['de', '567,865 EUR', 567_865, '567.865 EUR'],
    ['en-US', '567,865 EUR', 567_865, '567,865 EUR'],
    ['de', '5.8%', 0.058, '5,8 %'],
    ['de', '5.8 %', 5.8, '5,8 %'],
    ['tr', '5.8%', 0.058, '%5,8'],
    ['en-US', '5,8 %', 0.058, '5.8%'],
    ['de', '+5.8%', 0.058, '+5,8 %'],
    ['de', '1.2M', 1_200_000, '1,2 Mio.'],
    ['es', '1.2M', 1_234_000, '1,2 M'],
    ['de', '€1.2M', 1_200_000, '1,2 Mio. €'],
    ['de', '(1,234)', -1234, '(1.234)'],
    ['de', '1,234', 1.234, '1,234'],
    ['de', '1,234', 1234, '1.234'],
    ['de', '1.234', 1234, '1.234'],
    ['de', '2024', 2024, '2024'],
    ['de', '007', 7, '007'],
    ['de', '0.00', 0, '0,00'],
    ['de', '0', -0.2, '0'],
    ['en-US', '90 €', 90, '90 €'],
    ['en-GB', '1,234.50 €', 1234.5, '1,234.50 €'],
    ['en-IN', '1,234,567', 1_234_567, '12,34,567'],
    ['de', 'CO2 1,234.5 kg', 1234.5, 'CO2 1.234,5 kg'],
    ['hi', '12,34,567', 1_234_567, '12,34,567'],
    ['ar-EG', '1,234.5', 1234.5, '١٬٢٣٤٫٥'],
    ['de', '12,345,678,901,234,567.89', '12345678901234567.89', '12.345.678.901.234.567,89'],
    ['de', 'high', 3, 'high'],
    ['de', '7', 3, '7'],
  ] as const)('%s: %s of %s is %s', (locale, text, value, expected) => {
    expect(written(locale, text, value)).toBe(expected);
  });

  test('the difference of a rate is in percentage points', () => {
    expect(written('de', '-0.7 points', -0.007, 'points')).toBe('-0,7 points');
    expect(written('de', '1,234.5 points', 1234.5)).toBe('1.234,5 points');
  });

  test('a hidden value keeps the mask of the server', () => {
    const json = answer([metric('m', 'Metric')], [{ m: { value: -1, formatted: '-1.0', suppressed: true } }]);
    expect(inNotation(parseAnswer(json), formatsFor('de', 'UTC')).rows[0]?.[0]?.text).toBe('-1.0');
  });

  test('a number that groups has the decimal sign only', () => {
    const json = answer(
      [dimension('a', 'Year', 'integer'), dimension('b', 'Size', 'decimal')],
      [{ a: 2024, b: 1234.5 }],
    );
    expect(inNotation(parseAnswer(json), formatsFor('de', 'UTC')).rows[0]?.map(({ text }) => text)).toEqual([
      '2024',
      '1234,5',
    ]);
  });

  test('unchanged rows stay the same object', () => {
    const json = answer([metric('m', 'Metric')], [{ m: cell(1, '1.0') }]);
    const first = parseAnswer(json);
    const formats = formatsFor('de', 'UTC');
    expect(inNotation(first, formats)).toBe(inNotation(first, formats));
    expect(inNotation({ ...first, cached: false }, formats).rows).toBe(inNotation(first, formats).rows);
  });
});

describe('periods in the language of the viewer', () => {
  const shown = (locale: string, grain: string, labels: Readonly<Record<string, string>>) => {
    const json = answer(
      [periods(`d.${grain}`, 'Period', labels)],
      Object.keys(labels).map((value) => ({ [`d.${grain}`]: value })),
    );
    return inNotation(parseAnswer(json), formatsFor(locale, 'UTC')).rows.map(([cell]) => cell?.text);
  };

  test.each([
    ['de', 'month', { '2025-05-01': 'May 2025' }, ['Mai 2025']],
    ['fr', 'month', { '2025-02-01': 'Feb 2025' }, ['févr. 2025']],
    ['en-US', 'month', { '2025-05-01': 'Mai 2025' }, ['May 2025']],
    ['de', 'day', { '2025-05-03': 'May 3, 2025' }, ['3. Mai 2025']],
    ['de', 'day_of_week', { '1': 'Monday', '7': 'Sunday' }, ['Montag', 'Sonntag']],
    ['es', 'month_of_year', { '1': 'January' }, ['enero']],
    ['de', 'hour', { '2025-01-03T14:00:00+01:00': 'Jan 3, 2025, 2:00 PM GMT+1' }, ['3. Jan. 2025, 14:00 GMT+1']],
    ['en-US', 'hour', { '2025-07-03T14:00:00+02:00': '3. Juli 2025, 14:00 MESZ' }, ['Jul 3, 2025, 2:00 PM MESZ']],
    ['de', 'minute', { '2025-01-03T14:05:00': 'Jan 3, 2025, 2:05\u202fPM' }, ['3. Jan. 2025, 14:05']],
    ['de', 'hour', { '2025-01-03T14:00:00+01:00': 'Shift 2 of day 3' }, ['Shift 2 of day 3']],
    ['de', 'month', { '2025-02-01': 'M01 FY2025' }, ['M01 FY2025']],
    ['de', 'month', { '2025-02-01': 'Period 2' }, ['Period 2']],
  ] as const)('%s, %s: %o', (locale, grain, labels, expected) => {
    expect(shown(locale, grain, labels).map((text) => text?.replaceAll('\u202f', ' '))).toEqual(expected);
  });
});

describe('headings in the language of the viewer', () => {
  const columns = [
    { ...dimension('sales.date.quarter', 'Date of sale (quarter)'), grain: 'quarter' },
    metric('net', 'Net sales'),
    { ...metric('net.base', 'Net sales (previous year)'), compare: { metric: 'net', part: 'base' } },
    {
      ...metric('net.difference', 'Net sales, difference (2 years earlier)'),
      compare: { metric: 'net', part: 'difference' },
    },
  ];
  const drill = { down: [{ field: 'sales.date.month', label: 'Date of sale (month)', by: [] }], trail: [], rows: true };
  const json = answer(columns, [{ 'sales.date.quarter': '2025-01-01', net: cell(1, '1') }], { drill });

  test.each([
    // The element has the words of these languages, and the names of fields of dates are those of the Unicode CLDR.
    [
      'de',
      ['Date of sale (Quartal)', 'Net sales', 'Net sales (Vorjahr)', 'Net sales, Differenz (2 Jahre früher)'],
      'Monat',
    ],
    [
      'fr',
      ['Date of sale (trimestre)', 'Net sales', 'Net sales (l’année précédente)', 'Net sales, écart (2 ans plus tôt)'],
      'mois',
    ],
    [
      'da',
      ['Date of sale (kvartal)', 'Net sales', 'Net sales (previous year)', 'Net sales, difference (2 år earlier)'],
      'måned',
    ],
    ['en-GB', columns.map(({ label }) => label), 'month'],
  ] as const)('name grains and comparisons in %s', async (locale, expected, step) => {
    const shown = inNotation(parseAnswer(json), await loadFormats(locale, 'UTC'));
    expect(shown.columns.map(({ label }) => label.replaceAll('\u00a0', ' '))).toEqual(expected);
    expect(shown.drill).toMatchObject({ down: [{ label: `Date of sale (${step})` }] });
  });

  test('stay to the letter without a locale', async () => {
    const html = await renderToString({ answer: json, attributes: { server: 'https://a.test', path: 'a.service' } });
    for (const { label } of columns) expect(html).toContain(`>${label}<`);
  });
});

describe('the number in a text', () => {
  test.each([
    ['1,234.5', 1234.5, '1234.5', 1],
    ['1.234,5', 1234.5, '1234.5', 1],
    ['12.3%', 0.123, '12.3', 100],
    ['12.3 %', 12.3, '12.3', 1],
    ['3.4K', 3412, '3.4', 1e-3],
  ])('%s is %s', (text, value, digits, scale) => {
    expect(readWrittenNumber(text, value)).toMatchObject({ digits, scale });
  });

  test.each([
    ['1,23,4', 1234],
    ['3.4', 3412],
    ['n/a', 3],
  ])('%s is not %s', (text, value) => {
    expect(readWrittenNumber(text, value)).toBeUndefined();
  });
});

describe('a picture has one notation', () => {
  const body = answer(
    [
      periods('sales.date.month', 'Month', { '2025-01-01': 'Jan 2025', '2025-05-01': 'May 2025' }),
      metric('m', 'Net sales'),
    ],
    [
      { 'sales.date.month': '2025-01-01', m: cell(103_000, '€103,000') },
      { 'sales.date.month': '2025-05-01', m: cell(109_000, '€109,000') },
    ],
  );
  const render = async (attributes: Readonly<Record<string, string>>) =>
    (
      await renderToString({ attributes: { server: 'https://a.test', path: 'a.service', ...attributes }, answer: body })
    ).replaceAll('\u00a0', ' ');

  test.each([{ render: 'kpi' }, { render: 'table' }, { render: 'chart', mode: 'bar' }, { render: 'matrix' }])(
    'in German: %o',
    async (view) => {
      const html = await render({ ...view, locale: 'de' });
      expect(html).toContain('109.000 €');
      expect(html).not.toMatch(/109,000|May 2025/);
    },
  );

  test('without locale the texts of the server stay', async () => {
    const html = await render({ render: 'table' });
    expect(html).toContain('€109,000');
    expect(html).toContain('May 2025');
  });
});
