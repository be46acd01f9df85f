import { html, nothing, svg, type TemplateResult } from 'lit';
import type { AnswerForm, Host, Panel } from '../contract.ts';
import type { Answer } from '../read/answer.ts';
import { interactiveTable } from '../view/answer-view.ts';
import { gap, line } from '../view/honesty.ts';
import { selectRow } from '../view/select.ts';
import { plainTable } from '../view/table-view.ts';
import { chartColumns } from './columns.ts';
import { describeChart, leftOut } from './describe.ts';
import { drawnPart } from './drawn.ts';
import { pointsOf } from './points.ts';
import type { Surface } from './surfaces.ts';
import { rowText } from './tooltip.ts';

/** The point that the keyboard is at, while it is in a chart. */
const points = new WeakMap<Panel, number>();

/** A chart, and the same values as a table: not painted while the chart is, in its place when the reader wants it. */
export function chartView(panel: Panel, answer: Answer, host: Host, { mode, title }: AnswerForm): TemplateResult {
  const { formats } = host;
  const { category, series } = chartColumns(answer);
  const drawn = mode === 'pie' ? series.slice(0, 1) : series;
  panel.view = panel.asTable ? 'table' : `chart:${mode}`;
  if (panel.asTable) {
    return html`<div class="chart-box as-table" part="chart-box">${interactiveTable(panel, answer, host, title)}${toggle(panel, host)}</div>`;
  }
  const part = drawnPart(answer, mode);
  // The rows by where they stand in the drawing.
  const sliced =
    mode === 'pie' ? (row: number): boolean => (answer.rows[row]?.[series[0] ?? -1]?.number ?? 0) > 0 : () => true;
  const rows = (
    mode === 'scatter' ? part.rows.map((_, index) => index) : pointsOf(part, category, 0, formats).rows
  ).filter(sliced);
  const description = describeChart(part, mode, title);
  const surface: Surface = {
    spec: { answer: part, mode, description, formats, selected: panel.table.selected },
    still: host.still,
    chosen: (index, id) => choose(panel, host, rows[index], drawn[Number(id)]),
    point: points.get(panel),
  };
  const at = points.get(panel) ?? 0;
  const missing = leftOut(answer, part, mode, formats);
  return html`<div class="chart-box" part="chart-box">
      <div class="chart" part="chart" role="img" aria-label=${description} data-tile=${panel.tile ?? ''} .surface=${surface}></div>
      <div class="points" part="points" role="slider" tabindex="0" aria-label=${`Points of ${title}`} aria-valuemin="1"
        aria-valuemax=${rows.length} aria-valuenow=${at + 1} aria-valuetext=${rowText(answer, rows[at] ?? -1, drawn, formats).replaceAll('\u2060', '')}
        @keydown=${(event: KeyboardEvent) => walk(event, panel, host, rows, drawn[0])} @focus=${() => go(panel, host, at)} @blur=${() => go(panel, host, undefined)}></div>
      ${toggle(panel, host)}
    </div>
    ${missing ? line([gap(missing)]) : nothing}
    <div class="unseen">${plainTable(answer, formats, title)}</div>`;
}

function choose(panel: Panel, host: Host, row: number | undefined, column: number | undefined): void {
  if (row !== undefined) selectRow(host, panel, row, column);
}

function go(panel: Panel, host: Host, point: number | undefined): void {
  if (point === undefined) points.delete(panel);
  else points.set(panel, point);
  host.changed();
}

/** The keys of a slider: its value is the point, and what is said about it. */
function walk(
  event: KeyboardEvent,
  panel: Panel,
  host: Host,
  rows: readonly number[],
  column: number | undefined,
): void {
  const at = points.get(panel) ?? 0;
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
  if (step !== undefined) go(panel, host, Math.min(Math.max(at + step, 0), rows.length - 1));
  else if (event.key === 'Enter' || event.key === ' ') choose(panel, host, rows[at], column);
  else if (event.key === 'Escape') {
    panel.table.selected = undefined;
    host.changed();
  } else return;
  event.preventDefault();
}

function toggle(panel: Panel, host: Host): TemplateResult {
  const turn = (): void => {
    panel.asTable = !panel.asTable;
    host.changed();
  };
  const icon = panel.asTable
    ? svg`<path d="M2.5 2v11.5H14M5.5 11V7.5M8.5 11V4.5M11.5 11V6" />`
    : svg`<path d="M2.5 3h11v10h-11zM2.5 6.5h11M2.5 9.8h11M6.5 3v10" />`;
  return html`<button class="toggle" part="toggle" type="button" aria-pressed=${String(panel.asTable)} aria-label="Show as table"
    title=${panel.asTable ? 'Show as chart' : 'Show as table'} @click=${turn}><svg viewBox="0 0 16 16" aria-hidden="true">${icon}</svg></button>`;
}
