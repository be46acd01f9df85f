import type { Located } from '../model.ts';
import type { Problems } from '../xml/problems.ts';

/** Names are found regardless of letter case, so two that differ only in it could not be told apart. */
export function noTwins(
  what: string,
  items: readonly (Located & { readonly name: string })[],
  problems: Problems,
): void {
  const seen = new Set<string>();
  for (const item of items) {
    const folded = item.name.toLowerCase();
    if (seen.has(folded) && folded !== '') problems.error(item, `There are two ${what} with the name "${item.name}".`);
    seen.add(folded);
  }
}
