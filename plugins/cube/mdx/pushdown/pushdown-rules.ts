import type * as model from '../../schema/model.ts';
import type { Calc, FunctionShape, SetCalc } from '../compile/calc.ts';
import { arithmeticOf, isNumber } from '../compile/measure-arithmetic.ts';
import { contributingMeasures, storedMeasureOf } from '../compile/stored-measures.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { MAX_MEMBERS_BY_NAME } from '../limits.ts';
import { isEmptyWhere, isFilledWhere, type MeasureArithmetic, measuresIn } from '../metadata/measure-arithmetic.ts';
import type { Hierarchy, Member, TupleSet } from '../metadata/member.ts';
import { compareInHierarchy } from '../metadata/navigate.ts';
import type { Having } from '../sql/combination-statement.ts';
import { candidateTuples } from './candidate-tuples.ts';
import { isLargeProduct, levelsOf, listedPart, partsOf, type SetPart } from './set-shape.ts';

/**
 * What functions over large sets read from the warehouse. Each function here returns tuples of the set, in its order,
 * that include all tuples that the MDX function chooses. It returns `undefined` if that is not certain, or if the set
 * is small enough to be computed in memory.
 */

/**
 * Returns the parts of a product that is too large to compute in memory. `setAt` computes the sets that the warehouse
 * cannot.
 */
export function largeProduct(
  evaluator: Evaluator,
  sets: readonly SetCalc[],
  setAt: (index: number) => TupleSet,
): readonly SetPart[] | undefined {
  if (!evaluator.cube.pushdown) return undefined;
  const partsOfSets = sets.map((set) => partsOf(set, evaluator));
  if (partsOfSets.every((parts) => parts === undefined)) return undefined;
  const parts: SetPart[] = [];
  for (const [index, setParts] of partsOfSets.entries()) {
    const each = setParts ?? [listedPart(setAt(index))];
    for (const part of each) {
      if (part === undefined) return undefined;
      parts.push(part);
    }
  }
  return isLargeProduct(parts) ? parts : undefined;
}

/** Returns the tuples of a product at which one of the measures can have a value. */
export function withValues(
  evaluator: Evaluator,
  parts: readonly SetPart[],
  measures: Iterable<Member>,
): TupleSet | undefined {
  const contributing = allContributing(measures);
  return contributing === undefined ? undefined : candidateTuples(evaluator, parts, { measures: contributing });
}

/**
 * Returns the largest or smallest tuples by a stored measure or by arithmetic of stored measures, with all tuples that
 * may tie with the last one. The warehouse ranks only tuples with a value.
 */
export function ranked(
  evaluator: Evaluator,
  set: SetCalc,
  by: Calc,
  count: number,
  direction: 'asc' | 'desc',
): TupleSet | undefined {
  if (!evaluator.cube.pushdown || count <= 0) return undefined;
  const value = rankingOf(by);
  const product = value === undefined ? undefined : restrictedProduct(set, evaluator);
  if (value === undefined || product === undefined || !isLargeProduct(product.parts)) return undefined;
  const { parts, having, filled } = product;
  const tested = new Set(having.map((each) => each.measure));
  const measures = [...new Set([...measuresIn(value), ...tested])];
  if (new Set(measures.map(({ group }) => group)).size > 1) return undefined;
  // If the value can be empty at some tuples of the set, these tuples come before the smallest and after the largest.
  const always = new Set<model.Measure | undefined>(tested);
  for (const some of filled) if (some.size === 1) for (const measure of some) always.add(measure);
  const noneEmpty = isFilledWhere(value, (measure) => always.has(measure));
  if (direction === 'desc' || noneEmpty) {
    const isInside = (some: ReadonlySet<model.Measure | undefined>): boolean =>
      isFilledBy(some, tested) || isEmptyWhere(value, (measure) => some.has(measure));
    if (!filled.every(isInside)) return undefined;
    const top = candidateTuples(evaluator, parts, { measures, having, top: { by: value, count, direction } });
    if (top === undefined || top.length >= count || noneEmpty) return top;
  }
  if (having.length === 0 || !areFilled(filled, tested)) return undefined;
  return candidateTuples(evaluator, parts, { measures, having });
}

/** Returns what a ranking by `by` computes, if the warehouse can: a value that is empty where there are no facts. */
function rankingOf(by: Calc): MeasureArithmetic | undefined {
  const value = arithmeticOf(by);
  if (value === undefined || value.kind === 'measure') return value;
  return measuresIn(value).every(isNumber) && isEmptyWhere(value, () => true) ? value : undefined;
}

