import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../src/api/parse-answer.ts';
import { readChartSettings } from '../src/chart/check-settings.ts';
import { AUTOMATIC_MODES, chooseMode } from '../src/chart/choose-mode.ts';
import { chooseRoles } from '../src/chart/choose-series.ts';
import { spread } from '../src/chart/end-labels.ts';
import { niceScale } from '../src/chart/nice-scale.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';

type Json = Readonly<Record<string, unknown>>;

/** Creates an answer of one figure for each combination of members. */
function crossed(dimensions: readonly (readonly [Json, number])[], metrics: readonly Json[] = [metric('m', 'Sales')]) {
  const combine = (rest: readonly (readonly [Json, number])[]): readonly Json[] => {
    const [first, ...more] = rest;
    if (first === undefined) return [{}];
    const [column, count] = first;
    return Array.from({ length: count }, (_, index) =>
      combine(more).map((row) => ({ [String(column.key)]: memberOf(column, index), ...row })),
    ).flat();
  };
  const rows = combine(dimensions).map((row) => ({
    ...row,
    ...Object.fromEntries(metrics.map(({ key }) => [key, cell(1, '1')])),
  }));
  return parseAnswer(answer([...dimensions.map(([column]) => column), ...metrics], rows));
}

function memberOf({ dataType, key }: Json, index: number): string {
  return dataType === 'date' ? new Date(Date.UTC(2024, index, 1)).toISOString().slice(0, 10) : `${key}${index}`;
}

const month = dimension('month', 'Month', 'date');
const channel = dimension('channel', 'Channel');
const category = dimension('category', 'Category');
const region = dimension('region', 'Region');
const across = { ...category, axis: 'columns' };

describe('the parts of a chart', () => {
  const rolesOf = (of: ReturnType<typeof crossed>, settings = {}) => {
    const { category: along, series, facet, rest } = chooseRoles(of, settings);
    const key = (position: number | undefined) => (position === undefined ? undefined : of.columns[position]?.key);
    return [key(along), key(series), key(facet), rest.map(key)];
  };

  test.each([
    ['one dimension is the category', [[channel, 3]], {}, ['channel', undefined, undefined, []]],
    [
      'a date is the category beside another dimension',
      [
        [channel, 3],
        [month, 2],
      ],
      {},
      ['month', 'channel', undefined, []],
    ],
    [
      'of two names the one with fewer members is the series',
      [
        [channel, 3],
        [category, 8],
      ],
      {},
      ['category', 'channel', undefined, []],
    ],
    [
      'of equal numbers the second is',
      [
        [channel, 3],
        [category, 3],
      ],
      {},
      ['channel', 'category', undefined, []],
    ],
    [
      'what the request has in columns is the series',
      [
        [channel, 3],
        [across, 8],
      ],
      {},
      ['channel', 'category', undefined, []],
    ],
    [
      'what the settings name comes before that',
      [
        [channel, 3],
        [across, 8],
      ],
      { series: 'channel' },
      ['category', 'channel', undefined, []],
    ],
    [
      'a third dimension has small charts',
      [
        [month, 4],
        [category, 8],
        [channel, 3],
      ],
      {},
      ['month', 'channel', 'category', []],
    ],
    [
      'the settings name the small charts',
      [
        [month, 4],
        [category, 8],
        [channel, 3],
      ],
      { facet: 'channel' },
      ['month', 'category', 'channel', []],
    ],
    [
      'a fourth has no place',
      [
        [month, 2],
        [category, 4],
        [channel, 3],
        [region, 2],
      ],
      {},
      ['month', 'region', 'channel', ['category']],
    ],
  ] as const)('%s', (_, dimensions, settings, expected) => {
    expect(rolesOf(crossed(dimensions as readonly (readonly [Json, number])[]), settings)).toEqual(expected);
  });
});

describe('the mode that nobody chose', () => {
  const chosen = (of: ReturnType<typeof crossed>) => chooseMode(of, undefined, { kind: 'auto' }).mode;

  test.each([
    ['line', [[month, 12]]],
    [
      'line',
      [
        [month, 12],
        [channel, 3],
      ],
    ],
    ['bar', [[channel, 3]]],
    ['bar', [[channel, 60]]],
    [
      'stacked-bar',
      [
        [category, 8],
        [channel, 3],
      ],
    ],
    [
      'heatmap',
      [
        [category, 24],
        [channel, 7],
      ],
    ],
    [
      'stacked-bar',
      [
        [category, 8],
        [channel, 3],
        [region, 2],
      ],
    ],
    [
      'matrix',
      [
        [category, 2],
        [channel, 2],
        [region, 2],
        [dimension('x', 'X'), 2],
      ],
    ],
  ] as const)('is %s', (mode, dimensions) => {
    expect(chosen(crossed(dimensions as readonly (readonly [Json, number])[]))).toBe(mode);
  });

  test('is points where many members have two metrics', () => {
    expect(chosen(crossed([[channel, 60]], [metric('a', 'A'), metric('b', 'B')]))).toBe('scatter');
  });

  test('is a bar chart where the page says nothing, as documented', () => {
    expect(chooseMode(crossed([[month, 12]]), undefined, {}).mode).toBe('bar');
  });

  test('has a rule for every number of dimensions that a chart can draw', () => {
    for (const dimensions of [0, 1, 2, 3])
      expect(
        AUTOMATIC_MODES.some(({ when }) => when({ dimensions, metrics: 1, rows: 10, hasDate: false, categories: 10 })),
      ).toBe(true);
  });
});

