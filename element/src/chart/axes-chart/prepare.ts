import type { Answer } from '../../api/parse-answer.ts';
import type { ChartSettings } from '../../generated/chart-settings.ts';
import { arrange, type Frame } from '../frame.ts';
import { findOpenPeriod } from '../open-period.ts';
import type { ChartSpec } from '../spec.ts';
import { thinLines } from './thinning.ts';

/**
 * Ratio of magnitudes from which one common scale would press the lines of a combined chart flat, or lift them off it.
 */
const SECOND_AXIS_RATIO = 8;

/** Describes how a mode draws its series. */
export interface AxesStyle {
  /** Returns whether the metric in this position is drawn as bars, and not as a line. */
  readonly isBar: (index: number) => boolean;
  /** Stacks the bars. */
  readonly isStacked?: boolean;
  /** Fills the area below a line. */
  readonly isFilled?: boolean;
  /** Gives the lines a second vertical axis where their magnitude differs. */
  readonly canHaveSecondAxis?: boolean;
}

type Stack = NonNullable<ChartSettings['stack']>;

/** Contains the parts of a chart that its size does not change. */
export interface Prepared {
  readonly spec: ChartSpec;
  readonly frame: Frame;
  readonly style: AxesStyle;
  readonly stack: Stack;
  readonly isAllBars: boolean;
  readonly isAllLines: boolean;
  /** Gives the second metric the second vertical axis. */
  readonly hasSecondAxis: boolean;
  readonly isTimeAxis: boolean;
  readonly open: number | undefined;
}

/** Arranges the figures of a chart, and decides about stacks and axes. */
export function prepare(spec: ChartSpec, style: AxesStyle): Prepared {
  const { answer, settings, formats } = spec;
  const arranged = arrange(answer, settings, formats, spec.others);
  const isBar = (metric: number) => style.isBar(arranged.roles.metrics.indexOf(metric));
  const isAllBars = arranged.roles.metrics.every(isBar);
  const isAllLines = arranged.roles.metrics.every((metric) => !isBar(metric));
  const frame = isAllLines ? thinLines(arranged, formats) : arranged;
  const { roles, panels, isCrossed, points } = frame;
  const usual: Stack = style.isStacked || (style.isFilled && isCrossed && !settings.band) ? 'normal' : 'none';
  const wanted = isAllBars || style.isFilled ? (settings.stack ?? usual) : 'none';
  const isNegative = panels.some(({ series }) =>
    series.some(({ cells }) => cells.some((cell) => (cell?.number ?? 0) < 0)),
  );
  return {
    spec,
    frame,
    style,
    // Shares of 100 % need parts that all point one way.
    stack: wanted === 'percent' && isNegative ? 'normal' : wanted,
    isAllBars,
    isAllLines,
    hasSecondAxis: style.canHaveSecondAxis === true && !isCrossed && needsSecondAxis(answer, roles.metrics),
    // Bars have equal distances, whatever the time between them. A line uses a time axis.
    isTimeAxis: points.times !== undefined && isAllLines,
    open: findOpenPeriod(answer, frame),
  };
}

function needsSecondAxis(answer: Answer, series: readonly number[]): boolean {
  const largest = (positions: readonly number[]) =>
    answer.rows.reduce(
      (most, row) => positions.reduce((all, position) => Math.max(all, Math.abs(row[position]?.number ?? 0)), most),
      0,
    );
  const [bars, lines] = [largest(series.slice(0, 1)), largest(series.slice(1))];
  return lines > 0 && bars > 0 && Math.max(bars / lines, lines / bars) > SECOND_AXIS_RATIO;
}
