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
 * Compiled expressions. The parsed tree represents the text. A calculation represents how its value is computed: the
 * function, the conversions of its arguments, and the hierarchies on whose current members the result depends.
 */

/** Bit n is set if the result may depend on the current member of the hierarchy with ordinal n. */
export type Dependencies = bigint;

export const NOTHING: Dependencies = 0n;
/** Depends on every hierarchy, however many there are. */
export const EVERYTHING: Dependencies = -1n;

/** Returns the dependency on the current member of a hierarchy. An unknown hierarchy means a dependency on all. */
export function dependencyOn(hierarchy: Hierarchy | undefined): Dependencies {
  return hierarchy === undefined ? EVERYTHING : 1n << BigInt(hierarchy.ordinal);
}

/** Describes a call for code that inspects calculations without evaluating them, such as pushdown. */
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
  | 'or'
  | 'not'
  | 'is empty'
  | Comparison
  | '+'
  | '-'
  | '*'
  | '/'
  | 'conditional';

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Facts about a function that apply to all its calls. */
export interface FunctionTraits {
  readonly shape?: FunctionShape | undefined;
  /** The function finds its members during evaluation. They are unknown before. */
  readonly resolvesAtRuntime?: boolean | undefined;
  /** The function returns the tuples that are not empty at the query's measures. */
  readonly isNonEmpty?: boolean | undefined;
  /** Where a value is expected, another function of the same name applies: `*` multiplies there. */
  readonly yieldsToValue?: boolean | undefined;
  /** Parentheses around several parts call this function if one part is a set. */
  readonly isBuiltByParentheses?: boolean | undefined;
  /** The first argument names the parameter that a call declares. */
  readonly declaresParameter?: boolean | undefined;
  /** The number of leading arguments that contribute tuples. The rest are conditions or sort keys. */
  readonly forwardsOnly?: number | undefined;
}

interface Node {
  readonly dependsOn: Dependencies;
  /** The operands, for code that searches the calculation for a format or a function. */
  readonly parts: readonly Calc[];
  /** Facts about the called function; `undefined` if the calculation is not a call. */
  readonly call?: FunctionTraits | undefined;
}

/** A named element of the metadata. Its name may also be a member's name. */
interface NamedNode extends Node {
  /** Finds the member with the same name. Used where this kind of element is not allowed. */
  readonly namesake?: (() => MemberCalc | undefined) | undefined;
}

