import { html, nothing, type TemplateResult } from 'lit';
import { isNumeric } from '../chart/columns.ts';
import { DASH } from '../chart/labels.ts';
import type { Answer, Cell, Column } from '../read/answer.ts';
import { ROW_HEIGHT, type RowWindow, WINDOWED_OVER } from './row-window.ts';

/** How many rows the unpainted table beside a chart holds: more would slow the page down for what nobody reads. */
const PLAIN_ROWS = 500;

/** A table in a box that scrolls, with only the rows in sight when there are many. */
export function tableView(answer: Answer, window: RowWindow): TemplateResult {
  const total = answer.rows.length;
  if (total <= WINDOWED_OVER)
    return scroller(answer, window, html`<table>${head(answer)}${body(answer, 0, total)}</table>`);
  const { first, last } = window.range(total);
  // Row numbers count the header as the first row, as aria-rowindex does.
  return scroller(
    answer,
    window,
    html`<table class="windowed" aria-rowcount=${total + 1} .style=${`width:max(100%, ${tableWidth(answer)}px)`}>
      <colgroup>${columnWidths(answer).map((width) => html`<col .style=${`width:${width}px`} />`)}</colgroup>
      ${head(answer, 1)}${spacer(answer, first)}${body(answer, first, last, true)}${spacer(answer, total - last)}
    </table>`,
  );
}

/** The same table without a box, for where it is read and not painted. */
export function plainTable(answer: Answer, title: string): TemplateResult {
  const shown = Math.min(answer.rows.length, PLAIN_ROWS);
  const more = answer.rows.length > shown ? ` (the first ${shown} of ${answer.rows.length} rows)` : '';
  return html`<table><caption class="unseen">${title}${more}</caption>${headRow(answer)}${body(answer, 0, shown)}</table>`;
}

function scroller(answer: Answer, window: RowWindow, table: TemplateResult): TemplateResult {
  // A box that scrolls must be reachable by keyboard, and then it needs a name.
  return html`<div class="scroller" part="scroller" role="region" tabindex="0" aria-label=${answer.title} @scroll=${window}>${table}</div>`;
}

function head(answer: Answer, rowIndex?: number): TemplateResult {
  return html`<caption class="unseen">${answer.title}</caption>${headRow(answer, rowIndex)}`;
}

function headRow(answer: Answer, rowIndex?: number): TemplateResult {
  return html`<thead><tr aria-rowindex=${rowIndex ?? nothing}>${answer.columns.map(
    (column) =>
      html`<th scope="col" class=${isNumeric(column) ? 'number' : ''} title=${column.label}>${column.label}</th>`,
  )}</tr></thead>`;
}

function body(answer: Answer, first: number, last: number, indexed = false): TemplateResult {
  const rows = answer.rows.slice(first, last);
  return html`<tbody>${rows.map(
    (row, index) =>
      html`<tr aria-rowindex=${indexed ? first + index + 2 : nothing}>${row.map((cell, position) => tableCell(cell, answer.columns[position]))}</tr>`,
  )}</tbody>`;
}

function tableCell(cell: Cell, column: Column | undefined): TemplateResult {
  const numeric = column !== undefined && isNumeric(column);
  const negative = numeric && cell.number !== undefined && cell.number < 0;
  const kind = `${numeric ? 'number' : ''}${negative ? ' negative' : ''}${cell.text === undefined ? ' missing' : ''}`;
  if (cell.suppressed) {
    return html`<td class=${kind} title="Hidden to protect a small group">${cell.text ?? DASH}<span class="unseen"> (hidden)</span></td>`;
  }
  return html`<td class=${kind} title=${longTitle(cell.text)}>${cell.text ?? DASH}</td>`;
}

/** Only what may have been cut needs saying in full. */
function longTitle(text: string | undefined): string | typeof nothing {
  return text !== undefined && text.length > 28 ? text : nothing;
}

/** The height of the rows that are not there. Set as a property: a style attribute would be refused by a strict CSP. */
function spacer(answer: Answer, rows: number): TemplateResult {
  return html`<tbody aria-hidden="true"><tr class="spacer"><td colspan=${Math.max(1, answer.columns.length)} .style=${`height:${rows * ROW_HEIGHT}px`}></td></tr></tbody>`;
}

const widths = new WeakMap<Answer, readonly number[]>();

/** From all rows, not from those in sight, so that columns do not jump while the table is scrolled. */
function columnWidths(answer: Answer): readonly number[] {
  const known = widths.get(answer);
  if (known) return known;
  const measured = answer.columns.map((column, position) => {
    let longest = column.label.length;
    for (const row of answer.rows) longest = Math.max(longest, row[position]?.text?.length ?? 0);
    return Math.round(Math.min(Math.max(longest, 6), 34) * 7.6 + 32);
  });
  widths.set(answer, measured);
  return measured;
}

function tableWidth(answer: Answer): number {
  return columnWidths(answer).reduce((sum, width) => sum + width, 0);
}
