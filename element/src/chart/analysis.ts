import { nothing, type TemplateResult } from 'lit';
import type { Answer, Cell } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import type { Points } from './points.ts';
import type { ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';

export interface SeriesPlacement {
  /** Position among the series of the chart. */
  readonly index: number;
  /** Position of the vertical axis. */
  readonly axis: number;
  /** Returns the position of a point on the horizontal axis. */
  readonly x: (index: number) => number;
  readonly isTimeAxis: boolean;
  readonly points: Points;
  readonly theme: ChartTheme;
}

type Drawn = readonly Readonly<Record<string, unknown>>[];

/** The lines of a chart, as far as a band between them needs them. */
export interface BandLines {
  readonly series: readonly { readonly cells: readonly (Cell | undefined)[] }[];
}

/** Draws forecasts, rings around unusual values, and bands between two lines. It is loaded when a chart has some. */
interface AnalysisPart {
  readonly forecastSeries: (spec: ChartSpec, position: number, placed: SeriesPlacement) => Drawn;
  readonly bandSeries: (lines: BandLines, colour: string, x: (at: number) => number) => Drawn;
  readonly forecastText: (
    answer: Answer,
    index: number,
    series: readonly number[],
    points: Points,
    formats: Formats,
  ) => string;
  readonly analysisTable: (
    answer: Answer,
    series: readonly number[],
    formats: Formats,
  ) => TemplateResult | typeof nothing;
  readonly readForecastPeriods: (answer: Answer, series: readonly number[]) => readonly (string | undefined)[];
}

let part: AnalysisPart | undefined;

/** Adds the part once it is loaded. */
export function addAnalysis(loaded: AnalysisPart): void {
  part = loaded;
}

/** Returns whether a chart has to wait for the part. */
export function lacksAnalysis({ forecast, rows }: Answer, { band }: ChartSettings): boolean {
  const hasSome = () => forecast !== undefined || band || rows.some((row) => row.some(({ anomaly }) => anomaly));
  return part === undefined && hasSome() === true;
}

export const forecastSeries: AnalysisPart['forecastSeries'] = (...of) => part?.forecastSeries(...of) ?? [];
export const bandSeries: AnalysisPart['bandSeries'] = (...of) => part?.bandSeries(...of) ?? [];
export const forecastText: AnalysisPart['forecastText'] = (...of) => part?.forecastText(...of) ?? '';
export const analysisTable: AnalysisPart['analysisTable'] = (...of) => part?.analysisTable(...of) ?? nothing;
export const readForecastPeriods: AnalysisPart['readForecastPeriods'] = (...of) =>
  part?.readForecastPeriods(...of) ?? [];
