/** The grid of a dashboard: pure functions of its tiles. */
import type { JsonObject } from '../../api-client/json.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A tile as the document has it; members that a page does not know stay. */
export interface Tile extends Place {
  readonly id: string;
  readonly kind: string;
  readonly title?: string;
  readonly text?: string;
  /** Of a text: how it is written; plain without it. */
  readonly format?: string;
  readonly chartType?: string;
  readonly measure?: string;
  readonly query?: { readonly path: string } | { readonly source: JsonObject; readonly analytics?: JsonObject };
  /** Of a filter: `dataset.field`. */
  readonly field?: string;
  /** The ids of the tiles that a filter drives, without it all; of a chart or a table those that a click in it narrows in embeds, without it none. */
  readonly drives?: readonly string[];
  /** Of a chart, a table or a number: what a click in it leads to in embeds. */
  readonly drill?: JsonObject;
  readonly [member: string]: unknown;
}

const MAX_ROWS = 10_000;

/** Returns the tiles with one at another place. Tiles in its way move down, and those below them. */
export function placeTile(tiles: readonly Tile[], id: string, to: Place, columns: number): readonly Tile[] {
  const w = clamp(to.w, 1, columns);
  const place: Place = {
    w,
    h: clamp(to.h, 1, MAX_ROWS),
    x: clamp(to.x, 0, columns - w),
    y: clamp(to.y, 0, MAX_ROWS - 1),
  };
  const placed: Tile[] = [];
  const byId = new Map<string, Tile>();
  const moved = tiles.find((tile) => tile.id === id);
  if (moved === undefined) return tiles;
  const others = tiles.filter((tile) => tile.id !== id).toSorted((a, b) => a.y - b.y || a.x - b.x);
  for (const tile of [{ ...moved, ...place }, ...others]) {
    let { y } = tile;
    for (let hit = hitBy(placed, { ...tile, y }); hit !== undefined; hit = hitBy(placed, { ...tile, y }))
      y = hit.y + hit.h;
    const settled = y === tile.y ? tile : { ...tile, y };
    placed.push(settled);
    byId.set(tile.id, settled);
  }
  return tiles.map((tile) => byId.get(tile.id) ?? tile);
}

/** Returns the first free place of a size, in reading order. */
export function freePlace(tiles: readonly Place[], { w, h }: Pick<Place, 'w' | 'h'>, columns: number): Place {
  const width = Math.min(w, columns);
  const bottom = Math.max(0, ...tiles.map((tile) => tile.y + tile.h));
  for (let y = 0; y < bottom; y++)
    for (let x = 0; x + width <= columns; x++) {
      const place = { x, y, w: width, h };
      if (hitBy(tiles, place) === undefined) return place;
    }
  return { x: 0, y: bottom, w: width, h };
}

/** Returns an id that no tile has. */
export function freeId(tiles: readonly Pick<Tile, 'id'>[], kind: string): string {
  const ids = new Set(tiles.map(({ id }) => id));
  for (let number = 1; ; number++) if (!ids.has(`${kind}-${number}`)) return `${kind}-${number}`;
}

function hitBy<T extends Place>(tiles: readonly T[], place: Place): T | undefined {
  return tiles.find(
    (tile) =>
      tile.x < place.x + place.w &&
      place.x < tile.x + tile.w &&
      tile.y < place.y + place.h &&
      place.y < tile.y + tile.h,
  );
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(Math.round(value), least), most);
}
