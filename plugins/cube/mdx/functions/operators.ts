import type { Comparison, FunctionShape } from '../compile/calc.ts';
import { type Calc, numericCalc, scalarCalc } from '../compile/calc.ts';
import {
  dimensionOf,
  exactOf,
  hierarchyCalcOf,
  levelOf,
  logicalOf,
  memberOf,
  numberOf,
  scalarOf,
  setOf,
  stringOf,
  tupleOf,
} from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { LOGICAL, STRING } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { MAX_QUOTED_LENGTH } from '../limits.ts';
import { compareValues } from '../metadata/compare.ts';
import { type Exact, minus, plus, times } from '../metadata/exact-numbers.ts';
import type { Tuple } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { MdxEvaluationError } from '../syntax/errors.ts';
import { matchesWhole } from './regex/matches-whole.ts';
import { PatternError } from './regex/pattern-error.ts';
import { tupleKey } from './tuple-lists.ts';

/** Operators of arithmetic, comparison and logic. */

/** Defines `+` or `-`. One empty operand counts as 0: `5 + empty` is 5. If both are empty, the result is empty. */
function additive(name: '+' | '-', compute: (left: Exact, right: Exact) => Exact): FunctionDefinition {
  const what =
    name === '+'
      ? 'The sum. An empty operand counts as 0; two empty operands give an empty sum.'
      : 'The difference. An empty operand counts as 0; two empty operands give an empty difference.';
  return define({
    name,
    syntax: 'infix',
    parameters: 'numeric numeric',
    description: what,
    shape: name,
    build: (_, left, right) => {
      const [a, b] = [exactOf(left), exactOf(right)];
      return numericCalc([left, right], (evaluator) => {
        const [x, y] = [a(evaluator), b(evaluator)];
        return x === null && y === null ? null : compute(x ?? 0, y ?? 0);
      });
    },
  });
}

