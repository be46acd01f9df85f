import type { Scalar } from '../../../../router/capabilities/scalar.ts';
import { MdxEvaluationError } from '../syntax/errors.ts';
import { type Exact, ExactDecimal } from './exact-numbers.ts';

/** The value of an expression. `null` is empty. */
export type Value = Scalar | Date | ExactDecimal;

/**
 * Returns a value as a number; `null` for an empty value.
 *
 * @throws MdxEvaluationError for a text
 */
export function asNumber(value: Value): number | null {
  if (value === null || typeof value === 'number') return value;
  if (typeof value === 'string') throw wrongType('NUMERIC', value);
  return Number(value);
}

/**
 * Returns a value as a number of full precision; `null` for an empty value.
 *
 * @throws MdxEvaluationError for a text
 */
export function asExact(value: Value): Exact | null {
  return typeof value === 'bigint' || value instanceof ExactDecimal ? value : asNumber(value);
}

/** Returns a value as MDX writes it. Whole numbers have one decimal: `3.0`. */
export function asText(value: Exclude<Value, null>): string {
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < 1e7 ? value.toFixed(1) : String(value);
  }
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Returns the error for a text that is used as another type. */
export function wrongType(expected: string, value: string): MdxEvaluationError {
  return new MdxEvaluationError(`Expected value of type ${expected}; got value '${value}' (STRING)`);
}
