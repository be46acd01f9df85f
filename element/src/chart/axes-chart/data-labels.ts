import type { FramePanel } from '../frame.ts';
import { axisFormatter, numberFormatter } from '../labels.ts';
import { MEAN_CHARACTER_WIDTH } from '../legend.ts';
import type { Prepared } from './prepare.ts';

/** Bars that may have their values beside them. */
const MAX_LABELLED_BARS = 24;

/** Returns whether the bars of a panel have room for their values. */
export function hasDataLabels(
  { spec: { settings, answer }, frame, isAllBars, stack }: Prepared,
  panel: FramePanel,
  slot: number,
  isLying: boolean,
): boolean {
  if (!isAllBars || settings.labels === 'none' || stack === 'percent') return false;
  if (settings.labels === 'all') return true;
  const count = panel.series.length * frame.points.rows.length;
  if (frame.panels.length > 1 || panel.series.length > 1 || count > MAX_LABELLED_BARS) return false;
  const longest = Math.max(0, ...answer.rows.map((row) => shortText(row[panel.series[0]?.metric ?? -1]?.text)));
  return isLying ? slot >= 18 : slot >= longest * 12 * MEAN_CHARACTER_WIDTH * 1.2 + 4;
}

/** Share of the highest bar above which a value may stand beside the end of the axis. */
const HIGH_SHARE = 0.88;

/** Returns whether a value above one of the first upright bars may reach the title of the axis, `titleWidth` wide. */
export function reachesTitle(panel: FramePanel, slot: number, titleWidth: number): boolean {
  const heights = panel.series.map(({ cells }) => cells.map((cell) => cell?.number ?? 0));
  const highest = heights.flat().reduce((high, value) => Math.max(high, value), 0);
  const below = Math.ceil(titleWidth / slot);
  return heights.some((each) => each.slice(0, below).some((value) => value > 0 && value >= highest * HIGH_SHARE));
}

function shortText(text: string | undefined): number {
  return text === undefined ? 0 : Math.min(text.length, 6);
}

/** Writes a value short; a short text of the server stays as it is. */
export function dataLabel(prepared: Prepared, panel: FramePanel, index: number, at: number): string {
  const series = panel.series[index];
  const cell = series?.cells[at];
  if (cell?.number === undefined) return '';
  const text = cell.text ?? '';
  return text.length <= 6 ? text : shortNumber(prepared, panel, index, cell.number);
}

/** Writes a number with three digits, in the notation of its axis. */
function shortNumber(prepared: Prepared, panel: FramePanel, index: number, value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return valueFormatter(prepared, panel, index)(digits === 0 ? Number(value.toPrecision(3)) : value);
}

/** Returns a formatter for the numbers of an axis of a panel. */
export function valueFormatter(
  { spec, frame, stack, hasSecondAxis }: Prepared,
  panel: FramePanel,
  index: number,
): (value: number) => string {
  const { answer, formats, settings } = spec;
  if (stack === 'percent') return (value) => formats.number(value, { style: 'percent', maximumFractionDigits: 0 });
  const shown = panel.metric === undefined ? frame.roles.metrics : [panel.metric];
  const positions = hasSecondAxis ? (index === 0 ? shown.slice(0, 1) : shown.slice(1)) : shown;
  const [first = -1] = positions;
  const format = settings.formats?.[answer.columns[first]?.key ?? ''];
  return format
    ? numberFormatter(format, formats)
    : axisFormatter(answer, positions.length > 0 ? positions : shown, formats);
}
