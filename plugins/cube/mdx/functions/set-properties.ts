import { type Calc, integerCalc, setCalc, tupleCalc } from '../compile/calc.ts';
import { dimensionOf, hierarchyCalcOf, levelOf, memberOf, setOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { elementOf, hierarchyOf, type SetType } from '../compile/expression-types.ts';
import type { FunctionDefinition, Scope } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Hierarchy, Level, Member, Tuple, TupleSet } from '../metadata/member.ts';
import { ascendantsOf, childrenOf, siblingsOf } from '../metadata/navigate.ts';
import { MdxError } from '../syntax/errors.ts';
import { memberTypeOf, setOfMembers, setTypeOf } from './supplied-args.ts';

/** Sets that are properties of a member, a level, a hierarchy or a named set. */

/** Returns members as a set of tuples with one member each. */
export function single(members: readonly Member[]): TupleSet {
  return members.map((member) => [member]);
}

function ofHierarchy(hierarchy: Hierarchy | undefined): SetType {
  return { kind: 'set', element: [{ kind: 'member', hierarchy }] };
}

function levelMembers(level: Level): readonly Member[] {
  return level.hierarchy.members.members(level);
}

/** Returns all members of a hierarchy, each followed by the members below it. */
function hierarchyMembers(evaluator: Evaluator, roots: readonly Member[]): readonly Member[] {
  const allMembers: Member[] = [];
  const visit = (members: readonly Member[]): void => {
    for (const member of members) {
      evaluator.step();
      allMembers.push(member);
      visit(childrenOf(member));
    }
  };
  visit(roots);
  return allMembers;
}

/** Returns the members, followed by the calculated members of their levels. */
function withCalculated(scope: Scope, members: readonly Member[]): readonly Member[] {
  const added = new Map<Level, boolean>();
  const sorted = [...members];
  for (const { level } of members) {
    if (added.has(level)) continue;
    added.set(level, true);
    for (const member of scope.calculatedIn(level)) if (!members.includes(member)) sorted.push(member);
  }
  return sorted;
}

function requireNamed(arg: Calc): NonNullable<(Calc & { kind: 'set' })['cursor']> {
  if (arg.kind !== 'set' || arg.cursor === undefined) throw new MdxError('Not a named set');
  return arg.cursor;
}

/**
 * Returns the position of an iteration over the set. Outside an iteration, returns the position of the context's
 * members in it.
 */
function positionIn(evaluator: Evaluator, arg: Calc): { readonly index: number; readonly tuple: Tuple } | undefined {
  const active = evaluator.cursor(requireNamed(arg));
  if (active !== undefined) return active;
  const tuples = setOf(arg)(evaluator);
  const [first = []] = tuples;
  const here = first.map(({ hierarchy }) => evaluator.current(hierarchy));
  const index = tuples.findIndex((tuple) => tuple.every((member, place) => member === here[place]));
  const tuple = tuples[index];
  return tuple === undefined ? undefined : { index, tuple };
}

