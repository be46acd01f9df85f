import { foldName } from '../../router/nearest-names.ts';

/** An item that is found by its name. */
export interface Named {
  readonly name: string;
  readonly synonyms?: readonly string[] | undefined;
}

export type Match<Item> =
  | { readonly kind: 'one'; readonly item: Item }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly items: readonly Item[] };

/**
 * Finds an item by its exact name, else regardless of letter case if only one matches, else by a synonym if only one
 * matches. Two equally good candidates give `several`; none is guessed.
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

/** Folds the names of an item once, because a request may have hundreds of unknown names. */
function foldedNames(item: Named) {
  let folded = foldings.get(item);
  if (folded === undefined) {
    folded = { name: foldName(item.name), synonyms: (item.synonyms ?? []).map(foldName) };
    foldings.set(item, folded);
  }
  return folded;
}
