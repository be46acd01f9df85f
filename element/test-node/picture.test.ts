/** Tests answers that are painted for a reader outside of a page. */
import { describe, expect, test } from 'vitest';
import { paint } from '../picture/picture.ts';

const net = { key: 'net', label: 'Net', type: 'metric', dataType: 'decimal', aggregationKind: 'sum' };
const dimension = (key: string, label: string) => ({ key, label, type: 'dimension', dataType: 'text' });
const answerOf = (columns: readonly object[], records: readonly object[]) => ({
  title: 'Net by month',
  columns,
  records,
  meta: { rowCount: records.length, truncated: false },
  freshness: { computedAtMillis: Date.UTC(2026, 10, 26), cached: false },
});
const value = (given: number) => ({ value: given, formatted: `${given}.00` });
const common = { view: 'chart', locale: 'en', timeZone: 'UTC' };
const markup = { ...common, kind: 'markup', width: 600, height: 300 };

describe('a chart of more series than it draws one by one', () => {
  const months = ['January', 'February'];
  const wide = answerOf(
    [dimension('month', 'Month'), { ...dimension('channel', 'Channel'), axis: 'columns' }, net],
    months.flatMap((month) =>
      Array.from({ length: 15 }, (_, at) => ({ month, channel: `No ${at + 1}`, net: value(10 + at) })),
    ),
  );
  const rest = answerOf(
    [dimension('month', 'Month'), net],
    months.map((month) => ({ month, net: value(33) })),
  );

  test('asks for the rest, and draws it as one', async () => {
    const task = { ...markup, answer: wide, mode: 'stacked-bar' };
    const first = await paint(task);
    const more = 'more' in first ? first.more : [];
    expect(more.map(({ parameter, value: text }) => [parameter, JSON.parse(text).field])).toEqual([
      ['others', 'channel'],
    ]);
    const second = await paint({ ...task, more: more.map((each) => ({ ...each, answer: rest })) });
    expect('html' in second && second.html).toMatch(/<text[^>]*>Other<\/text>/);
  });

  test('is painted without what could not be read', async () => {
    const painted = await paint({ ...markup, answer: wide, mode: 'stacked-bar', more: [] });
    expect('html' in painted && painted.html).toContain('The 12 largest of 15 series of Channel');
    expect(await paint({ ...common, kind: 'fallback', answer: wide, mode: 'stacked-bar' })).toHaveProperty('more');
  });
});

describe('the text of an answer', () => {
  const textOf = async (answer: object) => {
    const painted = await paint({ ...common, kind: 'fallback', view: 'table', answer });
    return 'text' in painted ? painted.text : '';
  };

  test('escapes signs of Markdown, and keeps a row on a line', async () => {
    const text = await textOf(answerOf([dimension('r', 'A|B'), net], [{ r: 'C \\ D\n| E', net: value(1) }]));
    expect(text).toBe('| A\\|B | Net |\n| --- | --- |\n| C \\\\ D \\| E | 1.00 |');
  });

  test('has the first 50 rows, and says so', async () => {
    const records = Array.from({ length: 51 }, (_, at) => ({ r: `Row ${at}`, net: value(at) }));
    const text = await textOf(answerOf([dimension('r', 'R'), net], records));
    expect(text.match(/Row \d+/g)).toHaveLength(50);
    expect(text).toMatch(/Only the first 50 rows$/);
  });

  test('says that there is no row', async () => {
    expect(await textOf(answerOf([dimension('r', 'R'), net], []))).toBe('No data');
  });
});

test('without a kind of chart, the answer decides: months are a line, with a mark for each', async () => {
  const columns = [{ ...dimension('m', 'Month'), dataType: 'date', grain: 'month' }, net];
  const records = [1, 2, 3].map((month) => ({ m: `2026-0${month}-01`, net: value(month) }));
  const painted = await paint({ ...markup, answer: answerOf(columns, records) });
  const [html, marks] = 'html' in painted ? [painted.html, painted.marks] : ['', []];
  expect(html.match(/ecmeta_data_index="\d"/g)).toEqual([0, 1, 2].map((at) => `ecmeta_data_index="${at}"`));
  expect(html).not.toContain('ecmeta_ssr_type="legend"');
  expect(marks.map(({ series, data }) => [series, data])).toEqual([
    [0, 0],
    [0, 1],
    [0, 2],
  ]);
});