/** Returns the tuples that can pass a test. */
export function passing(evaluator: Evaluator, set: SetCalc, test: Calc): TupleSet | undefined {
  if (!evaluator.cube.pushdown) return undefined;
  const conditions = conditionsOf(test);
  // Other conditions may use the position of an iteration over a named set.
  if (set.cursor !== undefined && (conditions.length === 0 || !isOnly(test, conditions.length))) return undefined;
  if (conditions.length === 0) {
    const parts = partsOf(set, evaluator);
    return parts === undefined ? undefined : tuplesByName(parts, test);
  }
  const product = restrictedProduct(set, evaluator);
  if (product === undefined || !isLargeProduct(product.parts)) return undefined;
  const having = [...product.having, ...conditions];
  const measures = new Set(having.map(({ measure }) => measure));
  if (new Set(having.map(({ measure }) => measure.group)).size > 1) return undefined;
  if (!areFilled(product.filled, measures)) return undefined;
  return candidateTuples(evaluator, product.parts, { measures: [...measures], having });
}

/** A product, with the conditions that select exactly the tuples of a set from it. */
interface RestrictedProduct {
  readonly parts: readonly SetPart[];
  readonly having: readonly Having[];
  /** In each set, at least one measure has a value. `undefined` represents calculated measures. */
  readonly filled: readonly ReadonlySet<model.Measure | undefined>[];
}

/**
 * Returns the product that a set restricts. Such a set is a filter by stored measures, a set of tuples that have
 * values, or a named set of these. Returns `undefined` for every other set.
 */
function restrictedProduct(set: Calc, evaluator: Evaluator): RestrictedProduct | undefined {
  const parts = partsOf(set, evaluator);
  if (parts !== undefined) return { parts, having: [], filled: [] };
  if (set.kind !== 'set') return undefined;
  const [of, test] = set.parts;
  if (set.call?.shape === 'filter' && of !== undefined && test !== undefined) {
    const conditions = conditionsOf(test);
    const inner = isOnly(test, conditions.length) ? restrictedProduct(of, evaluator) : undefined;
    return inner === undefined ? undefined : { ...inner, having: [...inner.having, ...conditions] };
  }
  // The rest is evaluated in the query's own context. In another context its conditions would mean something else.
  if (!evaluator.isAtRoot) return undefined;
  if (set.cursor !== undefined)
    return set.parts.length === 1 && of !== undefined ? restrictedProduct(of, evaluator) : undefined;
  if (set.nonEmptyBy === undefined) return undefined;
  const filled = new Set([...set.nonEmptyBy(evaluator)].map(({ measure }) => measure));
  const product: SetPart[] = [];
  for (const part of set.parts) {
    const setParts = partsOf(part, evaluator);
    if (setParts === undefined) return undefined;
    product.push(...setParts);
  }
  return { parts: product, having: [], filled: [filled] };
}

/** Returns whether tuples at which all `measures` have a value also have one in each set of `filled`. */
function areFilled(filled: RestrictedProduct['filled'], measures: ReadonlySet<model.Measure>): boolean {
  return filled.every((some) => isFilledBy(some, measures));
}

function isFilledBy(some: ReadonlySet<model.Measure | undefined>, measures: ReadonlySet<model.Measure>): boolean {
  return [...some].some((measure) => measure !== undefined && measures.has(measure));
}

/** Returns the tuples of a NON EMPTY axis that can have a value at some tuple of the other axes. */
export function onAxis(evaluator: Evaluator, axes: readonly SetCalc[], index: number): TupleSet | undefined {
  const axis = axes[index];
  if (!evaluator.cube.pushdown || axis === undefined || axis.cursor !== undefined) return undefined;
  const parts = partsOf(axis, evaluator);
  if (parts === undefined || !isLargeProduct(parts)) return undefined;
  const free = new Set<Hierarchy>();
  const measures = new Set<Member>();
  for (const [at, other] of axes.entries()) {
    if (at === index) continue;
    const setParts = partsOf(other, evaluator);
    if (setParts !== undefined) {
      for (const { hierarchy } of levelsOf(setParts)) free.add(hierarchy);
      continue;
    }
    for (const tuple of other.evaluate(evaluator)) {
      for (const member of tuple) {
        free.add(member.hierarchy);
        if (member.hierarchy.isMeasures) measures.add(member);
        else if (member.kind !== 'all' && member.kind !== 'stored') return undefined;
      }
    }
  }
  const [current] = evaluator.context;
  if (measures.size === 0 && current !== undefined) measures.add(current);
  const contributing = allContributing(measures);
  return contributing === undefined ? undefined : candidateTuples(evaluator, parts, { measures: contributing, free });
}

