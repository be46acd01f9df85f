import type { Evaluator, SetCursor } from '../evaluate/evaluator.ts';
import type { Exact } from '../metadata/exact-numbers.ts';
import type { Dimension, Hierarchy, Level, Member, Tuple, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import {
  elementOf,
  INTEGER,
  type MemberType,
  NUMERIC,
  type SetType,
  type TupleType,
  type Type,
} from './expression-types.ts';

/**
 * Compiled expressions. The parsed tree says what was written, a calculation says how it is computed: which function,
 * with which conversions, and which parts of the context (hierarchies' current members) its result depends on.
 */

/** Bit n: the result may change with the current member of the hierarchy with ordinal n. */
export type Dependencies = bigint;

export const NOTHING: Dependencies = 0n;
/** On every hierarchy, however many there are. */
export const EVERYTHING: Dependencies = -1n;

/** Returns the dependency on the current member of a hierarchy; on everything where it is not known. */
export function dependencyOn(hierarchy: Hierarchy | undefined): Dependencies {
  return hierarchy === undefined ? EVERYTHING : 1n << BigInt(hierarchy.ordinal);
}

/** Description of a call for code that inspects calculations without evaluating them, such as pushdown. */
export type FunctionShape =
  | 'members'
  | 'children'
  | 'descendants'
  | 'crossjoin'
  | 'filter'
  | 'hierarchize'
  | 'aggregate'
  | 'valid measure'
  | 'order key'
  | 'current member'
  | 'member name'
  | 'and'
  | Comparison
  | '+'
  | '-'
  | '*'
  | '/'
  | 'conditional';

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Facts of a function's definition that apply to all calls of it. */
export interface FunctionTraits {
  readonly shape?: FunctionShape | undefined;
  /** It finds its members only during evaluation, so they are not known before. */
  readonly resolvesAtRuntime?: boolean | undefined;
  /** Its tuples are the ones that are not empty at the query's measures. */
  readonly isNonEmpty?: boolean | undefined;
  /** Where a value is wanted another function of its name is meant: `*` multiplies. */
  readonly givesWayToValue?: boolean | undefined;
  /** Parentheses around several parts of which one is a set mean it. */
  readonly isMeantByParentheses?: boolean | undefined;
  /** Its first argument names the parameter that a call declares. */
  readonly declaresParameter?: boolean | undefined;
  /** So many of its arguments, the first ones, bring tuples; the others are conditions or sort keys. */
  readonly forwardsOnly?: number | undefined;
}

interface Node {
  readonly dependsOn: Dependencies;
  /** Source expression, for code that searches it for a format or a function. */
  readonly parts: readonly Calc[];
  /** Facts about the called function; `undefined` when the calculation is no call. */
  readonly call?: FunctionTraits | undefined;
}

/** Something of the metadata, named: what else the name may be where none of its kind can be meant. */
interface NamedNode extends Node {
  /** Finds the member that has this name, too. */
  readonly namesake?: (() => MemberCalc | undefined) | undefined;
}

export interface MemberCalc extends Node {
  readonly kind: 'member';
  readonly type: MemberType;
  /** The member, where it is always the same one. */
  readonly constant?: Member | undefined;
  /** Returns the member. Never throws for want of one: that is the hierarchy's null member. */
  readonly evaluate: (evaluator: Evaluator) => Member;
}
export interface TupleCalc extends Node {
  readonly kind: 'tuple';
  readonly type: TupleType;
  /** Returns the tuple; `undefined` when one of its members is null. */
  readonly evaluate: (evaluator: Evaluator) => Tuple | undefined;
}
export interface SetCalc extends Node {
  readonly kind: 'set';
  readonly type: SetType;
  /** Present on a named set and an alias: the tuple that an iteration over it has reached. */
  readonly cursor?: SetCursor | undefined;
  /** Where the set holds only tuples with a value: the measures of which one has to have it. */
  readonly nonEmptyBy?: ((evaluator: Evaluator) => ReadonlySet<Member>) | undefined;
  /** The first so many tuples, where they can be had without the others. */
  readonly first?: ((evaluator: Evaluator, count: number) => TupleSet) | undefined;
  readonly evaluate: (evaluator: Evaluator) => TupleSet;
}
export interface LevelCalc extends NamedNode {
  readonly kind: 'level';
  readonly type: Type & { readonly kind: 'level' };
  readonly evaluate: (evaluator: Evaluator) => Level;
}
export interface HierarchyCalc extends NamedNode {
  readonly kind: 'hierarchy';
  readonly type: Type & { readonly kind: 'hierarchy' };
  readonly evaluate: (evaluator: Evaluator) => Hierarchy;
}
export interface DimensionCalc extends Node {
  readonly kind: 'dimension';
  readonly type: Type & { readonly kind: 'dimension' };
  readonly evaluate: (evaluator: Evaluator) => Dimension;
}
export interface ScalarCalc extends Node {
  readonly kind: 'scalar';
  readonly type: Type;
  readonly constant?: Value;
  readonly evaluate: (evaluator: Evaluator) => Value;
}
/** NULL, an argument left out, or a word such as DESC: no value of its own. */
export interface PlaceholderCalc extends Node {
  readonly kind: 'mark';
  readonly type: Type & { readonly kind: 'null' | 'empty' | 'symbol' };
}
export type Calc =
  | MemberCalc
  | TupleCalc
  | SetCalc
  | LevelCalc
  | HierarchyCalc
  | DimensionCalc
  | ScalarCalc
  | PlaceholderCalc;

type OptionalCalcs = readonly (Calc | undefined)[];

function node(parts: OptionalCalcs): { readonly parts: readonly Calc[]; readonly dependsOn: Dependencies } {
  const present = parts.filter((part) => part !== undefined);
  return { parts: present, dependsOn: present.reduce((all, part) => all | part.dependsOn, NOTHING) };
}

/** Returns a calculation of a member, made of parts. */
export function memberCalc(type: MemberType, parts: OptionalCalcs, evaluate: MemberCalc['evaluate']): MemberCalc {
  return { kind: 'member', type, evaluate, ...node(parts) };
}
/** Returns a calculation of a tuple, made of parts. */
export function tupleCalc(type: TupleType, parts: OptionalCalcs, evaluate: TupleCalc['evaluate']): TupleCalc {
  return { kind: 'tuple', type, evaluate, ...node(parts) };
}
/** Returns a calculation of a set, made of parts. */
export function setCalc(type: SetType, parts: OptionalCalcs, evaluate: SetCalc['evaluate']): SetCalc {
  return { kind: 'set', type, evaluate, ...node(parts) };
}
/** Returns a calculation of a value, made of parts. */
export function scalarCalc(type: Type, parts: OptionalCalcs, evaluate: ScalarCalc['evaluate']): ScalarCalc {
  return { kind: 'scalar', type, evaluate, ...node(parts) };
}
/** Returns a calculation of a number, made of parts. */
export function numericCalc(parts: OptionalCalcs, evaluate: (evaluator: Evaluator) => Exact | null): ScalarCalc {
  return scalarCalc(NUMERIC, parts, evaluate);
}
/** Returns a number that is always a whole one: without a format of its own it is shown without decimals. */
export function integerCalc(parts: OptionalCalcs, evaluate: (evaluator: Evaluator) => number | null): ScalarCalc {
  return scalarCalc(INTEGER, parts, evaluate);
}
/** Returns a calculation of a level, made of parts. */
export function levelCalc(
  hierarchy: Hierarchy | undefined,
  parts: OptionalCalcs,
  evaluate: LevelCalc['evaluate'],
): LevelCalc {
  return { kind: 'level', type: { kind: 'level', hierarchy }, evaluate, ...node(parts) };
}
/** Returns a calculation of a hierarchy, made of parts. */
export function hierarchyCalc(
  hierarchy: Hierarchy | undefined,
  parts: OptionalCalcs,
  evaluate: HierarchyCalc['evaluate'],
): HierarchyCalc {
  return { kind: 'hierarchy', type: { kind: 'hierarchy', hierarchy }, evaluate, ...node(parts) };
}
/** Returns a calculation of a dimension, made of parts. */
export function dimensionCalc(
  dimension: Dimension | undefined,
  parts: OptionalCalcs,
  evaluate: DimensionCalc['evaluate'],
): DimensionCalc {
  return { kind: 'dimension', type: { kind: 'dimension', dimension }, evaluate, ...node(parts) };
}

/** Returns the expression with the given dependencies in place of its parts' dependencies. */
export function depending<T extends Calc>(calc: T, dependsOn: Dependencies): T {
  return { ...calc, dependsOn };
}

/** Returns the calculation of what has no value of its own. */
export function placeholderCalc(type: PlaceholderCalc['type']): PlaceholderCalc {
  return { kind: 'mark', type, ...node([]) };
}

/** Returns the calculation of a member that is always the same one. */
export function constantMember(member: Member): MemberCalc {
  const type: MemberType = { kind: 'member', hierarchy: member.hierarchy, level: member.level };
  return { kind: 'member', type, constant: member, evaluate: () => member, ...node([]) };
}
/** Returns the calculation of a value that is always the same one. */
export function constantValue(type: Type, value: Value): ScalarCalc {
  return { kind: 'scalar', type, constant: value, evaluate: () => value, ...node([]) };
}

/** Returns what a set's elements depend on once an iteration gives the set's own hierarchies. */
export function withoutElements(dependsOn: Dependencies, type: Type): Dependencies {
  if (type.kind !== 'set' || type.element === undefined) return dependsOn;
  let mask = dependsOn;
  for (const { hierarchy } of type.element) if (hierarchy !== undefined) mask &= ~dependencyOn(hierarchy);
  return mask;
}

/**
 * Returns the dependencies of an expression when it is used as a value: a cell depends on the whole context, but for the places
 * that the expression's own members take.
 */
export function valueDependencies(calc: Calc): Dependencies {
  if (calc.kind === 'scalar' || calc.kind === 'mark' || calc.kind === 'set') return calc.dependsOn;
  return withoutElements(EVERYTHING, { kind: 'set', element: elementOf(calc.type) }) | calc.dependsOn;
}

/** Returns whether a calculation contains a call that passes; named sets and calculated members are followed. */
export function containsCall(calc: Calc, test: (call: FunctionTraits) => boolean, seen = new Set<Calc>()): boolean {
  if (seen.has(calc)) return false;
  seen.add(calc);
  return (calc.call !== undefined && test(calc.call)) || calc.parts.some((part) => containsCall(part, test, seen));
}
