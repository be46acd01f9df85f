import { z } from 'zod';
import type { AskElement, AskSubject } from '../../router/ask-source.ts';
import { jsonOrUndefined } from '../../router/json.ts';
import { MAX_EXAMPLES, MAX_FOLLOW_UPS } from './limits.ts';

/** Returns questions that the data can answer: the author's own, else questions made of the examples. */
export function suggestionsOf({ questions, elements, examples }: AskSubject): readonly string[] {
  const suggested = [...questions, ...elements.flatMap((element) => element.questions)];
  return [...new Set(suggested.length > 0 ? suggested : examples.map(({ description }) => description))].slice(
    0,
    MAX_EXAMPLES,
  );
}

/** Suggests follow-up questions: the same metric grouped by another element, the nearest elements first. */
export function followUpsOf({ elements }: AskSubject, queryUsed: object): readonly string[] {
  const query = JSON.stringify(queryUsed);
  const groups = elements.filter(isGroup).map((element) => ({ element, ...splitElementName(element) }));
  return groups
    .filter(({ leaf }) => !query.includes(JSON.stringify(leaf)))
    .toSorted((left, right) => Number(query.includes(right.of)) - Number(query.includes(left.of)))
    .slice(0, MAX_FOLLOW_UPS)
    .map(({ element: { label } }) => `By ${label}`);
}

/** Returns what people group by: levels, and fields that are words. */
function isGroup({ kind, facts }: AskElement): boolean {
  return kind === 'level' || (kind === 'field' && (facts[0] === 'text' || facts[0] === 'boolean'));
}

const LevelName = z.object({ dimension: z.string(), level: z.string() });

/** Returns the dataset or dimension of an element as a request names it, and the element's own name. */
function splitElementName({ kind, name }: AskElement): { readonly of: string; readonly leaf: string } {
  if (kind === 'level') {
    const { dimension, level } = LevelName.parse(jsonOrUndefined(name));
    return { of: JSON.stringify(dimension), leaf: level };
  }
  const dot = name.indexOf('.');
  return { of: JSON.stringify(name.slice(0, dot)), leaf: name.slice(dot + 1) };
}
