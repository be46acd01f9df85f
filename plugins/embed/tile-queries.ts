/** The queries of a dashboard's tiles, and what a reader may narrow them by. */
import type { Scope } from '../../router/capabilities/identity.ts';
import { NotFoundError, ServiceError, ValidationError } from '../../router/errors.ts';
import { run, type Steps } from '../../router/steps.ts';
import type { Dashboard, SavedQuery, Tile } from '../repository/index.ts';
import { filterFieldsOf, type ReadTileQuery, type TileQuestion } from './driven-tiles.ts';
import { savedQueryOf } from './parsed-documents.ts';
import { type ReadDependencies, readDocument } from './read-document.ts';

export type TileQuery = Extract<NonNullable<Tile['query']>, { readonly source: unknown }>;

/** Returns the query of a tile: the saved query it names, or the one written into it. */
export function* queryOfTile(
  dependencies: ReadDependencies,
  owner: Scope,
  query: NonNullable<Tile['query']>,
): Steps<SavedQuery | TileQuery> {
  if ('source' in query) return query;
  return yield* readDocument(dependencies, owner, { kind: 'query', path: query.path }, savedQueryOf);
}

/** Returns the fields by which other tiles narrow a tile, where a page filters it. */
export async function chosenFields(
  dependencies: ReadDependencies,
  owner: Scope,
  dashboard: Dashboard,
  tile: Tile,
  filter: string | undefined,
  readQuery = tileQueryReader(dependencies, owner),
): Promise<readonly string[]> {
  if (filter === undefined) return [];
  return filterFieldsOf(tile, dashboard, readQuery, fieldsIn(dependencies, owner));
}

/** Returns the query of a tile as its reader asks it: the tile names it, and says what a reader may do. */
export function shownIn(tile: Tile, query: SavedQuery | TileQuery, filterable: readonly string[]): SavedQuery {
  const own = 'filterable' in query ? (query.filterable ?? []) : [];
  return { ...query, ...titleOf(tile, query), filterable: [...own, ...filterable], drill: tile.drill };
}

/** Returns the title of a tile's answer: the tile's own, or the one of the saved query. */
function titleOf({ id, title }: Tile, query: SavedQuery | TileQuery): { readonly version: 1; readonly title: string } {
  return { version: 1, title: title ?? ('title' in query ? query.title : id) };
}

/**
 * Makes the reader of the dimensions that tiles show, also after steps down. A query that its surface does not understand
 * has none.
 */
function fieldsIn({ sources }: ReadDependencies, owner: Scope) {
  return async ({ source: { surface, request } }: TileQuestion, { drill }: Tile): Promise<readonly string[]> => {
    try {
      const prepared = sources.find((each) => each.surface === surface)?.prepare(request);
      const { down = [] } = drill ?? {};
      if (prepared === undefined || down.length === 0) return prepared?.dimensions ?? [];
      return [...prepared.dimensions, ...(await prepared.keysBelow(owner, down))];
    } catch (error) {
      if (error instanceof ValidationError || error instanceof NotFoundError) return [];
      throw error;
    }
  };
}

/** Makes the reader of the queries of tiles. It reads each once; one that cannot be read is no query. */
export function tileQueryReader(dependencies: ReadDependencies, owner: Scope): ReadTileQuery {
  const known = new Map<Tile, ReturnType<ReadTileQuery>>();
  return (tile) => {
    const read = known.get(tile) ?? readQuery(tile);
    known.set(tile, read);
    return read;
  };

  async function readQuery({ query }: Tile): ReturnType<ReadTileQuery> {
    if (query === undefined) return undefined;
    try {
      return await run(queryOfTile(dependencies, owner, query));
    } catch (error) {
      if (error instanceof ServiceError && error.kind !== 'INTERNAL') return undefined;
      throw error;
    }
  }
}
