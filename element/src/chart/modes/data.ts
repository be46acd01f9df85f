import { memberKey } from '../../api/member-key.ts';
import type { Cell } from '../../api/parse-answer.ts';
import { chooseRoles, type Roles } from '../choose-series.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import type { PlanPoint } from '../plan.ts';
import { locatePoints, type Points } from '../points.ts';
import { type ChartSpec, pointOpacity } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import { rowText } from '../tooltip.ts';

/** One row of an answer with one category. */
export interface Datum {
  readonly row: number;
  readonly label: string;
  readonly cell: Cell | undefined;
  /** The number that is drawn; undefined where there is none. */
  readonly value: number | undefined;
}

/** The rows of a chart of one metric, in the order of its category. */
export interface MetricData {
  readonly roles: Roles;
  readonly points: Points;
  /** Position of the metric. */
  readonly metric: number;
  readonly data: readonly Datum[];
}

/** Lists the rows of a chart of one metric. */
export function listData({ answer, settings, formats }: ChartSpec): MetricData {
  const roles = chooseRoles(answer, settings);
  const metric = roles.metrics[0] ?? -1;
  const points = locatePoints(answer, roles.category, [], formats);
  const data = points.rows.map((row, at): Datum => {
    const cell = answer.rows[row]?.[metric];
    return { row, label: points.labels[at] ?? '', cell, value: axisNumber(cell) };
  });
  return { roles, points, metric, data };
}

/** Describes a row for the keyboard and the tooltip. */
export function rowPoint(
  spec: ChartSpec,
  series: number,
  data: number,
  row: number,
  metrics: readonly number[],
): PlanPoint {
  return { series, data, row, column: metrics[0], text: rowText(spec.answer, row, metrics, spec.formats) };
}

/** Returns the colour of a row's member in a dimension: that of the settings, or of its place in the palette. */
export function memberColour(
  { answer, settings, colours }: ChartSpec,
  position: number | undefined,
  row: number,
  theme: ChartTheme,
): string {
  const column = answer.columns[position ?? -1];
  const cell = answer.rows[row]?.[position ?? -1];
  if (column === undefined) return paletteColour(theme, 0);
  return settings.colours?.[cell?.text ?? ''] ?? paletteColour(theme, colours.slot(column.key, memberKey(cell)));
}

/** Returns the style of a mark: paler where another row is selected. */
export function markStyle(
  spec: ChartSpec,
  row: number | undefined,
  colour: string,
): { readonly color: string; readonly opacity?: number } {
  const opacity = pointOpacity(spec, row);
  return opacity < 1 ? { color: colour, opacity } : { color: colour };
}

/** Writes how many values have no mark; nothing where all have one. */
export function omittedNotes(
  { formats }: Pick<ChartSpec, 'formats'>,
  count: number,
  why:
    | 'below zero or without a value'
    | 'without a value'
    | 'without both values'
    | 'without all four values'
    | 'of zero or less',
): readonly string[] {
  return count > 0 ? [formats.say(`{0} ${why} not drawn`, count)] : [];
}
