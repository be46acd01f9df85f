import { compareExact, ExactDecimal } from './exact-numbers.ts';
import { asExact, type Value } from './value.ts';

/**
 * Compares values. Empty values come first, then -Infinity, numbers, NaN and +Infinity. Texts are compared by code
 * unit.
 */
export function compareValues(left: Value, right: Value): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  if (typeof left === 'string' || typeof right === 'string') {
    const [a, b] = [String(left), String(right)];
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (isExact(left) || isExact(right)) {
    const [a, b] = [asExact(left), asExact(right)];
    return a === null || b === null ? 0 : compareExact(a, b);
  }
  return compareNumbers(Number(left), Number(right));
}

function isExact(value: Value): boolean {
  return typeof value === 'bigint' || value instanceof ExactDecimal;
}

function compareNumbers(left: number, right: number): number {
  if (left === right) return 0;
  const [leftNaN, rightNaN] = [Number.isNaN(left), Number.isNaN(right)];
  if (leftNaN && rightNaN) return 0;
  if (leftNaN) return right === Number.POSITIVE_INFINITY ? -1 : 1;
  if (rightNaN) return left === Number.POSITIVE_INFINITY ? 1 : -1;
  return left < right ? -1 : 1;
}
