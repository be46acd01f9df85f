import { EVERYTHING, type SetCalc, setCalc } from '../compile/calc.ts';
import type { SetType } from '../compile/expression-types.ts';
import type { Scope } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { MAX_PRODUCT_MADE_WHOLE } from '../limits.ts';
import type { Member, Tuple, TupleSet } from '../metadata/member.ts';
import { existingCombinations } from '../pushdown/existing-combinations.ts';
import { largeProduct, withValues } from '../pushdown/pushdown-rules.ts';
import { selectedTuples } from './selected-tuples.ts';

/**
 * Returns the calculation of all combinations, in which the last set changes fastest. With `nonEmpty`, only
 * combinations at which a measure of the query has a value.
 */
export function crossJoin(scope: Scope, type: SetType, args: readonly SetCalc[], nonEmpty: boolean): SetCalc {
  const candidates = new Map<string, TupleSet>();
  const calc = setCalc(type, args, (evaluator) => {
    const setsByIndex = new Map<number, TupleSet>();
    const setAt = (index: number): TupleSet => {
      const set = setsByIndex.get(index) ?? args[index]?.evaluate(evaluator) ?? [];
      setsByIndex.set(index, set);
      return set;
    };
    const parts = nonEmpty ? largeProduct(evaluator, args, setAt) : undefined;
    if (parts !== undefined) {
      // Parts for whole levels are the same in every context, and the other sets are already computed.
      const whole = () =>
        productOfExisting(
          evaluator,
          candidates,
          args.map((_, index) => setAt(index)),
        );
      return evaluator.inSlicerOnly(() =>
        nonEmptyTuples(
          evaluator,
          scope,
          () => withValues(evaluator, parts, decidingMeasures(evaluator, scope)) ?? whole(),
          args,
        ),
      );
    }
    const sets = args.map((_, index) => setAt(index));
    if (sets.some((set) => set.length === 0)) return [];
    if (!nonEmpty) return product(evaluator, sets);
    return evaluator.inSlicerOnly(() =>
      nonEmptyTuples(evaluator, scope, () => productOfExisting(evaluator, candidates, sets), args),
    );
  });
  return nonEmpty
    ? { ...calc, dependsOn: EVERYTHING, nonEmptyBy: (evaluator) => decidingMeasures(evaluator, scope) }
    : calc;
}

/** Returns all combinations of the tuples of sets. The last set changes fastest. */
export function product(evaluator: Evaluator, sets: readonly TupleSet[]): TupleSet {
  evaluator.checkSize(sets.reduce((size, set) => size * set.length, 1));
  const [first = [[]], ...rest] = sets;
  let tuples = first;
  for (const set of rest) {
    const longer: Tuple[] = [];
    for (const left of tuples) for (const right of set) longer.push(joined(left, right));
    tuples = longer;
  }
  return tuples;
}

/** Returns one tuple after the other. Made in its final length, it takes a third of the time of a spread. */
function joined(left: Tuple, right: Tuple): Tuple {
  const tuple: Member[] = new Array(left.length + right.length);
  for (let at = 0; at < left.length; at++) tuple[at] = left[at] as Member;
  for (let at = 0; at < right.length; at++) tuple[left.length + at] = right[at] as Member;
  return tuple;
}

function productOfExisting(evaluator: Evaluator, memo: Map<string, TupleSet>, sets: readonly TupleSet[]): TupleSet {
  const size = sets.reduce((all, set) => all * set.length, 1);
  if (size <= MAX_PRODUCT_MADE_WHOLE) return product(evaluator, sets);
  // An evaluation is repeated while cells are missing. The combinations stay the same.
  return evaluator.remember(memo, EVERYTHING, () => existingCombinations(evaluator, sets) ?? product(evaluator, sets));
}

/**
 * Returns the tuples of a set at which one of the query's measures is not empty. For a tuple that contains a measure,
 * that measure decides. Calculated measures that use non-empty sets themselves are left out, because they would refer
 * to themselves.
 */
export function nonEmptyTuples(
  evaluator: Evaluator,
  scope: Scope,
  makeTuples: () => TupleSet,
  owner: object,
): TupleSet {
  const measures = queryMeasures(evaluator, scope);
  return selectedTuples(evaluator, {
    owner,
    makeTuples,
    isSelected: (tuple) => {
      const ownMeasure = tuple.some(({ hierarchy }) => hierarchy.isMeasures);
      return ownMeasure || measures.size === 0 ? evaluator.value() !== null : anyValue(evaluator, measures);
    },
    filled: measures.size === 0 ? undefined : measures,
  });
}

function queryMeasures(evaluator: Evaluator, scope: Scope): Set<Member> {
  const measures = new Set(
    [...scope.queryMeasures].filter((measure) => !usesNonEmpty(measure) && !evaluator.isExpanding(measure)),
  );
  const [current] = evaluator.context;
  if (current?.kind === 'measure' && current !== evaluator.rootMeasure) measures.add(current);
  return measures;
}

/** Returns the measures of which one must have a value: the query's measures, or else the current one. */
function decidingMeasures(evaluator: Evaluator, scope: Scope): ReadonlySet<Member> {
  const measures = queryMeasures(evaluator, scope);
  const [current] = evaluator.context;
  return measures.size > 0 || current === undefined ? measures : new Set([current]);
}

/** Returns whether one of the measures has a value. Reads all of them, so that missing values are loaded together. */
function anyValue(evaluator: Evaluator, measures: Iterable<Member>): boolean {
  let any = false;
  for (const measure of measures) {
    if (evaluator.at([measure], () => evaluator.value()) !== null) any = true;
  }
  return any;
}

function usesNonEmpty({ calculation }: Member): boolean {
  return calculation?.usesNonEmpty?.() ?? false;
}
