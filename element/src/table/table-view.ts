import { html, nothing, type TemplateResult } from 'lit';
import { isNumeric } from '../api/columns.ts';
import type { Answer, Cell, Column } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { TableState } from '../state/table-state.ts';
import { clip, hiddenNote } from './cell-text.ts';

/** Renders a table in a scrolling box. A long table renders only the visible rows. */
export function tableView(answer: Answer, state: TableState, formats: Formats, title = answer.title): TemplateResult {
  const total = answer.rows.length;
  const windowed = state.isWindowed(answer);
  const { first, last } = state.windowRange(answer);
  const measuredWidths = state.widths ?? (windowed ? columnWidths(answer) : undefined);
  const grid = state.controls !== undefined;
  const shown = Array.from({ length: last - first }, (_, index) => state.order?.[first + index] ?? first + index);
  const wide = measuredWidths?.reduce((sum, width) => sum + width, 0);
  // A scrolling box must be reachable by keyboard and then needs a name. In a grid, the cells are reachable.
  return html`<div class="scroller" part="scroller" role=${grid ? nothing : 'region'} tabindex=${grid ? nothing : 0}
      aria-label=${grid ? nothing : title} @scroll=${state} @click=${state.controls} @keydown=${state.controls}
      @copy=${state.controls} @pointerdown=${state.controls} @focusin=${state.controls}>
    <table class=${measuredWidths ? 'windowed' : ''} part="table" role=${grid ? 'grid' : nothing} aria-label=${grid ? title : nothing} data-frozen=${state.format?.frozen || nothing}
      aria-rowcount=${windowed ? total + 1 : nothing} .style=${wide ? `width:max(100%, ${wide}px)` : ''}>
      <caption class="visually-hidden">${title}</caption>
      ${measuredWidths ? html`<colgroup>${measuredWidths.map((width) => html`<col .style=${`width:${width}px`} />`)}</colgroup>` : nothing}
      ${headRow(answer, state, windowed)}
      ${windowed ? spacer(answer, first * state.rowHeight) : nothing}
      <tbody>${shown.map((position, index) => bodyRow(answer, position, formats, { state, row: first + index, windowed }))}</tbody>
      ${windowed ? spacer(answer, (total - last) * state.rowHeight) : nothing}
    </table>
  </div>`;
}

function headRow(answer: Answer, state: TableState, windowed: boolean): TemplateResult {
  const { sort } = state;
  return html`<thead>${state.format?.headings ?? nothing}<tr aria-rowindex=${windowed ? 1 : nothing}>${answer.columns.map(
    (column, index) => {
      const label = clip(column.label);
      const order = sort?.column !== index ? 'none' : sort.descending ? 'descending' : 'ascending';
      return html`<th scope="col" part="header-cell" class=${isNumeric(column) ? 'number' : ''} title=${label}
      tabindex=${cellTabIndex(state, -1, index)} aria-sort=${state.controls ? order : nothing}>${label}${
        state.controls ? html`<span class="grip" part="resize-handle"></span>` : nothing
      }</th>`;
    },
  )}</tr></thead>`;
}

/** Describes a row of a painted table. */
interface PaintedRow {
  readonly state: TableState;
  /** Position in the order shown, from 0. */
  readonly row: number;
  readonly windowed: boolean;
}

function bodyRow(answer: Answer, position: number, formats: Formats, painted: PaintedRow): TemplateResult {
  const { state, row, windowed } = painted;
  const chosen = state.selected === position ? 'chosen' : '';
  // Row numbers count the header as the first row, like aria-rowindex.
  return html`<tr class=${chosen} part="row" aria-rowindex=${windowed ? row + 2 : nothing}>${answer.rows[position]?.map(
    (cell, column) =>
      bodyCell(
        cell,
        answer.columns[column],
        formats,
        cellTabIndex(state, row, column),
        isMarked(state, row, column, chosen !== ''),
        state.format?.style(cell, column) ?? '',
      ),
  )}</tr>`;
}

function bodyCell(
  cell: Cell,
  column: Column | undefined,
  formats: Formats,
  tabindex: number | typeof nothing,
  selected: boolean,
  style: string,
): TemplateResult {
  const numeric = column !== undefined && isNumeric(column);
  const negative = numeric && cell.number !== undefined && cell.number < 0;
  const kind = `${numeric ? 'number' : ''}${negative ? ' negative' : ''}${cell.text === undefined ? ' missing' : ''}`;
  const text = clip(formats.cell(cell, column));
  // Only a text that may be cut needs a title.
  const title = cell.suppressed ? formats.say('Hidden to protect a small group') : text.length > 28 ? text : nothing;
  return html`<td class=${kind} part="cell" title=${title} tabindex=${tabindex} aria-selected=${selected || nothing} .style=${style}>${text}${hiddenNote(cell, formats)}</td>`;
}

/** Returns 0 for the one cell of a grid that the Tab key reaches. */
function cellTabIndex(state: TableState, row: number, column: number): number | typeof nothing {
  return state.controls && state.active.row === row && state.active.column === column ? 0 : nothing;
}

function isMarked({ anchor, active }: TableState, row: number, column: number, chosen: boolean): boolean {
  const within = (at: number, a: number, b: number): boolean => at >= Math.min(a, b) && at <= Math.max(a, b);
  return (
    chosen ||
    (anchor !== undefined && within(row, anchor.row, active.row) && within(column, anchor.column, active.column))
  );
}

/**
 * Renders the height of the rows that are not rendered. It is set as a property, because a strict CSP refuses style
 * attributes.
 */
function spacer(answer: Answer, height: number): TemplateResult {
  return html`<tbody aria-hidden="true"><tr class="spacer"><td colspan=${Math.max(1, answer.columns.length)} .style=${`height:${height}px`}></td></tr></tbody>`;
}

const widths = new WeakMap<Answer['rows'], readonly number[]>();

/** Measures the columns over all rows, not only the visible ones, so that columns do not jump during scrolling. */
function columnWidths(answer: Answer): readonly number[] {
  const cachedWidths = widths.get(answer.rows);
  if (cachedWidths) return cachedWidths;
  const measured = answer.columns.map((column, position) => {
    let longest = column.label.length;
    for (const row of answer.rows) longest = Math.max(longest, row[position]?.text?.length ?? 0);
    return Math.round(Math.min(Math.max(longest, 6), 34) * 7.6 + 32);
  });
  widths.set(answer.rows, measured);
  return measured;
}
