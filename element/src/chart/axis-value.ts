import type { Cell } from '../api/answer.ts';
import { MAX_AXIS_VALUE, MIN_AXIS_VALUE } from '../limits.ts';

/** Returns the number of a cell as it is drawn; undefined where there is none. */
export function axisNumber(cell: Cell | undefined): number | undefined {
  return cell?.number === undefined ? undefined : clampToAxis(cell.number);
}

/** Returns `value` within what axes can be drawn for; see `MAX_AXIS_VALUE`. */
export function clampToAxis(value: number): number {
  return Math.abs(value) < MIN_AXIS_VALUE ? 0 : Math.min(Math.max(value, -MAX_AXIS_VALUE), MAX_AXIS_VALUE);
}
