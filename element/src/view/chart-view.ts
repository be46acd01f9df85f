import { html, nothing, type TemplateResult } from 'lit';
import type { ChartModule } from '../chart/chart.ts';
import { type ChartMode, chartColumns, describeChart, withoutSlice } from '../chart/columns.ts';
import type { Answer } from '../read/answer.ts';
import { chartSurface } from './chart-surface.ts';
import { line } from './honesty.ts';
import { chartSkeleton, notice } from './states.ts';
import { plainTable } from './table-view.ts';

/** The chart file: on its way, here, or not to be had. */
export type Charts = ChartModule | 'loading' | 'failed';

export interface ChartViewOptions {
  readonly answer: Answer;
  readonly mode: ChartMode;
  readonly title: string;
  readonly charts: Charts;
}

/** A chart and, for those who do not see it and for those who test, the same values as a table that is not painted. */
export function chartView({ answer, mode, title, charts }: ChartViewOptions): TemplateResult {
  if (chartColumns(answer).series.length === 0) {
    return notice('No numeric series', `This result has no numeric column to draw as a ${mode} chart.`);
  }
  if (charts === 'loading') return chartSkeleton();
  if (charts === 'failed') {
    return html`<div class="scroller" role="region" tabindex="0" aria-label=${title}>${plainTable(answer, title)}</div>
      ${line([html`<span class="gap">The chart could not be drawn; these are its values</span>`])}`;
  }
  const description = describeChart(answer, mode, title);
  const undrawn = mode === 'pie' ? withoutSlice(answer) : 0;
  return html`<div class="chart-box">
      <div class="chart" part="chart" role="img" aria-label=${description} ${chartSurface(charts, { answer, mode, description })}></div>
    </div>
    ${undrawn > 0 ? line([html`<span class="gap">Without ${undrawn} of zero or less</span>`]) : nothing}
    <div class="unseen">${plainTable(answer, title)}</div>`;
}