export const SET_PROPERTIES: readonly FunctionDefinition[] = [
  define({
    name: 'Members',
    syntax: 'property',
    parameters: 'level',
    description: 'The members of a level.',
    shape: 'members',
    build: (_, arg) => {
      const level = levelOf(arg);
      const calc = setCalc(ofHierarchy(hierarchyOf(arg.type)), [arg], (evaluator) =>
        single(levelMembers(level(evaluator))),
      );
      return { ...calc, first: (evaluator, count) => single(levelMembers(level(evaluator)).slice(0, count)) };
    },
  }),
  define({
    name: 'Members',
    syntax: 'property',
    parameters: 'hierarchy',
    description: 'The members of all levels of a hierarchy.',
    shape: 'members',
    build: (_, arg) => {
      const hierarchy = hierarchyCalcOf(arg);
      return setCalc(ofHierarchy(hierarchyOf(arg.type)), [arg], (evaluator) =>
        single(hierarchyMembers(evaluator, hierarchy(evaluator).members.roots())),
      );
    },
  }),
  define({
    name: 'AllMembers',
    syntax: 'property',
    parameters: 'level',
    description: 'The members of a level, including calculated members.',
    build: ({ scope }, arg) => {
      const level = levelOf(arg);
      return setCalc(ofHierarchy(hierarchyOf(arg.type)), [arg], (evaluator) => {
        const of = level(evaluator);
        return single([...levelMembers(of), ...byOrdinal(scope.calculatedIn(of), evaluator)]);
      });
    },
  }),
  define({
    name: 'AllMembers',
    syntax: 'property',
    parameters: 'hierarchy',
    description: 'The members of a hierarchy, including calculated members.',
    build: ({ scope }, arg) => {
      const hierarchy = hierarchyCalcOf(arg);
      return setCalc(ofHierarchy(hierarchyOf(arg.type)), [arg], (evaluator) => {
        const of = hierarchy(evaluator);
        const calculated = scope.calculated.filter((member) => member.hierarchy === of);
        return single([...hierarchyMembers(evaluator, of.members.roots()), ...byOrdinal(calculated, evaluator)]);
      });
    },
  }),
  define({
    name: 'Children',
    syntax: 'property',
    parameters: 'member',
    description: 'The children of a member.',
    shape: 'children',
    build: (_, arg) => {
      const member = memberOf(arg);
      return setCalc(setOfMembers(memberTypeOf(arg)), [arg], (evaluator) => single(childrenOf(member(evaluator))));
    },
  }),
  define({
    name: 'Siblings',
    syntax: 'property',
    parameters: 'member',
    description: 'The children of the same parent.',
    build: (_, arg) => {
      const member = memberOf(arg);
      return setCalc(setOfMembers(memberTypeOf(arg)), [arg], (evaluator) => single(siblingsOf(member(evaluator))));
    },
  }),
  define({
    name: 'Ascendants',
    syntax: 'function',
    parameters: 'member',
    description: 'A member and its ancestors.',
    build: (_, arg) => {
      const member = memberOf(arg);
      return setCalc(setOfMembers(memberTypeOf(arg)), [arg], (evaluator) => single(ascendantsOf(member(evaluator))));
    },
  }),
  define({
    name: 'AddCalculatedMembers',
    syntax: 'function',
    parameters: 'set',
    description: 'A set of members, followed by the calculated members of their levels.',
    build: ({ scope }, arg) => {
      requireMembers('AddCalculatedMembers', arg);
      const set = setOf(arg);
      return setCalc(setTypeOf(arg), [arg], (evaluator) => {
        const members = set(evaluator).flatMap((tuple) => tuple.slice(0, 1));
        return single(addCalculated(scope, members));
      });
    },
  }),
  define({
    name: 'StripCalculatedMembers',
    syntax: 'function',
    parameters: 'set',
    description: 'A set without its calculated members.',
    build: (_, arg) => {
      const set = setOf(arg);
      return setCalc(setTypeOf(arg), [arg], (evaluator) =>
        set(evaluator).filter((tuple) => tuple.every(({ kind }) => kind !== 'calculated')),
      );
    },
  }),
  define({
    name: 'CurrentOrdinal',
    syntax: 'property',
    parameters: 'set',
    description: 'The current index of an iteration over a named set.',
    build: (_, arg) => {
      const of = arg;
      requireNamed(of);
      return { ...integerCalc([arg], (evaluator) => positionIn(evaluator, of)?.index ?? null), dependsOn: -1n };
    },
  }),
  define({
    name: 'Current',
    syntax: 'property',
    parameters: 'set',
    description: 'The current tuple of an iteration over a named set.',
    build: (_, arg) => {
      const of = arg;
      requireNamed(of);
      const element = elementOf(of.type) ?? [];
      const tuple = {
        ...tupleCalc({ kind: 'tuple', members: element }, [arg], (evaluator) => positionIn(evaluator, of)?.tuple),
        dependsOn: -1n,
      };
      const [only] = element;
      if (element.length !== 1 || only === undefined) return tuple;
      return { ...tuple, kind: 'member', type: only, evaluate: memberOf(tuple) };
    },
  }),
  define({
    name: 'Hierarchies',
    syntax: 'property',
    parameters: 'dimension',
    description: "The default member of a dimension's main hierarchy, as a set.",
    build: (_, arg) => {
      const dimension = dimensionOf(arg);
      return setCalc({ kind: 'set', element: undefined }, [arg], (evaluator) =>
        [dimension(evaluator).mainHierarchy].flatMap((hierarchy) =>
          hierarchy === undefined ? [] : [[hierarchy.defaultMember]],
        ),
      );
    },
  }),
];

/**
 * Sorts calculated members by their property MEMBER_ORDINAL. Members without it come first, in the order of
 * declaration.
 */
function byOrdinal(members: readonly Member[], evaluator: Evaluator): readonly Member[] {
  const ordinal = ({ calculation }: Member) => Number(calculation?.property('MEMBER_ORDINAL', evaluator) ?? -1);
  return members.toSorted((left, right) => ordinal(left) - ordinal(right));
}

function addCalculated(scope: Scope, members: readonly Member[]): readonly Member[] {
  if (members.length === 0) return members;
  return withCalculated(scope, members);
}

function requireMembers(name: string, arg: Calc): void {
  if ((elementOf(arg.type)?.length ?? 1) !== 1)
    throw new MdxError(`Only single dimension members allowed in set for ${name}`);
}
