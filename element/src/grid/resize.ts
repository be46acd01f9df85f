import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from '../limits.ts';
import type { TableState } from '../state/table-state.ts';

/** Returns the widths of all columns with one of them changed. The others keep the browser's widths. */
export function resizedWidths(box: HTMLElement, table: TableState, column: number, by: number): readonly number[] {
  const widths =
    table.widths ??
    [...box.querySelectorAll('tr:not(.headings) > th')].map((header) => header.getBoundingClientRect().width);
  return widths.map((width, index) =>
    index === column ? Math.round(Math.min(Math.max(width + by, MIN_COLUMN_WIDTH), MAX_COLUMN_WIDTH)) : width,
  );
}

/** Follows the pointer from the press on a column's edge until the release. */
export function startResize(
  event: PointerEvent,
  grip: HTMLElement,
  box: HTMLElement,
  table: TableState,
  changed: () => void,
): void {
  const header = grip.closest('th');
  if (!header) return;
  const column = header.cellIndex;
  const from = event.clientX;
  const ahead = getComputedStyle(box).direction === 'rtl' ? -1 : 1;
  table.widths = resizedWidths(box, table, column, 0);
  const previous = table.widths;
  const move = ({ clientX }: PointerEvent): void => {
    table.widths = previous;
    table.widths = resizedWidths(box, table, column, (clientX - from) * ahead);
    changed();
  };
  const end = (): void => {
    grip.removeEventListener('pointermove', move);
    grip.removeEventListener('pointerup', end);
    grip.removeEventListener('pointercancel', end);
  };
  grip.setPointerCapture(event.pointerId);
  grip.addEventListener('pointermove', move);
  grip.addEventListener('pointerup', end);
  grip.addEventListener('pointercancel', end);
}
