import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import { type Frame, isAdditive } from './frame.ts';
import { cellText, escapeRichText } from './labels.ts';
import type { Points } from './points.ts';
import { changeInPoints, pointsPerUnit } from './rates.ts';
import { readAnomaly, readForecast } from './read-analysis.ts';
import type { ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';
import { writeLikeCells } from './write-like-cells.ts';

/** A fragment of an option. ECharts has no type that fits its own fragments of rich-text tooltips. */
export type OptionFragment = Readonly<Record<string, unknown>>;

/** Styles a tooltip. Rich text is painted, never parsed as HTML, so that no label can become part of the page. */
export function tooltipStyle(theme: ChartTheme): OptionFragment {
  return {
    renderMode: 'richText',
    confine: true,
    backgroundColor: theme.surface,
    borderColor: theme.border,
    borderWidth: 1,
    padding: [8, 12],
    textStyle: { color: theme.text, fontSize: theme.fontSize, lineHeight: 18, fontFamily: theme.font },
  };
}

/** Writes the row's labels on the first line, then each series with the server's text of its value. */
export function rowText(answer: Answer, rowIndex: number, series: readonly number[], formats: Formats): string {
  const row = answer.rows[rowIndex];
  if (row === undefined) return '';
  const labels = row.flatMap((cell, index) =>
    series.includes(index) ? [] : [cellText(cell, answer.columns[index], formats)],
  );
  const values = series.map((index) => {
    const said = anomalyText(answer, rowIndex, index, formats);
    return `${answer.columns[index]?.label ?? ''}: ${cellText(row[index])}${said}`;
  });
  return [labels.join(' · '), ...values]
    .filter((line) => line !== '')
    .map(escapeRichText)
    .join('\n');
}

/** Describes one category of a chart with members as series: all series, the largest first, with share and change. */
export function crossText(
  spec: ChartSpec,
  { panels, points, roles }: Frame,
  panelIndex: number,
  index: number,
): string {
  const { answer, formats } = spec;
  const panel = panels[panelIndex];
  if (panel === undefined || points.labels[index] === undefined) return '';
  const parts = panel.series.flatMap(({ name, cells, metric }) => {
    const cell = cells[index];
    return cell === undefined ? [] : [{ name, cell, metric, before: cells[index - 1]?.number }];
  });
  const numbers = parts.flatMap(({ cell }) => cell.number ?? []);
  const isWhole =
    parts.length > 1 &&
    roles.series !== undefined &&
    parts.every(({ metric }) => isAdditive(answer, metric)) &&
    numbers.every((number) => number >= 0);
  const whole = numbers.reduce((sum, number) => sum + number, 0);
  const percent = (value: number, sign: boolean) =>
    formats.number(value, {
      style: 'percent',
      maximumFractionDigits: 1,
      ...(sign ? { signDisplay: 'exceptZero' } : {}),
    });
  const lines = [...parts]
    .sort((a, b) => (b.cell.number ?? Number.NEGATIVE_INFINITY) - (a.cell.number ?? Number.NEGATIVE_INFINITY))
    .map(({ name, cell, before }) => {
      const { number } = cell;
      const share = isWhole && whole > 0 && number !== undefined ? [percent(number / whole, false)] : [];
      const rate = pointsPerUnit(cell);
      const change =
        points.times === undefined || number === undefined || before === undefined
          ? []
          : rate !== undefined
            ? [changeInPoints((number - before) * rate, formats)]
            : before > 0
              ? [percent(number / before - 1, true)]
              : [];
      const more = [...share, ...change].join(', ');
      return `${name}: ${cellText(cell)}${more === '' ? '' : ` (${more})`}`;
    });
  const head = [points.labels[index], panel.title].filter((each) => each !== undefined).join(' · ');
  return [head, ...lines].map(escapeRichText).join('\n');
}

/** Writes the forecast of a point behind the last row, with its confidence. */
export function forecastText(
  answer: Answer,
  index: number,
  series: readonly number[],
  points: Points,
  formats: Formats,
): string {
  const lines = series.flatMap((position) => {
    const forecast = readForecast(answer, position);
    const place = points.places?.[index] ?? index;
    const point = forecast?.points.find((each) => each.index === place);
    if (!forecast || !point) return [];
    const write = (value: number) => writeLikeCells(value, answer, position, formats);
    const sure =
      forecast.confidence === undefined
        ? ''
        : `${formats.number(forecast.confidence > 1 ? forecast.confidence / 100 : forecast.confidence, { style: 'percent' })}: `;
    const band =
      point.lower === undefined || point.upper === undefined
        ? ''
        : ` (${sure}${write(point.lower)} – ${write(point.upper)})`;
    return [`${answer.columns[position]?.label ?? ''}: ${write(point.value)}${band}`];
  });
  return [formats.say('{0} · forecast', points.labels[index] ?? ''), ...lines].map(escapeRichText).join('\n');
}

function anomalyText(answer: Answer, rowIndex: number, position: number, formats: Formats): string {
  const anomaly = readAnomaly(answer.rows[rowIndex]?.[position]);
  if (!anomaly) return '';
  return anomaly.expected === undefined
    ? formats.say(' (unusual)')
    : formats.say(' (unusual, expected {0})', writeLikeCells(anomaly.expected, answer, position, formats));
}

/** Returns the position of the point under the pointer; -1 for none. ECharts passes one point, or a list of points. */
export function readPointIndex(points: unknown): number {
  const point: unknown = Array.isArray(points) ? points[0] : points;
  if (typeof point !== 'object' || point === null || !('dataIndex' in point)) return -1;
  return typeof point.dataIndex === 'number' ? point.dataIndex : -1;
}

/** Returns the position of the series under the pointer; -1 for none. */
export function readSeriesIndex(points: unknown): number {
  const point: unknown = Array.isArray(points) ? points[0] : points;
  if (typeof point !== 'object' || point === null || !('seriesIndex' in point)) return -1;
  return typeof point.seriesIndex === 'number' ? point.seriesIndex : -1;
}
