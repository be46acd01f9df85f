import type * as model from '../../schema/model.ts';
import type { Hierarchy, Member, TupleSet } from '../catalog/member.ts';
import { compareInHierarchy } from '../catalog/navigate.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Calc, SetCalc } from '../resolve/calc.ts';
import type { Having } from '../sql/native.ts';
import { candidates } from './candidates.ts';
import { isBig, levelsOf, listed, type Part, partsOf } from './parts.ts';
import { measuresBehind, storedMeasureOf } from './stored-measures.ts';

/**
 * What the functions of big sets ask of the warehouse. Each yields tuples of the set, in its order, among which are all
 * that the function would choose; `undefined` where that is not certain or the set is small enough to be made.
 */

/** The parts of a product that is better asked for than made; `setAt` makes the sets that only we can make. */
export function bigProduct(
  evaluator: Evaluator,
  sets: readonly SetCalc[],
  setAt: (index: number) => TupleSet,
): readonly Part[] | undefined {
  if (!evaluator.cube.pushdown) return undefined;
  const levels = sets.map((set) => partsOf(set, evaluator));
  if (levels.every((own) => own === undefined)) return undefined;
  const parts: Part[] = [];
  for (const [index, own] of levels.entries()) {
    const each = own ?? [listed(setAt(index))];
    for (const part of each) {
      if (part === undefined) return undefined;
      parts.push(part);
    }
  }
  return isBig(parts) ? parts : undefined;
}

/** Tuples of a product at which one of the measures can have a value. */
export function withValues(
  evaluator: Evaluator,
  parts: readonly Part[],
  measures: Iterable<Member>,
): TupleSet | undefined {
  const behind = allBehind(measures);
  return behind === undefined ? undefined : candidates(evaluator, parts, { measures: behind });
}

/** The biggest (or smallest, of those that have a value) by a stored measure, with all that tie with the last one. */
export function ranked(
  evaluator: Evaluator,
  set: SetCalc,
  by: Calc,
  count: number,
  direction: 'asc' | 'desc',
): TupleSet | undefined {
  if (!evaluator.cube.pushdown || count <= 0) return undefined;
  const measure = storedMeasureOf(by);
  const { of, having } = unfiltered(set);
  const parts = measure === undefined ? undefined : partsOf(of, evaluator);
  if (measure === undefined || parts === undefined || having === undefined || !isBig(parts)) return undefined;
  // Where empty cells are in the set, they come before the smallest.
  if (direction === 'asc' && having.length === 0) return undefined;
  const measures = [...new Set([measure, ...having.map((each) => each.measure)])];
  if (measures.some(({ group }) => group !== measure.group)) return undefined;
  const found = candidates(evaluator, parts, { measures, having, top: { measure, count, direction } });
  if (found === undefined) return undefined;
  // With too few that have a value, empty ones make up the number; a filter by measures leaves none of them.
  return found.length >= count || (having.length > 0 && having.every((each) => each.measure === measure))
    ? found
    : undefined;
}

/** Tuples that can pass a test. */
export function passing(evaluator: Evaluator, set: SetCalc, test: Calc): TupleSet | undefined {
  if (!evaluator.cube.pushdown || set.cursor !== undefined) return undefined;
  const having = conditionsOf(test);
  const [first] = having;
  const parts = partsOf(set, evaluator);
  if (parts === undefined) return undefined;
  if (first === undefined) return named(parts, test);
  if (having.some(({ measure }) => measure.group !== first.measure.group) || !isBig(parts)) return undefined;
  return candidates(evaluator, parts, { measures: [...new Set(having.map(({ measure }) => measure))], having });
}

