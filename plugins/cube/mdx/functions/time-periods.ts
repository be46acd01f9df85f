import type { LevelType } from '../../schema/model.ts';
import { type Calc, hierarchyCalc, memberCalc, setCalc } from '../compile/calc.ts';
import { asMembers, levelOf, memberOf, numberOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { hierarchyOf } from '../compile/expression-types.ts';
import type { BuildContext, FunctionDefinition, Scope } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Hierarchy, Level, Member, TupleSet } from '../metadata/member.ts';
import { ancestorAt, childrenOf, firstTimeHierarchy, isWithin, lead, parentOf } from '../metadata/navigate.ts';
import { MdxError } from '../syntax/errors.ts';
import { cousinOf } from './members.ts';
import { single } from './set-properties.ts';
import { isSupplied, memberTypeOf, requireSameHierarchy, setOfMembers, suppliedArg } from './supplied-args.ts';

/** Functions of time: periods to date, parallel periods, first and last periods. */

/** Compiles the current member of the cube's time dimension, the default argument of these functions. */
function currentTime(scope: Scope, name: string): Calc {
  const time: Hierarchy | undefined = firstTimeHierarchy(scope.cube.hierarchies);
  if (time === undefined)
    throw new MdxError(`'${name}' needs a time dimension, and the cube ${scope.cube.name} has none.`);
  return asMembers(hierarchyCalc(time, [], () => time));
}

function memberOrTime({ scope }: BuildContext, arg: Calc | undefined, name: string): Calc {
  return suppliedArg(arg) ?? currentTime(scope, name);
}

function toDate(member: Member, level: Level | undefined): TupleSet {
  if (member.isNull || level === undefined) return [];
  const start = ancestorAt(member, level);
  if (start.isNull) return [];
  const { members } = member.hierarchy;
  const peers = members.peers(member);
  const index = members.indexAmongPeers(member);
  if (index < 0) return member === start ? [[member]] : [];
  let first = index;
  for (let before = peers[index - 1]; before !== undefined && isWithin(before, start); before = peers[first - 1])
    first--;
  return single(peers.slice(first, index + 1));
}

function periodsOf(name: string, type: LevelType): FunctionDefinition {
  const what = `The periods of the ${type.replace('Time', '').toLowerCase().replace(/s$/, '')} up to a member.`;
  return define({
    name,
    syntax: 'function',
    parameters: 'member?',
    description: what,
    build: (context, arg) => {
      const calc = memberOrTime(context, arg, name);
      const hierarchy = memberTypeOf(calc).hierarchy;
      if (hierarchy !== undefined && hierarchy.dimension.type !== 'time') {
        throw new MdxError(`Argument to function '${name}' must belong to Time hierarchy`);
      }
      const member = memberOf(calc);
      return setCalc(setOfMembers(memberTypeOf(calc)), [calc], (evaluator) => {
        const of = member(evaluator);
        return toDate(
          of,
          of.hierarchy.levels.find((level) => level.type === type),
        );
      });
    },
  });
}

/** Defines `OpeningPeriod` or `ClosingPeriod`: the first or last descendant of a member at a level. */
function edge(name: string, pick: (children: readonly Member[]) => Member | undefined): readonly FunctionDefinition[] {
  const descend = (member: Member, level: Level | undefined): Member => {
    let at = member;
    while (!at.isNull && level !== undefined && at.level !== level) {
      const child: Member | undefined = at.level.depth < level.depth ? pick(childrenOf(at)) : undefined;
      at = child ?? member.hierarchy.nullMember;
    }
    return level === undefined ? member.hierarchy.nullMember : at;
  };
  const description = `The ${name === 'OpeningPeriod' ? 'first' : 'last'} descendant of a member at a level.`;
  return [
    define({
      name,
      syntax: 'function',
      parameters: '',
      description,
      build: (context) => {
        const calc = currentTime(context.scope, name);
        const member = memberOf(calc);
        return memberCalc(memberTypeOf(calc), [calc], (evaluator) => {
          const of = member(evaluator);
          return descend(of, of.level.below);
        });
      },
    }),
    define({
      name,
      syntax: 'function',
      parameters: 'level member?',
      description,
      build: (context, at, arg) => {
        const calc = memberOrTime(context, arg, name);
        requireSameHierarchy(name, at, calc);
        const member = memberOf(calc);
        const level = levelOf(at);
        return memberCalc(memberTypeOf(calc), [calc, at], (evaluator) => descend(member(evaluator), level(evaluator)));
      },
    }),
  ];
}

/** Returns the member at the same position as `member`, below the ancestor that is `lag` positions earlier. */
function parallel(member: Member, level: Level | undefined, lag: number): Member {
  const { nullMember } = member.hierarchy;
  if (member.isNull || level === undefined || level.hierarchy !== member.hierarchy) return nullMember;
  const ancestor = ancestorAt(member, level);
  if (ancestor.isNull) return nullMember;
  const target = lead(ancestor, -lag);
  return target.isNull ? nullMember : cousinOf(member, target);
}

