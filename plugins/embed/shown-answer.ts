/** Picks what a page sees of answers and dashboards. */
import type { TabularAnswer } from '../../router/capabilities/query-source.ts';
import { isAnomalySummary, isForecasts } from '../analytics/index.ts';
import type { Dashboard } from '../repository/index.ts';
import { type ReadTileQuery, tilesDrivenBy } from './driven-tiles.ts';
import type { EmbedDashboardAnswer } from './schemas.ts';

/** Picks exactly the members that an embed shows, whatever else a surface's answer carries. */
export function shownAnswer(
  title: string,
  description: string | undefined,
  { columns, records, meta, freshness, anomaly, forecast }: TabularAnswer,
) {
  return {
    title,
    ...(description === undefined ? {} : { description }),
    columns: columns.map(({ key, label, type, dataType, aggregationKind, grain, labels, axis, change }) => ({
      key,
      label,
      type,
      dataType,
      ...(aggregationKind === undefined ? {} : { aggregationKind }),
      ...(grain === undefined ? {} : { grain }),
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      ...(axis === undefined ? {} : { axis }),
      ...(change === undefined ? {} : { change }),
    })),
    records: [...records],
    meta: {
      rowCount: meta.rowCount,
      truncated: meta.truncated,
      ...(meta.suppressed === undefined ? {} : { suppressed: meta.suppressed }),
    },
    freshness: { computedAtMillis: freshness.computedAtMillis, cached: freshness.cached },
    ...(isAnomalySummary(anomaly) ? { anomaly } : {}),
    ...(isForecasts(forecast) ? { forecast } : {}),
  };
}

/** Picks the members of a tile that a page may see. Unknown members are left out: they may contain a query. */
export async function layoutOf(dashboard: Dashboard, readQuery: ReadTileQuery): Promise<EmbedDashboardAnswer> {
  const { title, description, layout, tiles } = dashboard;
  const laid: EmbedDashboardAnswer['tiles'] = [];
  for (const tile of tiles) {
    const { id, kind, title: tileTitle, text, format, chartType, chart, measure, x, y, w, h } = tile;
    laid.push({
      id,
      kind,
      ...(tileTitle === undefined ? {} : { title: tileTitle }),
      ...(text === undefined ? {} : { text }),
      ...(format === undefined ? {} : { format }),
      ...(chartType === undefined ? {} : { chartType }),
      ...(chart === undefined ? {} : { chart }),
      ...(measure === undefined ? {} : { measure }),
      ...(kind === 'filter' && tile.field !== undefined ? { field: tile.field } : {}),
      ...((kind === 'filter' ? tile.field : tile.drives) === undefined
        ? {}
        : { drives: (await tilesDrivenBy(tile, dashboard, readQuery)).map((each) => each.id) }),
      x,
      y,
      w,
      h,
    });
  }
  return { title, ...(description === undefined ? {} : { description }), layout, tiles: laid };
}
