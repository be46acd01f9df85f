/**
 * Lists the kinds of dashboard tiles that this version draws, in the order of messages. The dashboard schema reads
 * this list; `npx tsx scripts/element-lists.ts` copies it into the element, which imports nothing from the server. A new name
 * does not compile until every place knows it (CONTRIBUTING.md).
 */
export const TILE_KINDS = ['text', 'chart', 'table', 'kpi', 'filter'] as const;

export type TileKind = (typeof TILE_KINDS)[number];

/** Returns whether `name` is a kind of tile. A document may contain others; they are shown as a placeholder. */
export function isTileKind(name: string): name is TileKind {
  return TILE_KINDS.some((kind) => kind === name);
}

/** The ways to choose in a filter tile. Without one, the type of its field decides. */
export const FILTER_CONTROLS = ['list', 'range', 'date', 'switch'] as const;

export type FilterControl = (typeof FILTER_CONTROLS)[number];
