import type { Spot } from '../view/table-state.ts';

export interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** Rows that a page key moves. */
  readonly page: number;
  readonly rtl: boolean;
}

/**
 * Where a key leads from `spot`, by the grid pattern of the ARIA Authoring Practices; undefined where it leads nowhere.
 * Row -1 is the header.
 */
export function spotAfter(event: KeyboardEvent, spot: Spot, { rows, columns, page, rtl }: Extent): Spot | undefined {
  const far = event.ctrlKey || event.metaKey;
  if (event.altKey) return undefined;
  const ahead = rtl ? -1 : 1;
  const to = (row: number, column: number): Spot => ({
    row: Math.min(Math.max(row, -1), rows - 1),
    column: Math.min(Math.max(column, 0), columns - 1),
  });
  // At the edge of the header a shifted arrow still means to narrow or widen a column, so the column may leave here.
  const aside = (step: number): Spot =>
    event.shiftKey && spot.row < 0
      ? { row: -1, column: spot.column + step * ahead }
      : to(spot.row, far ? step * ahead * columns : spot.column + step * ahead);
  switch (event.key) {
    case 'ArrowUp':
      return to(far ? -1 : spot.row - 1, spot.column);
    case 'ArrowDown':
      return to(far ? rows : spot.row + 1, spot.column);
    case 'ArrowLeft':
      return aside(-1);
    case 'ArrowRight':
      return aside(1);
    case 'Home':
      return to(far ? -1 : spot.row, 0);
    case 'End':
      return to(far ? rows : spot.row, columns);
    case 'PageUp':
      return to(spot.row - page, spot.column);
    case 'PageDown':
      return to(spot.row + page, spot.column);
    default:
      return undefined;
  }
}
