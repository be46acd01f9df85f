import { describe, expect, test } from 'vitest';
import { mixColours } from '../src/chart/mix-colours.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { contrast } from './contrast.ts';
import { chartTheme, drawChart } from './draw-chart.ts';

/** Eight groups of three members, so that a chart uses the eight hues. */
const BODY = answer(
  [dimension('group', 'Group'), dimension('part', 'Part'), metric('m', 'Net sales')],
  ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].flatMap((group, at) =>
    [1, 2, 3].map((part) => ({ group, part: `${part}`, m: cell(10 + at * part, `${10 + at * part}`) })),
  ),
);

interface Mark {
  readonly label?: { readonly color?: string };
  readonly upperLabel?: { readonly color?: string };
  readonly color?: string;
  readonly itemStyle?: { readonly color?: string; readonly opacity?: number };
  readonly children?: readonly Mark[];
}

const nodes = (marks: readonly Mark[]): readonly Mark[] =>
  marks.flatMap((mark) => [mark, ...nodes(mark.children ?? [])]);

describe.each(['light', 'dark'] as const)('the words on marks in %s', (name) => {
  const theme = chartTheme(name);

  const leastContrast = (marks: readonly Mark[]): number => {
    const contrasts = marks.flatMap(({ label, upperLabel, color, itemStyle }) => {
      const ground = mixColours(theme.surface, itemStyle?.color ?? color ?? '', itemStyle?.opacity ?? 1);
      return [label?.color, upperLabel?.color].flatMap((ink) => (ink === undefined ? [] : contrast(ink, ground)));
    });
    expect(contrasts.length).toBeGreaterThanOrEqual(3);
    return Math.min(...contrasts);
  };

  test.each(['treemap', 'sunburst'] as const)('of a %s have a contrast of at least 4.5:1', (mode) => {
    const [series] = drawChart(BODY, mode, {}, { theme }).series;
    const marks = nodes((series as { readonly data: readonly Mark[] }).data);
    expect(new Set(marks.map(({ itemStyle }) => itemStyle?.color)).size).toBe(8);
    expect(leastContrast(marks)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['stacked-bar', 'heatmap'] as const)('of a %s have a contrast of at least 4.5:1', (mode) => {
    const { series } = drawChart(BODY, mode, { labels: 'all' }, { theme });
    expect(leastContrast(series)).toBeGreaterThanOrEqual(4.5);
  });
});
