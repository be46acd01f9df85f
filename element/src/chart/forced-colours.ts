import type { ChartMode } from '../chart-modes.ts';
import type { PatternsPart } from './chart-option.ts';
import type { OptionFragment } from './tooltip.ts';

/** Lines over a square of eight pixels, one pattern for each colour of a chart. The first colour stays plain. */
const LINES = [
  '',
  'M-2 2l4-4M0 8l8-8M6 10l4-4',
  'M0 4h8',
  'M4 0v8',
  'M-2 6l4 4M0 0l8 8M6-2l4 4',
  'M0 4h8M4 0v8',
  'M2 2h3v3h-3z',
];
const SIZE = 8;

/** Modes whose marks only their colour distinguishes, and that are wide enough for a pattern. */
const PATTERNED: ReadonlySet<ChartMode> = new Set(['bar', 'stacked-bar', 'combo', 'area', 'pie', 'waterfall']);

/**
 * Gives bars, areas and slices a pattern besides their colour, for systems that force colours: there, shapes have to differ
 * too.
 */
export const withPatterns: PatternsPart['withPatterns'] = (option, mode, theme) => {
  if (!PATTERNED.has(mode)) return option;
  const places = new Map<string, number>();
  const fill = (colour: unknown): unknown => {
    if (typeof colour !== 'string') return colour;
    const place = places.get(colour) ?? places.size;
    places.set(colour, place);
    const lines = LINES[place % LINES.length];
    return lines === '' ? colour : pattern(colour, lines ?? '', theme.surface);
  };
  const filled = (of: OptionFragment, colour: unknown): OptionFragment => {
    const { itemStyle }: { readonly itemStyle?: unknown } = of;
    const own: { readonly color?: unknown } = Object(itemStyle);
    return { ...of, itemStyle: { ...own, color: fill(own.color ?? colour) } };
  };
  const series: readonly OptionFragment[] = Array.isArray(option.series) ? option.series : [];
  return {
    ...option,
    series: series.map((each, index) => {
      if (each.type === 'bar') return filled(each, each.color ?? theme.series[index]);
      if (each.type === 'line' && each.areaStyle !== undefined) {
        const colour = fill(each.color ?? theme.series[index]);
        return { ...each, areaStyle: { ...Object(each.areaStyle), color: colour, opacity: 1 } };
      }
      const data: unknown = each.data;
      return each.type === 'pie' && Array.isArray(data)
        ? { ...each, data: data.map((slice) => filled(slice, undefined)) }
        : each;
    }),
  };
};

/** Describes a pattern as ECharts' SVG painter takes it. */
function pattern(colour: string, lines: string, ground: string): OptionFragment {
  const path = (attrs: OptionFragment) => ({ tag: 'path', attrs });
  return {
    svgElement: {
      tag: 'g',
      attrs: {},
      children: [
        path({ d: `M0 0h${SIZE}v${SIZE}h-${SIZE}z`, fill: colour }),
        path({ d: lines, fill: 'none', stroke: ground, 'stroke-width': 1.5 }),
      ],
    },
    svgWidth: SIZE,
    svgHeight: SIZE,
    repeat: 'repeat',
  };
}
