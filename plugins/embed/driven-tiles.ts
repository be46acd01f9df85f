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
 * model means nothing to another. A tile with data narrows only the tiles that it names, when a visitor clicks in it.
 */
export async function tilesDrivenBy(
  filter: Tile,
  { tiles }: Pick<Dashboard, 'tiles'>,
  readQuery: ReadTileQuery,
): Promise<readonly DrivenTile[]> {
  const { id, kind, field, drives } = filter;
  const isFilter = kind === 'filter';
  if (isFilter ? field === undefined : drives === undefined) return [];
  const own = isFilter ? undefined : await readQuery(filter);
  if (!isFilter && own === undefined) return [];
  const driven: DrivenTile[] = [];
  for (const tile of tiles) {
    if (tile.query === undefined || tile.id === id || drives?.includes(tile.id) === false) continue;
    const query = await readQuery(tile);
    const like = own ?? driven[0]?.query ?? query;
    if (query !== undefined && like !== undefined && modelOf(like) === modelOf(query))
      driven.push({ id: tile.id, query });
  }
  return driven;
}

/**
 * Lists the fields by which other tiles narrow a tile: those of filter tiles, and the dimensions of tiles with data.
 *
 * @param fieldsOf returns the dimensions that a tile with data shows, also after steps down
 */
export async function filterFieldsOf(
  tile: Tile,
  dashboard: Pick<Dashboard, 'tiles'>,
  readQuery: ReadTileQuery,
  fieldsOf: (query: TileQuestion, tile: Tile) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const fields: string[] = [];
  for (const filter of dashboard.tiles) {
    const driven = await tilesDrivenBy(filter, dashboard, readQuery);
    if (!driven.some(({ id }) => id === tile.id)) continue;
    const own = filter.kind === 'filter' ? undefined : await readQuery(filter);
    if (own !== undefined) fields.push(...(await fieldsOf(own, filter)));
    else if (filter.field !== undefined) fields.push(filter.field);
  }
  return fields;
}

function modelOf({ source: { surface, request } }: TileQuestion): string {
  return JSON.stringify([surface, request.connection, request.model, request.cube]);
}
