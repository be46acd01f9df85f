import { labelWidth, lyingLabelWidth, stepsAcross } from '../axes.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import type { FramePanel } from '../frame.ts';
import { type NiceScale, niceScale } from '../nice-scale.ts';
import { referencesOf } from '../references.ts';
import type { ChartSize } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import { hasDataLabels } from './data-labels.ts';
import type { Prepared } from './prepare.ts';

/**
 * Returns the scale of a panel where it must be known: small charts share it, names at line ends depend on it, and bars
 * that lie have room for few labels.
 */
export function panelScale(
  prepared: Prepared,
  panel: FramePanel,
  { width, height }: ChartSize,
  { isEndLabelled, isLying }: { readonly isEndLabelled: boolean; readonly isLying: boolean },
  theme: ChartTheme,
): NiceScale | undefined {
  const { frame, spec, stack, hasSecondAxis } = prepared;
  const references = referencesOf(spec)?.values(spec, panel) ?? [];
  const limits = spec.settings.axes?.y;
  if (hasSecondAxis || limits?.scale === 'log') return undefined;
  if (stack === 'percent') return { min: 0, max: 1, interval: height < 140 ? 0.5 : 0.25 };
  if (frame.panels.length === 1 && !isEndLabelled && !isLying && references.length === 0) return undefined;
  const values = sharedExtent(prepared, panel.metric);
  const steps = isLying ? stepsAcross(width) : Math.max(2, Math.min(5, Math.floor(height / 60)));
  const scale = isLying
    ? scaleAcross(prepared, panel, [...values, ...references], { width, height }, theme)
    : niceScale([...values, ...references], steps);
  return { ...scale, ...(limits?.max === undefined ? {} : { max: limits.max }) };
}

/** Width of a value beside a bar, in CSS pixels. */
const BESIDE = 64;

/** Returns the scale of bars that lie, with room for the values beside bars below zero. */
function scaleAcross(
  prepared: Prepared,
  panel: FramePanel,
  values: readonly number[],
  { width, height }: ChartSize,
  theme: ChartTheme,
): NiceScale {
  const { labels } = prepared.frame.points;
  const room = Math.max(60, width - lyingLabelWidth(labels, width, theme) - 24);
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  const isBeside = low < 0 && hasDataLabels(prepared, panel, height / Math.max(1, labels.length), true);
  const padded = isBeside ? low - ((high - low) * 2 * BESIDE) / room : low;
  return niceScale([padded, high], stepsAcross(width));
}

/** Returns a formatter for an axis across that leaves out labels without room, evenly, and never the one at zero. */
export function thinLabels(
  write: (value: number) => string,
  { min, max, interval }: NiceScale,
  room: number,
  theme: ChartTheme,
): (value: number) => string {
  const count = Math.round((max - min) / interval);
  const every = Math.ceil((count * (labelWidth([write(min), write(max)], theme) + 10)) / room);
  return (value) => (Math.round(value / interval) % every === 0 ? write(value) : '');
}

const extents = new WeakMap<Prepared, Map<number | undefined, readonly number[]>>();

/** Returns the values that the small charts of a metric have to contain: computed once, because each of them asks. */
function sharedExtent(prepared: Prepared, metric: number | undefined): readonly number[] {
  const known = extents.get(prepared) ?? new Map<number | undefined, readonly number[]>();
  extents.set(prepared, known);
  const extent =
    known.get(metric) ??
    prepared.frame.panels
      .filter((panel) => panel.metric === metric)
      .flatMap((panel) => extentOf(panel, prepared.stack !== 'none'));
  known.set(metric, extent);
  return extent;
}

function extentOf({ series }: FramePanel, isStacked: boolean): readonly number[] {
  const numbers = series.map(({ cells }) => cells.map((cell) => axisNumber(cell) ?? 0));
  if (!isStacked) return numbers.flat();
  return (numbers[0] ?? []).flatMap((_, at) => {
    const column = numbers.map((each) => each[at] ?? 0);
    const sum = (sign: number) => column.reduce((all, value) => (value * sign > 0 ? all + value : all), 0);
    return [sum(1), sum(-1)];
  });
}
