import { describe, expect, test } from 'vitest';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { contrast } from './contrast.ts';
import { chartTheme, drawChart, paintedTexts } from './draw-chart.ts';

const NAMES = ['Web shop', 'Stores', 'Partners {b|x}', 'Phone', 'Fairs'];
const BODY = answer(
  [dimension('month', 'Month', 'date'), dimension('channel', 'Channel'), metric('m', 'Net sales')],
  ['2026-01-01', '2026-02-01'].flatMap((month) =>
    NAMES.map((channel, at) => ({ month, channel, m: cell(10 * (at + 1), `${10 * (at + 1)}`) })),
  ),
);

describe('the names at the ends of lines', () => {
  test.each(['light', 'dark'] as const)(
    'have a contrast of 4.5:1 with the ground in %s, and a stroke in the colour of their line',
    (name) => {
      const theme = chartTheme(name);
      const { svg } = drawChart(BODY, 'line', {}, { theme });
      const labels = paintedTexts(svg).filter(({ text }) => NAMES.includes(text.replace('\u2060', '').trim()));
      expect(labels.map(({ text }) => text.replace('\u2060', '').trim()).sort()).toEqual([...NAMES].sort());
      for (const { text, fill } of labels) expect(contrast(fill, theme.surface), text).toBeGreaterThanOrEqual(4.5);
      const strokes = [...svg.matchAll(/<path d="([^"]*)"[^>]* fill="(#[0-9a-f]{6})"/g)]
        .filter(([, path = '']) => /^M\S+ \S+l10 0l0 3l-10 0/.test(path))
        .map(([, , fill]) => fill);
      expect([...strokes].sort()).toEqual(theme.series.slice(0, NAMES.length).sort());
    },
  );
});
