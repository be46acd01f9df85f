import { foldName } from '../../router/nearest-names.ts';

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
 * Finds the item that a name means: exactly, then regardless of letter case if that is unique, then by a synonym if that is
 * unique. Two equally good candidates are `several`, never a guess.
 */
export function match<Item extends Named>(name: string, items: readonly Item[]): Match<Item> {
  const exact = items.find((item) => item.name === name);
  if (exact !== undefined) return { kind: 'one', item: exact };
  const folded = foldName(name);
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

/** Folds the names of an item once: a request may name hundreds of things that are not there. */
function foldedNames(item: Named) {
  let folded = foldings.get(item);
  if (folded === undefined) {
    folded = { name: foldName(item.name), synonyms: (item.synonyms ?? []).map(foldName) };
    foldings.set(item, folded);
  }
  return folded;
}
