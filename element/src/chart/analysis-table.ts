import { html, nothing, type TemplateResult } from 'lit';
import type { Answer } from '../api/answer.ts';
import { chartColumns } from '../api/columns.ts';
import type { Formats } from '../formats.ts';
import { anomalyOf, forecastLength } from './forecast.ts';
import { pointsOf } from './points.ts';
import { forecastText, rowText } from './tooltip.ts';

/** Renders what a chart draws beside its values as a table: unusual values, and the points of a forecast. */
export function analysisTable(
  answer: Answer,
  series: readonly number[],
  formats: Formats,
): TemplateResult | typeof nothing {
  const ahead = forecastLength(answer, series);
  const points = pointsOf(answer, chartColumns(answer).category, ahead, formats);
  const texts = [
    ...answer.rows.flatMap((row, index) =>
      series.some((position) => anomalyOf(row[position])) ? [rowText(answer, index, series, formats)] : [],
    ),
    ...Array.from({ length: ahead }, (_, step) =>
      forecastText(answer, answer.rows.length + step, series, points, formats),
    ),
  ];
  if (texts.length === 0) return nothing;
  return html`<table><caption>Unusual values and forecast</caption><tbody>${texts.map((text) => {
    const [point, ...values] = text.replaceAll('\u2060', '').split('\n');
    return html`<tr><th scope="row">${point}</th><td>${values.join(', ')}</td></tr>`;
  })}</tbody></table>`;
}