/** Tuples of a NON EMPTY axis that can have a value with some tuple of the other axes. */
export function onAxis(evaluator: Evaluator, axes: readonly SetCalc[], index: number): TupleSet | undefined {
  const axis = axes[index];
  if (!evaluator.cube.pushdown || axis === undefined || axis.cursor !== undefined) return undefined;
  const parts = partsOf(axis, evaluator);
  if (parts === undefined || !isBig(parts)) return undefined;
  const free = new Set<Hierarchy>();
  const measures = new Set<Member>();
  for (const [at, other] of axes.entries()) {
    if (at === index) continue;
    const own = partsOf(other, evaluator);
    if (own !== undefined) {
      for (const { hierarchy } of levelsOf(own)) free.add(hierarchy);
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
  const behind = allBehind(measures);
  return behind === undefined ? undefined : candidates(evaluator, parts, { measures: behind, free });
}

function allBehind(measures: Iterable<Member>): readonly model.Measure[] | undefined {
  const found = new Set<model.Measure>();
  for (const measure of measures) {
    const behind = measuresBehind(measure);
    if (behind === undefined) return undefined;
    for (const each of behind) found.add(each);
  }
  return found.size === 0 ? undefined : [...found];
}

/** A filter by stored measures taken off a set; `having` is `undefined` where a filter has other conditions too. */
function unfiltered(set: SetCalc): { readonly of: Calc; readonly having: readonly Having[] | undefined } {
  const [of, test] = set.parts;
  if (set.name !== 'FILTER' || of === undefined || test === undefined) return { of: set, having: [] };
  const having = conditionsOf(test);
  return { of, having: having.length > 0 && isOnly(test, having.length) ? having : undefined };
}

const OPERATORS: Readonly<Record<string, { readonly op: Having['op']; readonly turned: Having['op'] }>> = {
  '=': { op: '=', turned: '=' },
  '<>': { op: '<>', turned: '<>' },
  '<': { op: '<', turned: '>' },
  '<=': { op: '<=', turned: '>=' },
  '>': { op: '>', turned: '<' },
  '>=': { op: '>=', turned: '<=' },
};

/** Comparisons of stored measures with numbers that all have to hold; conditions besides them are left out. */
function conditionsOf(test: Calc): readonly Having[] {
  const [left, right] = test.parts;
  if (test.name === undefined && test.parts.length === 1 && left !== undefined) return conditionsOf(left);
  if (test.name === 'AND' && left !== undefined && right !== undefined)
    return [...conditionsOf(left), ...conditionsOf(right)];
  const operator = OPERATORS[test.name ?? ''];
  if (operator === undefined) return [];
  const [measure, value] = [storedMeasureOf(left), numberIn(right)];
  if (measure !== undefined && value !== undefined) return [{ measure, op: operator.op, value }];
  const [turned, first] = [storedMeasureOf(right), numberIn(left)];
  return turned === undefined || first === undefined ? [] : [{ measure: turned, op: operator.turned, value: first }];
}

/** Whether a test is these conditions and nothing else. */
function isOnly(test: Calc, conditions: number): boolean {
  const [left, right] = test.parts;
  if (test.name === undefined && test.parts.length === 1 && left !== undefined) return isOnly(left, conditions);
  if (test.name !== 'AND' || left === undefined || right === undefined) return conditions === 1;
  const before = conditionsOf(left).length;
  return before > 0 && before < conditions && isOnly(left, before) && isOnly(right, conditions - before);
}

function numberIn(calc: Calc | undefined): number | undefined {
  if (calc?.kind !== 'scalar') return undefined;
  const [only] = calc.parts;
  if (calc.name === '-' && calc.parts.length === 1) {
    const value = numberIn(only);
    return value === undefined ? undefined : -value;
  }
  return typeof calc.constant === 'number' && Number.isFinite(calc.constant) ? calc.constant : undefined;
}

/** Members found by a name rather than tried one by one: a set of more than this is. */
const NAMED = 1_000;

/** `[Store].CurrentMember.Name = "Oslo"`: members whose name or caption contains the text. */
function named(parts: readonly Part[], test: Calc): TupleSet | undefined {
  const [part] = parts;
  const [left, right] = test.parts;
  if (test.name === undefined && test.parts.length === 1 && left !== undefined) return named(parts, left);
  if (test.name !== '=' || parts.length !== 1 || part?.kind !== 'level' || part.within !== undefined) return undefined;
  const text = right?.kind === 'scalar' && typeof right.constant === 'string' ? right.constant : '';
  const { level } = part;
  if (text === '' || !isNameOfCurrent(left, level.hierarchy) || !level.hierarchy.members.isLarge(level))
    return undefined;
  const found = level.hierarchy.members.search(level, text, NAMED);
  return found.length < NAMED ? found.toSorted(compareInHierarchy).map((member) => [member]) : undefined;
}

function isNameOfCurrent(calc: Calc | undefined, hierarchy: Hierarchy): boolean {
  const [of] = calc?.parts ?? [];
  if (calc === undefined || of === undefined) return false;
  if (calc.name === undefined && calc.parts.length === 1) return isNameOfCurrent(of, hierarchy);
  if (!['NAME', 'CAPTION', 'MEMBER_CAPTION'].includes(calc.name ?? '')) return false;
  return of.kind === 'member' && of.name === 'CURRENTMEMBER' && of.type.hierarchy === hierarchy;
}
