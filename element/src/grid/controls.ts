import type { Host, Panel } from '../contract.ts';
import type { Answer } from '../read/answer.ts';
import { selectRow } from '../view/select.ts';
import type { Spot, TableState } from '../view/table-state.ts';
import { copiedText } from './copy.ts';
import { spotAfter } from './keys.ts';
import { resizeFrom, widened } from './resize.ts';
import { sortBy } from './sort.ts';

/** Pixels by which one key press widens a column. */
const WIDEN = 16;

/** The pointer, the keyboard and the clipboard in one table. */
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
    if (event instanceof KeyboardEvent) this.#key(event, box, answer);
    else if (event instanceof ClipboardEvent) this.#copy(event, box, answer);
    else if (event.type === 'pointerdown' && event instanceof PointerEvent) this.#press(event, box);
    else if (event.type === 'focusin') this.#focused(event);
    else if (event.type === 'click') this.#click(event, answer, box);
  }

  get #table(): TableState {
    return this.#panel.table;
  }

  #click(event: Event, answer: Answer, box: HTMLElement): void {
    if (isGrip(event)) return;
    const spot = this.#spotOf(event);
    if (spot === undefined) return;
    // The end of marking text with the pointer is no choice of a row.
    if (!(getSelection()?.isCollapsed ?? true)) return;
    this.#table.anchor = undefined;
    this.#activate(spot, answer);
    this.#moveTo(spot, box);
  }

  /** What Enter and a click do: the header sorts, a cell chooses its row. */
  #activate(spot: Spot, answer: Answer): void {
    if (spot.row < 0) this.#sort(spot.column, answer);
    else selectRow(this.#host, this.#panel, this.#table.order?.[spot.row] ?? spot.row, spot.column);
  }

  /** In the direction a reader looks for first, then the other, then as the author sorted it. */
  #sort(column: number, answer: Answer): void {
    const { sort } = this.#table;
    const first = answer.columns[column]?.type === 'metric';
    const descending = sort?.column === column ? !sort.descending : first;
    const again = sort?.column === column && sort.descending !== first;
    sortBy(this.#table, again ? undefined : { column, descending }, answer, this.#host.formats);
    this.#table.anchor = undefined;
    this.#host.changed();
    const how = again
      ? 'Not sorted'
      : `Sorted by ${answer.columns[column]?.label}, ${descending ? 'descending' : 'ascending'}`;
    this.#host.announce(how);
  }

  #press(event: PointerEvent, box: HTMLElement): void {
    const grip = event.composedPath()[0];
    if (isGrip(event) && grip instanceof HTMLElement) {
      event.preventDefault();
      resizeFrom(event, grip, box, this.#table, () => this.#host.changed());
    }
  }

  /** Tab came in, or a screen reader moved the focus by itself. */
  #focused(event: Event): void {
    const spot = this.#spotOf(event);
    if (spot === undefined || sameSpot(spot, this.#table.active)) return;
    this.#table.active = spot;
    this.#host.changed();
  }

  #key(event: KeyboardEvent, box: HTMLElement, answer: Answer): void {
    const table = this.#table;
    const { active } = table;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#activate(active, answer);
      return;
    }
    if (event.key === 'Escape' && table.anchor) {
      table.anchor = undefined;
      this.#host.changed();
      return;
    }
    const rtl = getComputedStyle(box).direction === 'rtl';
    const page = Math.max(1, Math.floor(box.clientHeight / table.rowHeight) - 2);
    const next = spotAfter(event, active, { rows: answer.rows.length, columns: answer.columns.length, page, rtl });
    if (next === undefined) return;
    event.preventDefault();
    if (event.shiftKey && active.row < 0 && next.row === active.row) {
      table.widths = widened(box, table, active.column, Math.sign(next.column - active.column) * WIDEN);
      this.#host.changed();
      return;
    }
    table.anchor = event.shiftKey && active.row >= 0 ? (table.anchor ?? active) : undefined;
    this.#moveTo(event.shiftKey && active.row >= 0 ? { ...next, row: Math.max(0, next.row) } : next, box);
  }

  #copy(event: ClipboardEvent, box: HTMLElement, answer: Answer): void {
    // Text that is marked is copied by the browser; nothing of a grid that the reader is not in.
    if (!(getSelection()?.isCollapsed ?? true) || !box.contains(this.#host.root.activeElement)) return;
    event.clipboardData?.setData('text/plain', copiedText(answer, this.#table, this.#host.formats));
    event.preventDefault();
  }

  /** The keyboard goes to another cell, which is scrolled into sight, rendered, and then focused. */
  #moveTo(spot: Spot, box: HTMLElement): void {
    const table = this.#table;
    table.active = spot;
    const windowed = this.#panel.answer && table.isWindowed(this.#panel.answer);
    if (windowed && spot.row >= 0) {
      const header = box.querySelector('thead')?.offsetHeight ?? 0;
      const top = spot.row * table.rowHeight;
      const room = box.clientHeight - header;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + table.rowHeight > box.scrollTop + room) box.scrollTop = top + table.rowHeight - room;
      table.scrolled(box);
    }
    this.#host.changed();
    void this.#host.painted().then(() => {
      const cell = box.querySelector<HTMLElement>(':is(th, td)[tabindex="0"]');
      cell?.focus({ preventScroll: windowed === true });
      if (windowed) cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  }

  #spotOf(event: Event): Spot | undefined {
    const cell = event.composedPath().find((each) => each instanceof HTMLTableCellElement);
    const row = cell?.parentElement;
    if (!cell || !(row instanceof HTMLTableRowElement)) return undefined;
    if (cell.localName === 'th') return { row: -1, column: cell.cellIndex };
    // With only the rows in sight rendered, the table says which each is.
    const index = row.getAttribute('aria-rowindex');
    return { row: index === null ? row.sectionRowIndex : Number(index) - 2, column: cell.cellIndex };
  }
}

function isGrip(event: Event): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && target.classList.contains('grip');
}

function sameSpot(a: Spot, b: Spot): boolean {
  return a.row === b.row && a.column === b.column;
}
