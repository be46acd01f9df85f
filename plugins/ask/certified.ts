/** Finds the certified answer of a question: by its words, and by the names that the elements have in their model. */
import type { AskElement, AskSubject } from '../../router/ask-source.ts';
import type { CertifiedAnswer } from '../../router/certified-answer.ts';
import { cooperativeYield } from '../../router/cooperative-yield.ts';

/**
 * Returns the certified answer to a question; `undefined` where there is none, or where the wording is that of two.
 *
 * Two texts are the same question if they have the same words. Letter case, punctuation and spaces do not count, and a
 * label or synonym counts as the element, where it names only one.
 */
export async function certifiedAnswerOf(
  { certified, elements }: Pick<AskSubject, 'certified' | 'elements'>,
  question: string,
): Promise<CertifiedAnswer | undefined> {
  if (certified.length === 0) return undefined;
  const names = namesOf(elements);
  const asked = canonical(question, names);
  const yieldTurn = cooperativeYield();
  const found: CertifiedAnswer[] = [];
  for (const answer of certified) {
    await yieldTurn();
    const isAsked = (wording: string) => canonical(wording, names) === asked;
    if ([answer.question, ...answer.also].some(isAsked)) found.push(answer);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** A label or a synonym. The element is `undefined` where several have it. */
interface ElementName {
  readonly words: readonly string[];
  readonly element: AskElement | undefined;
}

/** The names of elements by their first word, the longest first. */
type Names = ReadonlyMap<string, readonly ElementName[]>;

function namesOf(elements: readonly AskElement[]): Names {
  const byText = new Map<string, ElementName>();
  for (const element of elements) {
    for (const name of [element.label, ...element.synonyms]) {
      const words = wordsOf(name);
      const text = words.join(' ');
      const former = byText.get(text);
      const isOnly = former === undefined || former.element === element;
      byText.set(text, { words, element: isOnly ? element : undefined });
    }
  }
  const named = [...byText.values()].filter(({ words }) => words.length > 0);
  const longestFirst = named.toSorted((left, right) => right.words.length - left.words.length);
  const byFirst = new Map<string, ElementName[]>();
  for (const name of longestFirst) {
    const [first = ''] = name.words;
    byFirst.set(first, [...(byFirst.get(first) ?? []), name]);
  }
  return byFirst;
}

/** Returns a text in which each name of an element, the longest first, stands as the element. */
function canonical(text: string, names: Names): string {
  const words = wordsOf(text);
  const parts: string[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? '';
    const name = names.get(word)?.find((each) => each.words.every((part, index) => words[at + index] === part));
    const { element, words: named } = name ?? { element: undefined, words: [word] };
    // A word has no brackets, so it cannot be mistaken for an element.
    parts.push(element === undefined ? named.join(' ') : `[${element.kind} ${element.name}]`);
    at += named.length;
  }
  return parts.join(' ');
}

/** Returns the words of a text without letter case and punctuation. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
