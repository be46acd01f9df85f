import type * as model from '../../schema/model.ts';
import { MAX_ARITHMETIC_NODES, MAX_ARITHMETIC_NUMBER, MAX_ARITHMETIC_PRODUCTS } from '../limits.ts';
import type { ArithmeticOperator, MeasureArithmetic } from '../metadata/measure-arithmetic.ts';
import type { Calc } from './calc.ts';

/**
 * Returns the arithmetic of stored measures and numbers that a calculation consists of; `undefined` if it contains
 * anything else, or is too long for a statement.
 */
export function arithmeticOf(calc: Calc | undefined): MeasureArithmetic | undefined {
  const value = calc === undefined ? undefined : read(calc);
  return value === undefined || !isBounded(value) ? undefined : value;
}

function read(calc: Calc): MeasureArithmetic | undefined {
  if (calc.kind === 'member') {
    const { measure, calculation, hierarchy } = calc.constant ?? {};
    if (measure !== undefined) return { kind: 'measure', measure };
    return hierarchy?.isMeasures === true ? calculation?.arithmetic?.() : undefined;
  }
  if (calc.kind !== 'scalar') return undefined;
  if ('constant' in calc) return typeof calc.constant === 'number' ? numberOf(calc.constant) : undefined;
  const [left, right, ...others] = calc.parts;
  if (left === undefined || others.length > 0) return undefined;
  if (calc.call === undefined) return right === undefined ? arithmeticOf(left) : undefined;
  const operator = OPERATORS.find((each) => each === calc.call?.shape);
  if (operator === undefined) return undefined;
  const first = arithmeticOf(left);
  if (first === undefined) return undefined;
  // The negative of an empty value is empty, as its product is.
  if (right === undefined)
    return operator === '-' ? { kind: 'operation', operator: '*', left: MINUS_ONE, right: first } : undefined;
  const second = arithmeticOf(right);
  const isDividedByZero =
    operator === '/' && second?.kind === 'number' && Math.abs(second.value) < 1 / MAX_ARITHMETIC_NUMBER;
  return second === undefined || isDividedByZero
    ? undefined
    : { kind: 'operation', operator, left: first, right: second };
}

const OPERATORS: readonly ArithmeticOperator[] = ['+', '-', '*', '/'];

const MINUS_ONE: MeasureArithmetic = { kind: 'number', value: -1 };

function numberOf(value: number): MeasureArithmetic | undefined {
  return Math.abs(value) <= MAX_ARITHMETIC_NUMBER ? { kind: 'number', value } : undefined;
}

function isBounded(value: MeasureArithmetic): boolean {
  let nodes = 0;
  let products = 0;
  const count = (each: MeasureArithmetic): void => {
    nodes++;
    if (each.kind !== 'operation') return;
    if (each.operator === '*' || each.operator === '/') products++;
    count(each.left);
    count(each.right);
  };
  count(value);
  return nodes <= MAX_ARITHMETIC_NODES && products <= MAX_ARITHMETIC_PRODUCTS;
}

/** Returns whether the warehouse's value of a measure is a number that arithmetic may use. */
export function isNumber({ aggregator, type }: model.Measure): boolean {
  // The lowest or highest value of a column may be a text or a date, whatever the schema calls its type.
  const isCounted = aggregator !== 'min' && aggregator !== 'max';
  return isCounted && (type === 'Numeric' || type === 'Integer');
}
