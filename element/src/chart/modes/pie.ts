import type { Answer } from '../../api/answer.ts';
import { chartColumns } from '../../api/columns.ts';
import { MAX_PIE_ROWS } from '../../limits.ts';
import { clampToAxis } from '../clamp-to-axis.ts';
import { LEGEND_LINE_HEIGHT, legendLines, legendStyle, MAX_LEGEND_TEXT_WIDTH } from '../legend.ts';
import { locatePoints } from '../points.ts';
import { type ChartSize, type ChartSpec, pointOpacity } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import { type OptionFragment, readPointIndex, rowText, tooltipStyle } from '../tooltip.ts';
import { rowsAlongAxis } from './axes-mode.ts';
import type { ChartModeDefinition } from './definition.ts';

/** Draws the first metric as slices. Zero and negative values have no slice; a note counts them. */
export const pie: ChartModeDefinition = {
  label: 'Pie chart',
  maxRows: MAX_PIE_ROWS,
  maxSeries: 1,
  maxTooltipSeries: 1,
  pointRows: (answer, formats) => rowsAlongAxis(answer, formats).filter((row) => (sliceValue(answer, row) ?? 0) > 0),
  omittedNote(answer) {
    const omitted = answer.rows.filter((_, row) => (sliceValue(answer, row) ?? 1) <= 0).length;
    return omitted > 0 ? `${omitted} of zero or less not drawn` : undefined;
  },
  option: pieOption,
};

/** Returns the number that a row's slice represents; undefined where the row has no slice. */
function sliceValue(answer: Answer, row: number): number | undefined {
  return answer.rows[row]?.[chartColumns(answer).series[0] ?? -1]?.number;
}

function pieOption(spec: ChartSpec, theme: ChartTheme, size: ChartSize): OptionFragment {
  const { answer, formats } = spec;
  const { category, series } = chartColumns(answer);
  const position = series[0];
  if (position === undefined) return {};
  const { rows, labels } = locatePoints(answer, category, [], formats);
  const slices = rows.flatMap((rowIndex, index) => {
    const value = answer.rows[rowIndex]?.[position]?.number;
    if (value === undefined || value <= 0) return [];
    const faded = pointOpacity(spec, rowIndex) < 1 ? { itemStyle: { opacity: pointOpacity(spec, rowIndex) } } : {};
    return [{ name: labels[index] ?? '', value: clampToAxis(value), rowIndex, ...faded }];
  });
  // The legend is beside a wide circle, else below it; below, it is shown whole while it takes few lines.
  const beside = size.width >= 420 && size.width > size.height * 1.15;
  const lines = legendLines(
    slices.map(({ name }) => name),
    size.width,
    theme,
  );
  const whole = lines <= 4 && size.height - lines * LEGEND_LINE_HEIGHT > 120;
  const under = beside ? 0 : (whole ? lines : 1) * LEGEND_LINE_HEIGHT + 10;
  const room = Math.min(beside ? size.width * 0.52 : size.width, size.height - under);
  const radius = Math.max(24, room / 2 - 8);
  const far = theme.isRtl ? { right: '56%', left: 0 } : { left: '56%', right: 0 };
  return {
    legend: beside
      ? {
          ...legendStyle(theme, size.width * 0.32),
          ...far,
          orient: 'vertical',
          top: 'middle',
          align: theme.isRtl ? 'right' : 'left',
        }
      : { ...legendStyle(theme, MAX_LEGEND_TEXT_WIDTH), type: whole ? 'plain' : 'scroll', bottom: 0, left: 'center' },
    tooltip: {
      ...tooltipStyle(theme),
      trigger: 'item',
      formatter: (point: unknown) =>
        rowText(answer, slices[readPointIndex(point)]?.rowIndex ?? -1, [position], formats),
    },
    series: [
      {
        type: 'pie',
        name: answer.columns[position]?.label ?? '',
        radius: [radius * 0.52, radius],
        center: beside ? [theme.isRtl ? '72%' : '28%', '50%'] : ['50%', (size.height - under) / 2],
        data: slices,
        label: { show: false },
        labelLine: { show: false },
        // Slices thinner than the gaps between them would disappear.
        itemStyle: slices.length > 48 ? {} : { borderColor: theme.surface, borderWidth: 2, borderRadius: 3 },
        emphasis: { scaleSize: 4 },
      },
    ],
  };
}
