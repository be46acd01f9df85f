/** Computes anomalies and forecasts of an answer's series in worker threads. */

import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { CancelledError, InternalError, TimeoutError } from '../../../router/errors.ts';
import type { ModelShare } from '../forecast/candidate.ts';
import {
  ANALYTICS_TIMEOUT_MS,
  DEFAULT_HORIZON,
  DEFAULT_INTERVAL,
  HOLD_MS,
  MAX_HORIZON,
  TASK_POINTS_LIMIT,
} from '../limits.ts';
import { ANOMALY_METHODS, DEFAULT_ANOMALY_METHOD, DEFAULT_FORECAST_METHOD } from '../methods.ts';
import type {
  AnomalyParameters,
  AnomalySummary,
  CellAnomaly,
  ForecastParameters,
  ForecastPoint,
  Forecasts,
  MetricForecast,
} from '../schemas.ts';
import { buildSeries, type Series, type SeriesRow } from '../series/build.ts';
import type { TimeAxis } from '../series/time-axis.ts';
import type { AnalyticsPool, AnalyticsResult, AnalyticsTask } from '../work/task.ts';

/** The rows of an answer, its time axis and its metrics. */
export interface SeriesTable {
  readonly rows: readonly SeriesRow[];
  readonly axis: TimeAxis;
  /** The names of the metrics, in the order of `values` of the rows. */
  readonly metrics: readonly string[];
}

export interface AnomalyReport {
  readonly summary: AnomalySummary;
  /** By row, then by metric: only flagged cells. */
  readonly marks: ReadonlyMap<number, ReadonlyMap<number, CellAnomaly>>;
}

