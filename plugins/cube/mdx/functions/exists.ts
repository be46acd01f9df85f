import { type Calc, EVERYTHING, type SetCalc, setCalc } from '../compile/calc.ts';
import { setOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { elementOf } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Hierarchy, Member, Tuple, TupleSet } from '../metadata/member.ts';
import { isWithin } from '../metadata/navigate.ts';
import { setTypeOf } from './supplied-args.ts';

/** Returns whether two members of a hierarchy exist together: they are the same, or one is an ancestor of the other. */
function areRelated(left: Member, right: Member): boolean {
  return left === right || isWithin(left, right) || isWithin(right, left);
}

/**
 * Returns whether two tuples exist together. If only one of them has a hierarchy, the default member represents it in
 * the other.
 */
function existsWith(tuple: Tuple, other: Tuple): boolean {
  return (
    tuple.every((member) => areRelated(member, inTuple(other, member.hierarchy))) &&
    other.every((member) => areRelated(member, inTuple(tuple, member.hierarchy)))
  );
}

function inTuple(tuple: Tuple, hierarchy: Hierarchy): Member {
  return tuple.find((member) => member.hierarchy === hierarchy) ?? hierarchy.defaultMember;
}

function exists(tuples: TupleSet, others: TupleSet): TupleSet {
  return tuples.filter((tuple) => others.some((other) => existsWith(tuple, other)));
}

/** Groups the tuples of a set by their members, and these members' ancestors, at some indexes. */
function grouped(tuples: TupleSet, places: readonly number[]): Map<string, Tuple[]> {
  const groups = new Map<string, Tuple[]>();
  for (const tuple of tuples) {
    // A tuple also exists with the ancestors of its members.
    let paths: readonly string[] = [''];
    for (const place of places) {
      const ids: number[] = [];
      for (let at = tuple[place]; at !== undefined; at = at.treeParent) ids.push(at.id);
      paths = paths.flatMap((path) => ids.map((id) => `${path},${id}`));
    }
    for (const path of paths) {
      const group = groups.get(path);
      if (group === undefined) groups.set(path, [tuple]);
      else group.push(tuple);
    }
  }
  return groups;
}

function cachedExists(): Build<'set tuple string'> {
  return (_, arg, other, name) => {
    const calc = arg;
    const set = setOf(calc);
    const subtotal = setOf(other);
    const places = (elementOf(other.type) ?? []).map(({ hierarchy }) =>
      (elementOf(calc.type) ?? []).findIndex((each) => each.hierarchy === hierarchy),
    );
    const memo = new Map<string, ReadonlyMap<string, readonly Tuple[]>>();
    void name;
    return setCalc(setTypeOf(calc), [arg, other], (evaluator) => {
      const groups = evaluator.remember(memo, calc.dependsOn, () => grouped(set(evaluator), places));
      const [tuple = []] = subtotal(evaluator);
      return groups.get(tuple.map(({ id }) => `,${id}`).join('')) ?? [];
    });
  };
}

/** Returns the tuples that exist with the current members of their hierarchies. */
function existing(evaluator: Evaluator, calc: SetCalc): TupleSet {
  const { slicer } = evaluator;
  return calc.evaluate(evaluator).filter((tuple) =>
    tuple.every((member) => {
      const current = evaluator.context[member.hierarchy.ordinal];
      if (current === undefined) return true;
      if (slicer?.isPlaceholder(current))
        return slicer.membersOf(member.hierarchy).some((each) => areRelated(member, each));
      return areRelated(member, current);
    }),
  );
}

export const EXISTS_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'Exists',
    syntax: 'function',
    parameters: 'set set',
    description: 'The tuples of a set that exist with a tuple of another set.',
    build: (_, arg, other) => {
      const [set, others] = [setOf(arg), setOf(other)];
      return setCalc(setTypeOf(arg), [arg, other], (evaluator) => exists(set(evaluator), others(evaluator)));
    },
  }),
  define({
    name: 'CachedExists',
    syntax: 'function',
    parameters: 'set tuple string',
    description: 'The tuples of a set that exist with a tuple, found by an index.',
    build: cachedExists(),
  }),
  define({
    name: 'Existing',
    syntax: 'prefix',
    parameters: 'set',
    description: 'The tuples of a set that exist with the context.',
    build: (_, arg) => {
      const calc: Calc = arg;
      const set: SetCalc = calc.kind === 'set' ? calc : setCalc(setTypeOf(calc), [calc], setOf(calc));
      return { ...setCalc(setTypeOf(calc), [calc], (evaluator) => existing(evaluator, set)), dependsOn: EVERYTHING };
    },
  }),
];
