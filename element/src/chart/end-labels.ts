import { axisNumber } from './clamp-to-axis.ts';
import type { FramePanel } from './frame.ts';
import { escapeRichText } from './labels.ts';
import type { NiceScale } from './nice-scale.ts';
import type { ChartTheme } from './theme.ts';
import type { OptionFragment } from './tooltip.ts';

/** Distance of two names, in CSS pixels. */
const LINE_HEIGHT = 16;
const MAX_NAME_WIDTH = 130;

/**
 * Describes an axis whose labels are the names of lines, each at the height of its last value, behind
 * a stroke in the colour of its line. ECharts makes room for axis labels, so no name is cut. Names that would overlap move
 * apart.
 */
export function endLabelAxis(
  panel: FramePanel,
  scale: NiceScale,
  theme: ChartTheme,
  height: number,
  colourOf: (index: number) => string,
): OptionFragment {
  const perPixel = (scale.max - scale.min) / Math.max(1, height);
  const ends = panel.series
    .flatMap(({ cells, name }, index) => {
      const last = axisNumber([...cells].reverse().find((cell) => cell?.number !== undefined));
      return last === undefined ? [] : [{ value: last, name, index }];
    })
    .sort((a, b) => a.value - b.value);
  const places = spread(
    ends.map(({ value }) => value),
    LINE_HEIGHT * perPixel,
    scale,
  );
  const nearest = (value: number): number =>
    places.reduce(
      (best, place, index) => (Math.abs(place - value) < Math.abs((places[best] ?? 0) - value) ? index : best),
      0,
    );
  return {
    type: 'value',
    position: theme.isRtl ? 'left' : 'right',
    ...scale,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
    axisPointer: { show: false },
    axisLabel: {
      customValues: places,
      // The text has the colour of texts, because the colour of a line has too little contrast for words.
      formatter: (value: number) => {
        const { name = '', index = 0 } = ends[nearest(value)] ?? {};
        return `{line${index}|} ${escapeRichText(name)}`;
      },
      rich: Object.fromEntries(
        ends.map(({ index }) => [`line${index}`, { width: 10, height: 3, backgroundColor: colourOf(index) }]),
      ),
      color: theme.text,
      fontSize: theme.fontSize,
      width: MAX_NAME_WIDTH,
      overflow: 'truncate',
      margin: 6,
      hideOverlap: false,
    },
  };
}

/** Moves ascending values apart until neighbours have this distance, within the scale. */
export function spread(values: readonly number[], distance: number, { min, max }: NiceScale): readonly number[] {
  const room = values.length > 1 ? (max - min) / (values.length - 1) : Number.POSITIVE_INFINITY;
  const gap = Math.min(distance, room);
  const up: number[] = [];
  for (const value of values) up.push(Math.max(value, (up.at(-1) ?? Number.NEGATIVE_INFINITY) + gap));
  const down: number[] = [];
  let ceiling = max;
  for (const value of [...up].reverse()) {
    const place = Math.min(value, ceiling);
    down.push(place);
    ceiling = place - gap;
  }
  return down.reverse();
}
