import type { ChartSize } from './spec.ts';
import type { ChartTheme } from './theme.ts';
import type { OptionFragment } from './tooltip.ts';

/** A stop of the keyboard, and the mark that a click selects. */
export interface PlanPoint {
  /** Position of the series in the option, and of the datum in it. */
  readonly series: number;
  readonly data: number;
  /** Row of the answer; undefined for a mark of several rows. */
  readonly row: number | undefined;
  /** Position of the metric. */
  readonly column: number | undefined;
  /** Describes the point, one line a figure. */
  readonly text: string;
}

/** A chart whose figures are arranged, before its size and its colours are known. */
export interface Plan {
  readonly option: (theme: ChartTheme, size: ChartSize) => OptionFragment;
  readonly pointCount: number;
  readonly point: (index: number) => PlanPoint | undefined;
  /** Finds the mark that the reader clicked: the id of its series, and the position of its datum. */
  readonly locate: (series: string, data: number) => Pick<PlanPoint, 'row' | 'column'> | undefined;
  /** Fits the names to a mark that the reader opened: the position of its datum, 0 for the whole. The chart is drawn again. */
  readonly open?: ((data: number) => void) | undefined;
  /** The names of the legend; undefined where it names nothing that can be hidden. */
  readonly legend?: readonly string[] | undefined;
  /** Reports what the chart does not draw, or draws otherwise than the reader expects. */
  readonly notes: readonly string[];
  /** The least height at which nothing overlaps, in CSS pixels; undefined for any. */
  readonly minHeight?: ((width: number) => number | undefined) | undefined;
}

/** Returns a plan of marks that each are one point. Series are called by their position, such as `0`. */
export function planOfPoints(
  points: readonly PlanPoint[],
  option: Plan['option'],
  notes: readonly string[] = [],
  legend?: readonly string[],
): Plan {
  const byMark = new Map(points.map((point) => [`${point.series} ${point.data}`, point]));
  return {
    option,
    pointCount: points.length,
    point: (index) => points[index],
    locate: (series, data) => byMark.get(`${series} ${data}`),
    notes,
    legend,
  };
}
