import { type Calc, depending, memberCalc, scalarCalc, setCalc } from '../compile/calc.ts';
import { asMembers, levelOf, memberOf, nullOf, numberOf, scalarOf, setOf, stringOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { elementOf, LOGICAL, VALUE } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Member } from '../metadata/member.ts';
import { ascendantsOf, childrenOf, isWithin, parentOf, siblingsOf } from '../metadata/navigate.ts';
import { MdxError } from '../syntax/errors.ts';
import { nonEmptyTuples, product } from './crossjoin.ts';
import { requiredText } from './members.ts';
import { single } from './set-properties.ts';
import { isSupplied, memberTypeOf, requireSameHierarchy, setOfMembers, setTypeOf } from './supplied-args.ts';
import { asSetCalc, iterated, tupleKey } from './tuple-lists.ts';

/** Tests of positions in a hierarchy, and the remaining standard functions of sets and members. */

function relation(name: string, what: string, test: (left: Member, right: Member) => boolean): FunctionDefinition {
  return define({
    name,
    syntax: 'function',
    parameters: 'member member',
    description: what,
    build: (_, left, right) => {
      const [a, b] = [memberOf(left), memberOf(right)];
      return scalarCalc(LOGICAL, [left, right], (evaluator) => test(a(evaluator), b(evaluator)));
    },
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
        (state, [member]) => {
          if (value(evaluator) !== null) state.last = member;
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
    'Whether the first member is an ancestor of the second.',
    (left, right) => left !== right && isWithin(right, left),
  ),
  relation('IsSibling', 'Whether both members have the same parent.', (left, right) =>
    siblingsOf(left).includes(right),
  ),
  define({
    name: 'IsLeaf',
    syntax: 'function',
    parameters: 'member',
    description: 'Whether a member has no children.',
    build: (_, arg) => {
      const member = memberOf(arg);
      return scalarCalc(LOGICAL, [arg], (evaluator) => childrenOf(member(evaluator)).length === 0);
    },
  }),
  define({
    name: 'Ancestors',
    syntax: 'function',
    parameters: 'member level',
    description: 'The ancestors, nearest first, up to a level.',
    build: (_, arg, at) => {
      const [member, level] = [memberOf(arg), levelOf(at)];
      requireSameHierarchy('Ancestors', at, arg);
      return setCalc(setOfMembers(memberTypeOf(arg)), [arg, at], (evaluator) => {
        const [, ...above] = ascendantsOf(member(evaluator));
        const last = above.findIndex((each) => each.level === level(evaluator));
        return single(above.slice(0, last + 1));
      });
    },
  }),
  define({
    name: 'Ancestors',
    syntax: 'function',
    parameters: 'member numeric',
    description: 'The ancestors, nearest first, up to a number of steps.',
    build: (_, arg, steps) => {
      const [member, count] = [memberOf(arg), numberOf(steps)];
      return setCalc(setOfMembers(memberTypeOf(arg)), [arg, steps], (evaluator) =>
        single(ascendantsOf(member(evaluator)).slice(1, 1 + Math.max(0, Math.trunc(count(evaluator) ?? 0)))),
      );
    },
  }),
  define({
    name: 'NonEmpty',
    syntax: 'function',
    parameters: 'set set?',
    description: 'The tuples of a set that have data with some tuple of another set.',
    build: ({ scope }, arg, other) => {
      const owner = {};
      const set = setOf(arg);
      const others = isSupplied(other) ? setOf(other) : undefined;
      const calc = setCalc(setTypeOf(arg), [arg, other], (evaluator) => {
        const tuples = set(evaluator);
        const width = tuples[0]?.length ?? 0;
        if (others === undefined) return nonEmptyTuples(evaluator, scope, () => tuples, owner);
        const tuplesWithData = nonEmptyTuples(
          evaluator,
          scope,
          () => product(evaluator, [tuples, others(evaluator)]),
          owner,
        );
        const keys = new Set(tuplesWithData.map((tuple) => tupleKey(tuple.slice(0, width))));
        return tuples.filter((tuple) => keys.has(tupleKey(tuple)));
      });
      return { ...calc, dependsOn: -1n };
    },
  }),
  define({
    name: 'LastNonEmpty',
    syntax: 'function',
    parameters: 'set value',
    description: 'The last member of a set at which a value is not empty; null if there is none.',
    build: (_, arg, expression) => lastNonEmpty(arg, expression),
  }),
  define({
    name: 'Unorder',
    syntax: 'function',
    parameters: 'set',
    description: 'The set, unchanged. The caller does not need its order.',
    build: (_, arg) => asMembers(arg),
  }),
  define({
    name: 'StrToValue',
    syntax: 'function',
    parameters: 'string',
    description: 'The value of an expression in a text.',
    build: ({ compileText }, text) => {
      const source = stringOf(text);
      const calc = scalarCalc(VALUE, [text], (evaluator) =>
        scalarOf(compileText(requiredText(source(evaluator), 'StrToValue')))(evaluator),
      );
      return { ...calc, dependsOn: -1n };
    },
  }),
  define({
    name: 'Root',
    syntax: 'function',
    parameters: 'hierarchy',
    description: 'The topmost ancestor of the current member of a hierarchy, as a set.',
    build: (_, arg) => {
      const member = memberOf(asMembers(arg));
      return setCalc(setOfMembers(memberTypeOf(arg)), [arg], (evaluator) => {
        let at = member(evaluator);
        while (!parentOf(at).isNull) at = parentOf(at);
        return [[at]];
      });
    },
  }),
];
