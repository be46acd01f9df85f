/** Writes and splits names of MDX such as `[Store].[USA].&[3]`. The engine finds their meaning. */

/** Returns a name in brackets. A closing bracket in it is doubled: `[Time]`, `[a]]b]`. */
export function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/**
 * Returns the segments of a name without brackets; `undefined` if the text is not a name. An unquoted segment may
 * contain anything except brackets and dots, because schemas write `All Media`. A key segment returns its key.
 */
export function segmentsOf(name: string): readonly string[] | undefined {
  const segments: string[] = [];
  let rest = name.trim();
  for (;;) {
    const segment = /^&?(?:\[((?:[^\]]|\]\])*)\]|([^[\].&]+))\s*/.exec(rest);
    if (segment === null) return undefined;
    segments.push(segment[1] === undefined ? (segment[2] ?? '').trim() : segment[1].replaceAll(']]', ']'));
    rest = rest.slice(segment[0].length);
    if (rest === '') return segments;
    if (rest.startsWith('&')) continue;
    if (!rest.startsWith('.')) return undefined;
    rest = rest.slice(1).trimStart();
  }
}

/** Returns the names in brackets in a text of MDX, including those in strings and comments. */
export function bracketedNames(mdx: string): readonly string[] {
  return [...mdx.matchAll(/\[((?:[^\]]|\]\])*)\]/g)].map(([, name = '']) => name.replaceAll(']]', ']'));
}

/** Returns whether two names are equal in any letter case. */
export function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** Returns the items with exactly a name, or if there are none, the items with the name in any letter case. */
export function itemsNamed<Item>(
  items: readonly Item[],
  name: string,
  namesOf: (item: Item) => readonly string[],
): readonly Item[] {
  const exact = items.filter((item) => namesOf(item).includes(name));
  return exact.length > 0 ? exact : items.filter((item) => namesOf(item).some((each) => sameName(each, name)));
}

/**
 * Returns the first item with exactly a name, or else the item with the name in any letter case; `undefined` if several
 * items of different spelling match.
 */
export function findNamed<Item extends { readonly name: string }>(
  items: readonly Item[],
  name: string,
): Item | undefined {
  const [first, ...others] = itemsNamed(items, name, (item) => [item.name]);
  return others.some((other) => other.name !== first?.name) ? undefined : first;
}
