/** The changes of a what-if request, with every name found. */
import type { Target } from '../catalog.ts';
import type { Change, Scenario } from '../mdx/index.ts';
import type { WhatIfRequest } from '../schemas.ts';
import { within } from './execute.ts';
import { MemberFinder } from './members.ts';
import { findMeasure } from './names.ts';
import { Mistakes } from './problems.ts';

/** Throws `ValidationError` with every mistake in the changes. */
export async function scenarioOf(
  changes: WhatIfRequest['changes'],
  target: Target,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Scenario> {
  const mistakes = new Mistakes();
  const { view } = target;
  const changeable = view.measures.filter(({ aggregator }) => aggregator === 'sum');
  const resolved = await within(timeoutMs, signal, async (stop) => {
    const finder = new MemberFinder(target, stop);
    const found: Change[] = [];
    for (const [
      index,
      { measure: name, members: texts = [], value, allocation = 'equal_allocation' },
    ] of changes.entries()) {
      const field = `changes[${index}]`;
      const measure = findMeasure(name, view, `${field}.measure`, mistakes);
      if (measure !== undefined && !changeable.includes(measure)) {
        const message = `Only stored sums can be changed; ${measure.name} is ${measure.stored ? measure.aggregationKind : 'calculated'}.`;
        mistakes.at(
          `${field}.measure`,
          message,
          changeable.map((each) => each.name),
        );
      }
      const members: string[] = [];
      const taken = new Set<string>();
      for (const [at, text] of texts.entries()) {
        const match = await finder.anywhere(text, view);
        const place = `${field}.members[${at}]`;
        if (match.kind === 'none') mistakes.at(place, match.message, match.available);
        else if (taken.has(match.hierarchy.uniqueName)) {
          mistakes.at(place, `Another member of ${match.hierarchy.name} is named already.`);
        } else {
          taken.add(match.hierarchy.uniqueName);
          members.push(match.member.uniqueName);
        }
      }
      if (measure !== undefined) found.push({ measure: measure.uniqueName, members, value, allocation });
    }
    return found;
  });
  mistakes.throwIfAny();
  return { changes: resolved };
}