function allContributing(measures: Iterable<Member>): readonly model.Measure[] | undefined {
  const stored = new Set<model.Measure>();
  for (const measure of measures) {
    const contributing = contributingMeasures(measure);
    if (contributing === undefined) return undefined;
    for (const each of contributing) stored.add(each);
  }
  return stored.size === 0 ? undefined : [...stored];
}

const OPERATORS: Readonly<
  Partial<Record<FunctionShape, { readonly op: Having['op']; readonly turned: Having['op'] }>>
> = {
  '=': { op: '=', turned: '=' },
  '<>': { op: '<>', turned: '<>' },
  '<': { op: '<', turned: '>' },
  '<=': { op: '<=', turned: '>=' },
  '>': { op: '>', turned: '<' },
  '>=': { op: '>=', turned: '<=' },
};

/** Returns the comparisons of stored measures with numbers that a test requires. Other conditions are left out. */
function conditionsOf(test: Calc): readonly Having[] {
  const [left, right] = test.parts;
  if (test.call === undefined && test.parts.length === 1 && left !== undefined) return conditionsOf(left);
  if (test.call?.shape === 'and' && left !== undefined && right !== undefined)
    return [...conditionsOf(left), ...conditionsOf(right)];
  const operator = test.call?.shape === undefined ? undefined : OPERATORS[test.call.shape];
  if (operator === undefined) return [];
  const [measure, value] = [storedMeasureOf(left), numberIn(right)];
  if (measure !== undefined && value !== undefined) return [{ measure, op: operator.op, value }];
  const [turned, first] = [storedMeasureOf(right), numberIn(left)];
  return turned === undefined || first === undefined ? [] : [{ measure: turned, op: operator.turned, value: first }];
}

/** Returns whether a test consists only of such comparisons, as many as `conditions`. */
function isOnly(test: Calc, conditions: number): boolean {
  if (conditions === 0) return false;
  const [left, right] = test.parts;
  if (test.call === undefined && test.parts.length === 1 && left !== undefined) return isOnly(left, conditions);
  if (test.call?.shape !== 'and' || left === undefined || right === undefined) return conditions === 1;
  const before = conditionsOf(left).length;
  return before > 0 && before < conditions && isOnly(left, before) && isOnly(right, conditions - before);
}

function numberIn(calc: Calc | undefined): number | undefined {
  if (calc?.kind !== 'scalar') return undefined;
  const [only] = calc.parts;
  if (calc.call?.shape === '-' && calc.parts.length === 1) {
    const value = numberIn(only);
    return value === undefined ? undefined : -value;
  }
  return typeof calc.constant === 'number' && Number.isFinite(calc.constant) ? calc.constant : undefined;
}

/**
 * Returns the tuples for a test of names such as `[Store].CurrentMember.Name = "Oslo"`: the members whose name or
 * caption contains the text.
 */
function tuplesByName(parts: readonly SetPart[], test: Calc): TupleSet | undefined {
  const [part] = parts;
  const [left, right] = test.parts;
  if (test.call === undefined && test.parts.length === 1 && left !== undefined) return tuplesByName(parts, left);
  if (test.call?.shape !== '=' || parts.length !== 1 || part?.kind !== 'level' || part.within !== undefined)
    return undefined;
  const text = right?.kind === 'scalar' && typeof right.constant === 'string' ? right.constant : '';
  const { level } = part;
  if (text === '' || !isNameOfCurrent(left, level.hierarchy) || !level.hierarchy.members.isLarge(level))
    return undefined;
  const members = level.hierarchy.members.search(level, text, MAX_MEMBERS_BY_NAME);
  return members.length < MAX_MEMBERS_BY_NAME
    ? members.toSorted(compareInHierarchy).map((member) => [member])
    : undefined;
}

function isNameOfCurrent(calc: Calc | undefined, hierarchy: Hierarchy): boolean {
  const [of] = calc?.parts ?? [];
  if (calc === undefined || of === undefined) return false;
  if (calc.call === undefined && calc.parts.length === 1) return isNameOfCurrent(of, hierarchy);
  if (calc.call?.shape !== 'member name') return false;
  return of.kind === 'member' && of.call?.shape === 'current member' && of.type.hierarchy === hierarchy;
}
