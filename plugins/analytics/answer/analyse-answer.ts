/** Reads the answers of query surfaces as tables of series. */

import type {
  AnswerColumn,
  AnswerRecord,
  MetricCell,
  TabularAnswer,
} from '../../../router/capabilities/query-source.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { ValidationError } from '../../../router/errors.ts';
import { parseInput } from '../../../router/parse-input.ts';
import { match, nearestFirst } from '../../query-surface/index.ts';
import { HOLD_MS, ROWS_BETWEEN_YIELDS } from '../limits.ts';
import { Analysis, type Forecasts } from '../schemas.ts';
import type { FieldValue, SeriesRow } from '../series/build.ts';
import { readTimeAxis } from '../series/time-axis.ts';
import {
  type AnalyticsOptions,
  type AnomalyReport,
  findAnomalies,
  makeForecasts,
  type SeriesTable,
} from './analyse-series.ts';

/**
 * Adds the analysis of a saved query to its answer: marks on cells, or a forecast. `fields` are the fields of the
 * query.
 *
 * @throws ValidationError
 */
export async function analyseAnswer(
  answer: TabularAnswer,
  request: unknown,
  fields: readonly AxisField[],
  options: AnalyticsOptions,
): Promise<TabularAnswer> {
  const analysis = parseInput(Analysis, request);
  const axis = requireTimeAxis(analysis.timeAxis, fields);
  const table = await readSeriesTable(answer, axis);
  if (analysis.kind === 'forecast') {
    const forecast = await makeForecasts(table, analysis, options);
    return { ...answer, columns: labelForecast(answer.columns, axis, fields, forecast), forecast };
  }
  const report = await findAnomalies(table, analysis, options);
  return { ...answer, records: markRecords(answer.records, table.metrics, report), anomaly: report.summary };
}

/** Adds the names of forecast periods to the labels of the time axis, where it has labels. */
export function labelForecast(
  columns: readonly AnswerColumn[],
  axisKey: string,
  fields: readonly AxisField[],
  forecasts: Forecasts,
): readonly AnswerColumn[] {
  const label = fields.find(({ name }) => name === axisKey)?.label;
  if (label === undefined) return columns;
  const points = Object.values(forecasts).flatMap(({ points, series = [] }) => [
    ...points,
    ...series.flatMap((each) => each.points),
  ]);
  const ahead = new Map(points.flatMap(({ period }) => (period === undefined ? [] : [[period, label(period)]])));
  return columns.map((column) =>
    column.key === axisKey ? { ...column, labels: { ...column.labels, ...Object.fromEntries(ahead) } } : column,
  );
}

/** Returns the records with the flagged cells of their metrics marked. */
export function markRecords(
  records: readonly AnswerRecord[],
  metrics: readonly string[],
  { marks }: AnomalyReport,
): readonly AnswerRecord[] {
  const marked = records.slice();
  for (const [row, ofRow] of marks) {
    const record = { ...marked[row] };
    for (const [metric, anomaly] of ofRow) {
      const key = metrics[metric] ?? '';
      const cell = record[key];
      if (isMetricCell(cell)) record[key] = { ...cell, anomaly };
    }
    marked[row] = record;
  }
  return marked;
}

interface Table {
  readonly columns: readonly AnswerColumn[];
  readonly records: readonly AnswerRecord[];
  readonly meta: { readonly rowCount: number; readonly truncated: boolean };
}

/** A field of a query: its key, and other names for it as a time axis. */
export interface AxisField {
  readonly name: string;
  readonly synonyms: readonly string[];
  /** Returns the label of a period; `undefined` where its periods have no labels. */
  readonly label?: ((period: string) => string) | undefined;
}

/**
 * Finds the key that `timeAxis` names.
 *
 * @throws ValidationError at `timeAxis` with the fields of the query
 */
export function requireTimeAxis(timeAxis: string, fields: readonly AxisField[]): string {
  const matched = match(timeAxis, fields);
  if (matched.kind === 'one') return matched.item.name;
  const keys = (matched.kind === 'several' ? matched.items : fields).map(({ name }) => name);
  if (matched.kind === 'several') {
    throw ValidationError.at(['timeAxis'], `The time axis ${timeAxis} matches several fields of the query.`, keys);
  }
  const message =
    keys.length === 0
      ? 'The query has no row field: name the field of the time axis in its rows.'
      : `The time axis ${timeAxis} is not a field of the query.`;
  throw ValidationError.at(['timeAxis'], message, nearestFirst(timeAxis, keys));
}

/**
 * Reads an answer along the field of key `axisKey`. Masked cells have no value.
 *
 * @throws ValidationError where the field is not a time, the query computes no metric, or the answer was cut
 */
export async function readSeriesTable({ columns, records, meta }: Table, axisKey: string): Promise<SeriesTable> {
  const dimensions = columns.filter(({ type }) => type === 'dimension');
  const metrics = columns.filter(({ type }) => type === 'metric');
  requireWhole({ metrics: metrics.length, isCut: meta.truncated, rowCount: meta.rowCount });
  const axis = await readTimeAxis(records.map((record) => cellText(record[axisKey])));
  if (axis === undefined) {
    const times = dimensions.filter(({ dataType }) => /^(date|timestamp|timestamptz)$/.test(dataType));
    throw noTime(
      axisKey,
      times.map(({ key }) => key),
    );
  }
  const others = dimensions.filter(({ key }) => key !== axisKey);
  const yieldTurn = cooperativeYield(HOLD_MS);
  const rows: SeriesRow[] = [];
  for (const record of records) {
    if (rows.length % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
    rows.push({
      by: Object.fromEntries(others.map(({ key }) => [key, plain(record[key])])),
      values: metrics.map(({ key }) => cellNumber(record[key])),
    });
  }
  return { rows, axis, metrics: metrics.map(({ key }) => key) };
}

export function requireWhole({
  metrics,
  isCut,
  rowCount,
}: {
  readonly metrics: number;
  readonly isCut: boolean;
  readonly rowCount: number;
}): void {
  if (metrics === 0) {
    throw ValidationError.at(['query', 'values'], 'The query computes no metric: name at least one.');
  }
  if (isCut) {
    throw ValidationError.at(
      ['query', 'rows'],
      `The answer was cut after ${rowCount} rows, so that its series have no end. Filter the query, or take a coarser time axis.`,
    );
  }
}

function noTime(axisKey: string, candidates: readonly string[]): ValidationError {
  return ValidationError.at(
    ['timeAxis'],
    `The values of ${axisKey} are not read as time: dates, timestamps, years, months such as 2024-03, quarters such as 2024-Q1, weeks such as 2024-W05.`,
    candidates,
  );
}

/** Returns the number of a cell; null for a masked cell and for other values. */
function cellNumber(cell: AnswerRecord[string] | undefined): number | null {
  if (!isMetricCell(cell) || cell.suppressed === true || cell.value === null) return null;
  const value = typeof cell.value === 'string' && cell.value.trim() === '' ? Number.NaN : Number(cell.value);
  return Number.isFinite(value) ? value : null;
}

function isMetricCell(cell: AnswerRecord[string] | undefined): cell is MetricCell {
  return typeof cell === 'object' && cell !== null;
}

function plain(cell: AnswerRecord[string] | undefined): FieldValue {
  return cell === undefined || isMetricCell(cell) ? null : cell;
}

function cellText(cell: AnswerRecord[string] | undefined): string | null {
  const value = plain(cell);
  return value === null ? null : String(value);
}
