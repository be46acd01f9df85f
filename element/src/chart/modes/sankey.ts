import { SankeyChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { memberKey } from '../../api/member-key.ts';
import { labelWidth } from '../axes.ts';
import { chooseRoles } from '../choose-series.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { cellText } from '../labels.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import { type ChartSpec, pointOpacity } from '../spec.ts';
import { rowText } from '../tooltip.ts';
import { memberColour, omittedNotes } from './data.ts';
import type { KindPart } from './definition.ts';
import { itemTooltip, tooltipLines } from './item-tooltip.ts';

use([SankeyChart]);

const NODE_WIDTH = 14;
/** Room of a name between two nodes: a node may be lower than a line of text. */
const NODE_GAP = 16;
const MIN_NODE_HEIGHT = 8;
const MARGIN = 10;

export const plans: KindPart['plans'] = { sankey: planSankey };

interface Node {
  readonly name: string;
  readonly label: string;
  readonly row: number;
  readonly level: number;
}

/** Plans flows between the members of neighbouring dimensions. With two dimensions each flow is one row of the answer. */
function planSankey(spec: ChartSpec): Plan {
  const { answer, formats, settings } = spec;
  const { metrics } = chooseRoles(answer, settings);
  const [metric = -1] = metrics;
  const levels = answer.columns.flatMap(({ type }, index) =>
    type === 'dimension' && !metrics.includes(index) ? [index] : [],
  );
  const nodes = new Map<string, Node>();
  const links = new Map<
    string,
    { readonly source: string; readonly target: string; value: number; row: number | undefined }
  >();
  // A member is another node on each level, so no flow runs in a circle.
  const nodeName = (depth: number, row: number) => `${depth} ${memberKey(answer.rows[row]?.[levels[depth] ?? -1])}`;
  let omitted = 0;
  answer.rows.forEach((row, index) => {
    const value = axisNumber(row[metric]);
    if (value === undefined || value <= 0) {
      if (value !== undefined) omitted += 1;
      return;
    }
    levels.forEach((level, depth) => {
      const name = nodeName(depth, index);
      if (!nodes.has(name))
        nodes.set(name, { name, label: cellText(row[level], answer.columns[level], formats), row: index, level });
      if (depth === 0) return;
      const source = nodeName(depth - 1, index);
      const key = JSON.stringify([source, name]);
      const known = links.get(key);
      if (known) {
        known.value += value;
        known.row = undefined;
      } else links.set(key, { source, target: name, value, row: index });
    });
  });
  const flows = [...links.values()];
  const labelOf = (name: string) => nodes.get(name)?.label ?? '';
  const textOf = ({ source, target, value, row }: (typeof flows)[number]) =>
    row !== undefined && levels.length === 2
      ? rowText(answer, row, [metric], formats)
      : tooltipLines([
          `${labelOf(source)} – ${labelOf(target)}`,
          `${answer.columns[metric]?.label ?? ''}: ${formats.number(value)}`,
        ]);
  const points = flows.map((flow, index) => ({
    series: 0,
    data: index,
    row: flow.row,
    column: metric,
    text: textOf(flow),
  }));
  const sizes = levels.map((level) => [...nodes.values()].filter((node) => node.level === level).length);
  const plan = planOfPoints(
    points,
    (theme, size) => {
      const last = [...nodes.values()].filter(({ level }) => level === levels.at(-1)).map(({ label }) => label);
      const room = Math.min(size.width * 0.3, labelWidth(last, theme) + 16);
      // A name ends before the next column of nodes.
      const between = (size.width - 4 - room - NODE_WIDTH) / Math.max(1, levels.length - 1) - NODE_WIDTH - 12;
      return {
        legend: { show: false },
        tooltip: {
          ...itemTooltip(theme, () => ''),
          formatter: (hit: unknown) => {
            const {
              dataType,
              dataIndex,
              name,
            }: { readonly dataType?: unknown; readonly dataIndex?: number; readonly name?: unknown } = Object(hit);
            return dataType === 'edge' ? (points[dataIndex ?? -1]?.text ?? '') : tooltipLines([labelOf(String(name))]);
          },
        },
        series: [
          {
            id: '0',
            type: 'sankey',
            left: 4,
            right: room,
            top: MARGIN,
            bottom: MARGIN,
            nodeWidth: NODE_WIDTH,
            nodeGap: NODE_GAP,
            draggable: false,
            label: {
              color: theme.text,
              fontSize: theme.fontSize,
              overflow: 'truncate',
              formatter: ({ name }: { readonly name: string }) => labelOf(name).replaceAll('{', '{\u2060'),
            },
            lineStyle: { color: 'source', opacity: 0.32, curveness: 0.5 },
            emphasis: { focus: 'adjacency', lineStyle: { opacity: 0.6 } },
            nodes: [...nodes.values()].map(({ name, row, level }) => ({
              name,
              label: { width: level === levels.at(-1) ? Math.max(20, room - 10) : between },
              itemStyle: { color: memberColour(spec, level, row, theme), borderWidth: 0 },
            })),
            links: flows.map(({ source, target, value, row }) => ({
              source,
              target,
              value,
              ...(pointOpacity(spec, row) < 1 ? { lineStyle: { opacity: 0.12 } } : {}),
            })),
          },
        ],
      };
    },
    omittedNotes(spec, omitted, 'of zero or less'),
  );
  return { ...plan, minHeight: () => 2 * MARGIN + Math.max(0, ...sizes) * (NODE_GAP + MIN_NODE_HEIGHT) };
}
