import type * as model from '../../schema/model.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import type { Hierarchy, Member, TupleSet } from '../metadata/member.ts';
import type { Calc } from './calc.ts';

/**
 * Returns the stored measures of a formula that has each of them in `ValidMeasure`: its value is the same for all members of
 * hierarchies that their facts do not know. `undefined` for any other formula.
 */
export function validMeasureOnlyIn(calc: Calc): readonly model.Measure[] | undefined {
  const measures = new Set<model.Measure>();
  return isValidMeasureOnly(calc, false, measures) && measures.size > 0 ? [...measures] : undefined;
}

function isValidMeasureOnly(calc: Calc, inside: boolean, found: Set<model.Measure>): boolean {
  const member = calc.kind === 'member' ? calc.constant : undefined;
  if (member?.hierarchy.isMeasures) {
    if (inside && member.measure !== undefined) found.add(member.measure);
    else for (const each of member.calculation?.validMeasureOnly?.() ?? []) found.add(each);
    return inside ? member.measure !== undefined : member.calculation?.validMeasureOnly?.() !== undefined;
  }
  const within = inside || calc.call?.shape === 'valid measure';
  return calc.parts.every((part) => isValidMeasureOnly(part, within, found));
}

/**
 * Returns the measures of an axis that do not show whether the members of other hierarchies are empty: they have the same
 * value at all of these members, beside measures that depend on them.
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

/** Returns the measures of a set of tuples, `undefined` where it has none. */
export function measuresOn(tuples: TupleSet): readonly Member[] | undefined {
  const place = tuples[0]?.findIndex(({ hierarchy }) => hierarchy.isMeasures) ?? -1;
  return place < 0 ? undefined : tuples.flatMap((tuple) => tuple[place] ?? []);
}
