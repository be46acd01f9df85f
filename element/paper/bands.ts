/** Arranges the tiles of a grid for paper: in bands one below the other, each with its tiles side by side. */

export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export type Arrangement<T extends Placed> =
  | { readonly kind: 'tile'; readonly tile: T }
  /** One below the other. */
  | { readonly kind: 'stack'; readonly parts: readonly Arrangement<T>[] }
  /** Side by side; `shares` are the widths of the parts, in grid columns. */
  | { readonly kind: 'row'; readonly parts: readonly Arrangement<T>[]; readonly shares: readonly number[] };

/**
 * Arranges tiles by cuts through the whole grid, first across, then along, then across again. Tiles that no cut
 * separates, such as those of a pinwheel, follow each other.
 */
export function arrange<T extends Placed>(tiles: readonly T[], columns: number): Arrangement<T> {
  const [first, ...others] = tiles;
  if (first !== undefined && others.length === 0) return { kind: 'tile', tile: first };
  const bands = cut(tiles, ({ y, h }) => [y, y + h]);
  if (bands.length > 1) return { kind: 'stack', parts: bands.map((band) => arrange(band, columns)) };
  const across = cut(tiles, ({ x, w }) => [x, x + w]);
  if (across.length > 1) {
    const shares = across.map((part) => {
      const from = Math.min(...part.map(({ x }) => x));
      return Math.max(...part.map(({ x, w }) => x + w)) - from;
    });
    return { kind: 'row', parts: across.map((part, at) => arrange(part, shares[at] ?? columns)), shares };
  }
  return { kind: 'stack', parts: tiles.map((tile) => ({ kind: 'tile', tile })) };
}

/** Returns the parts of a list between its cuts: the places that no tile covers. */
function cut<T>(tiles: readonly T[], extent: (tile: T) => readonly [number, number]): readonly (readonly T[])[] {
  const sorted = [...tiles].sort((a, b) => extent(a)[0] - extent(b)[0]);
  const parts: T[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const tile of sorted) {
    const [from, to] = extent(tile);
    if (from >= end) parts.push([]);
    parts.at(-1)?.push(tile);
    end = Math.max(end, to);
  }
  return parts;
}
