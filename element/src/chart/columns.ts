import type { Answer, Column } from '../read/answer.ts';

/** Which columns of an answer a chart draws, as positions in `answer.columns`. */
export interface ChartColumns {
  /** Undefined where every column is a number; the points are then counted. */
  readonly category: number | undefined;
  /** Empty where the answer has nothing to draw. */
  readonly series: readonly number[];
}

export type ChartMode = 'bar' | 'line' | 'pie';

const NUMERIC = new Set(['integer', 'decimal', 'float']);

/**
 * The metrics are the series; a number that groups (a year, a store's number) is a label, not a quantity. Only an
 * answer without any metric is read by its data types.
 */
export function chartColumns(answer: Answer): ChartColumns {
  const metrics = positions(answer, (column) => column.type === 'metric' && isQuantity(column));
  const series = metrics.length > 0 ? metrics : positions(answer, (column) => NUMERIC.has(column.dataType));
  const category = answer.columns.findIndex((_, index) => !series.includes(index));
  return { category: category < 0 ? undefined : category, series };
}

/** What stands at the right in a table: the numbers to compare. */
export function isNumeric(column: Column): boolean {
  return column.type === 'metric' ? isQuantity(column) : NUMERIC.has(column.dataType);
}

/** A metric may also be the smallest name or the latest date. */
function isQuantity(column: Column): boolean {
  return NUMERIC.has(column.dataType) || column.dataType === 'other';
}

function positions(answer: Answer, test: (column: Column) => boolean): readonly number[] {
  return answer.columns.flatMap((column, index) => (test(column) ? [index] : []));
}

/** How many rows a pie leaves out: no slice has a size of zero or less. */
export function withoutSlice(answer: Answer): number {
  const position = chartColumns(answer).series[0] ?? -1;
  return answer.rows.filter((row) => (row[position]?.number ?? 1) <= 0).length;
}

export function chartMode(mode: string | null | undefined): ChartMode {
  return mode === 'line' || mode === 'pie' ? mode : 'bar';
}

const MODE_NAME: Readonly<Record<ChartMode, string>> = { bar: 'Bar chart', line: 'Line chart', pie: 'Pie chart' };

/** What a chart shows, in one sentence for those who do not see it. The numbers stand in a table beside it. */
export function describeChart(answer: Answer, mode: ChartMode, title: string): string {
  const { category, series } = chartColumns(answer);
  const drawn = mode === 'pie' ? series.slice(0, 1) : series;
  const what = drawn.map((index) => answer.columns[index]?.label ?? '').join(', ');
  const by = category === undefined ? '' : ` by ${answer.columns[category]?.label ?? ''}`;
  const points = answer.rows.length === 1 ? '1 point' : `${answer.rows.length} points`;
  return `${MODE_NAME[mode]}: ${title}. ${what}${by}, ${points}. The values follow as a table.`;
}
