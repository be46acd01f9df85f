import { html, type TemplateResult } from 'lit';
import { chartColumns } from '../api/columns.ts';
import type { Answer } from '../api/parse-answer.ts';
import { DEFAULT_CHART_MODE } from '../chart-modes.ts';
import type { Panel } from '../state/panel.ts';
import { tableView } from '../table/table-view.ts';
import type { AnswerViewOptions, Host } from '../types.ts';
import { formattingPart } from './formatting.ts';
import { emptyNotice, notice, skeleton } from './placeholders.ts';
import { statusBadge, statusLine } from './result-status.ts';

/**
 * Renders the answer of a query or a tile in the requested view, or a skeleton until the part of that view is loaded.
 */
export function answerView(panel: Panel, answer: Answer, host: Host, form: AnswerViewOptions): TemplateResult {
  const { render, mode } = form;
  panel.isPainting = false;
  if (answer.rows.length === 0) {
    panel.view = 'empty';
    // The element has one slot; an empty tile shows its own notice.
    return panel.tile === undefined
      ? html`<slot name="empty">${emptyNotice(host.formats)}</slot>`
      : emptyNotice(host.formats);
  }
  panel.view = render;
  if (render === 'table') return interactiveTable(panel, answer, host, form);
  if (render === 'chart' && chartColumns(answer).series.length === 0) {
    panel.view = 'empty';
    return notice(
      host.formats.say('No numeric series'),
      host.formats.say('This result has no numeric column to draw as a {0} chart.', mode ?? DEFAULT_CHART_MODE),
    );
  }
  const part = host.part(partOfView(render));
  if (part === 'loading') {
    panel.view = undefined;
    return skeleton(skeletonOfView(render));
  }
  if (part === 'failed') {
    panel.view = 'table';
    return html`${interactiveTable(panel, answer, host, form)}${statusLine([statusBadge(host.formats.say('The {0} could not be loaded; the table shows its values', render))])}`;
  }
  return part.view(panel, answer, host, form, interactiveTable);
}

/** Loads the part of a view while its answer is computed. A table needs none at first. */
export function preloadView(render: AnswerViewOptions['render'], host: Host): void {
  if (render !== 'table') host.part(partOfView(render));
}

function partOfView(render: Exclude<AnswerViewOptions['render'], 'table'>) {
  return render === 'chart' ? 'charts' : render;
}

/** Returns the skeleton of a view. */
export function skeletonOfView(render: AnswerViewOptions['render']) {
  return render === 'chart' ? 'bars' : render === 'kpi' ? 'single' : 'table';
}

/** Renders a table, which becomes an interactive grid once the grid part is loaded. */
export function interactiveTable(panel: Panel, answer: Answer, host: Host, form: AnswerViewOptions): TemplateResult {
  const grid = host.part('grid');
  if (typeof grid === 'object') panel.table.controls ??= grid.controls(panel, host);
  panel.table.format = formattingPart(panel, answer, form, host)?.table(panel, answer, form.chart);
  return tableView(answer, panel.table, host.formats, form.title);
}
