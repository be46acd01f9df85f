import type { TemplateResult } from 'lit';
import { nextCell } from '../grid/keys.ts';
import type { Panel } from '../state/panel.ts';
import { selectRow } from '../table/select-row.ts';
import type { Host } from '../types.ts';

/** Writes a row of the body at its place, counted from 0. */
export type RowWriter = (place: number) => TemplateResult;

/**
 * Handles the pointer and the keyboard in one matrix, by the grid pattern of the ARIA Authoring Practices: the Tab key
 * reaches one cell, arrow keys lead to the others, and a click or Enter selects the row of the answer that a cell shows.
 */
export class MatrixControls implements EventListenerObject {
  readonly #panel: Panel;
  readonly #host: Host;

  constructor(panel: Panel, host: Host) {
    this.#panel = panel;
    this.#host = host;
  }

  /** Returns the place in the Tab order of a cell, or of the button in it. */
  tabIndex(row: number, column: number): 0 | -1 {
    const { active } = this.#panel.table;
    return Math.max(0, active.row) === row && active.column === column ? 0 : -1;
  }

  /** Keeps the active cell in a matrix of this size: closed groups have fewer rows. */
  clamp(rows: number, columns: number): void {
    const { active } = this.#panel.table;
    this.#panel.table.active = {
      row: Math.max(0, Math.min(active.row, rows - 1)),
      column: Math.max(0, Math.min(active.column, columns - 1)),
    };
  }

  handleEvent(event: Event): void {
    const cell = event.composedPath().find((each) => each instanceof HTMLTableCellElement);
    const row = cell?.parentElement;
    if (!cell || !(row instanceof HTMLTableRowElement) || !(row.parentElement instanceof HTMLTableSectionElement))
      return;
    if (row.parentElement.localName !== 'tbody') return;
    const place = { row: row.sectionRowIndex, column: cell.cellIndex };
    if (event.type === 'focusin') this.#reach(place);
    else if (event instanceof KeyboardEvent) this.#handleKey(event, cell, row.parentElement, place);
    else if (getSelection()?.isCollapsed ?? true) {
      // A click that ends a text selection selects no row.
      if (cell.localName === 'td' || cell.dataset.row) cell.focus({ preventScroll: true });
      this.#select(cell);
    }
  }

  #reach(place: { readonly row: number; readonly column: number }): void {
    const { active } = this.#panel.table;
    if (active.row === place.row && active.column === place.column) return;
    this.#panel.table.active = place;
    this.#host.requestUpdate();
  }

  #handleKey(
    event: KeyboardEvent,
    cell: HTMLTableCellElement,
    body: HTMLTableSectionElement,
    place: { readonly row: number; readonly column: number },
  ): void {
    if (event.key === 'Enter' || event.key === ' ') {
      // The button of a group opens and closes it.
      if (cell.querySelector('button')) return;
      event.preventDefault();
      this.#select(cell);
      return;
    }
    const columns = Math.max(...[...body.rows].map(({ cells }) => cells.length));
    const box = body.closest('.scroller');
    const page = Math.max(1, Math.floor((box?.clientHeight ?? 0) / Math.max(1, cell.offsetHeight)) - 2);
    const rtl = getComputedStyle(body).direction === 'rtl';
    const next = nextCell(event, place, { rows: body.rows.length, columns, page, rtl });
    if (next === undefined) return;
    event.preventDefault();
    const cells = body.rows[Math.max(0, next.row)]?.cells;
    const target = cells?.[Math.min(next.column, cells.length - 1)];
    (target?.querySelector('button') ?? target)?.focus();
  }

  #select({ dataset }: HTMLTableCellElement): void {
    const { row, column } = dataset;
    if (row) selectRow(this.#host, this.#panel, Number(row), column ? Number(column) : undefined);
  }
}
