/** The tiles that a filter tile narrows. */
import type { Dashboard, SavedQuery, Tile } from '../repository/index.ts';

/** The query of a tile, with the fields that a page may filter by. */
export type TileQuestion = Pick<SavedQuery, 'source' | 'filterable'>;

/** Reads the query of a tile; undefined where the tile has none, or none that its owner may read. */
export type ReadTileQuery = (tile: Tile) => Promise<TileQuestion | undefined>;

export interface DrivenTile {
  readonly id: string;
  readonly query: TileQuestion;
}

/**
 * Lists the tiles that a filter narrows: those that it names, or all, of the model of the first of them. A filter of one
 * model means nothing to another.
 */
export async function tilesDrivenBy(
  { kind, field, drives }: Tile,
  { tiles }: Pick<Dashboard, 'tiles'>,
  readQuery: ReadTileQuery,
): Promise<readonly DrivenTile[]> {
  if (kind !== 'filter' || field === undefined) return [];
  const driven: DrivenTile[] = [];
  for (const tile of tiles) {
    if (tile.query === undefined || drives?.includes(tile.id) === false) continue;
    const query = await readQuery(tile);
    const [first = { query }] = driven;
    if (query !== undefined && first.query !== undefined && modelOf(first.query) === modelOf(query))
      driven.push({ id: tile.id, query });
  }
  return driven;
}

/** Lists the fields by which filter tiles narrow a tile. */
export async function filterFieldsOf(
  tile: Tile,
  dashboard: Pick<Dashboard, 'tiles'>,
  readQuery: ReadTileQuery,
): Promise<readonly string[]> {
  const fields: string[] = [];
  for (const filter of dashboard.tiles) {
    const driven = await tilesDrivenBy(filter, dashboard, readQuery);
    if (filter.field !== undefined && driven.some(({ id }) => id === tile.id)) fields.push(filter.field);
  }
  return fields;
}

function modelOf({ source: { surface, request } }: TileQuestion): string {
  return JSON.stringify([surface, request.connection, request.model, request.cube]);
}
