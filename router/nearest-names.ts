import { distance } from 'fastest-levenshtein';

/** Characters of the sought name that are compared. */
const MAX_COMPARED = 200;

/** Sorts all names by likeness to `sought`, the most similar first; equally similar names keep their order. */
export function nearestFirst(sought: string, names: readonly string[]): readonly string[] {
  const folded = foldName(sought.slice(0, MAX_COMPARED));
  return names
    .map((name) => ({ name, far: unlikeness(folded, foldName(name)) }))
    .toSorted((left, right) => left.far - right.far)
    .map(({ name }) => name);
}

/** Writes a name for a comparison that ignores letter case and surrounding spaces. */
export function foldName(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** Returns the edit distance divided by the longer length; a name that contains the other, or shares a word with it, is near. */
function unlikeness(sought: string, name: string): number {
  const edits = distance(sought, name) / Math.max(sought.length, name.length, 1);
  const holds = sought !== '' && (name.includes(sought) || sought.includes(name));
  return holds ? edits / 3 : edits;
}
