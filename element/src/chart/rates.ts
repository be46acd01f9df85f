import type { Cell } from '../api/parse-answer.ts';
import { readWrittenNumber } from '../api/written-number.ts';
import type { Formats } from '../formats.ts';

/**
 * Returns the number of percentage points in one unit of a number that the server writes in per cent: 100 for a share
 * (0.463 is written 46.3%), 1 for a number with that unit (46.3 is written 46.3 %). The change of such a rate is shown
 * in points: 46.3% after 47.0% is -0.7 points. As -1.5% it would read as if it were points.
 */
export function pointsPerUnit({ number = 0, text = '' }: Cell): number | undefined {
  return /[%٪]/.test(text) && number !== 0 ? readWrittenNumber(text, number)?.scale : undefined;
}

/** Writes a change in percentage points. */
export function changeInPoints(points: number, { say, number }: Formats): string {
  return say('{0} points', number(points, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }));
}
