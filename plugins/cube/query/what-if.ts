/** The changes of a what-if request, with every name found. */
import { match, nearestFirst, ProblemList } from '../../query-surface/index.ts';
import type { WhatIfRequest } from '../api/schemas.ts';
import type { Target } from '../catalog/target.ts';
import type { Change, Scenario } from '../mdx/index.ts';
import { traitsOf } from '../schema/aggregators.ts';
import { within } from './execute/execute-mdx.ts';
import { MemberFinder } from './resolve/find-members.ts';
import { findMeasure } from './resolve/find-names.ts';
import { NOT_ONE_MEMBER } from './resolve/resolve-request.ts';

/**
 * Looks up what the changes name.
 *
 * @throws ValidationError with every mistake in the changes
 */
export async function scenarioOf(
  changes: WhatIfRequest['changes'],
  target: Target,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Scenario> {
  const mistakes = new ProblemList();
  const { view } = target;
  const changeable = view.measures.filter(
    ({ aggregator }) => aggregator !== undefined && traitsOf(aggregator).isSpreadable,
  );
  const resolved = await within(timeoutMs, signal, async (stop) => {
    const finder = new MemberFinder(target, stop);
    const changed: Change[] = [];
    for (const [
      index,
      { measure: name, members: texts = [], value, allocation = 'equal_allocation' },
    ] of changes.entries()) {
      const path = ['changes', index];
      // Candidates are those that can be changed.
      const isKnown = match(name, view.measures).kind !== 'none';
      const among = isKnown ? view : { measures: changeable };
      const measure = findMeasure(name, among, [...path, 'measure'], mistakes);
      if (measure !== undefined && !changeable.includes(measure)) {
        const message = `Only stored sums can be changed; ${measure.name} is ${measure.stored ? measure.aggregationKind : 'calculated'}.`;
        mistakes.add(
          [...path, 'measure'],
          message,
          nearestFirst(
            name,
            changeable.map((each) => each.name),
          ),
        );
      }
      const members: string[] = [];
      const taken = new Set<string>();
      for (const [at, text] of texts.entries()) {
        const found = await finder.anywhere(text, view);
        const place = [...path, 'members', at];
        if (found.kind === 'none') mistakes.add(place, found.message, found.available, NOT_ONE_MEMBER);
        else if (taken.has(found.hierarchy.uniqueName)) {
          mistakes.add(place, `Another member of ${found.hierarchy.name} is named already.`);
        } else {
          taken.add(found.hierarchy.uniqueName);
          members.push(found.member.uniqueName);
        }
      }
      if (measure !== undefined) changed.push({ measure: measure.uniqueName, members, value, allocation });
    }
    return changed;
  });
  mistakes.throwAll();
  return { changes: resolved };
}
