import type { Scope } from '../../router/capabilities/identity.ts';
import type { Repository } from '../../router/capabilities/repository.ts';
import { ServiceError } from '../../router/errors.ts';
import { EXTENSION } from './documents/kinds.ts';
import { parseDashboard } from './documents/parse.ts';

/** A dashboard whose tiles name a saved query, with its text before and after the query has moved. */
export interface MovedTiles {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Returns the dashboards that the caller may write and that have a tile of the saved query `from`, with `to` in its place. */
export async function movedTiles(
  repository: Repository,
  caller: Scope,
  from: string,
  to: string,
): Promise<readonly MovedTiles[]> {
  const moved: MovedTiles[] = [];
  for (const { path } of await repository.list(caller, EXTENSION.dashboard)) {
    if (!repository.mayWrite(caller, path)) continue;
    const text = await readOrNothing(repository, caller, path);
    // Cheap: few dashboards have the text of the path at all.
    if (text?.includes(JSON.stringify(from)) !== true) continue;
    const after = withMovedTiles(text, from, to);
    if (after !== undefined) moved.push({ path, before: text, after });
  }
  return moved;
}

function withMovedTiles(text: string, from: string, to: string): string | undefined {
  try {
    const dashboard = parseDashboard(text);
    const tiles = dashboard.tiles.map((tile) =>
      tile.query !== undefined && 'path' in tile.query && tile.query.path === from
        ? { ...tile, query: { path: to } }
        : tile,
    );
    return `${JSON.stringify({ ...dashboard, tiles }, undefined, 2)}\n`;
  } catch (error) {
    // A broken dashboard stays as it is.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

async function readOrNothing(repository: Repository, caller: Scope, path: string): Promise<string | undefined> {
  try {
    return (await repository.read(caller, path))?.text;
  } catch (error) {
    // A document that is too large is no dashboard of ours.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
