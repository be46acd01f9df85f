/** The parts of a description of a model or cube: an index of all names first, and the details that are asked for. */
import { z } from 'zod';
import { list, Name } from '../../router/bounded.ts';
import { nearestFirst } from '../../router/nearest-names.ts';
import { MAX_QUESTION_LENGTH } from './limits.ts';
import { match, type Named } from './match-name.ts';
import type { ProblemList } from './problem-list.ts';

/** Names of one description at most. */
const MAX_NAMED_PARTS = 100;

/** Characters of an index at most, as JSON. Of a larger one the texts, and then the names of details are left out. */
const MAX_INDEX_LENGTH = 30_000;

/** Fields or levels up to which an index has values of them, which are read from the warehouse. */
export const MAX_SAMPLED_IN_INDEX = 100;
/** Values of one field or level in an index. */
export const VALUES_IN_INDEX = 5;

export const DetailAsked = z
  .enum(['index', 'full'])
  .optional()
  .describe(
    '`index`: the names of everything, with no details but of the named parts. `full`: all details. Default full; index for the agent tool.',
  );

export const PartsSought = z
  .string()
  .max(MAX_QUESTION_LENGTH)
  .optional()
  .describe('Words: only the parts whose names or texts contain them, with their details.');

export function namedParts(of: string) {
  return list(Name, MAX_NAMED_PARTS).optional().describe(`Only these ${of}, with their details.`);
}

/**
 * Returns the items that the names name; all without names. An unknown name is a problem.
 *
 * @param member the member of the request that has the names
 */
export function partsNamed<Item extends Named>(
  items: readonly Item[],
  names: readonly string[] | undefined,
  member: string,
  problems: ProblemList,
): readonly Item[] {
  const found = (names ?? []).flatMap((name, index) => {
    const matched = match(name, items);
    if (matched.kind === 'one') return [matched.item];
    problems.add([member, index], `There is no "${name.slice(0, 100)}" among the ${member}.`, () =>
      nearestFirst(
        name,
        items.map((item) => item.name),
      ),
    );
    return [];
  });
  return [...new Set(found)];
}

/** Returns a test of texts: whether they contain all words of `q`. */
export function containsWords(q: string): (texts: readonly (string | undefined)[]) => boolean {
  const words = wordsIn(q);
  return (texts) => {
    const text = wordsIn(texts.filter((each) => each !== undefined).join(' ')).join(' ');
    return words.every((word) => text.includes(word));
  };
}

function wordsIn(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Returns the first of several forms of an index that is short enough, else the last; the forms become shorter. */
export function firstFitting<Index>(forms: readonly [() => Index, ...(() => Index)[]]): Index {
  const [first, ...others] = forms;
  let index = first();
  for (const form of others) {
    if (JSON.stringify(index).length <= MAX_INDEX_LENGTH) break;
    index = form();
  }
  return index;
}