function lastPeriods(evaluator: Evaluator, member: Member, count: number): TupleSet {
  evaluator.step();
  if (count === 0 || member.isNull) return [];
  const { members } = member.hierarchy;
  const peers = members.peers(member);
  const index = members.indexAmongPeers(member);
  if (index < 0) return [];
  return single(count > 0 ? peers.slice(Math.max(0, index - count + 1), index + 1) : peers.slice(index, index - count));
}

export const TIME_FUNCTIONS: readonly FunctionDefinition[] = [
  periodsOf('Ytd', 'TimeYears'),
  periodsOf('Qtd', 'TimeQuarters'),
  periodsOf('Mtd', 'TimeMonths'),
  periodsOf('Wtd', 'TimeWeeks'),
  define({
    name: 'PeriodsToDate',
    syntax: 'function',
    parameters: '',
    description: "The periods of the current period's parent up to the current one.",
    build: (context) => {
      const calc = currentTime(context.scope, 'PeriodsToDate');
      const member = memberOf(calc);
      return setCalc(setOfMembers(memberTypeOf(calc)), [calc], (evaluator) => {
        const of = member(evaluator);
        const above = parentOf(of);
        return toDate(of, above.isNull ? undefined : above.level);
      });
    },
  }),
  define({
    name: 'PeriodsToDate',
    syntax: 'function',
    parameters: 'level member?',
    description: "The periods of a member's ancestor at a level, up to the member.",
    build: (context, at, arg) => {
      const memberHierarchy = hierarchyOf(at.type);
      const calc =
        suppliedArg(arg) ??
        (memberHierarchy === undefined
          ? currentTime(context.scope, 'PeriodsToDate')
          : asMembers(hierarchyCalc(memberHierarchy, [], () => memberHierarchy)));
      requireSameHierarchy('PeriodsToDate', at, calc);
      const member = memberOf(calc);
      const level = levelOf(at);
      return setCalc(setOfMembers(memberTypeOf(calc)), [calc, at], (evaluator) =>
        toDate(member(evaluator), level(evaluator)),
      );
    },
  }),
  ...edge('OpeningPeriod', (children) => children[0]),
  ...edge('ClosingPeriod', (children) => children.at(-1)),
  ...[
    define({
      name: 'ClosingPeriod',
      syntax: 'function',
      parameters: 'member',
      description: 'The last child of a member.',
      build: (_, arg) => {
        const member = memberOf(arg);
        return memberCalc(memberTypeOf(arg), [arg], (evaluator) => {
          const of = member(evaluator);
          return childrenOf(of).at(-1) ?? of.hierarchy.nullMember;
        });
      },
    }),
  ],
  define({
    name: 'ParallelPeriod',
    syntax: 'function',
    parameters: '',
    description: "The period at the same position in the previous sibling of the current period's parent.",
    build: (context) => {
      const calc = currentTime(context.scope, 'ParallelPeriod');
      const member = memberOf(calc);
      return memberCalc(memberTypeOf(calc), [calc], (evaluator) => {
        const of = member(evaluator);
        const above = parentOf(of);
        return parallel(of, above.isNull ? undefined : above.level, 1);
      });
    },
  }),
  define({
    name: 'ParallelPeriod',
    syntax: 'function',
    parameters: 'level numeric? member?',
    description: 'The period at the same position in an earlier ancestor.',
    build: (context, at, steps, arg) => {
      const calc = suppliedArg(arg) ?? timeOf(context, at);
      requireSameHierarchy('ParallelPeriod', at, calc);
      const member = memberOf(calc);
      const level = levelOf(at);
      const lag = isSupplied(steps) ? numberOf(steps) : () => 1;
      return memberCalc({ kind: 'member', hierarchy: memberTypeOf(calc).hierarchy }, [calc, at, steps], (evaluator) =>
        parallel(member(evaluator), level(evaluator), Math.trunc(lag(evaluator) ?? 0)),
      );
    },
  }),
  define({
    name: 'LastPeriods',
    syntax: 'function',
    parameters: 'numeric member?',
    description: 'A number of periods that ends with a member. A negative number starts with the member.',
    build: (context, steps, arg) => {
      const calc = memberOrTime(context, arg, 'LastPeriods');
      const member = memberOf(calc);
      const count = numberOf(steps);
      return setCalc(setOfMembers(memberTypeOf(calc)), [steps, calc], (evaluator) =>
        lastPeriods(evaluator, member(evaluator), Math.trunc(count(evaluator) ?? 0)),
      );
    },
  }),
];

/** Compiles the current member of the level's own hierarchy. */
function timeOf({ scope }: BuildContext, level: Calc): Calc {
  const hierarchy = hierarchyOf(level.type);
  return hierarchy === undefined
    ? currentTime(scope, 'ParallelPeriod')
    : asMembers(hierarchyCalc(hierarchy, [], () => hierarchy));
}
