import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Answer } from '../api/answer.ts';
import { chartColumns } from '../api/columns.ts';
import { interactiveTable } from '../render/answer-view.ts';
import { statusBadge, statusLine } from '../render/result-status.ts';
import type { Panel } from '../state/panel.ts';
import { selectRow } from '../table/select-row.ts';
import type { AnswerViewOptions, Host } from '../types.ts';
import { chartTables } from './analysis-table.ts';
import { describeChart, omittedNote } from './describe.ts';
import { CHART_MODE_DEFINITIONS } from './modes/registry.ts';
import { capRows } from './row-cap.ts';
import type { Surface } from './surfaces.ts';
import { rowText } from './tooltip.ts';

/** The point that has the keyboard, by panel. */
const keyboardPoints = new WeakMap<Panel, number>();

/** Renders a chart and a table of its values. The table is for screen readers, until the reader switches to it. */
export function chartView(
  panel: Panel,
  answer: Answer,
  host: Host,
  { mode, title }: AnswerViewOptions,
): TemplateResult {
  const { formats } = host;
  const definition = CHART_MODE_DEFINITIONS[mode];
  const plottedColumns = chartColumns(answer).series.slice(0, definition.maxTooltipSeries);
  panel.view = panel.isTable ? 'table' : `chart:${mode}`;
  if (panel.isTable) {
    return html`<div class="chart-box as-table" part="chart-box">${interactiveTable(panel, answer, host, title)}${tableToggle(panel, host)}</div>`;
  }
  const plotted = capRows(answer, mode);
  const rows = definition.pointRows(plotted, formats);
  const description = describeChart(plotted, mode, title);
  const surface: Surface = {
    spec: { answer: plotted, mode, description, formats, selected: panel.table.selected },
    isHydrating: host.isHydrating,
    onSelect: (index, id) => selectPoint(panel, host, rows[index], plottedColumns[Number(id)]),
    highlighted: keyboardPoints.get(panel),
  };
  const at = keyboardPoints.get(panel) ?? 0;
  const note = omittedNote(answer, plotted, mode, formats);
  return html`<div class="chart-box" part="chart-box">
      <div class="chart" part="chart" role="img" aria-label=${description} data-tile=${panel.tile ?? ''} .surface=${surface}></div>
      <div class="points" part="points" role="slider" tabindex="0" aria-label=${`Points of ${title}`} aria-valuemin="1"
        aria-valuemax=${rows.length} aria-valuenow=${at + 1} aria-valuetext=${rowText(answer, rows[at] ?? -1, plottedColumns, formats).replaceAll('\u2060', '')}
        @keydown=${(event: KeyboardEvent) => moveByKey(event, panel, host, rows, plottedColumns[0])} @focus=${() => highlightPoint(panel, host, at)} @blur=${() => highlightPoint(panel, host, undefined)}></div>
      ${tableToggle(panel, host)}
    </div>
    ${note ? statusLine([statusBadge(note)]) : nothing}
    ${chartTables(answer, mode, formats, title)}`;
}

function selectPoint(panel: Panel, host: Host, row: number | undefined, column: number | undefined): void {
  if (row !== undefined) selectRow(host, panel, row, column);
}

function highlightPoint(panel: Panel, host: Host, point: number | undefined): void {
  if (point === undefined) keyboardPoints.delete(panel);
  else keyboardPoints.set(panel, point);
  host.requestUpdate();
}

/** Handles the keys of a slider: its value is the point, and its value text describes that point. */
function moveByKey(
  event: KeyboardEvent,
  panel: Panel,
  host: Host,
  rows: readonly number[],
  column: number | undefined,
): void {
  const at = keyboardPoints.get(panel) ?? 0;
  const rtl = event.currentTarget instanceof Element && getComputedStyle(event.currentTarget).direction === 'rtl';
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: rtl ? -1 : 1,
    ArrowLeft: rtl ? 1 : -1,
    ArrowUp: 1,
    ArrowDown: -1,
    PageUp: 10,
    PageDown: -10,
    Home: -rows.length,
    End: rows.length,
  };
  const step = steps[event.key];
  if (step !== undefined) highlightPoint(panel, host, Math.min(Math.max(at + step, 0), rows.length - 1));
  else if (event.key === 'Enter' || event.key === ' ') selectPoint(panel, host, rows[at], column);
  else if (event.key === 'Escape') {
    panel.table.selected = undefined;
    host.requestUpdate();
  } else return;
  event.preventDefault();
}

function tableToggle(panel: Panel, host: Host): TemplateResult {
  const turn = (): void => {
    panel.isTable = !panel.isTable;
    host.requestUpdate();
  };
  const icon = panel.isTable
    ? svg`<path d="M2.5 2v11.5H14M5.5 11V7.5M8.5 11V4.5M11.5 11V6" />`
    : svg`<path d="M2.5 3h11v10h-11zM2.5 6.5h11M2.5 9.8h11M6.5 3v10" />`;
  return html`<button class="toggle" part="toggle" type="button" aria-pressed=${String(panel.isTable)} aria-label="Show as table"
    title=${panel.isTable ? 'Show as chart' : 'Show as table'} @click=${turn}><svg viewBox="0 0 16 16" aria-hidden="true">${icon}</svg></button>`;
}
