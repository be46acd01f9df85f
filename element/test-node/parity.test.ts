/** Tests that a setting draws the same picture wherever it stands: saved query, tile, attribute and property. */
import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../src/api/parse-answer.ts';
import { formatsFor } from '../src/formats.ts';
import { CHART_SETTINGS, type ChartSettings } from '../src/generated/chart-settings.ts';
import { paintChart } from '../src/ssr/chart.ts';
import { renderToString } from '../src/ssr/index.ts';
import type { AnswerViewOptions } from '../src/types.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { chartTheme } from './draw-chart.ts';

type View = AnswerViewOptions['render'];
type Body = Readonly<Record<string, unknown>>;

/** A setting with an answer on which it changes the picture. */
interface Sample {
  readonly value: unknown;
  readonly of: Body;
  readonly mode?: AnswerViewOptions['mode'];
  readonly render?: View;
  /** The settings beside which it has an effect. */
  readonly beside?: ChartSettings;
  /** Is true where it changes only what a page asks for. */
  readonly isOfPages?: true;
}

const MONTHS = ['2025-01-01', '2025-02-01', '2025-03-01', '2025-04-01'];
const euros = (value: number) => cell(value, `${value} €`);

/** Two dimensions and two metrics: each figure differs from all others. */
const CHANNELS = answer(
  [dimension('month', 'Month', 'date'), dimension('channel', 'Channel'), metric('m', 'Net sales'), metric('n', 'Cost')],
  MONTHS.flatMap((month, at) =>
    ['Web', 'Shop', 'Phone'].map((channel, index) => ({
      month,
      channel,
      m: euros(10 * (at + 1) + index * 3),
      n: euros(7 * (at + 1) + index),
    })),
  ),
);
const withoutMetric = (body: Body, key: string): Body => ({
  ...body,
  columns: (body.columns as readonly Body[]).filter((column) => column.key !== key),
});
const SALES = withoutMetric(CHANNELS, 'n');
const OVER_TIME = answer(
  [dimension('month', 'Month', 'date'), metric('m', 'Net sales'), metric('n', 'Cost')],
  MONTHS.map((month, at) => ({ month, m: euros(10 + at * at), n: euros(900 - 3 * at) })),
);
const STEPS = answer(
  [dimension('step', 'Step'), metric('m', 'Amount'), metric('plan', 'Plan'), metric('size', 'Size')],
  [
    ['Start', 40, 44, 9],
    ['Volume', 20, 25, 2],
    ['Price', 10, 6, 5],
    ['End', 70, 81, 7],
    [null, 3, 2, 1],
  ].map(([step, m, plan, size]) => ({
    step,
    m: euros(Number(m)),
    plan: euros(Number(plan)),
    size: euros(Number(size)),
  })),
);
const PLACES = answer(
  [
    dimension('city', 'City'),
    dimension('a', 'A', 'decimal'),
    dimension('b', 'B', 'decimal'),
    dimension('c', 'C', 'decimal'),
    metric('m', 'M'),
  ],
  [
    { city: 'Oslo', a: 59.9, b: 10.8, c: 3, m: euros(5) },
    { city: 'Rome', a: 41.9, b: 12.5, c: 9, m: euros(7) },
  ],
);

/** Each setting of the table: one that is missing here does not compile. Maps of an installation are loaded by pages only. */
const SAMPLES: Readonly<Record<Exclude<keyof ChartSettings, 'regions' | 'join'>, Sample>> = {
  kind: { value: 'area', of: OVER_TIME },
  category: { value: 'channel', of: SALES, mode: 'bar' },
  series: { value: 'month', of: SALES, mode: 'bar' },
  facet: { value: 'channel', of: SALES, mode: 'line' },
  metrics: { value: ['n'], of: OVER_TIME, mode: 'line' },
  sizeBy: { value: 'plan', of: STEPS, mode: 'bubble' },
  colourBy: { value: 'step', of: STEPS, mode: 'scatter' },
  orientation: { value: 'horizontal', of: STEPS, mode: 'bar' },
  stack: { value: 'percent', of: SALES, mode: 'bar' },
  step: { value: 'middle', of: OVER_TIME, mode: 'line' },
  smooth: { value: true, of: OVER_TIME, mode: 'line' },
  band: { value: true, of: OVER_TIME, mode: 'area' },
  hole: { value: 0.8, of: STEPS, mode: 'pie' },
  trend: { value: true, of: STEPS, mode: 'scatter' },
  bins: { value: 9, of: STEPS, mode: 'histogram' },
  sort: { value: 'descending', of: STEPS, mode: 'bar' },
  top: { value: 2, of: SALES, mode: 'line', beside: { others: false } },
  // A server paints an answer without asking for more.
  others: { value: false, of: SALES, mode: 'line', beside: { top: 2 }, isOfPages: true },
  ungrouped: { value: true, of: STEPS, mode: 'bar' },
  labels: { value: 'none', of: STEPS, mode: 'bar', beside: { metrics: ['m'] } },
  legend: { value: 'top', of: SALES, mode: 'line' },
  axes: { value: { y: { title: 'Money', max: 99 } }, of: OVER_TIME, mode: 'line' },
  colours: { value: { Web: '#123456' }, of: SALES, mode: 'line' },
  formats: { value: { m: { decimals: 2, unit: 'kg' } }, of: STEPS, mode: 'bar', beside: { metrics: ['m'] } },
  references: { value: [{ type: 'event', at: '2025-02-10', label: 'Fair' }], of: OVER_TIME, mode: 'line' },
  target: { value: 60, of: withoutMetric(withoutMetric(STEPS, 'plan'), 'size'), mode: 'bullet' },
  targetColumn: { value: 'size', of: STEPS, mode: 'bullet' },
  bands: { value: [10, 60], of: STEPS, mode: 'gauge' },
  change: { value: 'difference', of: OVER_TIME, render: 'kpi' },
  table: { value: { bars: ['m'] }, of: OVER_TIME, render: 'table' },
  totals: { value: ['End'], of: STEPS, mode: 'waterfall' },
  latitude: { value: 'c', of: PLACES, mode: 'map', beside: { longitude: 'b' } },
  longitude: { value: 'c', of: PLACES, mode: 'map', beside: { latitude: 'a' } },
};

