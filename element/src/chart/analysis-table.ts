import { html, nothing, type TemplateResult } from 'lit';
import { chartColumns } from '../api/columns.ts';
import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import { plainTable } from '../table/plain-table.ts';
import { chooseRoles } from './choose-series.ts';
import { locatePoints } from './points.ts';
import { readAnomaly, readForecastPeriods } from './read-analysis.ts';
import { forecastText, rowText } from './tooltip.ts';

/** Renders a chart's values, anomalies and forecast as tables for screen readers. */
export function chartTables(answer: Answer, settings: ChartSettings, formats: Formats, title: string): TemplateResult {
  const series = chooseRoles(answer, settings).metrics;
  return html`<div class="visually-hidden">${plainTable(answer, formats, title)}${analysisTable(answer, series, formats)}</div>`;
}

/** Renders a chart's anomalies and forecast points as a table. */
function analysisTable(answer: Answer, series: readonly number[], formats: Formats): TemplateResult | typeof nothing {
  const ahead = readForecastPeriods(answer, series);
  const points = locatePoints(answer, chartColumns(answer).category, ahead, formats);
  const texts = [
    ...answer.rows.flatMap((row, index) =>
      series.some((position) => readAnomaly(row[position])) ? [rowText(answer, index, series, formats)] : [],
    ),
    ...ahead.map((_, step) => forecastText(answer, answer.rows.length + step, series, points, formats)),
  ];
  if (texts.length === 0) return nothing;
  return html`<table><caption>${formats.say('Unusual values and forecast')}</caption><tbody>${texts.map((text) => {
    const [point, ...values] = text.replaceAll('\u2060', '').split('\n');
    return html`<tr><th scope="row">${point}</th><td>${values.join(', ')}</td></tr>`;
  })}</tbody></table>`;
}
