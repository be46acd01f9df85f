import {
  type Calc,
  dimensionOf,
  hierarchyCalcOf,
  levelOf,
  logicalOf,
  memberOf,
  numberOf,
  numericCalc,
  scalarCalc,
  scalarOf,
  setOf,
  stringOf,
  tupleOf,
} from '../compile/calc.ts';
import { define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { LOGICAL, STRING } from '../compile/types.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { MAX_QUOTED_LENGTH } from '../limits.ts';
import { compareValues } from '../metadata/compare.ts';
import type { Tuple } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { MdxEvaluationError } from '../syntax/errors.ts';
import { matchesWhole } from './regex/match.ts';
import { PatternError } from './regex/pattern.ts';
import { requireArg } from './required.ts';
import { tupleKey } from './sets.ts';

/** Arithmetic, comparison and logic. */

/** An operand that is empty counts as nothing where the other is not: `5 + empty` is 5. Both empty: empty. */
function additive(name: '+' | '-', compute: (left: number, right: number) => number): FunctionDefinition {
  const what = name === '+' ? 'The sum; an empty operand counts as 0, two are empty.' : 'The difference; likewise.';
  return define(name, 'infix', 'numeric numeric', what, (_, left, right) => {
    const [a, b] = [numberOf(requireArg(left)), numberOf(requireArg(right))];
    return numericCalc([left, right], (evaluator) => {
      const [x, y] = [a(evaluator), b(evaluator)];
      return x === null && y === null ? null : compute(x ?? 0, y ?? 0);
    });
  });
}

/** Comparison with an empty value does not hold. */
function comparison(name: string, what: string, test: (order: number) => boolean): readonly FunctionDefinition[] {
  const build: FunctionDefinition['build'] = (_, left, right) => {
    const [a, b] = [scalarOf(requireArg(left)), scalarOf(requireArg(right))];
    return scalarCalc(LOGICAL, [left, right], (evaluator) => {
      const [x, y] = [a(evaluator), b(evaluator)];
      if (x === null || y === null) return false;
      if (Number.isNaN(x) || Number.isNaN(y)) return false;
      return test(compareSame(x, y));
    });
  };
  return [
    define(name, 'infix', 'numeric numeric', what, build),
    define(name, 'infix', 'string string', what, build),
    define(name, 'infix', 'logical logical', what, build),
    define(name, 'infix', 'value value', what, build),
  ];
}

function compareSame(left: Exclude<Value, null>, right: Exclude<Value, null>): number {
  if ((typeof left === 'string') !== (typeof right === 'string')) {
    const [text, other] = typeof left === 'string' ? [left, right] : [right, left];
    if (typeof text === 'string' && typeof other !== 'boolean') {
      const number = Number(text);
      if (text.trim() === '' || Number.isNaN(number)) {
        throw new MdxEvaluationError(`Expected value of type NUMERIC; got value '${text}' (STRING)`);
      }
      return text === left ? compareValues(number, other) : compareValues(other, number);
    }
  }
  return compareValues(left, right);
}

function logical(
  name: string,
  what: string,
  test: (left: boolean, right: () => boolean) => boolean,
): FunctionDefinition {
  return define(name, 'infix', 'logical logical', what, (_, left, right) => {
    const [a, b] = [logicalOf(requireArg(left)), logicalOf(requireArg(right))];
    return scalarCalc(LOGICAL, [left, right], (evaluator) => test(a(evaluator), () => b(evaluator)));
  });
}

function is(kinds: string, of: (calc: Calc) => (evaluator: Evaluator) => unknown): FunctionDefinition {
  return define('IS', 'infix', kinds, 'Whether both are the same object.', (_, left, right) => {
    const [a, b] = [of(requireArg(left)), of(requireArg(right))];
    return scalarCalc(LOGICAL, [left, right], (evaluator) => a(evaluator) === b(evaluator));
  });
}

const isNull: FunctionDefinition['build'] = (_, arg) => {
  const tuple = tupleOf(requireArg(arg));
  return scalarCalc(LOGICAL, [arg], (evaluator) => tuple(evaluator) === undefined);
};

const isEmpty: FunctionDefinition['build'] = (_, arg) => {
  const value = scalarOf(requireArg(arg));
  return scalarCalc(LOGICAL, [arg], (evaluator) => value(evaluator) === null);
};

export const OPERATORS: readonly FunctionDefinition[] = [
  additive('+', (left, right) => left + right),
  additive('-', (left, right) => left - right),
  define('*', 'infix', 'numeric numeric', 'The product; empty when an operand is.', (_, left, right) => {
    const [a, b] = [numberOf(requireArg(left)), numberOf(requireArg(right))];
    return numericCalc([left, right], (evaluator) => {
      const [x, y] = [a(evaluator), b(evaluator)];
      return x === null || y === null ? null : x * y;
    });
  }),
  define(
    '/',
    'infix',
    'numeric numeric',
    'The quotient; empty when the dividend is, infinite when the divisor is empty or 0.',
    (_, left, right) => {
      const [a, b] = [numberOf(requireArg(left)), numberOf(requireArg(right))];
      return numericCalc([left, right], (evaluator) => {
        const [x, y] = [a(evaluator), b(evaluator)];
        if (x === null) return null;
        return y === null ? Number.POSITIVE_INFINITY : x / y;
      });
    },
  ),
  define('-', 'prefix', 'numeric', 'The negative.', (_, arg) => {
    const number = numberOf(requireArg(arg));
    return numericCalc([arg], (evaluator) => {
      const found = number(evaluator);
      return found === null ? null : 0 - found;
    });
  }),
  define(
    '||',
    'infix',
    'string string',
    'One text after the other; an empty one is written null.',
    (_, left, right) => {
      const [a, b] = [stringOf(requireArg(left)), stringOf(requireArg(right))];
      return scalarCalc(STRING, [left, right], (evaluator) => `${a(evaluator)}${b(evaluator)}`);
    },
  ),
  ...comparison('=', 'Whether both are equal.', (order) => order === 0),
  ...comparison('<>', 'Whether both differ.', (order) => order !== 0),
  ...comparison('<', 'Whether the first is smaller.', (order) => order < 0),
  ...comparison('<=', 'Whether the first is not bigger.', (order) => order <= 0),
  ...comparison('>', 'Whether the first is bigger.', (order) => order > 0),
  ...comparison('>=', 'Whether the first is not smaller.', (order) => order >= 0),
  logical('AND', 'Whether both hold.', (left, right) => {
    const second = right();
    return left && second;
  }),
  logical('OR', 'Whether one holds.', (left, right) => left || right()),
  logical('XOR', 'Whether just one holds.', (left, right) => left !== right()),
  define('NOT', 'prefix', 'logical', 'Whether it does not hold.', (_, arg) => {
    const test = logicalOf(requireArg(arg));
    return scalarCalc(LOGICAL, [arg], (evaluator) => !test(evaluator));
  }),
  is('member member', memberOf),
  is('level level', levelOf),
  is('hierarchy hierarchy', hierarchyCalcOf),
  is('dimension dimension', dimensionOf),
  define('IS', 'infix', 'tuple tuple', 'Whether both have the same members, in any order.', (_, left, right) => {
    const [a, b] = [tupleOf(requireArg(left)), tupleOf(requireArg(right))];
    return scalarCalc(
      LOGICAL,
      [left, right],
      (evaluator) => unorderedKey(a(evaluator) ?? []) === unorderedKey(b(evaluator) ?? []),
    );
  }),
  define('IS NULL', 'postfix', 'tuple', 'Whether there is no such member.', isNull),
  define('IS NULL', 'postfix', 'level', 'Never: a level is always there.', (_, arg) =>
    scalarCalc(LOGICAL, [arg], () => false),
  ),
  define('IS EMPTY', 'postfix', 'value', 'Whether the cell is empty.', isEmpty),
  define('IsEmpty', 'function', 'value', 'Whether the cell is empty.', isEmpty),
  define(
    'MATCHES',
    'infix',
    'string string',
    'Whether a regular expression describes the whole text.',
    (_, left, right) => {
      const [text, pattern] = [stringOf(requireArg(left)), stringOf(requireArg(right))];
      return scalarCalc(LOGICAL, [left, right], (evaluator) =>
        matches(text(evaluator) ?? '', pattern(evaluator) ?? ''),
      );
    },
  ),
  define('IN', 'infix', 'tuple set', 'Whether a tuple is in a set.', (_, left, right) => {
    const [tuple, set] = [tupleOf(requireArg(left)), setOf(requireArg(right))];
    const memo = new Map<string, ReadonlySet<string>>();
    return scalarCalc(LOGICAL, [left, right], (evaluator) => {
      const wanted = tuple(evaluator);
      const keys = evaluator.remember(memo, requireArg(right).dependsOn, () => new Set(set(evaluator).map(tupleKey)));
      return wanted !== undefined && keys.has(tupleKey(wanted));
    });
  }),
];

/** Of tuples that have the same members, whatever their order. */
function unorderedKey(tuple: Tuple): string {
  return tupleKey(tuple.toSorted((left, right) => left.hierarchy.ordinal - right.hierarchy.ordinal));
}

/** Patterns are written as java.util.regex has them. */
function matches(text: string, pattern: string): boolean {
  try {
    return matchesWhole(text, pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new MdxEvaluationError(`The regular expression '${shortened(pattern)}' cannot be matched: ${error.message}.`);
  }
}

function shortened(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
}
