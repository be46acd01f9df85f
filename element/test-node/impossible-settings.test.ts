import { describe, expect, test } from 'vitest';
import type { ChartMode } from '../src/chart-modes.ts';
import type { ChartSettings } from '../src/generated/chart-settings.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { drawChart } from './draw-chart.ts';

const figures = (rows: readonly (readonly [string, number, number])[]) =>
  answer(
    [dimension('region', 'Region'), dimension('city', 'City'), metric('a', 'A'), metric('b', 'B')],
    rows.map(([region, a, b], index) => ({ region, city: `City ${index}`, a: cell(a, `${a}`), b: cell(b, `${b}`) })),
  );
const POSITIVE = figures([
  ['North', 10, 5],
  ['South', 1000, 7],
]);
const MIXED = figures([
  ['North', 10, -5],
  ['South', 0, 7],
]);

const LINEAR = ['linear'];
const CASES: readonly (readonly [
  string,
  object,
  ChartMode,
  ChartSettings,
  readonly (readonly [string, readonly string[]])[],
])[] = [
  [
    'a logarithmic axis of zero',
    MIXED,
    'line',
    { metrics: ['a'], axes: { y: { scale: 'log' } } },
    [['chart.axes.y.scale', LINEAR]],
  ],
  [
    'a logarithmic axis across of zero',
    MIXED,
    'scatter',
    { axes: { x: { scale: 'log' } } },
    [['chart.axes.x.scale', LINEAR]],
  ],
  [
    'a second logarithmic axis below zero',
    MIXED,
    'combo',
    { series: 'region', axes: { y2: { scale: 'log' } } },
    [['chart.axes.y2.scale', LINEAR]],
  ],
  [
    'an axis that ends before it begins',
    POSITIVE,
    'line',
    { axes: { y: { min: 5, max: 5 } } },
    [['chart.axes.y.max', []]],
  ],
  [
    'a logarithmic axis that begins at zero',
    POSITIVE,
    'line',
    { axes: { y: { scale: 'log', min: 0 } } },
    [['chart.axes.y.min', []]],
  ],
  ['shares of values of two signs', MIXED, 'stacked-bar', { stack: 'percent' }, [['chart.stack', ['none', 'normal']]]],
  ['one dimension in two parts', POSITIVE, 'bar', { series: 'region', facet: 'region' }, [['chart.facet', ['city']]]],
  ['a metric as a series', POSITIVE, 'bar', { series: 'a' }, [['chart.series', ['region', 'city']]]],
  ['a dimension as a metric', POSITIVE, 'bar', { metrics: ['city', 'b'] }, [['chart.metrics[0]', ['a', 'b']]]],
  ['a dimension as a target', POSITIVE, 'bar', { targetColumn: 'city' }, [['chart.targetColumn', ['a', 'b']]]],
  [
    'references without their values',
    POSITIVE,
    'bar',
    { references: [{ type: 'target' }, { type: 'band', from: 1 }] },
    [
      ['chart.references[0].value', []],
      ['chart.references[1].to', []],
    ],
  ],
  [
    'an event at an unknown category',
    POSITIVE,
    'bar',
    { series: 'city', references: [{ type: 'event', at: 'East' }] },
    [['chart.references[0].at', ['North', 'South']]],
  ],
  [
    'a total of an unknown category',
    POSITIVE,
    'bar',
    { series: 'city', totals: ['North', 'East'] },
    [['chart.totals[1]', ['North', 'South']]],
  ],
  ['bands that do not ascend', POSITIVE, 'bar', { bands: [1, 3, 2] }, [['chart.bands', []]]],
];

describe('settings that an answer does not allow', () => {
  test.each(CASES)(
    '%s: reported with the place and the legal values, and the chart is drawn',
    (_, body, mode, settings, expected) => {
      const { problems, mode: drawn, svg } = drawChart(body, mode, settings);
      expect(problems.map(({ place, available }) => [place, available])).toEqual(expected);
      expect(drawn).toBe(mode);
      expect(svg).not.toMatch(/NaN|Infinity/);
      expect(svg).toContain('<path');
    },
  );

  test('a possible logarithmic axis is drawn', () => {
    const { problems, svg } = drawChart(POSITIVE, 'line', { metrics: ['a'], axes: { y: { scale: 'log' } } });
    expect(problems).toEqual([]);
    // The values 10 and 1,000 are two powers of ten apart: their axis names 100 in the middle.
    expect(svg).toContain('>100<');
  });
});
