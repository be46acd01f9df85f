import type { TemplateResult } from 'lit';
import type { Answer, Cell } from '../api/parse-answer.ts';
import { MAX_UNWINDOWED_CELLS, MAX_UNWINDOWED_ROWS } from '../limits.ts';

/** Rendered rows above and below the visible ones, so that quick scrolling shows no gap. */
const OVERSCAN_ROWS = 12;
/** The window moves in steps of this many rows, so that not every scrolled pixel renders. */
const WINDOW_STEP_ROWS = 6;
/** Minimum number of visible rows: the box is measured only when it scrolls, and may become taller. */
const MIN_VISIBLE_ROWS = 40;

/**
 * Position of a cell in a table; row -1 is the header. Rows count in the order shown, columns in the order of the
 * answer.
 */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Describes the look of cells and columns that the settings of a table choose. */
export interface TableFormat {
  /** Number of first columns that stay in place while the table scrolls sideways. */
  readonly frozen: number;
  /** Returns the custom properties of a cell; an empty text for none. */
  readonly style: (cell: Cell, column: number) => string;
  /** The row of headings above the names of the columns. */
  readonly headings: TemplateResult | undefined;
}

export interface Sort {
  readonly column: number;
  readonly descending: boolean;
}

/**
 * Contains the reader's changes to a table: scroll position, sort, widths, active cell. The grid part changes it and
 * the view renders it. It also listens to the scroll events of the table's box.
 */
export class TableState {
  sort: Sort | undefined;
  /** Positions in the answer in the order shown; undefined for the order of the answer. */
  order: readonly number[] | undefined;
  /** Sorts the next answer like this one, where this one is sorted. */
  sortAnswer: ((answer: Answer) => readonly number[] | undefined) | undefined;
  /** Width of each column in CSS pixels, once the reader has set one. */
  widths: readonly number[] | undefined;
  /** The cell that has the keyboard. */
  active: CellPosition = { row: -1, column: 0 };
  /** The corner opposite to `active` of the range to copy. */
  anchor: CellPosition | undefined;
  /** The selected row, as a position in the answer. */
  selected: number | undefined;
  /** Listens to pointer, keyboard and clipboard, once the grid part is loaded. */
  controls: EventListenerObject | undefined;
  /** Set while the settings of a table choose the look of its cells. */
  format: TableFormat | undefined;
  /** Measured, in CSS pixels, because the host page sets it. */
  rowHeight = 36;

  readonly #changed: () => void;
  #firstVisible = 0;
  #visibleRows = MIN_VISIBLE_ROWS;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  isWindowed({ rows, columns }: Answer): boolean {
    return rows.length > MAX_UNWINDOWED_ROWS || rows.length * columns.length > MAX_UNWINDOWED_CELLS;
  }

  /** Returns the rows to render, from `first` up to but not including `last`. */
  windowRange(answer: Answer): { readonly first: number; readonly last: number } {
    const total = answer.rows.length;
    if (!this.isWindowed(answer)) return { first: 0, last: total };
    const last = Math.min(total, this.#firstVisible + this.#visibleRows + OVERSCAN_ROWS);
    return { first: Math.max(0, Math.min(this.#firstVisible, total) - OVERSCAN_ROWS), last };
  }

  /**
   * Adapts to another answer: drops positions of rows, and keeps widths and the active column where the columns are as
   * many.
   */
  answerReplaced(answer: Answer): void {
    this.selected = undefined;
    this.anchor = undefined;
    if (this.widths?.length !== answer.columns.length) this.widths = undefined;
    const { active } = this;
    const row = Math.min(active.row, answer.rows.length - 1);
    this.active = { row, column: Math.min(active.column, Math.max(0, answer.columns.length - 1)) };
    this.order = this.sortAnswer?.(answer);
  }

  handleEvent({ currentTarget }: Event): void {
    if (currentTarget instanceof HTMLElement) this.updateWindow(currentTarget);
  }

  /** Measures which rows of `box` are visible, and renders again where they changed. */
  updateWindow(box: HTMLElement): void {
    const body = box.querySelector<HTMLTableSectionElement>('tbody:not([aria-hidden])');
    // Measures many rows, because one row may be a fraction of a pixel higher than it reports.
    if (body?.rows.length) this.rowHeight = body.offsetHeight / body.rows.length;
    const first = Math.floor(box.scrollTop / this.rowHeight / WINDOW_STEP_ROWS) * WINDOW_STEP_ROWS;
    const inSight = Math.max(MIN_VISIBLE_ROWS, Math.ceil(box.clientHeight / this.rowHeight) + WINDOW_STEP_ROWS);
    if (first === this.#firstVisible && inSight === this.#visibleRows) return;
    this.#firstVisible = first;
    this.#visibleRows = inSight;
    this.#changed();
  }
}
