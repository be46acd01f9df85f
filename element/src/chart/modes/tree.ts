import { SunburstChart, TreemapChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { memberKey } from '../../api/member-key.ts';
import { chooseRoles } from '../choose-series.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import { inkOn } from '../ink.ts';
import { cellText, escapeRichText } from '../labels.ts';
import type { Plan, PlanPoint } from '../plan.ts';
import { type ChartSize, type ChartSpec, pointOpacity } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import { type OptionFragment, rowText, tooltipStyle } from '../tooltip.ts';
import { omittedNotes } from './data.ts';
import type { KindPart } from './definition.ts';
import { EDGE, fitNames, HOLE, lineHeightOf } from './sunburst-names.ts';
import { widenOpenedRings } from './sunburst-rings.ts';
import { fitTreemapNames, treemapName } from './treemap-names.ts';

use([TreemapChart, SunburstChart, fitTreemapNames, widenOpenedRings]);

export const plans: KindPart['plans'] = {
  treemap: (spec) => planTree(spec, treemapSeries),
  sunburst: (spec) => planTree(spec, sunburstSeries),
};

const NO_NAME = '\u00a0';
/** Least width of a ring, in CSS pixels: below, few names fit. */
const MIN_RING = 60;

/** A member of a level. Only the members of the last level have a figure. */
interface Branch {
  readonly name: string;
  readonly row: number | undefined;
  value: number | undefined;
  readonly children: Map<string, Branch>;
  /** Place of its topmost member in the palette. */
  readonly slot: number;
}

type SeriesOf = (data: readonly OptionFragment[], theme: ChartTheme, size: ChartSize, levels: number) => OptionFragment;

/** Plans the members of one or more levels as parts of a whole. Levels are nested in the order of the answer. */
function planTree(spec: ChartSpec, seriesOf: SeriesOf): Plan {
  const { answer, formats, settings, colours } = spec;
  const { metrics } = chooseRoles(answer, settings);
  const [metric = -1] = metrics;
  const levels = answer.columns.flatMap(({ type }, index) =>
    type === 'dimension' && !metrics.includes(index) ? [index] : [],
  );
  const [top = -1] = levels;
  const roots = new Map<string, Branch>();
  const leaves: number[] = [];
  let omitted = 0;
  answer.rows.forEach((row, index) => {
    const value = axisNumber(row[metric]);
    if (value === undefined || value <= 0) {
      if (value !== undefined) omitted += 1;
      return;
    }
    let siblings = roots;
    const slot = colours.slot(answer.columns[top]?.key ?? '', memberKey(row[top]));
    levels.forEach((level, depth) => {
      const isLast = depth === levels.length - 1;
      const name = memberKey(row[level]);
      // Members of a cube may have equal names; each keeps its figure.
      const key = isLast && siblings.has(name) ? `${name}\u0000${index}` : name;
      const known = siblings.get(key);
      const branch = known ?? {
        name: cellText(row[level], answer.columns[level], formats),
        row: isLast ? index : undefined,
        value: undefined,
        children: new Map<string, Branch>(),
        slot,
      };
      if (isLast) branch.value = value;
      siblings.set(key, branch);
      siblings = branch.children;
    });
    leaves.push(index);
  });
  const point = (at: number): PlanPoint | undefined => {
    const row = leaves[at];
    return row === undefined
      ? undefined
      : { series: 0, data: places.get(row) ?? 0, row, column: metric, text: rowText(answer, row, [metric], formats) };
  };
  // ECharts counts the nodes of a tree from 1, depth first: the root is 0.
  const places = new Map<number, number>();
  const nodes: (Branch | undefined)[] = [undefined];
  const count = (branches: Iterable<Branch>) => {
    for (const branch of branches) {
      if (branch.row !== undefined) places.set(branch.row, nodes.length);
      nodes.push(branch);
      count(branch.children.values());
    }
  };
  count(roots.values());
  const isSunburst = seriesOf === sunburstSeries;
  let showOpened = (_: Branch | undefined): void => {};
  return {
    open: isSunburst ? (data) => showOpened(nodes[data]) : undefined,
    option: (theme, size) => {
      let names = isSunburst ? fitNames(roots.values(), levels.length, size, theme) : undefined;
      showOpened = (branch) => {
        names = branch
          ? fitNames([branch], 1 + levelsBelow(branch), size, theme)
          : fitNames(roots.values(), levels.length, size, theme);
      };
      const node = (branch: Branch, depth: number): OptionFragment => {
        const colour = settings.colours?.[branch.name] ?? paletteColour(theme, branch.slot);
        const isGroup = branch.children.size > 0;
        const opacity =
          (branch.row === undefined ? 1 : pointOpacity(spec, branch.row)) * (isSunburst ? 1 - depth * 0.14 : 1);
        const ink = { color: inkOn(colour, theme, opacity) };
        return {
          name: branch.name,
          label: {
            ...ink,
            // An empty text would show the whole name.
            formatter: (hit: unknown) =>
              (isSunburst ? names?.get(branch) : isGroup ? branch.name : treemapName(hit)) ?? NO_NAME,
          },
          ...(isGroup && { upperLabel: ink }),
          ...(branch.value === undefined ? {} : { value: branch.value }),
          rowIndex: branch.row,
          itemStyle: {
            color: colour,
            // A treemap paints the ground of a group, and so the line of its name, in the colour of its border.
            ...(!isSunburst && isGroup ? { borderColor: colour } : {}),
            opacity,
          },
          ...(isGroup && { children: [...branch.children.values()].map((each) => node(each, depth + 1)) }),
        };
      };
      return {
        legend: { show: false },
        tooltip: {
          ...tooltipStyle(theme),
          trigger: 'item',
          formatter: (hit: unknown) => nodeText(spec, metric, hit),
        },
        series: [
          {
            name: answer.columns[metric]?.label ?? '',
            ...seriesOf(
              [...roots.values()].map((branch) => node(branch, 0)),
              theme,
              size,
              levels.length,
            ),
          },
        ],
      };
    },
    pointCount: leaves.length,
    point,
    locate: (_, data) => ({ row: nodes[data]?.row, column: metric }),
    notes: omittedNotes(spec, omitted, 'of zero or less'),
    minHeight: isSunburst ? (width) => Math.min(width, (2 * levels.length * MIN_RING) / (EDGE - HOLE)) : undefined,
  };
}

function levelsBelow({ children }: Branch): number {
  return Math.max(0, ...[...children.values()].map((child) => 1 + levelsBelow(child)));
}

/** Describes a leaf by its row, and a group by the names of its members. */
function nodeText({ answer, formats }: ChartSpec, metric: number, hit: unknown): string {
  const { data, name }: { readonly data?: { readonly rowIndex?: unknown }; readonly name?: unknown } = Object(hit);
  const row = data?.rowIndex;
  return typeof row === 'number' ? rowText(answer, row, [metric], formats) : escapeRichText(String(name ?? ''));
}

function treemapSeries(
  data: readonly OptionFragment[],
  theme: ChartTheme,
  _: ChartSize,
  levels: number,
): OptionFragment {
  const isDeep = data.some((each) => 'children' in each);
  return {
    id: '0',
    type: 'treemap',
    left: 0,
    right: 0,
    top: isDeep ? 0 : 2,
    bottom: isDeep ? 30 : 2,
    roam: false,
    nodeClick: isDeep ? 'zoomToNode' : false,
    // Without it, the path would name whatever is in the middle.
    leafDepth: levels,
    breadcrumb: {
      show: isDeep,
      height: 20,
      bottom: 0,
      left: theme.isRtl ? 'right' : 'left',
      itemStyle: {
        color: theme.surface,
        borderColor: theme.border,
        textStyle: { color: theme.text, fontSize: theme.fontSize },
      },
      emphasis: { itemStyle: { color: theme.grid } },
    },
    label: { fontSize: theme.fontSize, lineHeight: lineHeightOf(theme), padding: 2 },
    upperLabel: {
      show: isDeep,
      height: 22,
      fontSize: theme.fontSize,
      fontWeight: 600,
      overflow: 'truncate',
    },
    itemStyle: { borderColor: theme.surface, borderWidth: 1, gapWidth: 1 },
    levels: isDeep
      ? [
          { itemStyle: { borderWidth: 0, gapWidth: 4 }, upperLabel: { show: false } },
          { itemStyle: { borderWidth: 2, gapWidth: 1 }, upperLabel: { show: true } },
          { itemStyle: { borderWidth: 1, gapWidth: 1 } },
        ]
      : [{ itemStyle: { gapWidth: 2 } }],
    data: [...data],
  };
}

function sunburstSeries(data: readonly OptionFragment[], theme: ChartTheme): OptionFragment {
  return {
    id: '0',
    type: 'sunburst',
    radius: [HOLE, EDGE].map((share) => `${share * 100}%`),
    nodeClick: 'rootToNode',
    sort: undefined,
    label: {
      // Of the circle that leads back; each member has its own.
      color: theme.text,
      fontSize: theme.fontSize - 1,
      formatter: '↩',
      lineHeight: lineHeightOf(theme),
      // Names are upright; `fitNames` chooses the names that fit.
      rotate: 0,
    },
    itemStyle: { color: theme.border, borderColor: theme.surface, borderWidth: 1.5, borderRadius: 2 },
    emphasis: { focus: 'ancestor' },
    data: [...data],
  };
}
