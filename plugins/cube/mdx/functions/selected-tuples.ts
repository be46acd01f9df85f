import type { SetCalc } from '../compile/calc.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Member, Tuple, TupleSet } from '../metadata/member.ts';
import { filledTuples } from '../pushdown/filled-tuples.ts';

export interface Selection {
  /** The iterating expression; see `Evaluator.iterateResumable`. */
  readonly owner: object;
  readonly over?: SetCalc | undefined;
  makeTuples(): TupleSet;
  /** Returns whether a tuple, which is in the context, is selected. */
  isSelected(tuple: Tuple): boolean;
  /** The measures of which one has a value at each selected tuple, and at no other; `undefined` where more decides. */
  readonly filled?: Iterable<Member> | undefined;
}

/** Returns the tuples that are selected: from the columns of their cells where these decide, else by a test at each. */
export function selectedTuples(
  evaluator: Evaluator,
  { owner, over, makeTuples, isSelected, filled }: Selection,
): TupleSet {
  return evaluator.requireComplete(() => {
    let found: TupleSet | undefined;
    const { gathered } = evaluator.iterateResumable(
      owner,
      over,
      () => {
        const tuples = makeTuples();
        found = filled && filledTuples(evaluator, tuples, filled);
        return found === undefined ? tuples : [];
      },
      // What was found belongs to the progress of the iteration: a repeated evaluation continues with it, and makes no tuples.
      () => ({ found, selected: [] as Tuple[] }),
      ({ selected }, tuple) => {
        if (isSelected(tuple)) selected.push(tuple);
      },
    );
    return gathered.found ?? gathered.selected;
  });
}
