import { stepsAcross } from '../axes.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import type { FramePanel } from '../frame.ts';
import { type NiceScale, niceScale } from '../nice-scale.ts';
import { referencesOf } from '../references.ts';
import type { ChartSize } from '../spec.ts';
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
): NiceScale | undefined {
  const { frame, spec, stack, hasSecondAxis } = prepared;
  const references = referencesOf(spec)?.values(spec, panel) ?? [];
  const limits = spec.settings.axes?.y;
  if (hasSecondAxis || limits?.scale === 'log') return undefined;
  if (stack === 'percent') return { min: 0, max: 1, interval: height < 140 ? 0.5 : 0.25 };
  if (frame.panels.length === 1 && !isEndLabelled && !isLying && references.length === 0) return undefined;
  const values = sharedExtent(prepared, panel.metric);
  const steps = isLying ? stepsAcross(width) : Math.max(2, Math.min(5, Math.floor(height / 60)));
  const scale = niceScale([...values, ...references], steps);
  return { ...scale, ...(limits?.max === undefined ? {} : { max: limits.max }) };
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