describe('a mode that does not fit', () => {
  test.each([
    ['heatmap', [[channel, 3]], 'bar', 'A heat map needs 2 dimensions'],
    ['calendar', [[channel, 3]], 'bar', 'A calendar needs a date'],
    ['candlestick', [[month, 3]], 'line', 'A candlestick chart needs at least 4 metrics'],
    ['gauge', [[channel, 9]], 'bar', 'A gauge needs at most 6 rows'],
    [
      'bar',
      [
        [category, 2],
        [channel, 2],
        [region, 2],
        [dimension('x', 'X'), 2],
      ],
      'matrix',
      'A bar chart needs at most 3 dimensions',
    ],
  ] as const)('%s is drawn as something else, with the reason', (mode, dimensions, drawn, reason) => {
    const of = crossed(dimensions as readonly (readonly [Json, number])[]);
    expect(chooseMode(of, mode, {})).toEqual({ mode: drawn, reason });
  });

  test('two hundred series are refused with the way to cut them, unless the settings do', () => {
    const many = crossed([
      [category, 201],
      [channel, 200],
    ]);
    const { mode, reason } = chooseMode(many, 'line', {});
    expect(mode).toBe('refused');
    expect(reason).toContain('Channel has 200 members');
    expect(reason).toContain('chart.top');
    expect(chooseMode(many, 'line', { top: 12 }).mode).toBe('line');
  });
});

describe('settings', () => {
  const of = crossed([[channel, 3]]);
  const read = (...layers: readonly unknown[]) => readChartSettings(of, layers);

  test('are merged by name, the later before the earlier', () => {
    expect(read({ stack: 'percent', smooth: true }, { stack: 'none' })).toEqual({
      settings: { stack: 'none', smooth: true },
      problems: [],
    });
  });

  test('may be JSON', () => {
    expect(read('{"axes":{"y":{"min":5}}}').settings).toEqual({ axes: { y: { min: 5 } } });
    expect(read('{').problems).toEqual([{ place: 'chart', message: 'This is no JSON.', available: [] }]);
  });

  test('that are unknown or impossible are reported with their place and the legal ones, and left out', () => {
    const { settings, problems } = read({
      stacking: 'normal',
      stack: 'tall',
      series: 'shop',
      smooth: 'yes',
      top: 0,
      axes: { y: { scale: 'cubic', max: 7 } },
      references: [{ type: 'target', value: 3 }, { type: 'wall' }],
      colours: { Web: 'red', Shop: '#123456' },
    });
    expect(settings).toEqual({
      axes: { y: { max: 7 } },
      references: [{ type: 'target', value: 3 }, {}],
      colours: { Shop: '#123456' },
    });
    expect(problems.map(({ place }) => place)).toEqual([
      'chart.stacking',
      'chart.stack',
      'chart.series',
      'chart.smooth',
      'chart.top',
      'chart.axes.y.scale',
      'chart.references[1].type',
      'chart.colours.Web',
    ]);
    expect(problems[0]?.available).toContain('stack');
    expect(problems[1]?.available).toEqual(['none', 'normal', 'percent']);
    expect(problems[2]?.available).toEqual(['channel', 'm']);
    expect(problems[6]?.available).toEqual(['target', 'average', 'band', 'event']);
  });

  test.each([
    null,
    [],
    7,
    'null',
    '[]',
    '7',
    { constructor: 1, __proto__: { stack: 'percent' } },
    '{"__proto__":{"stack":"percent"}}',
  ])('of another shape change nothing: %j', (layer) => {
    expect(Object.keys(read(layer).settings)).toEqual([]);
  });
});

describe('a scale', () => {
  test.each([
    [[3, 97], 5, false, { min: 0, max: 100, interval: 20 }],
    [[-3, 9], 4, false, { min: -5, max: 10, interval: 5 }],
    [[102, 118], 4, true, { min: 100, max: 120, interval: 5 }],
    [[0.02, 0.31], 4, false, { min: 0, max: 0.4, interval: 0.1 }],
    [[], 4, false, { min: 0, max: 1, interval: 0.5 }],
    [[5], 5, false, { min: 0, max: 5, interval: 1 }],
  ] as const)('of %j in %i steps has round ends', (values, steps, isCut, expected) => {
    expect(niceScale(values, steps, isCut)).toEqual(expected);
  });

  test('keeps names at line ends apart and within it', () => {
    const scale = { min: 0, max: 100, interval: 20 };
    expect(spread([10, 50, 90], 10, scale)).toEqual([10, 50, 90]);
    expect(spread([50, 51, 52], 10, scale)).toEqual([50, 60, 70]);
    expect(spread([97, 98, 99], 10, scale)).toEqual([80, 90, 100]);
    expect(spread([], 10, scale)).toEqual([]);
  });
});
