import { html, type TemplateResult } from 'lit';
import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import { plainTable } from '../table/table-view.ts';
import { analysisTable } from './analysis.ts';
import { chooseRoles } from './choose-series.ts';

/** Renders a chart's values, anomalies and forecast as tables for screen readers. */
export function chartTables(answer: Answer, settings: ChartSettings, formats: Formats, title: string): TemplateResult {
  const series = chooseRoles(answer, settings).metrics;
  return html`<div class="visually-hidden">${plainTable(answer, formats, title)}${analysisTable(answer, series, formats)}</div>`;
}
