import { crossText, forecastText, readPointIndex, rowText } from '../tooltip.ts';
import type { Prepared } from './prepare.ts';

/** Describes the category under the pointer. */
export function tooltipText({ spec, frame }: Prepared, hit: unknown): string {
  const { answer, formats } = spec;
  const { points, roles, isCrossed } = frame;
  const { index, panel } = hoveredPoint(hit);
  if (isCrossed) return crossText(spec, frame, panel, index);
  const row = points.rows[index];
  return row === undefined
    ? forecastText(answer, index, roles.metrics, points, formats)
    : rowText(answer, row, roles.metrics, formats);
}

/**
 * Returns the point under the pointer. A forecast's series contain their first position in their id, the series of small
 * charts the position of their chart.
 */
function hoveredPoint(hit: unknown): { readonly index: number; readonly panel: number } {
  const series: { readonly seriesId?: unknown } = Object(Array.isArray(hit) ? hit[0] : hit);
  const id = String(series.seriesId);
  return {
    index: readPointIndex(hit) + Number(/@(\d+)$/.exec(id)?.[1] ?? 0),
    panel: Number(/(\d+)\.\d+/.exec(id)?.[1] ?? 0),
  };
}
