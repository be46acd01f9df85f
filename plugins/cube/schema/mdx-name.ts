/** Names as MDX writes them: `[Store].[USA].&[3]`. Only the form; what they stand for is the engine's to find. */

/** Returns a name in brackets, a closing bracket in it doubled: `[Time]`, `[a]]b]`. */
export function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/**
 * Returns the segments of a name, brackets taken off; an unquoted segment may hold anything but brackets and dots, for schemas
 * write `All Media`. `undefined` when it is no name. A key segment gives its key.
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

/** Returns the names that are written in brackets anywhere in a text of MDX. Those in strings and comments are among them. */
export function bracketedNames(mdx: string): readonly string[] {
  return [...mdx.matchAll(/\[((?:[^\]]|\]\])*)\]/g)].map(([, name = '']) => name.replaceAll(']]', ']'));
}

/** Returns whether two names are the same, regardless of letter case. */
export function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/**
 * Returns the items with a name: the items with exactly this name, otherwise the items with this name regardless of letter
 * case.
 */
export function calledSo<Item>(
  items: readonly Item[],
  name: string,
  namesOf: (item: Item) => readonly string[],
): readonly Item[] {
  const exact = items.filter((item) => namesOf(item).includes(name));
  return exact.length > 0 ? exact : items.filter((item) => namesOf(item).some((each) => sameName(each, name)));
}

/**
 * Returns the first item that is called exactly so, else the one that is called so regardless of letter case; `undefined` where
 * two of different spelling are.
 */
export function findNamed<Item extends { readonly name: string }>(
  items: readonly Item[],
  name: string,
): Item | undefined {
  const [first, ...others] = calledSo(items, name, (item) => [item.name]);
  return others.some((other) => other.name !== first?.name) ? undefined : first;
}
