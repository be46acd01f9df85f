import { distance } from 'fastest-levenshtein';

/** Something that is looked up by name. */
export interface Named {
  readonly name: string;
  readonly synonyms?: readonly string[] | undefined;
}

export type Match<Item> =
  | { readonly kind: 'one'; readonly item: Item }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly items: readonly Item[] };

/**
 * Finds what `wanted` names: exactly, then regardless of letter case if that is unique, then by a synonym if that is
 * unique. Two equally good candidates are `several`, never a guess.
 */
export function match<Item extends Named>(wanted: string, items: readonly Item[]): Match<Item> {
  const exact = items.find(({ name }) => name === wanted);
  if (exact !== undefined) return { kind: 'one', item: exact };
  const folded = fold(wanted);
  const tests: readonly ((item: Item) => boolean)[] = [
    (item) => foldedNames(item).name === folded,
    (item) => foldedNames(item).synonyms.includes(folded),
  ];
  for (const test of tests) {
    const [item, ...others] = items.filter(test);
    if (item !== undefined) {
      return others.length === 0 ? { kind: 'one', item } : { kind: 'several', items: [item, ...others] };
    }
  }
  return { kind: 'none' };
}

const foldings = new WeakMap<Named, { readonly name: string; readonly synonyms: readonly string[] }>();

/** A request may name hundreds of things that are not there: the names of what is there are folded once. */
function foldedNames(item: Named) {
  let folded = foldings.get(item);
  if (folded === undefined) {
    folded = { name: fold(item.name), synonyms: (item.synonyms ?? []).map(fold) };
    foldings.set(item, folded);
  }
  return folded;
}

function fold(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** Characters of a wanted name that others are compared with. */
const MAX_COMPARED = 200;

/** All names, those most like `wanted` first; equally like ones keep their order. */
export function nearestFirst(wanted: string, names: readonly string[]): readonly string[] {
  const folded = fold(wanted.slice(0, MAX_COMPARED));
  return names
    .map((name) => ({ name, far: unlikeness(folded, fold(name)) }))
    .toSorted((left, right) => left.far - right.far)
    .map(({ name }) => name);
}

/** Edit distance by the longer length; a name that holds the other, or shares a word with it, is near. */
function unlikeness(wanted: string, name: string): number {
  const edits = distance(wanted, name) / Math.max(wanted.length, name.length, 1);
  const holds = wanted !== '' && (name.includes(wanted) || wanted.includes(name));
  return holds ? edits / 3 : edits;
}
