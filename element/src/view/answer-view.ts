import { html, type TemplateResult } from 'lit';
import { chartColumns } from '../chart/columns.ts';
import type { AnswerForm, Host, Panel } from '../contract.ts';
import type { Answer } from '../read/answer.ts';
import { gap, line } from './honesty.ts';
import { kpiView } from './kpi-view.ts';
import { empty, notice, skeleton } from './states.ts';
import { tableView } from './table-view.ts';

/** The answer of a query or of a tile, in the form that is asked for, as soon as what draws that form is here. */
export function answerView(panel: Panel, answer: Answer, host: Host, form: AnswerForm): TemplateResult {
  const { render, mode, title } = form;
  if (answer.rows.length === 0) {
    panel.view = 'empty';
    // One slot for the element: a tile that is empty says so itself.
    return panel.tile === undefined ? html`<slot name="empty">${empty()}</slot>` : empty();
  }
  panel.view = render;
  if (render === 'table') return interactiveTable(panel, answer, host, title);
  if (render === 'kpi') return kpiView(answer, form, host);
  if (render === 'chart' && chartColumns(answer).series.length === 0) {
    panel.view = 'empty';
    return notice('No numeric series', `This result has no numeric column to draw as a ${mode} chart.`);
  }
  const part = host.part(render === 'chart' ? 'charts' : 'matrix');
  if (part === 'loading') {
    panel.view = undefined;
    return skeleton(render === 'chart' ? 'bars' : 'table');
  }
  if (part === 'failed') {
    panel.view = 'table';
    return html`${interactiveTable(panel, answer, host, title)}${line([gap(`The ${render} could not be drawn; these are its values`)])}`;
  }
  return part.view(panel, answer, host, form);
}

/** A table, and a grid as soon as the part is here that sorts it and walks through it. */
export function interactiveTable(panel: Panel, answer: Answer, host: Host, title: string): TemplateResult {
  const grid = host.part('grid');
  if (typeof grid === 'object') panel.table.controls ??= grid.controls(panel, host);
  return tableView(answer, panel.table, host.formats, title);
}
