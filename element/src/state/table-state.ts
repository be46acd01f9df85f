import type { Answer } from '../api/answer.ts';
import { MAX_UNWINDOWED_CELLS, MAX_UNWINDOWED_ROWS } from '../limits.ts';

/** Rows above and below those in sight, so that a quick scroll shows no gap. */
const OVERSCAN_ROWS = 12;
/** The window moves in steps of this many rows, so that not every scrolled pixel renders. */
const WINDOW_STEP_ROWS = 6;
/** Rows taken to be in sight at least: the box is measured when it scrolls, and may be taller before or afterwards. */
const MIN_VISIBLE_ROWS = 40;

/**
 * Position of a cell in a table; row -1 is the header. Rows count as they are shown, columns as they stand in the
 * answer.
 */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export interface Sort {
  readonly column: number;
  readonly descending: boolean;
}

/**
 * Holds what a reader did to a table: scrolled, sorted, widened, walked through it. The grid part changes it, the view
 * renders it. Also the listener of the scroll events of the table's box.
 */
export class TableState {
  sort: Sort | undefined;
  /** Positions in the answer in the order they are shown; undefined for the order of the answer. */
  order: readonly number[] | undefined;
  /** Sorts the next answer like this one, where this one is sorted. */
  sortAnswer: ((answer: Answer) => readonly number[] | undefined) | undefined;
  /** Width of each column in CSS pixels, once the reader has set one. */
  widths: readonly number[] | undefined;
  /** The cell that the keyboard is at. */
  active: CellPosition = { row: -1, column: 0 };
  /** The other corner of what is marked for copying. */
  anchor: CellPosition | undefined;
  /** The row that was chosen, as a position in the answer. */
  selected: number | undefined;
  /** Listens to pointer, keyboard and clipboard, once the grid part is here. */
  controls: EventListenerObject | undefined;
  /** CSS pixels; measured, because the host page sets it. */
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

  /** Returns the rows to render: `first` up to, but without, `last`. */
  windowRange(answer: Answer): { readonly first: number; readonly last: number } {
    const total = answer.rows.length;
    if (!this.isWindowed(answer)) return { first: 0, last: total };
    const last = Math.min(total, this.#firstVisible + this.#visibleRows + OVERSCAN_ROWS);
    return { first: Math.max(0, Math.min(this.#firstVisible, total) - OVERSCAN_ROWS), last };
  }

  /** Adapts to another answer: what meant certain rows is gone, what meant columns stays while they do. */
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

  /** Measures which rows of `box` are in sight now, and renders others where they changed. */
  updateWindow(box: HTMLElement): void {
    const body = box.querySelector<HTMLTableSectionElement>('tbody:not([aria-hidden])');
    // Of many rows, because one may be a fraction of a pixel higher than it says.
    if (body?.rows.length) this.rowHeight = body.offsetHeight / body.rows.length;
    const first = Math.floor(box.scrollTop / this.rowHeight / WINDOW_STEP_ROWS) * WINDOW_STEP_ROWS;
    const inSight = Math.max(MIN_VISIBLE_ROWS, Math.ceil(box.clientHeight / this.rowHeight) + WINDOW_STEP_ROWS);
    if (first === this.#firstVisible && inSight === this.#visibleRows) return;
    this.#firstVisible = first;
    this.#visibleRows = inSight;
    this.#changed();
  }
}
