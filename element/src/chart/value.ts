import type { Cell } from '../read/answer.ts';

/**
 * Beyond these the arithmetic of axes leaves what a double holds, and ECharts fails. What is larger is drawn at the edge,
 * what is smaller at zero; the tooltip and the table say what it is.
 */
const LARGEST = 1e100;
const SMALLEST = 1e-100;

/** The number of a cell as it is drawn; undefined where there is none. */
export function drawnNumber(cell: Cell | undefined): number | undefined {
  return cell?.number === undefined ? undefined : drawable(cell.number);
}

export function drawable(value: number): number {
  return Math.abs(value) < SMALLEST ? 0 : Math.min(Math.max(value, -LARGEST), LARGEST);
}
