import { compareValues } from '../metadata/compare.ts';
import type { Value } from '../metadata/value.ts';
import { asNumber, asText } from '../metadata/value.ts';
import { MdxError, MdxEvaluationError, type Position } from '../syntax/errors.ts';
import { type Calc, memberCalc, scalarCalc, setCalc } from './calc.ts';
import { alternatives, commonType } from './constructors.ts';
import { logicalOf, memberOf, nullOf, scalarOf, setOf } from './conversions.ts';
import { elementOf, INTEGER, LOGICAL, NUMERIC, STRING, type Type, typeName } from './expression-types.ts';
import { asScalar } from './overload.ts';

interface Branch {
  readonly when: Calc;
  readonly result: Calc;
}

/** Compiles `CASE x WHEN … THEN …` and `CASE WHEN … THEN …`. The first branch whose test is true gives the result. */
export function compileCase(
  value: Calc | undefined,
  branches: readonly Branch[],
  otherwise: Calc | undefined,
  position: Position,
): Calc {
  const results = alternatives([
    ...branches.map(({ result }) => result),
    ...(otherwise === undefined ? [] : [otherwise]),
  ]);
  const mismatch = () => {
    const types = [...(value === undefined ? [] : [value]), ...branches.flatMap(({ when, result }) => [when, result])];
    return new MdxError(
      `No function matches signature 'CASE(${types.map(({ type }) => typeName(type)).join(', ')})'`,
      position,
    );
  };
  let type: Type | undefined = { kind: 'null' };
  for (const result of results) type = type === undefined ? undefined : commonType(type, result.type);
  if (type === undefined) throw mismatch();
  for (const { when } of branches) {
    const fits =
      value === undefined
        ? when.type.kind === 'logical' || when.type.kind === 'value'
        : commonType(value.type, when.type) !== undefined;
    if (!fits) throw mismatch();
  }
  const subject = value === undefined ? undefined : scalarOf(value);
  const tests = branches.map(({ when }) => {
    if (subject === undefined) return logicalOf(when);
    const other = scalarOf(when);
    return (evaluator: Parameters<typeof other>[0]) => compareValues(subject(evaluator), other(evaluator)) === 0;
  });
  const parts = [value, ...branches.map(({ when }) => asScalar(when)), ...results];
  return choice(type, parts, results, (evaluator) => {
    const index = tests.findIndex((test) => test(evaluator));
    return index < 0 ? tests.length : index;
  });
}

/**
 * Returns the calculation that selects one of several results of one type during evaluation. An index beyond the last
 * result gives null.
 */
export function choice(
  type: Type,
  parts: readonly (Calc | undefined)[],
  results: readonly Calc[],
  choose: (evaluator: Parameters<ReturnType<typeof scalarOf>>[0]) => number,
): Calc {
  const element = elementOf(type);
  if (type.kind === 'set') {
    const sets = results.map(setOf);
    return setCalc({ kind: 'set', element }, parts, (evaluator) => sets[choose(evaluator)]?.(evaluator) ?? []);
  }
  if (type.kind === 'member' && results.every(({ kind }) => kind === 'member' || kind === 'mark')) {
    const members = results.map((result) => (result.kind === 'mark' ? () => nullOf(type.hierarchy) : memberOf(result)));
    return memberCalc(type, parts, (evaluator) => members[choose(evaluator)]?.(evaluator) ?? nullOf(type.hierarchy));
  }
  const values = results.map(scalarOf);
  const scalar: Type = elementOf(type) === undefined && type.kind !== 'null' ? type : { kind: 'value' };
  return scalarCalc(
    scalar,
    parts.map((part) => part && asScalar(part)),
    (evaluator) => values[choose(evaluator)]?.(evaluator) ?? null,
  );
}

/** Compiles `CAST(x AS type)`. */
export function compileCast(value: Calc, typeText: string, position: Position): Calc {
  const source = scalarOf(value);
  const parts = [asScalar(value)];
  switch (typeText.toUpperCase()) {
    case 'NUMERIC':
      return scalarCalc(NUMERIC, parts, (evaluator) => toNumber(source(evaluator)));
    case 'INTEGER':
      return scalarCalc(INTEGER, parts, (evaluator) => {
        const number = toNumber(source(evaluator));
        return number === null ? null : Math.trunc(number);
      });
    case 'STRING':
      return scalarCalc(STRING, parts, (evaluator) => {
        const operand = source(evaluator);
        return operand === null ? null : asText(operand);
      });
    case 'BOOLEAN':
      return scalarCalc(LOGICAL, parts, (evaluator) => toLogical(source(evaluator)));
    default:
      throw new MdxError(`Unknown type '${typeText}'; values are NUMERIC, STRING, BOOLEAN`, position);
  }
}

function toNumber(value: Value): number | null {
  if (typeof value !== 'string') return asNumber(value);
  const number = Number(value.trim());
  if (value.trim() === '' || Number.isNaN(number)) throw new MdxEvaluationError(`The text '${value}' is no number.`);
  return number;
}

function toLogical(value: Value): boolean {
  return typeof value === 'string' ? value.trim().toLowerCase() === 'true' : value !== null && Number(value) !== 0;
}