export interface MemberCalc extends Node {
  readonly kind: 'member';
  readonly type: MemberType;
  /** The member, if it is always the same. */
  readonly constant?: Member | undefined;
  /** Returns the member. If there is none, returns the null member of the hierarchy. */
  readonly evaluate: (evaluator: Evaluator) => Member;
}
export interface TupleCalc extends Node {
  readonly kind: 'tuple';
  readonly type: TupleType;
  /** Returns the tuple; `undefined` if one of its members is null. */
  readonly evaluate: (evaluator: Evaluator) => Tuple | undefined;
}
export interface SetCalc extends Node {
  readonly kind: 'set';
  readonly type: SetType;
  /** Identifies iterations over a named set or an alias, so that expressions can read their position. */
  readonly cursor?: SetCursor | undefined;
  /** Present if all tuples of the set have a value: returns the measures of which one must have it. */
  readonly nonEmptyBy?: ((evaluator: Evaluator) => ReadonlySet<Member>) | undefined;
  /** Returns the first tuples. Present if they can be computed without the rest. */
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
/** NULL, an omitted argument, or a word such as DESC. It has no value of its own. */
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

/** Returns the calculation of a member from its parts. */
export function memberCalc(type: MemberType, parts: OptionalCalcs, evaluate: MemberCalc['evaluate']): MemberCalc {
  return { kind: 'member', type, evaluate, ...node(parts) };
}
/** Returns the calculation of a tuple from its parts. */
export function tupleCalc(type: TupleType, parts: OptionalCalcs, evaluate: TupleCalc['evaluate']): TupleCalc {
  return { kind: 'tuple', type, evaluate, ...node(parts) };
}
/** Returns the calculation of a set from its parts. */
export function setCalc(type: SetType, parts: OptionalCalcs, evaluate: SetCalc['evaluate']): SetCalc {
  return { kind: 'set', type, evaluate, ...node(parts) };
}
/** Returns the calculation of a value from its parts. */
export function scalarCalc(type: Type, parts: OptionalCalcs, evaluate: ScalarCalc['evaluate']): ScalarCalc {
  return { kind: 'scalar', type, evaluate, ...node(parts) };
}
/** Returns the calculation of a number from its parts. */
export function numericCalc(parts: OptionalCalcs, evaluate: (evaluator: Evaluator) => Exact | null): ScalarCalc {
  return scalarCalc(NUMERIC, parts, evaluate);
}
/** Returns the calculation of a whole number. Without a format of its own, it is shown without decimals. */
export function integerCalc(parts: OptionalCalcs, evaluate: (evaluator: Evaluator) => number | null): ScalarCalc {
  return scalarCalc(INTEGER, parts, evaluate);
}
/** Returns the calculation of a level from its parts. */
export function levelCalc(
  hierarchy: Hierarchy | undefined,
  parts: OptionalCalcs,
  evaluate: LevelCalc['evaluate'],
): LevelCalc {
  return { kind: 'level', type: { kind: 'level', hierarchy }, evaluate, ...node(parts) };
}
/** Returns the calculation of a hierarchy from its parts. */
export function hierarchyCalc(
  hierarchy: Hierarchy | undefined,
  parts: OptionalCalcs,
  evaluate: HierarchyCalc['evaluate'],
): HierarchyCalc {
  return { kind: 'hierarchy', type: { kind: 'hierarchy', hierarchy }, evaluate, ...node(parts) };
}
/** Returns the calculation of a dimension from its parts. */
export function dimensionCalc(
  dimension: Dimension | undefined,
  parts: OptionalCalcs,
  evaluate: DimensionCalc['evaluate'],
): DimensionCalc {
  return { kind: 'dimension', type: { kind: 'dimension', dimension }, evaluate, ...node(parts) };
}

/** Returns the calculation with other dependencies. */
export function depending<T extends Calc>(calc: T, dependsOn: Dependencies): T {
  return { ...calc, dependsOn };
}

/** Returns the calculation of NULL, an omitted argument or a symbol. */
export function placeholderCalc(type: PlaceholderCalc['type']): PlaceholderCalc {
  return { kind: 'mark', type, ...node([]) };
}

/** Returns the calculation of a constant member. */
export function constantMember(member: Member): MemberCalc {
  const type: MemberType = { kind: 'member', hierarchy: member.hierarchy, level: member.level };
  return { kind: 'member', type, constant: member, evaluate: () => member, ...node([]) };
}
/** Returns the calculation of a constant value. */
export function constantValue(type: Type, value: Value): ScalarCalc {
  return { kind: 'scalar', type, constant: value, evaluate: () => value, ...node([]) };
}

/** Removes the hierarchies of a set from dependencies. An iteration over the set supplies their members. */
export function withoutElements(dependsOn: Dependencies, type: Type): Dependencies {
  if (type.kind !== 'set' || type.element === undefined) return dependsOn;
  let mask = dependsOn;
  for (const { hierarchy } of type.element) if (hierarchy !== undefined) mask &= ~dependencyOn(hierarchy);
  return mask;
}

/**
 * Returns the dependencies of an expression that is used as a value. A cell depends on the whole context except the
 * hierarchies of the expression's own members.
 */
export function valueDependencies(calc: Calc): Dependencies {
  if (calc.kind === 'scalar' || calc.kind === 'mark' || calc.kind === 'set') return calc.dependsOn;
  return withoutElements(EVERYTHING, { kind: 'set', element: elementOf(calc.type) }) | calc.dependsOn;
}

/** Returns whether a calculation contains a call that passes the test. Follows the parts of named sets. */
export function containsCall(calc: Calc, test: (call: FunctionTraits) => boolean, seen = new Set<Calc>()): boolean {
  if (seen.has(calc)) return false;
  seen.add(calc);
  return (calc.call !== undefined && test(calc.call)) || calc.parts.some((part) => containsCall(part, test, seen));
}
