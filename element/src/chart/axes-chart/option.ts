import { MAX_END_LABELS } from '../../limits.ts';
import {
  categoryAxis,
  labelWidth,
  needsLying,
  VALUE_TITLE_GAP,
  VALUE_TITLE_HEIGHT,
  valueAxis,
  valueTitle,
} from '../axes.ts';
import { endLabelAxis } from '../end-labels.ts';
import type { FramePanel } from '../frame.ts';
import { axisUnit } from '../labels.ts';
import { LEGEND_LINE_HEIGHT, legendAbove, legendLines } from '../legend.ts';
import type { NiceScale } from '../nice-scale.ts';
import { placePanels } from '../panel-layout.ts';
import { referencesOf } from '../references.ts';
import type { ChartSize } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import { type OptionFragment, tooltipStyle } from '../tooltip.ts';
import { hasDataLabels, reachesTitle, valueFormatter } from './data-labels.ts';
import { panelScale } from './panel-scale.ts';
import type { Prepared } from './prepare.ts';
import { seriesOption } from './series.ts';
import { seriesColour } from './series-colour.ts';
import { tooltipText } from './tooltip.ts';

/** Width from which lines have room for their names. */
const MIN_WIDTH_OF_END_LABELS = 480;
/** Height of a value above a bar. */
const DATA_LABEL_HEIGHT = 14;
const NO_PANEL: FramePanel = { title: undefined, metric: undefined, series: [] };

