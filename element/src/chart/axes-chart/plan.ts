import { wrappedHeight } from '../axes.ts';
import { LEGEND_LINE_HEIGHT } from '../legend.ts';
import { panelsHeight } from '../panel-layout.ts';
import type { Plan } from '../plan.ts';
import type { ChartSpec } from '../spec.ts';
import { crossText, rowText } from '../tooltip.ts';
import { axesOption } from './option.ts';
import { type AxesStyle, type Prepared, prepare } from './prepare.ts';

/** Plans a chart with categories or time on one axis and a series for each metric, or for each member of a dimension. */
export function axesPlan(spec: ChartSpec, style: AxesStyle): Plan {
  const prepared = prepare(spec, style);
  const { frame, open } = prepared;
  const { answer, formats } = spec;
  const { points, panels, isCrossed, roles } = frame;
  const pointCount = points.rows.length * panels.length;
  const isLyingAtAll = prepared.isAllBars && points.times === undefined && spec.settings.orientation !== 'vertical';
  const firstSeries = panels.map((_, index) =>
    panels.slice(0, index).reduce((sum, { series }) => sum + series.length, 0),
  );
  return {
    option: (theme, size) => axesOption(prepared, theme, size),
    pointCount,
    point(index) {
      const panel = Math.floor(index / points.rows.length);
      const data = index % points.rows.length;
      const series = panels[panel]?.series ?? [];
      const at = Math.max(
        series.findIndex(({ rows }) => rows[data] !== undefined),
        0,
      );
      return {
        series: (firstSeries[panel] ?? 0) + at,
        data,
        row: series[at]?.rows[data],
        column: series[at]?.metric,
        text: isCrossed
          ? crossText(spec, frame, panel, data)
          : rowText(answer, points.rows[data] ?? -1, roles.metrics, formats),
      };
    },
    locate(id, data) {
      const [, panel = '0', index = id] = /^(\d+)\.(\d+)$/.exec(id) ?? [];
      const series = panels[Number(panel)]?.series[Number(index)];
      return series && { row: series.rows[data], column: series.metric };
    },
    legend: panels[0]?.series.map(({ name }) => name),
    notes: [
      ...frame.notes,
      ...(open === undefined ? [] : [formats.say('{0} is not complete', points.labels[open] ?? '')]),
      ...axisNotes(prepared),
    ],
    minHeight: (width) =>
      panels.length > 1
        ? panelsHeight(panels.length, width) + LEGEND_LINE_HEIGHT
        : isLyingAtAll
          ? wrappedHeight(points.labels, width)
          : undefined,
  };
}

function axisNotes({ spec: { settings, formats }, isAllBars }: Prepared): readonly string[] {
  const min = settings.axes?.y?.min;
  return min !== undefined && min !== 0 && !isAllBars
    ? [formats.say('The axis begins at {0}', formats.number(min))]
    : [];
}
