/** The tile of a query from the explorer, and the draft of a tile. */
import type { Draft } from '../../explore/state/draft.ts';
import { isJsonObject, itemsOf, textOf } from '../../explore/state/json-value.ts';
import { draftOf, type ExploreQuery } from '../../explore/state/saved-query.ts';
import type { Tile } from './layout.ts';

/** Returns the members of the tile that shows a query as the explorer has shown it. */
export function tileOf({
  title,
  source,
  analytics,
  render,
  mode,
  shown,
}: ExploreQuery): Partial<Tile> & { readonly kind: string } {
  const query = { source, ...(analytics === undefined ? {} : { analytics }) };
  const base = { title: title.slice(0, MAX_TITLE_LENGTH), query };
  switch (render) {
    case 'chart':
      return { ...base, kind: 'chart', ...(mode === undefined ? {} : { chartType: mode }), chart: shown };
    case 'kpi':
      return { ...base, kind: 'kpi', measure: firstMeasure(source.request, source.surface) };
    case 'table':
    case 'matrix':
      return { ...base, kind: 'table' };
  }
}

/** Returns a tile with another query, in its place and with its title. */
export function withTileQuery(tile: Tile, query: ExploreQuery): Tile {
  const { chartType: _, chart: __, measure: ___, ...rest } = tile;
  return { ...rest, ...tileOf(query), title: tile.title ?? query.title };
}

/** Returns the draft of a tile that contains its query; undefined for a tile of a saved query. */
export function draftOfTile({ kind, query, chart, chartType }: Tile): Draft | undefined {
  if (query === undefined || 'path' in query) return undefined;
  return draftOf({
    ...query,
    chart,
    view: { render: kind, ...(chartType === undefined ? {} : { mode: chartType }) },
  });
}

const MAX_TITLE_LENGTH = 200;

function firstMeasure(request: ExploreQuery['source']['request'], surface: ExploreQuery['source']['surface']): string {
  const [first] = itemsOf(request, surface === 'cube' ? 'measures' : 'values');
  return isJsonObject(first) ? (textOf(first, 'metric') ?? textOf(first, 'name') ?? '') : '';
}