/** Defines a comparison. It is false if a value is empty. */
function comparison(name: Comparison, what: string, test: (order: number) => boolean): readonly FunctionDefinition[] {
  const build: Build<'value value'> = (_, left, right) => {
    const [a, b] = [scalarOf(left), scalarOf(right)];
    return scalarCalc(LOGICAL, [left, right], (evaluator) => {
      const [x, y] = [a(evaluator), b(evaluator)];
      if (x === null || y === null) return false;
      if (Number.isNaN(x) || Number.isNaN(y)) return false;
      return test(compareSame(x, y));
    });
  };
  return [
    define({ name, syntax: 'infix', parameters: 'numeric numeric', description: what, shape: name, build }),
    define({ name, syntax: 'infix', parameters: 'string string', description: what, shape: name, build }),
    define({ name, syntax: 'infix', parameters: 'logical logical', description: what, shape: name, build }),
    define({ name, syntax: 'infix', parameters: 'value value', description: what, shape: name, build }),
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
  shape?: FunctionShape,
): FunctionDefinition {
  return define({
    name,
    syntax: 'infix',
    parameters: 'logical logical',
    description: what,
    shape,
    build: (_, left, right) => {
      const [a, b] = [logicalOf(left), logicalOf(right)];
      return scalarCalc(LOGICAL, [left, right], (evaluator) => test(a(evaluator), () => b(evaluator)));
    },
  });
}

function is(kinds: string, of: (calc: Calc) => (evaluator: Evaluator) => unknown): FunctionDefinition {
  return define({
    name: 'IS',
    syntax: 'infix',
    parameters: kinds,
    description: 'Whether both are the same object.',
    build: (_, left, right) => {
      const [a, b] = [of(left), of(right)];
      return scalarCalc(LOGICAL, [left, right], (evaluator) => a(evaluator) === b(evaluator));
    },
  });
}

const isNull: Build<'tuple'> = (_, arg) => {
  const tuple = tupleOf(arg);
  return scalarCalc(LOGICAL, [arg], (evaluator) => tuple(evaluator) === undefined);
};

const isEmpty: Build<'value'> = (_, arg) => {
  const value = scalarOf(arg);
  return scalarCalc(LOGICAL, [arg], (evaluator) => value(evaluator) === null);
};

export const OPERATORS: readonly FunctionDefinition[] = [
  additive('+', plus),
  additive('-', minus),
  define({
    name: '*',
    syntax: 'infix',
    parameters: 'numeric numeric',
    description: 'The product. It is empty if an operand is.',
    shape: '*',
    build: (_, left, right) => {
      const [a, b] = [exactOf(left), exactOf(right)];
      return numericCalc([left, right], (evaluator) => {
        const [x, y] = [a(evaluator), b(evaluator)];
        return x === null || y === null ? null : times(x, y);
      });
    },
  }),
  define({
    name: '/',
    syntax: 'infix',
    parameters: 'numeric numeric',
    description: 'The quotient. It is empty if the dividend is, and infinite if the divisor is empty or 0.',
    shape: '/',
    build: (_, left, right) => {
      const [a, b] = [numberOf(left), numberOf(right)];
      return numericCalc([left, right], (evaluator) => {
        const [x, y] = [a(evaluator), b(evaluator)];
        if (x === null) return null;
        return y === null ? Number.POSITIVE_INFINITY : x / y;
      });
    },
  }),
  define({
    name: '-',
    syntax: 'prefix',
    parameters: 'numeric',
    description: 'The negative of a number.',
    shape: '-',
    build: (_, arg) => {
      const number = exactOf(arg);
      return numericCalc([arg], (evaluator) => {
        const operand = number(evaluator);
        return operand === null ? null : minus(0, operand);
      });
    },
  }),
  define({
    name: '||',
    syntax: 'infix',
    parameters: 'string string',
    description: 'Two texts joined. An empty text is written `null`.',
    build: (_, left, right) => {
      const [a, b] = [stringOf(left), stringOf(right)];
      return scalarCalc(STRING, [left, right], (evaluator) => `${a(evaluator)}${b(evaluator)}`);
    },
  }),
  ...comparison('=', 'Whether both are equal.', (order) => order === 0),
  ...comparison('<>', 'Whether both differ.', (order) => order !== 0),
  ...comparison('<', 'Whether the first is smaller.', (order) => order < 0),
  ...comparison('<=', 'Whether the first is not larger.', (order) => order <= 0),
  ...comparison('>', 'Whether the first is larger.', (order) => order > 0),
  ...comparison('>=', 'Whether the first is not smaller.', (order) => order >= 0),
  logical(
    'AND',
    'Whether both are true.',
    (left, right) => {
      const second = right();
      return left && second;
    },
    'and',
  ),
  logical('OR', 'Whether at least one is true.', (left, right) => left || right(), 'or'),
  logical('XOR', 'Whether exactly one is true.', (left, right) => left !== right()),
  define({
    name: 'NOT',
    syntax: 'prefix',
    parameters: 'logical',
    description: 'Whether the condition is false.',
    shape: 'not',
    build: (_, arg) => {
      const test = logicalOf(arg);
      return scalarCalc(LOGICAL, [arg], (evaluator) => !test(evaluator));
    },
  }),
  is('member member', memberOf),
  is('level level', levelOf),
  is('hierarchy hierarchy', hierarchyCalcOf),
  is('dimension dimension', dimensionOf),
  define({
    name: 'IS',
    syntax: 'infix',
    parameters: 'tuple tuple',
    description: 'Whether both have the same members, in any order.',
    build: (_, left, right) => {
      const [a, b] = [tupleOf(left), tupleOf(right)];
      return scalarCalc(
        LOGICAL,
        [left, right],
        (evaluator) => unorderedKey(a(evaluator) ?? []) === unorderedKey(b(evaluator) ?? []),
      );
    },
  }),
  define({
    name: 'IS NULL',
    syntax: 'postfix',
    parameters: 'tuple',
    description: 'Whether the member is missing.',
    build: isNull,
  }),
  define({
    name: 'IS NULL',
    syntax: 'postfix',
    parameters: 'level',
    description: 'Always false, because a level always exists.',
    build: (_, arg) => scalarCalc(LOGICAL, [arg], () => false),
  }),
  define({
    name: 'IS EMPTY',
    syntax: 'postfix',
    parameters: 'value',
    description: 'Whether the cell is empty.',
    shape: 'is empty',
    build: isEmpty,
  }),
  define({
    name: 'IsEmpty',
    syntax: 'function',
    parameters: 'value',
    description: 'Whether the cell is empty.',
    shape: 'is empty',
    build: isEmpty,
  }),
  define({
    name: 'MATCHES',
    syntax: 'infix',
    parameters: 'string string',
    description: 'Whether a regular expression matches the whole text.',
    build: (_, left, right) => {
      const [text, pattern] = [stringOf(left), stringOf(right)];
      return scalarCalc(LOGICAL, [left, right], (evaluator) =>
        matches(text(evaluator) ?? '', pattern(evaluator) ?? ''),
      );
    },
  }),
  define({
    name: 'IN',
    syntax: 'infix',
    parameters: 'tuple set',
    description: 'Whether a tuple is in a set.',
    build: (_, left, right) => {
      const [tuple, set] = [tupleOf(left), setOf(right)];
      const memo = new Map<string, ReadonlySet<string>>();
      return scalarCalc(LOGICAL, [left, right], (evaluator) => {
        const searched = tuple(evaluator);
        const keys = evaluator.remember(memo, right.dependsOn, () => new Set(set(evaluator).map(tupleKey)));
        return searched !== undefined && keys.has(tupleKey(searched));
      });
    },
  }),
];

/** Returns a key that is equal for tuples of the same members in any order. */
function unorderedKey(tuple: Tuple): string {
  return tupleKey(tuple.toSorted((left, right) => left.hierarchy.ordinal - right.hierarchy.ordinal));
}

/** Returns whether a regular expression in RE2 syntax matches the whole text. */
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
