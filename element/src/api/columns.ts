import type { Answer, Column } from './answer.ts';

/** Which columns of an answer a chart draws, as positions in `answer.columns`. */
export interface ChartColumns {
  /** Undefined where every column is a number; the points are then counted. */
  readonly category: number | undefined;
  /** Empty where the answer has nothing to draw. */
  readonly series: readonly number[];
}

const MODES = ['bar', 'line', 'pie', 'stacked-bar', 'area', 'scatter', 'combo'] as const;

export type ChartMode = (typeof MODES)[number];

export function isChartMode(mode: string): mode is ChartMode {
  return MODES.some((each) => each === mode);
}

const NUMERIC_TYPES = new Set(['integer', 'decimal', 'float']);

/**
 * The metrics are the series; a number that groups (a year, a store's number) is a label, not a quantity. Only an
 * answer without any metric is read by its data types.
 */
export function chartColumns(answer: Answer): ChartColumns {
  const metrics = columnPositions(answer, (column) => column.type === 'metric' && isQuantity(column));
  const series = metrics.length > 0 ? metrics : columnPositions(answer, (column) => NUMERIC_TYPES.has(column.dataType));
  const category = answer.columns.findIndex((_, index) => !series.includes(index));
  return { category: category < 0 ? undefined : category, series };
}

/** What stands at the right in a table: the numbers to compare. */
export function isNumeric(column: Column): boolean {
  return column.type === 'metric' ? isQuantity(column) : NUMERIC_TYPES.has(column.dataType);
}

/** A metric may also be the smallest name or the latest date. */
function isQuantity(column: Column): boolean {
  return NUMERIC_TYPES.has(column.dataType) || column.dataType === 'other';
}

function columnPositions(answer: Answer, test: (column: Column) => boolean): readonly number[] {
  return answer.columns.flatMap((column, index) => (test(column) ? [index] : []));
}

/** The mode of a tile: bars for one that is not known. */
export function chartModeOrDefault(mode: string | null | undefined): ChartMode {
  return mode && isChartMode(mode) ? mode : 'bar';
}

export function isTime(column: Column): boolean {
  return column.type === 'dimension' && /^(date|timestamp)/.test(column.dataType);
}
