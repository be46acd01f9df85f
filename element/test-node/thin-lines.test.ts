import { describe, expect, test } from 'vitest';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { drawChart } from './draw-chart.ts';

/** Returns the same numbers between 0 and 1 every time (Park and Miller 1988). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

type Value = number | null;

/** Creates the columns of random walks: with jumps, with noise, and with missing values. */
function walks(count: number, seed: number): readonly (readonly Value[])[] {
  const random = randomNumbers(seed);
  return [0, 0.3, 0.9].map((noise, column) => {
    let level = 0;
    return Array.from({ length: count }, () => {
      level += random() - 0.5;
      if (column === 2 && random() < 0.001) return null;
      return Math.round((level + noise * 40 * random() ** 9 * (random() - 0.5)) * 1e6) / 1e6;
    });
  });
}

const START = Date.UTC(2000, 0, 1);
const day = (index: number): string => new Date(START + index * 86_400_000).toISOString().slice(0, 10);

function lines(columns: readonly (readonly Value[])[]): object {
  return answer(
    [{ ...dimension('day', 'Day', 'date'), grain: 'day' }, ...columns.map((_, at) => metric(`m${at}`, `M${at}`))],
    (columns[0] ?? []).map((_, index) => ({
      day: day(index),
      ...Object.fromEntries(
        columns.map((values, at) => [`m${at}`, cell(values[index] ?? null, String(values[index]))]),
      ),
    })),
  );
}

/** Lists the values of a drawn series by their day. */
function drawnValues(series: Readonly<Record<string, unknown>> | undefined): ReadonlyMap<number, Value> {
  const data: readonly unknown[] = Array.isArray(series?.data) ? series.data : [];
  return new Map(
    data.map((datum) => {
      const [time, value]: readonly [number, Value] = Array.isArray(datum) ? [datum[0], datum[1]] : [Number.NaN, null];
      return [Math.round((time - START) / 86_400_000), value] as const;
    }),
  );
}

describe('a line of more than 10,000 points', () => {
  test.each([1, 2, 3, 4, 5])('keeps the extremes, the ends and the gaps of each series, random data %i', (seed) => {
    const columns = walks(12_000 + seed * 997, seed);
    const { series } = drawChart(lines(columns), 'line', {});
    expect(series).toHaveLength(3);
    columns.forEach((values, at) => {
      const drawn = drawnValues(series[at]);
      const given = values.filter((value) => value !== null);
      const shown = [...drawn.values()].filter((value) => value !== null);
      expect(Math.min(...shown)).toBe(Math.min(...given));
      expect(Math.max(...shown)).toBe(Math.max(...given));
      expect([drawn.has(0), drawn.has(values.length - 1)]).toEqual([true, true]);
      expect(drawn.size).toBeLessThan(8_000);
      // No value is invented or moved to another day.
      for (const [index, value] of drawn) expect(value).toBe(values[index]);
      values.forEach((value, index) => {
        if (value === null && values[index - 1] !== null && index > 0) expect(drawn.get(index)).toBeNull();
      });
    });
  });

  test('keeps its outline: a single peak and a single dip are drawn in a flat line', () => {
    const flat = Array.from({ length: 11_000 }, (_, index) =>
      index === 7_345 ? 50 : index === 2_222 ? -50 : index === 9_000 ? 20 : 0,
    );
    const drawn = drawnValues(drawChart(lines([flat]), 'line', {}).series[0]);
    expect([drawn.get(7_345), drawn.get(2_222), drawn.get(9_000)]).toEqual([50, -50, 20]);
    expect(drawn.size).toBeLessThanOrEqual(2_002);
  });

  test('is thinned only above 10,000', () => {
    const { series } = drawChart(lines(walks(10_000, 9).slice(0, 1)), 'line', {});
    expect(drawnValues(series[0]).size).toBe(10_000);
  });

  test('keeps its forecast, the band of the forecast and its unusual values', () => {
    const count = 12_500;
    const [values = []] = walks(count, 11);
    const unusual = [7_001, 7_002, 9_999];
    const body = answer(
      [{ ...dimension('day', 'Day', 'date'), grain: 'day' }, metric('m0', 'M0')],
      values.map((value, index) => ({
        day: day(index),
        m0: {
          ...Object(cell(value, String(value))),
          ...(unusual.includes(index) ? { anomaly: { score: 4, expected: 0, direction: 'high' } } : {}),
        },
      })),
      {
        forecast: {
          m0: {
            method: 'ets',
            horizon: 3,
            confidence: 0.9,
            points: [1, 2, 3].map((step) => ({
              index: count - 1 + step,
              value: 100 + step,
              lower: 90 - step,
              upper: 120 + step,
              period: day(count - 1 + step),
            })),
          },
        },
      },
    );
    const { series } = drawChart(body, 'line', {});
    const byId = (id: RegExp) => drawnValues(series.find((each) => id.test(String(each.id))));
    expect(byId(/^0$/).size).toBeLessThan(8_000);
    const last = values.at(-1) ?? null;
    expect([...byId(/^forecast-0/)]).toEqual([
      [count - 1, last],
      [count, 101],
      [count + 1, 102],
      [count + 2, 103],
    ]);
    expect([...byId(/^lower-0/)]).toEqual([
      [count - 1, last],
      [count, 89],
      [count + 1, 88],
      [count + 2, 87],
    ]);
    expect([...byId(/^upper-0/).values()].slice(1)).toEqual([32, 34, 36]);
    expect([...byId(/^anomaly-0/)]).toEqual(unusual.map((index) => [index, values[index]]));
  });
});
