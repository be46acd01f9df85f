import { readList, readNumber, readOptionalText, readRecord, readText } from '../api/json.ts';
import { TILE_KINDS } from '../generated/closed-lists.ts';
import {
  DEFAULT_DASHBOARD_COLUMNS,
  DEFAULT_ROW_HEIGHT,
  MAX_DASHBOARD_COLUMNS,
  MAX_DASHBOARD_ROWS,
  MAX_ROW_HEIGHT,
  MAX_TILE_ROWS,
  MIN_ROW_HEIGHT,
} from '../limits.ts';

/** Describes a dashboard: its tiles in a grid of `columns` equal columns and rows of fixed height. */
export interface Dashboard {
  readonly title: string;
  readonly description: string | undefined;
  readonly columns: number;
  /** Height of a row in pixels. */
  readonly rowHeight: number;
  /** In reading order: from top to bottom, then along the row. */
  readonly tiles: readonly Tile[];
}

interface TilePlacement {
  readonly id: string;
  /** Ids of the tiles that a filter narrows, or a click in this tile. */
  readonly drives: readonly string[];
  readonly title: string | undefined;
  /** Grid cells, counted from 0. */
  readonly x: number;
  readonly y: number;
  /** Extent in grid cells, at least 1. */
  readonly w: number;
  readonly h: number;
}

export type Tile =
  | (TilePlacement & { readonly kind: 'text'; readonly text: string; readonly format: unknown })
  | (TilePlacement & { readonly kind: 'chart'; readonly chartType: string | undefined; readonly chart: unknown })
  | (TilePlacement & { readonly kind: 'table'; readonly chart: unknown })
  | (TilePlacement & { readonly kind: 'kpi'; readonly measure: string | undefined; readonly chart: unknown })
  | (TilePlacement & { readonly kind: 'filter'; readonly field: string })
  | (TilePlacement & { readonly kind: 'unsupported' });

/**
 * Checks the JSON of a layout. Without `hasFilters`, filter tiles are left out.
 * @throws UnexpectedAnswer where the JSON is no layout.
 */
export function parseDashboard(json: unknown, hasFilters = false): Dashboard {
  const dashboard = readRecord(json);
  const layout = dashboard.layout === undefined ? {} : readRecord(dashboard.layout);
  const columns =
    layout.columns === undefined ? DEFAULT_DASHBOARD_COLUMNS : clampedInteger(layout.columns, 1, MAX_DASHBOARD_COLUMNS);
  const tiles = readList(dashboard.tiles)
    .flatMap((tile) => parseTile(tile, columns))
    .filter(({ kind }) => hasFilters || kind !== 'filter')
    .sort((a, b) => a.y - b.y || a.x - b.x);
  return {
    title: readText(dashboard.title),
    description: readOptionalText(dashboard.description),
    columns,
    rowHeight:
      layout.rowHeight === undefined
        ? DEFAULT_ROW_HEIGHT
        : clampedInteger(layout.rowHeight, MIN_ROW_HEIGHT, MAX_ROW_HEIGHT),
    tiles: withoutEmptyRows(tiles),
  };
}

function parseTile(json: unknown, columns: number): readonly Tile[] {
  const tile = readRecord(json);
  const x = clampedInteger(tile.x, 0, columns - 1);
  const place: TilePlacement = {
    id: readText(tile.id),
    title: readOptionalText(tile.title),
    drives: tile.drives === undefined ? [] : readList(tile.drives).map(readText),
    x,
    y: clampedInteger(tile.y, 0, MAX_DASHBOARD_ROWS),
    w: clampedInteger(tile.w, 1, columns - x),
    h: clampedInteger(tile.h, 1, MAX_TILE_ROWS),
  };
  const written = readText(tile.kind);
  const kind = TILE_KINDS.find((each) => each === written);
  switch (kind) {
    case 'text':
      return [{ ...place, kind: 'text', text: readOptionalText(tile.text) ?? '', format: tile.format }];
    case 'chart':
      return [{ ...place, kind: 'chart', chartType: readOptionalText(tile.chartType), chart: tile.chart }];
    case 'table':
      return [{ ...place, kind: 'table', chart: undefined }];
    case 'kpi':
      return [{ ...place, kind: 'kpi', measure: readOptionalText(tile.measure), chart: tile.chart }];
    case 'filter':
      return tile.field === undefined ? [] : [{ ...place, kind: 'filter', field: readText(tile.field) }];
    case undefined:
      return [{ ...place, kind: 'unsupported' }];
  }
}

function clampedInteger(value: unknown, least: number, most: number): number {
  const rounded = Math.round(readNumber(value));
  return Math.min(Math.max(rounded, least), most);
}

/** Removes the rows that no tile covers, so that an omitted filter bar leaves no hole. `tiles` is in reading order. */
function withoutEmptyRows(tiles: readonly Tile[]): readonly Tile[] {
  let coveredTo = 0;
  let closed = 0;
  return tiles.map((tile) => {
    closed += Math.max(0, tile.y - coveredTo);
    coveredTo = Math.max(coveredTo, tile.y + tile.h);
    return { ...tile, y: tile.y - closed };
  });
}
