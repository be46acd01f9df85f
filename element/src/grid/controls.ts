import type { Answer } from '../api/parse-answer.ts';
import type { Panel } from '../state/panel.ts';
import type { CellPosition, TableState } from '../state/table-state.ts';
import { selectRow } from '../table/select-row.ts';
import type { Host } from '../types.ts';
import { clipboardText } from './copy.ts';
import { nextCell } from './keys.ts';
import { resizedWidths, startResize } from './resize.ts';
import { sortBy } from './sort.ts';

/** Pixels by which one key press widens a column. */
const RESIZE_STEP = 16;

/** Handles the pointer, the keyboard and the clipboard in one table. */
export class GridControls implements EventListenerObject {
  readonly #panel: Panel;
  readonly #host: Host;

  constructor(panel: Panel, host: Host) {
    this.#panel = panel;
    this.#host = host;
  }

  handleEvent(event: Event): void {
    const box = event.currentTarget;
    const answer = this.#panel.answer;
    if (!(box instanceof HTMLElement) || answer === undefined) return;
    if (event instanceof KeyboardEvent) this.#handleKey(event, box, answer);
    else if (event instanceof ClipboardEvent) this.#copy(event, box, answer);
    else if (event.type === 'pointerdown' && event instanceof PointerEvent) this.#startResize(event, box);
    else if (event.type === 'focusin') this.#followFocus(event);
    else if (event.type === 'click') this.#click(event, answer, box);
  }

  get #table(): TableState {
    return this.#panel.table;
  }

  #click(event: Event, answer: Answer, box: HTMLElement): void {
    if (isGrip(event)) return;
    const cell = this.#cellPositionOf(event);
    if (cell === undefined) return;
    // A click that ends a text selection selects no row.
    if (!(getSelection()?.isCollapsed ?? true)) return;
    this.#table.anchor = undefined;
    this.#activate(cell, answer);
    this.#moveTo(cell, box);
  }

  /** Performs the action of Enter and of a click: a header cell sorts, a body cell selects its row. */
  #activate(cell: CellPosition, answer: Answer): void {
    if (cell.row < 0) this.#sort(cell.column, answer);
    else selectRow(this.#host, this.#panel, this.#table.order?.[cell.row] ?? cell.row, cell.column);
  }

  /** Sorts by a column: first in its default direction, then in the other, then in the author's order. */
  #sort(column: number, answer: Answer): void {
    const { sort } = this.#table;
    const first = answer.columns[column]?.type === 'metric';
    const descending = sort?.column === column ? !sort.descending : first;
    const again = sort?.column === column && sort.descending !== first;
    sortBy(this.#table, again ? undefined : { column, descending }, answer, this.#host.formats);
    this.#table.anchor = undefined;
    this.#host.requestUpdate();
    const how = again ? 'Not sorted' : descending ? 'Sorted by {0}, descending' : 'Sorted by {0}, ascending';
    this.#host.announce(this.#host.formats.say(how, answer.columns[column]?.label ?? ''));
  }

  #startResize(event: PointerEvent, box: HTMLElement): void {
    const grip = event.composedPath()[0];
    if (isGrip(event) && grip instanceof HTMLElement) {
      event.preventDefault();
      startResize(event, grip, box, this.#table, () => this.#host.requestUpdate());
    }
  }

  /** Follows the focus after Tab or a screen reader moved it. */
  #followFocus(event: Event): void {
    const cell = this.#cellPositionOf(event);
    if (cell === undefined || isSameCell(cell, this.#table.active)) return;
    this.#table.active = cell;
    this.#host.requestUpdate();
  }

  #handleKey(event: KeyboardEvent, box: HTMLElement, answer: Answer): void {
    const table = this.#table;
    const { active } = table;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#activate(active, answer);
      return;
    }
    if (event.key === 'Escape' && table.anchor) {
      table.anchor = undefined;
      this.#host.requestUpdate();
      return;
    }
    const rtl = getComputedStyle(box).direction === 'rtl';
    const page = Math.max(1, Math.floor(box.clientHeight / table.rowHeight) - 2);
    const next = nextCell(event, active, { rows: answer.rows.length, columns: answer.columns.length, page, rtl });
    if (next === undefined) return;
    event.preventDefault();
    if (event.shiftKey && active.row < 0 && next.row === active.row) {
      table.widths = resizedWidths(box, table, active.column, Math.sign(next.column - active.column) * RESIZE_STEP);
      this.#host.requestUpdate();
      return;
    }
    table.anchor = event.shiftKey && active.row >= 0 ? (table.anchor ?? active) : undefined;
    this.#moveTo(event.shiftKey && active.row >= 0 ? { ...next, row: Math.max(0, next.row) } : next, box);
  }

  #copy(event: ClipboardEvent, box: HTMLElement, answer: Answer): void {
    // The browser copies a text selection. The grid copies only while it has the focus.
    if (!(getSelection()?.isCollapsed ?? true) || !box.contains(this.#host.root.activeElement)) return;
    event.clipboardData?.setData('text/plain', clipboardText(answer, this.#table, this.#host.formats));
    event.preventDefault();
  }

  /** Moves the keyboard to another cell: scrolls it into view, renders it, and focuses it. */
  #moveTo(cell: CellPosition, box: HTMLElement): void {
    const table = this.#table;
    table.active = cell;
    const windowed = this.#panel.answer && table.isWindowed(this.#panel.answer);
    if (windowed && cell.row >= 0) {
      const header = box.querySelector('thead')?.offsetHeight ?? 0;
      const top = cell.row * table.rowHeight;
      const room = box.clientHeight - header;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + table.rowHeight > box.scrollTop + room) box.scrollTop = top + table.rowHeight - room;
      table.updateWindow(box);
    }
    this.#host.requestUpdate();
    void this.#host.updateComplete().then(() => {
      const cell = box.querySelector<HTMLElement>(':is(th, td)[tabindex="0"]');
      cell?.focus({ preventScroll: windowed === true });
      if (windowed) cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  }

  #cellPositionOf(event: Event): CellPosition | undefined {
    const cell = event.composedPath().find((each) => each instanceof HTMLTableCellElement);
    const row = cell?.parentElement;
    if (!cell || !(row instanceof HTMLTableRowElement) || row.className === 'headings') return undefined;
    if (cell.localName === 'th') return { row: -1, column: cell.cellIndex };
    // A windowed table numbers its rows by aria-rowindex.
    const index = row.getAttribute('aria-rowindex');
    return { row: index === null ? row.sectionRowIndex : Number(index) - 2, column: cell.cellIndex };
  }
}

function isGrip(event: Event): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && target.classList.contains('grip');
}

function isSameCell(a: CellPosition, b: CellPosition): boolean {
  return a.row === b.row && a.column === b.column;
}
