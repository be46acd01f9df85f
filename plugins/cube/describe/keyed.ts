/**
 * Returns items by lower-case name. Of two names that differ only in letter case, the second keeps its own letter case.
 */
export function keyed<Item extends { readonly name: string }, Entry>(
  items: readonly Item[],
  entry: (item: Item) => Entry,
): Record<string, Entry> {
  const entries: Record<string, Entry> = {};
  for (const item of items) {
    const key = item.name.toLowerCase();
    entries[Object.hasOwn(entries, key) ? item.name : key] = entry(item);
  }
  return entries;
}
