/** Resolves the names in the changes of a what-if request. */
import { match, nearestFirst, ProblemList } from '../../query-surface/index.ts';
import type { WhatIfRequest } from '../api/schemas.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import type { Change, Scenario } from '../mdx/index.ts';
import { traitsOf } from '../schema/aggregators.ts';
import { within } from './execute/cached-mdx.ts';
import { MemberFinder } from './resolve/find-members.ts';
import { findMeasure } from './resolve/find-names.ts';
import { NOT_ONE_MEMBER } from './resolve/resolve-request.ts';

/**
 * Resolves the names in the changes.
 *
 * @throws ValidationError with every mistake in the changes
 */
export async function scenarioOf(
  changes: WhatIfRequest['changes'],
  target: CubeTarget,
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
      // Candidates are the measures that can be changed.
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
        const member = await finder.anywhere(text, view);
        const place = [...path, 'members', at];
        if (member.kind === 'none') mistakes.add(place, member.message, member.available, NOT_ONE_MEMBER);
        else if (taken.has(member.hierarchy.uniqueName)) {
          mistakes.add(place, `Another member of ${member.hierarchy.name} is named already.`);
        } else {
          taken.add(member.hierarchy.uniqueName);
          members.push(member.member.uniqueName);
        }
      }
      if (measure !== undefined) changed.push({ measure: measure.uniqueName, members, value, allocation });
    }
    return changed;
  });
  mistakes.throwAll();
  return { changes: resolved };
}
