import type { Answer, Column } from './parse-answer.ts';

/** Lists the columns of an answer that a chart draws, as positions in `answer.columns`. */
export interface ChartColumns {
  /** Undefined where every column is a number; the rows are then counted. */
  readonly category: number | undefined;
  /** Empty where the answer has nothing to draw. */
  readonly series: readonly number[];
}

const NUMERIC_TYPES = new Set(['integer', 'decimal', 'float']);

/**
 * Returns the columns that a chart of `answer` draws. The metrics are the series; a number that groups (a year, a
 * store's number) is a label, not a quantity. Only an answer without any metric is read by its data types.
 */
export function chartColumns(answer: Answer): ChartColumns {
  const metrics = columnPositions(answer, (column) => column.type === 'metric' && isQuantity(column));
  const series = metrics.length > 0 ? metrics : columnPositions(answer, (column) => NUMERIC_TYPES.has(column.dataType));
  const category = answer.columns.findIndex((_, index) => !series.includes(index));
  return { category: category < 0 ? undefined : category, series };
}

/** Returns whether a column contains numbers to compare. A table aligns them to the end of its cells. */
export function isNumeric(column: Column): boolean {
  return column.type === 'metric' ? isQuantity(column) : !column.labels && NUMERIC_TYPES.has(column.dataType);
}

/** Returns whether a metric is a quantity, and not the smallest name or the latest date. */
function isQuantity(column: Column): boolean {
  return NUMERIC_TYPES.has(column.dataType) || column.dataType === 'other';
}

function columnPositions(answer: Answer, test: (column: Column) => boolean): readonly number[] {
  return answer.columns.flatMap((column, index) => (test(column) ? [index] : []));
}

/** Returns whether a column groups by a point in time. */
export function isTime(column: Column): boolean {
  return column.type === 'dimension' && /^(date|timestamp)/.test(column.dataType);
}
