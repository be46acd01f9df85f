import { type Entry, GROUPS, type Group } from './entry.ts';

const MAX_SHOWN = 50;
/** Groups that are only searched. */
const MANY: ReadonlySet<Group> = new Set(['documents', 'fields']);

/**
 * Returns the entries that have every word of the text in their title or note, by group; in a group those with the text at the start of a word of the
 * title come first. Without a text, documents and fields are left out: there may be thousands.
 */
export function matchEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.filter(({ group }) => !MANY.has(group)).slice(0, MAX_SHOWN);
  const seen = new Set<string>();
  return entries
    .flatMap((entry, index) => {
      const title = entry.title.toLowerCase();
      const all = `${title} ${entry.note.toLowerCase()}`;
      if (!words.every((word) => all.includes(word))) return [];
      const isStart = words.every((word) => ` ${title}`.includes(` ${word}`));
      return [{ entry, index, rank: GROUPS.indexOf(entry.group) * 2 + (isStart ? 0 : 1) }];
    })
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ entry }) => entry)
    .filter((entry) => isNew(seen, entry))
    .slice(0, MAX_SHOWN);
}

/** A document that was opened lately is shown once. */
function isNew(seen: Set<string>, { action }: Entry): boolean {
  if (!('address' in action)) return true;
  if (seen.has(action.address)) return false;
  seen.add(action.address);
  return true;
}
