import { expect, test } from 'vitest';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { drawChart, paintedTexts } from './draw-chart.ts';

/** Height of a line of text. */
const LINE = 12;

const bars = (values: readonly number[]) =>
  answer(
    [dimension('region', 'Region'), metric('net', 'Net sales')],
    values.map((value, at) => ({ region: `R${at}`, net: cell(value, `${value.toLocaleString('en')} EUR`) })),
  );

test.each([
  ['the first bar is the highest', [7_948_594, 5_794_782, 5_478_889, 4_100_000]],
  [
    'the second bar is the highest',
    [5_794_782, 7_948_594, 5_478_889, 4_100_000, 3_000_000, 2_500_000, 2_000_000, 1_500_000],
  ],
  ['all are as high', Array.from({ length: 12 }, () => 9_990_000)],
])('values above bars stay below the title of their axis: %s', (_, values) => {
  for (const width of [390, 700, 1_100]) {
    const texts = paintedTexts(drawChart(bars(values), 'bar', {}, { width }).svg);
    const title = texts.find(({ text }) => text === 'Net sales, EUR');
    if (title === undefined) throw new Error('The axis has no title.');
    const labels = texts.filter(({ text }) => /^[\d.]+M$/.test(text) && text !== '0');
    expect(labels.length).toBeGreaterThan(3);
    const end = title.x + 'Net sales, EUR'.length * 7;
    for (const label of labels.filter(({ x }) => x < end))
      expect(label.y - title.y, label.text).toBeGreaterThanOrEqual(LINE);
  }
});
