import {
  type Calc,
  dimensionOf,
  hierarchyCalcOf,
  integerCalc,
  levelOf,
  memberOf,
  setCalc,
  setOf,
  tupleCalc,
} from '../compile/calc.ts';
import { define } from '../compile/define.ts';
import type { FunctionDefinition, Scope } from '../compile/scope.ts';
import { elementOf, hierarchyOf, type SetType } from '../compile/types.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Hierarchy, Level, Member, Tuple, TupleSet } from '../metadata/member.ts';
import { ascendantsOf, childrenOf, siblingsOf } from '../metadata/navigate.ts';
import { MdxError } from '../syntax/errors.ts';
import { memberTypeOf, setOfMembers, setTypeOf } from './given.ts';
import { requireArg } from './required.ts';

/** Sets that belong to a member, a level, a hierarchy or a named set. */

export function single(members: readonly Member[]): TupleSet {
  return members.map((member) => [member]);
}

function ofHierarchy(hierarchy: Hierarchy | undefined): SetType {
  return { kind: 'set', element: [{ kind: 'member', hierarchy }] };
}

function levelMembers(level: Level): readonly Member[] {
  return level.hierarchy.members.members(level);
}

/** All members of a hierarchy, each before those below it. */
function hierarchyMembers(evaluator: Evaluator, roots: readonly Member[]): readonly Member[] {
  const found: Member[] = [];
  const visit = (members: readonly Member[]): void => {
    for (const member of members) {
      evaluator.step();
      found.push(member);
      visit(childrenOf(member));
    }
  };
  visit(roots);
  return found;
}

/** Each set of siblings followed by the calculated members below the same parent. */
function withCalculated(scope: Scope, members: readonly Member[]): readonly Member[] {
  const added = new Map<Level, boolean>();
  const found = [...members];
  for (const { level } of members) {
    if (added.has(level)) continue;
    added.set(level, true);
    for (const member of scope.calculatedIn(level)) if (!members.includes(member)) found.push(member);
  }
  return found;
}

function requireNamed(arg: Calc): NonNullable<(Calc & { kind: 'set' })['cursor']> {
  if (arg.kind !== 'set' || arg.cursor === undefined) throw new MdxError('Not a named set');
  return arg.cursor;
}

/** Where an iteration over the set is; outside of one, the place of the context's members in it. */
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
  define('Members', 'property', 'level', 'The members of a level.', (_, arg) => {
    const level = levelOf(requireArg(arg));
    return setCalc(ofHierarchy(hierarchyOf(requireArg(arg).type)), [arg], (evaluator) =>
      single(levelMembers(level(evaluator))),
    );
  }),
  define('Members', 'property', 'hierarchy', 'The members of all levels of a hierarchy.', (_, arg) => {
    const hierarchy = hierarchyCalcOf(requireArg(arg));
    return setCalc(ofHierarchy(hierarchyOf(requireArg(arg).type)), [arg], (evaluator) =>
      single(hierarchyMembers(evaluator, hierarchy(evaluator).members.roots())),
    );
  }),
  define('AllMembers', 'property', 'level', 'The members of a level, calculated ones too.', ({ scope }, arg) => {
    const level = levelOf(requireArg(arg));
    return setCalc(ofHierarchy(hierarchyOf(requireArg(arg).type)), [arg], (evaluator) => {
      const of = level(evaluator);
      return single([...levelMembers(of), ...byOrdinal(scope.calculatedIn(of), evaluator)]);
    });
  }),
  define(
    'AllMembers',
    'property',
    'hierarchy',
    'The members of a hierarchy, calculated ones too.',
    ({ scope }, arg) => {
      const hierarchy = hierarchyCalcOf(requireArg(arg));
      return setCalc(ofHierarchy(hierarchyOf(requireArg(arg).type)), [arg], (evaluator) => {
        const of = hierarchy(evaluator);
        const calculated = scope.calculated.filter((member) => member.hierarchy === of);
        return single([...hierarchyMembers(evaluator, of.members.roots()), ...byOrdinal(calculated, evaluator)]);
      });
    },
  ),
  define('Children', 'property', 'member', 'The members below a member.', (_, arg) => {
    const member = memberOf(requireArg(arg));
    return setCalc(setOfMembers(memberTypeOf(arg)), [arg], (evaluator) => single(childrenOf(member(evaluator))));
  }),
  define('Siblings', 'property', 'member', 'The members below the same parent.', (_, arg) => {
    const member = memberOf(requireArg(arg));
    return setCalc(setOfMembers(memberTypeOf(arg)), [arg], (evaluator) => single(siblingsOf(member(evaluator))));
  }),
  define('Ascendants', 'function', 'member', 'The member and those above it.', (_, arg) => {
    const member = memberOf(requireArg(arg));
    return setCalc(setOfMembers(memberTypeOf(arg)), [arg], (evaluator) => single(ascendantsOf(member(evaluator))));
  }),
  define(
    'AddCalculatedMembers',
    'function',
    'set',
    'A set of members with the calculated members beside them.',
    ({ scope }, arg) => {
      requireMembers('AddCalculatedMembers', requireArg(arg));
      const set = setOf(requireArg(arg));
      return setCalc(setTypeOf(requireArg(arg)), [arg], (evaluator) => {
        const members = set(evaluator).flatMap((tuple) => tuple.slice(0, 1));
        return single(addCalculated(scope, members));
      });
    },
  ),
  define('StripCalculatedMembers', 'function', 'set', 'A set without its calculated members.', (_, arg) => {
    const set = setOf(requireArg(arg));
    return setCalc(setTypeOf(requireArg(arg)), [arg], (evaluator) =>
      set(evaluator).filter((tuple) => tuple.every(({ kind }) => kind !== 'calculated')),
    );
  }),
  define('CurrentOrdinal', 'property', 'set', 'The place that an iteration over a named set has come to.', (_, arg) => {
    const of = requireArg(arg);
    requireNamed(of);
    return { ...integerCalc([arg], (evaluator) => positionIn(evaluator, of)?.index ?? null), dependsOn: -1n };
  }),
  define('Current', 'property', 'set', 'The tuple that an iteration over a named set has come to.', (_, arg) => {
    const of = requireArg(arg);
    requireNamed(of);
    const element = elementOf(of.type) ?? [];
    const tuple = {
      ...tupleCalc({ kind: 'tuple', members: element }, [arg], (evaluator) => positionIn(evaluator, of)?.tuple),
      dependsOn: -1n,
    };
    const [only] = element;
    if (element.length !== 1 || only === undefined) return tuple;
    return { ...tuple, kind: 'member', type: only, evaluate: memberOf(tuple) };
  }),
  define('Hierarchies', 'property', 'dimension', 'The default members of the hierarchies of a dimension.', (_, arg) => {
    const dimension = dimensionOf(requireArg(arg));
    return setCalc({ kind: 'set', element: undefined }, [arg], (evaluator) =>
      [dimension(evaluator).mainHierarchy].flatMap((hierarchy) =>
        hierarchy === undefined ? [] : [[hierarchy.defaultMember]],
      ),
    );
  }),
];

/** Calculated members by their property MEMBER_ORDINAL, those without one first, as declared. */
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
