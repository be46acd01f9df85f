import type { Cell } from '../api/answer.ts';

/**
 * Beyond these the arithmetic of axes leaves what a double holds, and ECharts fails. What is larger is drawn at the edge,
 * what is smaller at zero; the tooltip and the table say what it is.
 */
const MAX_AXIS_VALUE = 1e100;
const MIN_AXIS_VALUE = 1e-100;

/** The number of a cell as it is drawn; undefined where there is none. */
export function axisNumber(cell: Cell | undefined): number | undefined {
  return cell?.number === undefined ? undefined : clampToAxis(cell.number);
}

export function clampToAxis(value: number): number {
  return Math.abs(value) < MIN_AXIS_VALUE ? 0 : Math.min(Math.max(value, -MAX_AXIS_VALUE), MAX_AXIS_VALUE);
}