export interface AnalyticsOptions {
  readonly pool: AnalyticsPool;
  readonly signal: AbortSignal | undefined;
  /** Receives, after each task, the number of finished series and of all series. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Scores every series.
 *
 * @throws ValidationError for too many series, `TimeoutError`, `CancelledError`
 */
export async function findAnomalies(
  table: SeriesTable,
  {
    method = DEFAULT_ANOMALY_METHOD,
    threshold = ANOMALY_METHODS[method].threshold,
  }: Omit<AnomalyParameters, 'timeAxis'>,
  options: AnalyticsOptions,
): Promise<AnomalyReport> {
  const all = await buildSeries(table.rows, table.axis, table.metrics.length);
  const results = await runTasks(
    all,
    (chunk) => ({
      kind: 'anomaly',
      series: chunk.map(({ values }) => values),
      options: { method, threshold, periods: table.axis.seasons },
    }),
    (result) => (result.kind === 'anomaly' ? result.results : undefined),
    options,
  );
  const marks = new Map<number, Map<number, CellAnomaly>>();
  const series = await mapInTurns(all, (each, i) => {
    const result = results[i] ?? { reason: each.reason ?? 'empty' };
    let anomalyCount = 0;
    if ('anomalies' in result) {
      for (const { index, score, expected, direction } of result.anomalies) {
        const row = each.rowOf[index];
        if (row === undefined) continue;
        const ofRow = marks.get(row) ?? new Map<number, CellAnomaly>();
        marks.set(row, ofRow.set(each.metric, { score, expected, direction }));
        anomalyCount += 1;
      }
    }
    return {
      metric: table.metrics[each.metric] ?? '',
      ...writeGroup(each),
      ...('method' in result ? { method: result.method } : { reason: result.reason }),
      anomalyCount,
      ...writeGaps(each),
    };
  });
  const used = new Set(series.flatMap((each) => ('method' in each ? [each.method] : [])));
  const [only] = used;
  return {
    summary: {
      method: used.size === 1 && only !== undefined ? only : method,
      threshold,
      anomalyCount: series.reduce((sum, each) => sum + each.anomalyCount, 0),
      grain: table.axis.grain,
      series,
    },
    marks,
  };
}

/** Lists the positions of the values that were filled in. */
function gapsOf({ gaps, rowOf }: Series): readonly number[] {
  return gaps === 0 ? [] : rowOf.flatMap((row, position) => (row === undefined ? [position] : []));
}

/** Continues every series. Throws as `findAnomalies` does. */
export async function makeForecasts(
  table: SeriesTable,
  {
    method = DEFAULT_FORECAST_METHOD,
    horizon = DEFAULT_HORIZON,
    interval = DEFAULT_INTERVAL,
  }: Omit<ForecastParameters, 'timeAxis'>,
  options: AnalyticsOptions,
): Promise<Forecasts> {
  const { axis, metrics } = table;
  const built = await buildSeries(table.rows, axis, metrics.length);
  const all = built.map((series): Series => {
    const canContinue = axis.isRegular && series.missingAtEnd + horizon <= 2 * MAX_HORIZON;
    return canContinue || series.reason !== undefined ? series : { ...series, reason: 'irregular' };
  });
  const results = await runTasks(
    all,
    (chunk) => ({
      kind: 'forecast',
      series: chunk.map(({ values }) => values),
      options: { method, interval, periods: axis.seasons },
      horizons: chunk.map(({ missingAtEnd }) => missingAtEnd + horizon),
      gaps: chunk.map(gapsOf),
    }),
    (result) => (result.kind === 'forecast' ? result.results : undefined),
    options,
  );
  const gathered = await mapInTurns(all, (series, i) => {
    const result = results[i] ?? { reason: series.reason ?? 'empty' };
    const last = series.start + series.values.length - 1 + series.missingAtEnd;
    const points =
      'steps' in result
        ? result.steps.slice(series.missingAtEnd).map((step, k): ForecastPoint => {
            const period = axis.labelAt(last + 1 + k);
            return { index: series.rows.length + k, ...step, ...(period === undefined ? {} : { period }) };
          })
        : [];
    const models = 'models' in result ? { models: writeModels(result.models) } : {};
    const reason = result.reason === undefined ? {} : { reason: result.reason };
    return { series, points, ...models, ...reason, ...writeGaps(series) };
  });
  return Object.fromEntries(
    metrics.map((name, metric): readonly [string, MetricForecast] => {
      const ofMetric = gathered.filter(({ series }) => series.metric === metric);
      const common = { method, horizon, confidence: interval };
      const [only] = ofMetric;
      if (only === undefined) return [name, { ...common, points: [], reason: 'empty' }];
      const hasOthers = ofMetric.some(({ series }) => Object.keys(series.by).length > 0);
      if (!hasOthers) {
        const { series: _, ...rest } = only;
        return [name, { ...common, ...rest, grain: axis.grain }];
      }
      const [single] = ofMetric.length === 1 ? ofMetric : [];
      return [
        name,
        {
          ...common,
          points: single?.points ?? [],
          ...(single?.models === undefined ? {} : { models: single.models }),
          ...(single?.reason === undefined ? {} : { reason: single.reason }),
          grain: axis.grain,
          series: ofMetric.map(({ series, ...rest }) => ({ by: { ...series.by }, ...rest })),
        },
      ];
    }),
  );
}

/**
 * Runs the series that can be analysed on the pool; each result has the index of its series. As many tasks run at a
 * time as the pool has threads, so that a long request leaves room for others.
 */
async function runTasks<Each>(
  all: readonly Series[],
  taskOf: (chunk: readonly Series[]) => AnalyticsTask,
  resultsOf: (result: AnalyticsResult) => readonly Each[] | undefined,
  { pool, signal, onProgress }: AnalyticsOptions,
): Promise<readonly (Each | undefined)[]> {
  const limit = AbortSignal.timeout(ANALYTICS_TIMEOUT_MS);
  const results = all.map((): Each | undefined => undefined);
  const chunks = chunked(
    all.flatMap(({ reason }, index) => (reason === undefined ? [index] : [])),
    all,
  );
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  let done = 0;
  const stop = new AbortController();
  const stopping = AbortSignal.any([stop.signal, limit, ...(signal === undefined ? [] : [signal])]);
  const work = async () => {
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
      const chunkResults = resultsOf(await pool.run(taskOf(chunk.flatMap((index) => all[index] ?? [])), stopping));
      if (chunkResults === undefined) throw new InternalError('A worker has answered another task.');
      chunk.forEach((index, i) => {
        results[index] = chunkResults[i];
      });
      done += chunk.length;
      onProgress?.(done, total);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(pool.size, chunks.length) }, work));
    return results;
  } catch (error) {
    stop.abort();
    if (error instanceof CancelledError && limit.aborted && signal?.aborted !== true) {
      throw new TimeoutError(
        `The series took longer than ${ANALYTICS_TIMEOUT_MS / 1_000} seconds to work on. Ask for fewer, or for shorter ones.`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** Returns the result of `of` for each series; yields to the event loop between them. */
async function mapInTurns<Result>(
  all: readonly Series[],
  of: (series: Series, index: number) => Result,
): Promise<Result[]> {
  const yieldTurn = cooperativeYield(HOLD_MS);
  const results: Result[] = [];
  for (const [index, series] of all.entries()) {
    await yieldTurn();
    results.push(of(series, index));
  }
  return results;
}

function chunked(indexes: readonly number[], all: readonly Series[]): number[][] {
  const chunks: number[][] = [];
  let points = Number.POSITIVE_INFINITY;
  for (const index of indexes) {
    const length = all[index]?.values.length ?? 0;
    if (points + length > TASK_POINTS_LIMIT) {
      chunks.push([]);
      points = 0;
    }
    chunks.at(-1)?.push(index);
    points += length;
  }
  return chunks;
}

function writeGroup({ by }: Series): { readonly by?: Series['by'] & Record<string, Series['by'][string]> } {
  return Object.keys(by).length === 0 ? {} : { by: { ...by } };
}

/** Writes the weights to three decimals, without models that round to nothing. */
function writeModels(models: readonly ModelShare[]): NonNullable<MetricForecast['models']> {
  return models.flatMap(({ model, isOnLogarithms, weight }) => {
    const rounded = Math.round(1_000 * weight) / 1_000;
    return rounded === 0
      ? []
      : [{ name: model, ...(isOnLogarithms ? { onLogarithms: true as const } : {}), weight: rounded }];
  });
}

function writeGaps({ gaps }: Series): { readonly gaps?: number } {
  return gaps === 0 ? {} : { gaps };
}
