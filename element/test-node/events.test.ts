import { describe, expect, test } from 'vitest';
import type { ChartMode } from '../src/chart-modes.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { drawChart, paintedTexts } from './draw-chart.ts';

const MONTHS = Array.from({ length: 24 }, (_, index) => new Date(Date.UTC(2024, index, 1)).toISOString().slice(0, 10));
const SALES = answer(
  [{ ...dimension('month', 'Month', 'date'), grain: 'month' }, metric('m', 'Net sales')],
  MONTHS.map((month, at) => ({ month, m: cell(100 + at, `${100 + at}`) })),
);
/** Six events within two months, one at the beginning and one at the end. */
const EVENTS = [
  ['2024-01-01', 'Opening of the first shop'],
  ['2024-11-29', 'Black Friday'],
  ['2024-12-06', 'St Nicholas'],
  ['2024-12-24', 'Christmas'],
  ['2025-01-02', 'Winter sale'],
  ['2025-01-20', 'New prices'],
  ['2025-12-01', 'Opening of the last shop'],
] as const;
const references = EVENTS.map(([at, label]) => ({ type: 'event', at, label }) as const);

const LETTER = 6;

/** Returns the words of events with the places that they cover. */
function words(mode: ChartMode, width: number) {
  const { svg } = drawChart(SALES, mode, { references }, { width, height: 320 });
  const painted = [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', text = '']) => {
    const [placed] = paintedTexts(`<text${attributes}>${text}</text>`);
    const anchor = /text-anchor="(\w+)"/.exec(attributes)?.[1] ?? 'start';
    const wide = text.length * LETTER;
    const left = (placed?.x ?? 0) - { start: 0, middle: wide / 2, end: wide }[anchor as 'start' | 'middle' | 'end'];
    return { text, left, right: left + wide, y: placed?.y ?? 0 };
  });
  return { events: painted.filter(({ text }) => EVENTS.some(([, label]) => label === text)), painted };
}

describe.each(['line', 'bar'] as const)(
  'the words of events at dates close together in a chart of the mode %s',
  (mode) => {
    test.each([400, 700, 1_400])('cover neither each other nor the title of the axis, %i pixels wide', (width) => {
      const { events, painted } = words(mode, width);
      expect(events.map(({ text }) => text).sort()).toEqual(EVENTS.map(([, label]) => label).sort());
      const title = painted.filter(({ text }) => text === 'Net sales');
      expect(title).toHaveLength(1);
      const all = [...events, ...title];
      const covering = all.flatMap((a, index) =>
        all
          .slice(index + 1)
          .filter((b) => Math.abs(a.y - b.y) < 12 && a.left < b.right && b.left < a.right)
          .map((b) => `${a.text} and ${b.text}`),
      );
      expect(covering).toEqual([]);
      for (const { text, left, right, y } of all) {
        expect(left, text).toBeGreaterThanOrEqual(-2);
        expect(right, text).toBeLessThanOrEqual(width + 2);
        expect(y, text).toBeGreaterThan(5);
      }
    });
  },
);

test('an event between two points of a bar chart is in the period that contains it', () => {
  const at = (event: string) => {
    const { svg } = drawChart(SALES, 'bar', { references: [{ type: 'event', at: event, label: 'Fair' }] });
    return paintedTexts(svg).find(({ text }) => text === 'Fair')?.x;
  };
  expect(at('2024-03-31')).toBe(at('2024-03-01'));
  expect(at('2024-04-01')).toBeGreaterThan(at('2024-03-01') ?? Number.POSITIVE_INFINITY);
  expect(at('2023-12-31')).toBeUndefined();
});
