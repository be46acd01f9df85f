/** A small seeded generator for the dimension tables. The facts use a hash of the row number in SQL instead. */
export interface Random {
  /** Draws a uniform number in [0, 1). */
  next(): number;
  /** Draws a uniform whole number in [0, limit). */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/**
 * Makes Mulberry32 over an FNV-1a hash of the seed: 32-bit integer arithmetic only, so every machine draws the same
 * numbers.
 */
export function seededRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);

  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => {
    for (const item of items.slice(below(items.length))) return item;
    throw new RangeError('cannot pick from an empty list');
  };
  return { next, below, pick };
}
