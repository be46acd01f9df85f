import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { describe, expect, test } from 'vitest';
import { type Answer, parseAnswer } from '../src/api/parse-answer.ts';
import { chartOption } from '../src/chart/chart-option.ts';
import { requestChart, specifyChart } from '../src/chart/prepare.ts';
import type { ChartTheme } from '../src/chart/theme.ts';
import type { ChartMode } from '../src/chart-modes.ts';
import { formatsFor } from '../src/formats.ts';
import type { ChartSettings } from '../src/generated/chart-settings.ts';
import { CHART_MODES } from '../src/generated/closed-lists.ts';
// Registers every kind of chart, as a server does.
import '../src/ssr/index.ts';
import { dimension, metric } from '../test/answers.ts';
import {
  answerBody,
  ascending,
  CASES,
  datedTwo,
  hasColumns,
  type Json,
  type Row,
  randomNumbers,
  SURFACES,
} from '../test/figure-cases.ts';

use([SVGRenderer]);

const THEME: ChartTheme = {
  text: '#1c2530',
  muted: '#5b6673',
  border: '#e2e6eb',
  grid: '#e2e6eb',
  surface: '#ffffff',
  negative: '#b3261e',
  font: 'sans-serif',
  fontSize: 12,
  isRtl: false,
  motionMs: 0,
  series: ['#2f6fb8', '#d06217'],
  sequential: ['#2f6fb8'],
  diverging: ['#2f6fb8'],
};

/** Draws a chart and returns the data of its series, as ECharts has them, by the id of the series. */
function drawnSeries(of: Answer, mode: ChartMode, settings: ChartSettings): readonly Json[] {
  const request = requestChart(of, {
    render: 'chart',
    mode,
    title: 'T',
    chart: settings,
    measure: undefined,
    compare: undefined,
  });
  expect(request.problems).toEqual([]);
  expect(request.chosen).toEqual({ mode, reason: undefined });
  const spec = specifyChart(of, mode, request, {
    others: undefined,
    peers: [of],
    formats: formatsFor('en', 'UTC'),
    selected: undefined,
  });
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 700, height: 420 });
  try {
    chart.setOption(chartOption(spec, THEME, { width: 700, height: 420 }, false));
    chart.renderToSVGString();
    const { series }: { readonly series?: unknown } = Object(chart.getOption());
    return Array.isArray(series) ? series : [];
  } finally {
    chart.dispose();
  }
}

describe('the figures behind the marks of a chart are the figures of the answer', () => {
  for (const mode of CHART_MODES) {
    CASES[mode].forEach(({ columns, settings = {}, row, sizes, drawn, expected }, at) => {
      for (const surface of SURFACES.filter((each) => hasColumns(each, columns)))
        for (const size of sizes) {
          test(`${mode}, answer ${at + 1} of the ${surface} surface, ${size} rows`, () => {
            for (const seed of size > 1_000 ? [1] : [1, 2, 3, 4, 5]) {
              const random = randomNumbers(seed * 7_919 + size);
              const rows = Array.from({ length: size }, (_, index) => row(index, random));
              const series = drawnSeries(parseAnswer(answerBody(columns, rows, surface)), mode, settings);
              expect(ascending(drawn(series)), `seed ${seed}`).toEqual(ascending(expected(rows)));
            }
          });
        }
    });
  }
});

describe('a series for each member', () => {
  const rows: readonly Row[] = [
    { c: '2025-02-01', s: 'Web', m: 5 },
    { c: '2025-01-01', s: 'Web', m: 1 },
    { c: '2025-01-01', s: 'Shop', m: 2 },
    { c: '2025-03-01', s: 'Web', m: 7 },
    { c: '2025-03-01', s: 'Shop', m: 9 },
  ];
  const at = (month: number) => Date.UTC(2025, month, 1);

  test('is one line, with a gap where the answer has no row', () => {
    const series = drawnSeries(parseAnswer(answerBody(datedTwo, rows)), 'line', {});
    expect(series.map(({ name, data }) => [name, data])).toEqual([
      [
        'Web',
        [
          [at(0), 1],
          [at(1), 5],
          [at(2), 7],
        ],
      ],
      [
        'Shop',
        [
          [at(0), 2],
          [at(1), null],
          [at(2), 9],
        ],
      ],
    ]);
  });

  test('is nothing in bars and zero in stacks where the answer has no row', () => {
    expect(drawnSeries(parseAnswer(answerBody(datedTwo, rows)), 'bar', {}).map(({ data }) => data)).toEqual([
      [1, 5, 7],
      [2, null, 9],
    ]);
    expect(drawnSeries(parseAnswer(answerBody(datedTwo, rows)), 'stacked-bar', {}).map(({ data }) => data)).toEqual([
      [1, 5, 7],
      [2, 0, 9],
    ]);
  });

  test('is a share of 100 % where the settings say so', () => {
    expect(
      drawnSeries(parseAnswer(answerBody(datedTwo, rows)), 'area', { stack: 'percent' }).map(({ data }) => data),
    ).toEqual([
      [
        [at(0), 1 / 3],
        [at(1), 1],
        [at(2), 7 / 16],
      ],
      [
        [at(0), 2 / 3],
        [at(1), 0],
        [at(2), 9 / 16],
      ],
    ]);
  });
});

test('members of a cube with equal names keep their places: the same months of two years', () => {
  const rows = ['2025', '2026'].flatMap((year, at) =>
    ['January', 'February'].flatMap((month, index) =>
      // The phone has no figures of January 2025.
      ['Web', 'Phone']
        .filter((channel) => channel === 'Web' || year === '2026' || month === 'February')
        .map((channel, place) => ({ c: month, s: channel, m: 100 * (at + 1) + 10 * index + place })),
    ),
  );
  const of = parseAnswer(
    answerBody([dimension('c', 'Month'), dimension('s', 'Channel'), metric('m', 'Sales')], rows, 'cube'),
  );
  expect(drawnSeries(of, 'bar', {}).map(({ name, data }) => [name, data])).toEqual([
    ['Web', [100, 110, 200, 210]],
    ['Phone', [null, 111, 201, 211]],
  ]);
});

describe('members of a cube with equal names have places of their own', () => {
  const months = ['2025', '2026'].flatMap((_, year) =>
    ['January', 'February'].flatMap((month, index) =>
      ['Web', 'Phone'].map((channel, place) => ({
        c: month,
        s: channel,
        m: 100 * (year + 1) + 10 * index + place,
      })),
    ),
  );
  const of = parseAnswer(
    answerBody([dimension('c', 'Month'), dimension('s', 'Channel'), metric('m', 'Sales')], months, 'cube'),
  );

  test('in a heat map: no cell covers another', () => {
    const cells = drawnSeries(of, 'heatmap', {}).flatMap(({ data }) =>
      (Array.isArray(data) ? data : []).map((datum: unknown) => Object(datum).value as readonly number[]),
    );
    expect(cells.map((cell) => cell[2]).sort()).toEqual([100, 101, 110, 111, 200, 201, 210, 211]);
    expect(new Set(cells.map(([x, y]) => `${x} ${y}`)).size).toBe(8);
  });

  test('in box plots: each has a box of its own values', () => {
    const [boxes] = drawnSeries(of, 'boxplot', { category: 'c', series: 's' });
    expect(boxes?.data).toEqual([
      [100, 100.25, 100.5, 100.75, 101],
      [200, 200.25, 200.5, 200.75, 201],
      [110, 110.25, 110.5, 110.75, 111],
      [210, 210.25, 210.5, 210.75, 211],
    ]);
  });
});
