import { type Calc, setCalc } from '../compile/calc.ts';
import { hierarchyCalcOf, levelOf, numberOf, scalarOf, setOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { elementOf } from '../compile/expression-types.ts';
import type { BuildContext, FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { compareValues } from '../metadata/compare.ts';
import type { Hierarchy, Level, Member, Tuple, TupleSet } from '../metadata/member.ts';
import { childrenOf, isWithin, parentOf } from '../metadata/navigate.ts';
import type { Value } from '../metadata/value.ts';
import { MdxError } from '../syntax/errors.ts';
import { isSupplied, setTypeOf, suppliedArg, symbolOf } from './supplied-args.ts';

/** Drilling: members of a set followed by the members below them. */

/** Adds tuples after each tuple: the same tuple with each member of `below` in place of its own. */
function drill(tuples: TupleSet, index: number, below: (member: Member, at: number) => readonly Member[]): TupleSet {
  return tuples.flatMap((tuple, at) => {
    const member = tuple[index];
    if (member === undefined) return [tuple];
    return [tuple, ...below(member, at).map((child) => tuple.with(index, child))];
  });
}

/** Returns whether the next tuple is already below this one. */
function isDrilled(tuples: TupleSet, at: number, index: number): boolean {
  const [member, next] = [tuples[at]?.[index], tuples[at + 1]?.[index]];
  return member !== undefined && next !== undefined && next !== member && isWithin(next, member);
}

function deepest(tuples: TupleSet, index: number): Level | undefined {
  let lowest: Level | undefined;
  for (const tuple of tuples) {
    const level = tuple[index]?.level;
    if (level !== undefined && (lowest === undefined || level.depth > lowest.depth)) lowest = level;
  }
  return lowest;
}

type Below = (member: Member) => readonly Member[];

/**
 * Returns the function that reads the children of a member. With INCLUDE_CALC_MEMBERS, calculated children follow the
 * stored ones.
 */
function belowBy({ scope }: BuildContext, flag: Calc | undefined): Below {
  if (symbolOf(suppliedArg(flag)) === undefined) return childrenOf;
  return (parent) => [...childrenOf(parent), ...scope.calculated.filter((member) => isChild(member, parent))];
}

/**
 * Returns whether a calculated member is a child of another member. Calculated members of the topmost level are
 * children of the all member.
 */
function isChild({ hierarchy, treeParent, level }: Member, parent: Member): boolean {
  if (treeParent !== undefined || hierarchy !== parent.hierarchy) return treeParent === parent;
  return parent.kind === 'all' && level.above === parent.level;
}

function drilldownLevel(tuples: TupleSet, level: Level | undefined, below: Below): TupleSet {
  const at = level ?? deepest(tuples, 0);
  return drill(tuples, 0, (member, place) =>
    member.level === at && !isDrilled(tuples, place, 0) ? below(member) : [],
  );
}

/** Compiles the set in which the `count` largest (or smallest) children follow each member of the level. */
function drilldownBest(descending: boolean): Build<'set numeric level? value? INCLUDE_CALC_MEMBERS?'> {
  return (context, arg, number, at, expression, flag) => {
    const below = belowBy(context, flag);
    const set = setOf(arg);
    const limit = numberOf(number);
    const level = isSupplied(at) ? levelOf(at) : undefined;
    const by = suppliedArg(expression);
    const value = by === undefined ? (evaluator: Evaluator) => evaluator.value() : scalarOf(by);
    checkLevel(arg, suppliedArg(at));
    const calc = setCalc(setTypeOf(arg), [arg, number, at, expression], (evaluator) => {
      const tuples = set(evaluator);
      const most = Math.max(0, Math.trunc(limit(evaluator) ?? 0));
      const drilledLevel = level?.(evaluator);
      return evaluator.requireComplete(() =>
        drill(tuples, 0, (member, place) => {
          if (drilledLevel !== undefined && member.level !== drilledLevel) return [];
          const next = tuples[place + 1]?.[0];
          if (next !== undefined && parentOf(next) === member) return [];
          return best(evaluator, tuples[place] ?? [], below(member), value, descending).slice(0, most);
        }),
      );
    });
    return { ...calc, dependsOn: -1n };
  };
}

function best(
  evaluator: Evaluator,
  tuple: Tuple,
  children: readonly Member[],
  value: (evaluator: Evaluator) => Value,
  descending: boolean,
): readonly Member[] {
  const values = new Map<Member, Value>();
  for (const child of children) {
    evaluator.attempt(() => evaluator.at([...tuple, child], () => values.set(child, value(evaluator))));
  }
  return children.toSorted((left, right) => {
    const order = compareValues(values.get(left) ?? null, values.get(right) ?? null);
    return descending ? -order : order;
  });
}

function checkLevel(set: Calc, level: Calc | undefined): void {
  if (level === undefined) return;
  const setHierarchy = elementOf(set.type)?.[0]?.hierarchy;
  const other = level.type.kind === 'level' ? level.type.hierarchy : undefined;
  if (setHierarchy !== undefined && other !== undefined && setHierarchy !== other) {
    const name = level.type.kind === 'level' ? (level.type.level?.uniqueName ?? other.uniqueName) : other.uniqueName;
    throw new MdxError(`Level '${name}' not compatible with member of hierarchy '${setHierarchy.uniqueName}'`);
  }
}

function drilldownMember(
  context: BuildContext,
  [arg, other]: readonly [Calc, Calc],
  { target, recursive, flag }: { target?: Calc | undefined; recursive?: Calc | undefined; flag?: Calc | undefined },
): Calc {
  const [set, members] = [setOf(arg), setOf(other)];
  const below = belowBy(context, flag);
  const hierarchy = targetOf(target);
  return setCalc(setTypeOf(arg), [arg, other, target], (evaluator) => {
    const tuples = set(evaluator);
    const targets = members(evaluator);
    const index = hierarchyPlace(tuples[0], hierarchy?.(evaluator) ?? targets[0]?.[0]?.hierarchy);
    return drillInto(tuples, index, membersOf(targets), isSupplied(recursive), below);
  });
}

/** Compiles the hierarchy whose members are drilled, if a call names it. */
function targetOf(arg: Calc | undefined): ((evaluator: Evaluator) => Hierarchy) | undefined {
  return isSupplied(arg) ? hierarchyCalcOf(arg) : undefined;
}

/** Returns the members of all tuples. */
function membersOf(tuples: TupleSet): ReadonlySet<Member> {
  return new Set(tuples.flat());
}

/**
 * Compiles the set in which the `count` largest (or smallest) children follow each member that is also in the other
 * set.
 */
function drillMemberBest(descending: boolean): Build<'set set numeric value? hierarchy? INCLUDE_CALC_MEMBERS?'> {
  return (context, arg, other, number, expression, target, flag) => {
    const [set, members] = [setOf(arg), setOf(other)];
    const below = belowBy(context, flag);
    const hierarchy = targetOf(target);
    const limit = numberOf(number);
    const by = suppliedArg(expression);
    const value = by === undefined ? (evaluator: Evaluator) => evaluator.value() : scalarOf(by);
    const calc = setCalc(setTypeOf(arg), [arg, other, number, expression], (evaluator) => {
      const others = members(evaluator);
      const targets = membersOf(others);
      const tuples = set(evaluator);
      const index = hierarchyPlace(tuples[0], hierarchy?.(evaluator) ?? others[0]?.[0]?.hierarchy);
      const most = Math.max(0, Math.trunc(limit(evaluator) ?? 0));
      return evaluator.requireComplete(() =>
        drill(tuples, index, (member, at) => {
          if (!targets.has(member) || isDrilled(tuples, at, index)) return [];
          return best(evaluator, tuples[at] ?? [], below(member), value, descending).slice(0, most);
        }),
      );
    });
    return { ...calc, dependsOn: -1n };
  };
}

function hierarchyPlace(tuple: Tuple | undefined, hierarchy: Hierarchy | undefined): number {
  const index = tuple?.findIndex((member) => member.hierarchy === hierarchy) ?? 0;
  return Math.max(index, 0);
}

function isBelow(member: Member | undefined, ancestor: Member): boolean {
  return member !== undefined && member !== ancestor && isWithin(member, ancestor);
}

function isBelowAny(member: Member | undefined, targets: ReadonlySet<Member>): boolean {
  for (let at = member?.treeParent; at !== undefined; at = at.treeParent) if (targets.has(at)) return true;
  return false;
}

function drillInto(
  tuples: TupleSet,
  index: number,
  targets: ReadonlySet<Member>,
  recursive: boolean,
  below: Below,
): TupleSet {
  const drilled = (member: Member): readonly Member[] => {
    if (!targets.has(member)) return [];
    const children = below(member);
    return recursive ? children.flatMap((child) => [child, ...drilled(child)]) : children;
  };
  return drill(tuples, index, (member, at) => (isDrilled(tuples, at, index) ? [] : drilled(member)));
}

/** Drills up the members that are drilled down, and drills down the others. */
function toggle(tuples: TupleSet, members: TupleSet): TupleSet {
  const targets = new Set(members.map((tuple) => tuple[0]));
  const index = hierarchyPlace(tuples[0], members[0]?.[0]?.hierarchy);
  const drilled: Tuple[] = [];
  for (let at = 0; at < tuples.length; at++) {
    const tuple = tuples[at];
    const member = tuple?.[index];
    if (tuple === undefined || member === undefined) continue;
    drilled.push(tuple);
    if (!targets.has(member)) continue;
    if (isDrilled(tuples, at, index)) {
      while (isBelow(tuples[at + 1]?.[index], member)) at++;
    } else for (const child of childrenOf(member)) drilled.push(tuple.with(index, child));
  }
  return drilled;
}

export const DRILL_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'DrilldownLevel',
    syntax: 'function',
    parameters: 'set level? empty? INCLUDE_CALC_MEMBERS?',
    description: 'The members of a set. Members of a level are followed by their children.',
    build: (context, arg, at, _, flag) => {
      const set = setOf(arg);
      const level = isSupplied(at) ? levelOf(at) : undefined;
      const below = belowBy(context, flag);
      checkLevel(arg, suppliedArg(at));
      return setCalc(setTypeOf(arg), [arg, at], (evaluator) =>
        drilldownLevel(set(evaluator), level?.(evaluator), below),
      );
    },
  }),
  define({
    name: 'DrilldownLevel',
    syntax: 'function',
    parameters: 'set empty numeric INCLUDE_CALC_MEMBERS?',
    description: 'The tuples of a set. Each is followed by tuples with the children of the member at an index.',
    build: (context, arg, __, place, flag) => {
      const set = setOf(arg);
      const index = numberOf(place);
      const below = belowBy(context, flag);
      return setCalc(setTypeOf(arg), [arg, place], (evaluator) => drill(set(evaluator), index(evaluator) ?? 0, below));
    },
  }),
  define({
    name: 'DrilldownLevelTop',
    syntax: 'function',
    parameters: 'set numeric level? value? INCLUDE_CALC_MEMBERS?',
    description: 'As DrilldownLevel, with the children of the largest values.',
    build: drilldownBest(true),
  }),
  define({
    name: 'DrilldownLevelBottom',
    syntax: 'function',
    parameters: 'set numeric level? value? INCLUDE_CALC_MEMBERS?',
    description: 'As DrilldownLevel, with the children of the smallest values.',
    build: drilldownBest(false),
  }),
  define({
    name: 'DrilldownMember',
    syntax: 'function',
    parameters: 'set set hierarchy? RECURSIVE? INCLUDE_CALC_MEMBERS?',
    description:
      'The members of a set. Members of another set are followed by their children, with RECURSIVE also by deeper descendants.',
    build: (context, arg, other, target, recursive, flag) =>
      drilldownMember(context, [arg, other], { target, recursive, flag }),
  }),
  define({
    name: 'DrilldownMember',
    syntax: 'function',
    parameters: 'set set RECURSIVE INCLUDE_CALC_MEMBERS?',
    description: 'The members of a set. Members of another set are followed by their children and deeper descendants.',
    build: (context, arg, other, recursive, flag) => drilldownMember(context, [arg, other], { recursive, flag }),
  }),
  define({
    name: 'DrilldownMemberTop',
    syntax: 'function',
    parameters: 'set set numeric value? hierarchy? INCLUDE_CALC_MEMBERS?',
    description: 'As DrilldownMember, with the children of the largest values.',
    build: drillMemberBest(true),
  }),
  define({
    name: 'DrilldownMemberBottom',
    syntax: 'function',
    parameters: 'set set numeric value? hierarchy? INCLUDE_CALC_MEMBERS?',
    description: 'As DrilldownMember, with the children of the smallest values.',
    build: drillMemberBest(false),
  }),
  define({
    name: 'DrillupMember',
    syntax: 'function',
    parameters: 'set set',
    description: 'A set without descendants of the members of another set.',
    build: (_, arg, other) => {
      const [set, members] = [setOf(arg), setOf(other)];
      return setCalc(setTypeOf(arg), [arg, other], (evaluator) => {
        const tuples = set(evaluator);
        const others = members(evaluator);
        const index = hierarchyPlace(tuples[0], others[0]?.[0]?.hierarchy);
        const targets = membersOf(others);
        return tuples.filter((tuple) => !isBelowAny(tuple[index], targets));
      });
    },
  }),
  define({
    name: 'DrillupLevel',
    syntax: 'function',
    parameters: 'set level?',
    description: 'A set without members below a level.',
    build: (_, arg, at) => {
      const set = setOf(arg);
      const level = isSupplied(at) ? levelOf(at) : undefined;
      return setCalc(setTypeOf(arg), [arg, at], (evaluator) => {
        const tuples = set(evaluator);
        const limit = level?.(evaluator).depth ?? (deepest(tuples, 0)?.depth ?? 0) - 1;
        return tuples.filter(([member]) => member !== undefined && member.level.depth <= limit);
      });
    },
  }),
  define({
    name: 'ToggleDrillState',
    syntax: 'function',
    parameters: 'set set',
    description:
      'A set in which the members of another set are drilled up if they are drilled down, and drilled down otherwise.',
    build: (_, arg, other) => {
      const [set, members] = [setOf(arg), setOf(other)];
      return setCalc(setTypeOf(arg), [arg, other], (evaluator) => toggle(set(evaluator), members(evaluator)));
    },
  }),
];
