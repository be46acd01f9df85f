import { describe, expect, test } from 'vitest';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { drawChart, paintedTexts } from './draw-chart.ts';

const NAMES = ['constructor', 'toString', '__proto__', 'valueOf'];
const BODY = answer(
  [dimension('word', 'Word'), dimension('channel', 'hasOwnProperty'), metric('m', 'Uses')],
  NAMES.flatMap((word, at) =>
    ['Web', 'constructor'].map((channel) => ({ word, channel, m: cell(at + 1, `${at + 1}`) })),
  ),
);

describe('members with the names of properties of every object', () => {
  test.each(['bar', 'line', 'pie', 'treemap', 'sunburst', 'heatmap', 'sankey', 'boxplot'] as const)(
    'are drawn in a chart of the mode %s, and do no harm to the next chart',
    (mode) => {
      const { svg } = drawChart(BODY, mode, { colours: { Web: '#2f6fb8' } });
      expect(svg).not.toMatch(/NaN|native code/);
      const next = answer([dimension('a', 'Region'), metric('m', 'Sales')], [{ a: 'North', m: cell(1, '1') }]);
      expect(paintedTexts(drawChart(next, 'bar').svg).map(({ text }) => text)).toContain('North');
    },
  );
});
