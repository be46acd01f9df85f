/** Makes names for a document, which appear in requests, from the display names of a cube. */

/** Makes a name of lower case, words joined by `_`: `Store Sqft (m²)` -> `store_sqft_m²`. */
export function slug(name: string): string {
  const joined = name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
  return joined === '' ? 'unnamed' : joined;
}

/** Returns the first of `candidates` that is free, else the last one with a number. */
export function freeName(candidates: readonly [string, ...string[]], taken: (name: string) => boolean): string {
  const free = candidates.find((name) => !taken(name));
  if (free !== undefined) return free;
  const base = candidates.at(-1) ?? candidates[0];
  for (let number = 2; ; number += 1) {
    if (!taken(`${base}_${number}`)) return `${base}_${number}`;
  }
}
