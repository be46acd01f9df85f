import type { Cell } from '../api/parse-answer.ts';
import { MAX_AXIS_VALUE, MIN_AXIS_VALUE } from '../limits.ts';

/** Returns the number that a chart draws for a cell; undefined where there is none. */
export function axisNumber(cell: Cell | undefined): number | undefined {
  return cell?.number === undefined ? undefined : clampToAxis(cell.number);
}

/** Clamps `value` to the range that axes can draw; see `MAX_AXIS_VALUE`. */
export function clampToAxis(value: number): number {
  return Math.abs(value) < MIN_AXIS_VALUE ? 0 : Math.min(Math.max(value, -MAX_AXIS_VALUE), MAX_AXIS_VALUE);
}
