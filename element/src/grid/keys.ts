import type { CellPosition } from '../state/table-state.ts';

export interface GridExtent {
  readonly rows: number;
  readonly columns: number;
  /** Number of rows that a page key moves. */
  readonly page: number;
  readonly rtl: boolean;
}

/**
 * Returns the cell that a key leads to, by the grid pattern of the ARIA Authoring Practices; undefined for other keys.
 * Row -1 is the header.
 */
export function nextCell(
  event: KeyboardEvent,
  cell: CellPosition,
  { rows, columns, page, rtl }: GridExtent,
): CellPosition | undefined {
  const isModified = event.ctrlKey || event.metaKey;
  if (event.altKey) return undefined;
  const ahead = rtl ? -1 : 1;
  const to = (row: number, column: number): CellPosition => ({
    row: Math.min(Math.max(row, -1), rows - 1),
    column: Math.min(Math.max(column, 0), columns - 1),
  });
  // At the edge of the header a shifted arrow still resizes the column, so the position may leave the grid here.
  const aside = (step: number): CellPosition =>
    event.shiftKey && cell.row < 0
      ? { row: -1, column: cell.column + step * ahead }
      : to(cell.row, isModified ? step * ahead * columns : cell.column + step * ahead);
  switch (event.key) {
    case 'ArrowUp':
      return to(isModified ? -1 : cell.row - 1, cell.column);
    case 'ArrowDown':
      return to(isModified ? rows : cell.row + 1, cell.column);
    case 'ArrowLeft':
      return aside(-1);
    case 'ArrowRight':
      return aside(1);
    case 'Home':
      return to(isModified ? -1 : cell.row, 0);
    case 'End':
      return to(isModified ? rows : cell.row, columns);
    case 'PageUp':
      return to(cell.row - page, cell.column);
    case 'PageDown':
      return to(cell.row + page, cell.column);
    default:
      return undefined;
  }
}
