/** Tests the painted marks themselves: lengths of bars, places of points and corners of lines follow the answer. */
import { describe, expect, test } from 'vitest';
import { PALETTE } from '../src/chart/theme.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { randomNumbers } from '../test/figure-cases.ts';
import {
  distanceFromProportion,
  distanceFromScale,
  paintedBars,
  paintedLine,
  paintedPoints,
} from '../test/painted-figures.ts';
import { drawChart } from './draw-chart.ts';

const [BLUE] = PALETTE;
/** A pixel: ECharts draws the edges of bars at whole pixels. */
const PIXEL = 1.01;

/** Random values of both signs, one in ten missing, and zero. */
function randomValues(count: number, seed: number): readonly (number | null)[] {
  const random = randomNumbers(seed * 104_729 + count);
  return Array.from({ length: count }, () => {
    const kind = random();
    const size = 100 + Math.round(random() * 1e6) / 100;
    return kind < 0.1 ? null : kind < 0.15 ? 0 : kind < 0.4 ? -size : size;
  });
}

const day = (index: number) => new Date(Date.UTC(2000, 0, 1 + index)).toISOString().slice(0, 10);
const overDays = (values: readonly (number | null)[]) =>
  answer(
    [dimension('day', 'Day', 'date'), metric('m', 'M')],
    values.map((value, index) => ({ day: day(index), m: cell(value, value === null ? null : `${value}`) })),
  );
const byName = (values: readonly (number | null)[], name: (index: number) => string) =>
  answer(
    [dimension('name', 'Name'), metric('m', 'M')],
    values.map((value, index) => ({ name: name(index), m: cell(value, value === null ? null : `${value}`) })),
  );
const given = (values: readonly (number | null)[]) => values.flatMap((value) => value ?? []);
const drawn = (values: readonly (number | null)[]) => given(values).filter((value) => value !== 0);

describe.each([1, 2, 3, 4, 5])('random answers, %i', (seed) => {
  test.each([1, 6, 60, 400])('%i bars that stand are as high as their values', (count) => {
    const values = randomValues(count, seed);
    const { svg } = drawChart(overDays(values), 'bar', { labels: 'none' }, { width: 1_200, height: 500 });
    const bars = paintedBars(svg, BLUE);
    expect(
      distanceFromProportion(
        drawn(values),
        bars.map(({ height }) => height),
      ),
    ).toBeLessThan(PIXEL);
  });

  test.each([1, 6, 20])('%i bars that lie are as long as their values', (count) => {
    const values = randomValues(count, seed);
    const body = byName(values, (index) => `A name that is long enough to lie down, number ${index}`);
    const { svg } = drawChart(body, 'bar', { labels: 'none', orientation: 'horizontal' }, { width: 800, height: 800 });
    const bars = [...paintedBars(svg, BLUE)].sort((a, b) => a.y - b.y);
    expect(
      distanceFromProportion(
        drawn(values),
        bars.map(({ width }) => width),
      ),
    ).toBeLessThan(PIXEL);
  });

  test.each([2, 20, 300, 900])('the corners of a line of %i points are at the heights of the values', (count) => {
    const values = randomValues(count, seed);
    const { svg } = drawChart(overDays(values), 'line', {}, { width: 1_200, height: 500 });
    const heights = paintedLine(svg, BLUE).map(({ y }) => y);
    expect(distanceFromScale(given(values), heights)).toBeLessThan(PIXEL);
  });

  test.each([2, 30, 900])('%i points are at the places of their two values', (count) => {
    const [across, up] = [randomValues(count, seed), randomValues(count, seed + 50)];
    const body = answer(
      [dimension('n', 'N'), metric('x', 'X'), metric('y', 'Y')],
      across.map((x, index) => ({ n: `${index}`, x: cell(x, `${x}`), y: cell(up[index] ?? null, `${up[index]}`) })),
    );
    const points = paintedPoints(drawChart(body, 'scatter', {}, { width: 900, height: 600 }).svg, BLUE);
    const both = across.flatMap((x, at) => {
      const y = up[at] ?? null;
      return x === null || y === null ? [] : [[x, y] as const];
    });
    expect(
      distanceFromScale(
        both.map(([x]) => x),
        points.map(({ x }) => x),
      ),
    ).toBeLessThan(PIXEL);
    expect(
      distanceFromScale(
        both.map(([, y]) => y),
        points.map(({ y }) => y),
      ),
    ).toBeLessThan(PIXEL);
  });
});

describe('every mark of a chart is painted', () => {
  /** Counts the marks of a painted series: ECharts names the series and the datum of each. */
  const marksOf = (svg: string) =>
    new Set([...svg.matchAll(/ecmeta_series_index="(\d+)" ecmeta_data_index="(\d+)"/g)].map(([, a, b]) => `${a} ${b}`))
      .size;

  test.each([
    ['pie', 7],
    ['funnel', 7],
    ['treemap', 7],
    ['sunburst', 7],
    ['bar', 7],
  ] as const)('of a %s', (mode, count) => {
    const body = byName([1, 2, 3, 4, 5, 6, 7], (index) => `N${index}`);
    expect(marksOf(drawChart(body, mode).svg)).toBeGreaterThanOrEqual(count);
  });
});
