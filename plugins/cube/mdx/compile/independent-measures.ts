import type * as model from '../../schema/model.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import type { Hierarchy, Member, TupleSet } from '../metadata/member.ts';
import type { Calc } from './calc.ts';

/**
 * Returns the stored measures of a formula that uses all of them in `ValidMeasure`; `undefined` for any other formula.
 * The value of such a formula is the same for all members of hierarchies that the measures' facts do not reach.
 */
export function validMeasureOnlyIn(calc: Calc): readonly model.Measure[] | undefined {
  const measures = new Set<model.Measure>();
  return isValidMeasureOnly(calc, false, measures) && measures.size > 0 ? [...measures] : undefined;
}

function isValidMeasureOnly(calc: Calc, inside: boolean, measures: Set<model.Measure>): boolean {
  const member = calc.kind === 'member' ? calc.constant : undefined;
  if (member?.hierarchy.isMeasures) {
    if (inside && member.measure !== undefined) measures.add(member.measure);
    else for (const each of member.calculation?.validMeasureOnly?.() ?? []) measures.add(each);
    return inside ? member.measure !== undefined : member.calculation?.validMeasureOnly?.() !== undefined;
  }
  const within = inside || calc.call?.shape === 'valid measure';
  return calc.parts.every((part) => isValidMeasureOnly(part, within, measures));
}

/**
 * Returns the measures of an axis that cannot decide whether members of other hierarchies are empty, because they have
 * the same value at all of these members. Returns none unless the axis also has measures that depend on the
 * hierarchies.
 */
export function measuresIndependentOf(
  hierarchies: readonly Hierarchy[],
  measures: readonly Member[],
  cube: RuntimeCube,
): ReadonlySet<Member> {
  const knows = ({ group }: model.Measure) => hierarchies.some((each) => cube.groups.get(group)?.reaches(each));
  if (!measures.some(({ measure }) => measure !== undefined && knows(measure))) return new Set();
  return new Set(
    measures.filter(({ calculation }) => {
      const stored = calculation?.validMeasureOnly?.();
      return stored !== undefined && !stored.some(knows);
    }),
  );
}

/** Returns the measures in a set of tuples; `undefined` if it has none. */
export function measuresOn(tuples: TupleSet): readonly Member[] | undefined {
  const place = tuples[0]?.findIndex(({ hierarchy }) => hierarchy.isMeasures) ?? -1;
  return place < 0 ? undefined : tuples.flatMap((tuple) => tuple[place] ?? []);
}