const PLACE = { server: 'https://analytics.test', path: 'shared/sales.service', locale: 'en', 'time-zone': 'UTC' };
/** The size of a chart in a tile of this extent and without a title, on a page of 1,080 pixels. */
const TILE = { w: 12, h: 4 };
const SIZE = { width: 1_046, height: 342 };

/** Returns the drawing, the table or the number of HTML, with what stands below it, and without names that count. */
function pictureOf(html: string): string {
  const rules = new Map(
    [...html.matchAll(/\[data-style=(\w+)\]\{([^}]*)\}/g)].map(([, name = '', rule = '']) => [name, rule]),
  );
  const content = html
    .replace(/[\s\S]*<\/style>/, '')
    .replace(/data-style="(\w+)"/g, (_, name: string) => `style="${rules.get(name)}"`);
  const drawing = /<svg[^>]*width="[\s\S]*?<\/svg>/.exec(content)?.[0];
  const table = /<table[\s\S]*?<\/table>/.exec(content)?.[0];
  const number = /<div class="kpi-box">[\s\S]*?<\/div>/.exec(content)?.[0];
  const badges = [...content.matchAll(/class="status-badge[^>]*>([^<]*)/g)].map(([, text]) => text);
  const notes = badges.filter((text) => !text?.startsWith('As of'));
  return [drawing ?? number ?? table ?? '', ...notes]
    .join('\n')
    .replace(/zr\d*(-cls-\d+)?/g, 'zr')
    .replace(/ class="[^"]*"/g, '');
}

async function inQuery(sample: Sample, chart: object | undefined, more: Readonly<Record<string, string>> = {}) {
  const { of, mode, render = 'chart' } = sample;
  const attributes = { ...PLACE, render, ...(mode === undefined ? {} : { mode }), ...more };
  return pictureOf(await renderToString({ answer: { ...of, ...(chart && { chart }) }, attributes, ...SIZE }));
}

async function inTile({ of, mode, render = 'chart' }: Sample, chart: object) {
  const tile = {
    id: 't',
    kind: render,
    chart,
    measure: 'm',
    ...(mode === undefined ? {} : { chartType: mode }),
    x: 0,
    y: 0,
    ...TILE,
  };
  return pictureOf(
    await renderToString({
      layout: { title: 'Board', layout: { columns: 12 }, tiles: [tile] },
      tiles: { t: of },
      attributes: { ...PLACE, kind: 'dashboard' },
    }),
  );
}

describe('a setting of a chart', () => {
  test('is among the samples, or of maps', () => {
    expect([...Object.keys(SAMPLES), 'regions', 'join'].sort()).toEqual(Object.keys(CHART_SETTINGS).sort());
  });

  test.each(Object.entries(SAMPLES))(
    'draws the same in a saved query, a tile and an attribute: %s',
    async (name, sample) => {
      const chart = { ...sample.beside, [name]: sample.value };
      const saved = await inQuery(sample, chart);
      expect(saved.length).toBeGreaterThan(100);
      if (!sample.isOfPages) expect(await inQuery(sample, sample.beside)).not.toBe(saved);
      expect(await inTile(sample, chart)).toBe(saved);
      expect(await inQuery(sample, undefined, { chart: JSON.stringify(chart) })).toBe(saved);
      // The page replaces the setting of the saved query, and keeps its others.
      expect(await inQuery(sample, sample.beside, { chart: JSON.stringify({ [name]: sample.value }) })).toBe(saved);
    },
  );

  test.each(Object.entries(SAMPLES).filter(([, { render }]) => render === undefined))(
    'draws the same as the property of the element: %s',
    (name, { of, mode, beside, value }) => {
      const chart = { ...beside, [name]: value };
      const painted = (body: Body, given: unknown) =>
        paintChart(
          parseAnswer(body),
          formatsFor('en', 'UTC'),
          { render: 'chart', mode, title: 'T', chart: given, measure: undefined, compare: undefined },
          chartTheme('light'),
          SIZE,
        );
      const svgOf = (of: ReturnType<typeof painted>) =>
        of.view === 'chart' ? of.svg.replace(/zr\d*(-cls-\d+)?/g, 'zr') : of.reason;
      const saved = svgOf(painted({ ...of, chart }, undefined));
      expect(svgOf(painted(of, chart))).toBe(saved);
      expect(svgOf(painted(of, JSON.stringify(chart)))).toBe(saved);
    },
  );

  test('names the series like the attribute `series`', async () => {
    const sample: Sample = { value: 'month', of: SALES, mode: 'bar' };
    const saved = await inQuery(sample, { series: 'month' });
    expect(await inQuery(sample, undefined, { series: 'month' })).toBe(saved);
    // The attribute replaces what the saved query names.
    expect(await inQuery(sample, { series: 'channel' }, { series: 'month' })).toBe(saved);
    expect(await inQuery(sample, { series: 'channel' })).not.toBe(saved);
  });
});