/** Describes the axes, the legend and the series of a chart of this size. */
export function axesOption(prepared: Prepared, theme: ChartTheme, size: ChartSize): OptionFragment {
  const { spec, frame, isAllBars, stack, hasSecondAxis } = prepared;
  const { answer, formats, settings } = spec;
  const { points, panels, roles } = frame;
  const seriesList = panels[0]?.series ?? [];
  const names = seriesList.map(({ name }) => name);
  const isEndLabelled = hasEndLabels(prepared, size);
  // A short legend is shown whole; a long one is one line with page buttons.
  const isSmall = panels.length > 1;
  // Titles of small charts name members, so a legend of one name has to name their metric.
  const hasLegend = (names.length > 1 || isSmall) && !isEndLabelled && settings.legend !== 'none';
  const lines = hasLegend ? legendLines(names, size.width - 32, theme) : 0;
  const whole = lines <= (size.height > 280 ? 3 : 2) && size.height > 180;
  const legendHeight = lines === 0 ? 0 : LEGEND_LINE_HEIGHT * (whole ? lines : 1);
  const titles = axisTitles();
  const hasEvents = settings.references?.some(({ type }) => type === 'event');
  const hasTitle = titles.y !== '' || hasEvents;
  const plainTop = legendHeight + (!hasTitle || isSmall ? 14 : 14 + VALUE_TITLE_HEIGHT) + (lines === 0 ? 0 : 2);
  const places = isSmall ? placePanels(panels.length, size, legendHeight + 4) : undefined;
  const width = places?.[0]?.width ?? size.width;
  const plainHeight = (places?.[0]?.height ?? size.height) - (isSmall ? VALUE_TITLE_HEIGHT : plainTop);
  const isLying =
    isAllBars &&
    points.times === undefined &&
    settings.orientation !== 'vertical' &&
    (settings.orientation === 'horizontal' || needsLying(points.labels, { width, height: plainHeight }, theme));
  const first = panels[0] ?? NO_PANEL;
  const slotAcross = (width - 50) / Math.max(1, points.rows.length);
  const isTitleRaised =
    titles.y !== '' &&
    !isSmall &&
    !isLying &&
    hasDataLabels(prepared, first, slotAcross, false) &&
    reachesTitle(first, slotAcross, labelWidth([titles.y], theme));
  const raisedBy = isTitleRaised ? DATA_LABEL_HEIGHT : 0;
  const top = plainTop + raisedBy;
  const height = plainHeight - raisedBy;
  const scaleOf = (panel: FramePanel): NiceScale | undefined =>
    panelScale(prepared, panel, { width, height }, { isEndLabelled, isLying });
  const side = theme.isRtl ? 'right' : 'left';

  const axesOfPanel = (panel: FramePanel, index: number) => {
    const scale = scaleOf(panel);
    const format = valueFormatter(prepared, panel, 0);
    const values = valueAxis(
      format,
      theme,
      { width, height },
      {
        scale,
        settings: settings.axes?.y,
        isBar: isAllBars,
        isAcross: isLying,
      },
    );
    const second = hasSecondAxis
      ? [
          {
            ...valueAxis(valueFormatter(prepared, panel, 1), theme, { width, height }, { settings: settings.axes?.y2 }),
            position: theme.isRtl ? 'left' : 'right',
            splitLine: { show: false },
            gridIndex: index,
          },
        ]
      : [];
    const ends =
      isEndLabelled && scale
        ? [
            {
              ...endLabelAxis(panel, scale, theme, height - 30, (at) => seriesColour(prepared, panel, at, theme)),
              gridIndex: index,
            },
          ]
        : [];
    const across = categoryAxis(points, prepared.isTimeAxis, theme, { width, height }, formats, {
      isBar: isAllBars || !prepared.isAllLines,
      isLying,
      title: isSmall ? '' : titles.x,
    });
    const nameStyle = isSmall ? panelTitle(panel.title, theme, width) : valueTitle(titles.y, theme, width);
    const raised = isTitleRaised ? { nameGap: VALUE_TITLE_GAP + raisedBy } : {};
    return isLying
      ? {
          x: [{ ...values, gridIndex: index, inverse: theme.isRtl }],
          y: [
            {
              ...across,
              ...nameStyle,
              nameLocation: 'start',
              gridIndex: index,
              position: side,
            },
          ],
        }
      : {
          x: [{ ...across, gridIndex: index }],
          y: [{ ...values, ...nameStyle, ...raised, gridIndex: index, position: side }, ...second, ...ends],
        };
  };
  const axes = panels.map(axesOfPanel);
  const verticalAxes = axes[0]?.y.length ?? 1;
  return {
    grid: places
      ? places.map(({ left, right, top: above, bottom }) => ({
          left: left + 2,
          right: right + 8,
          top: above + VALUE_TITLE_HEIGHT + 6,
          bottom: bottom + 2,
          outerBoundsMode: 'same',
          outerBoundsContain: 'axisLabel',
        }))
      : {
          left: 4,
          right: isLying && hasDataLabels(prepared, first, size.height / points.rows.length, true) ? 46 : 12,
          top,
          bottom: titles.x === '' ? 4 : 22,
          outerBoundsMode: 'same',
          outerBoundsContain: 'axisLabel',
        },
    legend: hasLegend
      ? // In right-to-left pages the first name is on the right. A legend of several lines keeps ECharts' order.
        legendAbove(theme, theme.isRtl && whole && lines === 1 ? [...names].reverse() : names, whole, size.width)
      : { show: false },
    tooltip: {
      ...tooltipStyle(theme),
      trigger: 'axis',
      axisPointer:
        isAllBars || !prepared.isAllLines
          ? { type: 'shadow', z: -1, shadowStyle: { color: theme.border, opacity: 0.35 } }
          : { type: 'line', lineStyle: { color: theme.muted, type: 'solid', width: 1, opacity: 0.5 } },
      formatter: (hit: unknown) => tooltipText(prepared, hit),
    },
    xAxis: axes.flatMap(({ x }) => x),
    yAxis: axes.flatMap(({ y }) => y),
    series: panels.flatMap((panel, panelIndex) => {
      const marks = referencesOf(spec)?.marks(spec, frame, panel, isLying, theme, { width, height });
      return panel.series.flatMap((_, index) =>
        seriesOption(prepared, panel, panelIndex, index, {
          theme,
          isLying,
          xAxis: panelIndex,
          yAxis: isLying ? panelIndex : panelIndex * verticalAxes + (hasSecondAxis && index > 0 ? 1 : 0),
          slot: isLying ? height / Math.max(1, points.rows.length) : slotAcross,
          marks: index === 0 ? marks : undefined,
        }),
      );
    }),
  };

  function axisTitles(): { readonly x: string; readonly y: string } {
    // Names of series are members, or not shown, so the axis has to name the metric.
    const metric = roles.metrics.length === 1 ? answer.columns[roles.metrics[0] ?? -1]?.label : undefined;
    const keys = roles.metrics.map((position) => answer.columns[position]?.key ?? '');
    const isOwn = hasSecondAxis || keys.some((key) => settings.formats?.[key]);
    const unit = stack === 'percent' ? metric && '%' : isOwn ? undefined : axisUnit(answer, roles.metrics);
    const names = [metric, unit].filter((each) => each !== undefined).join(', ');
    return { x: settings.axes?.x?.title ?? '', y: settings.axes?.y?.title ?? names };
  }
}

/** Describes the title of a small chart. */
function panelTitle(text: string | undefined, theme: ChartTheme, width: number): OptionFragment {
  const { nameTextStyle, ...title } = valueTitle(text, theme, width);
  return { ...title, nameGap: 10, nameTextStyle: { ...Object(nameTextStyle), color: theme.text, fontWeight: 600 } };
}

function hasEndLabels({ spec: { settings }, frame, isAllLines, stack, style }: Prepared, size: ChartSize): boolean {
  const count = frame.panels[0]?.series.length ?? 0;
  return (
    isAllLines &&
    !style.isFilled &&
    stack === 'none' &&
    frame.panels.length === 1 &&
    count > 1 &&
    count <= MAX_END_LABELS &&
    frame.ahead.length === 0 &&
    size.width >= MIN_WIDTH_OF_END_LABELS &&
    (settings.legend === undefined || settings.legend === 'auto' || settings.legend === 'end') &&
    settings.axes?.y?.scale !== 'log'
  );
}
