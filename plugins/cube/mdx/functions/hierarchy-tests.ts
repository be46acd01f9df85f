import {
  asMembers,
  type Calc,
  depending,
  levelOf,
  memberCalc,
  memberOf,
  nullOf,
  numberOf,
  scalarCalc,
  scalarOf,
  setCalc,
  setOf,
  stringOf,
} from '../compile/calc.ts';
import { define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { elementOf, LOGICAL, VALUE } from '../compile/types.ts';
import type { Member } from '../metadata/member.ts';
import { ascendantsOf, childrenOf, isWithin, parentOf, siblingsOf } from '../metadata/navigate.ts';
import { MdxError } from '../syntax/errors.ts';
import { nonEmptyTuples, product } from './crossjoin.ts';
import { memberTypeOf, setOfMembers, setTypeOf, suppliedArg } from './given.ts';
import { requireSameHierarchy, textOf } from './members.ts';
import { requireArg } from './required.ts';
import { single } from './set-properties.ts';
import { asSetCalc, iterated, tupleKey } from './sets.ts';

/** Questions about places in a hierarchy, and the standard's remaining functions of sets and members. */

function relation(name: string, what: string, test: (left: Member, right: Member) => boolean): FunctionDefinition {
  return define(name, 'function', 'member member', what, (_, left, right) => {
    const [a, b] = [memberOf(requireArg(left)), memberOf(requireArg(right))];
    return scalarCalc(LOGICAL, [left, right], (evaluator) => test(a(evaluator), b(evaluator)));
  });
}

function lastNonEmpty(arg: Calc, expression: Calc): Calc {
  const type = memberTypeOf(arg);
  if ((elementOf(arg.type)?.length ?? 1) !== 1) throw new MdxError('LastNonEmpty needs a set of members.');
  const set = asSetCalc(arg);
  const value = scalarOf(expression);
  const owner = {};
  const calc = memberCalc(type, [arg, expression], (evaluator) =>
    evaluator.requireComplete(() => {
      const { gathered } = evaluator.iterateResumable(
        owner,
        set,
        () => set.evaluate(evaluator),
        (): { last: Member | undefined } => ({ last: undefined }),
        (found, [member]) => {
          if (value(evaluator) !== null) found.last = member;
        },
      );
      return gathered.last ?? nullOf(type.hierarchy);
    }),
  );
  return depending(calc, iterated(set, [expression]));
}

export const HIERARCHY_TESTS: readonly FunctionDefinition[] = [
  relation(
    'IsAncestor',
    'Whether the first member is above the second.',
    (left, right) => left !== right && isWithin(right, left),
  ),
  relation('IsSibling', 'Whether both members have the same parent.', (left, right) =>
    siblingsOf(left).includes(right),
  ),
  define('IsLeaf', 'function', 'member', 'Whether a member has no members below it.', (_, arg) => {
    const member = memberOf(requireArg(arg));
    return scalarCalc(LOGICAL, [arg], (evaluator) => childrenOf(member(evaluator)).length === 0);
  }),
  define(
    'Ancestors',
    'function',
    'member level',
    'The members above, nearest first, up to the one at a level.',
    (_, arg, at) => {
      const [member, level] = [memberOf(requireArg(arg)), levelOf(requireArg(at))];
      requireSameHierarchy('Ancestors', requireArg(arg), requireArg(at));
      return setCalc(setOfMembers(memberTypeOf(arg)), [arg, at], (evaluator) => {
        const [, ...above] = ascendantsOf(member(evaluator));
        const last = above.findIndex((each) => each.level === level(evaluator));
        return single(above.slice(0, last + 1));
      });
    },
  ),
  define(
    'Ancestors',
    'function',
    'member numeric',
    'The members above, nearest first, up to so many steps.',
    (_, arg, steps) => {
      const [member, count] = [memberOf(requireArg(arg)), numberOf(requireArg(steps))];
      return setCalc(setOfMembers(memberTypeOf(arg)), [arg, steps], (evaluator) =>
        single(ascendantsOf(member(evaluator)).slice(1, 1 + Math.max(0, Math.trunc(count(evaluator) ?? 0)))),
      );
    },
  ),
  define(
    'NonEmpty',
    'function',
    'set set?',
    'The tuples of a set that have data with some tuple of another.',
    ({ scope }, arg, other) => {
      const owner = {};
      const set = setOf(requireArg(arg));
      const others = suppliedArg(other) === undefined ? undefined : setOf(requireArg(other));
      const calc = setCalc(setTypeOf(requireArg(arg)), [arg, other], (evaluator) => {
        const tuples = set(evaluator);
        const width = tuples[0]?.length ?? 0;
        if (others === undefined) return nonEmptyTuples(evaluator, scope, () => tuples, owner);
        const found = nonEmptyTuples(evaluator, scope, () => product(evaluator, [tuples, others(evaluator)]), owner);
        const keys = new Set(found.map((tuple) => tupleKey(tuple.slice(0, width))));
        return tuples.filter((tuple) => keys.has(tupleKey(tuple)));
      });
      return { ...calc, dependsOn: -1n };
    },
  ),
  define(
    'LastNonEmpty',
    'function',
    'set value',
    'The last member of a set at which a value is not empty; null when it is empty at all.',
    (_, arg, expression) => lastNonEmpty(requireArg(arg), requireArg(expression)),
  ),
  define('Unorder', 'function', 'set', 'The set; its order is of no importance to the caller.', (_, arg) =>
    asMembers(requireArg(arg)),
  ),
  define('StrToValue', 'function', 'string', 'The value of an expression that is a text.', ({ compileText }, text) => {
    const source = stringOf(requireArg(text));
    const calc = scalarCalc(VALUE, [text], (evaluator) =>
      scalarOf(compileText(textOf(source(evaluator), 'StrToValue')))(evaluator),
    );
    return { ...calc, dependsOn: -1n };
  }),
  define('Root', 'function', 'hierarchy', 'The root of a hierarchy.', (_, arg) => {
    const member = memberOf(asMembers(requireArg(arg)));
    return setCalc(setOfMembers(memberTypeOf(arg)), [arg], (evaluator) => {
      let at = member(evaluator);
      while (!parentOf(at).isNull) at = parentOf(at);
      return [[at]];
    });
  }),
];
