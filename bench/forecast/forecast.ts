/**
 * Measures the forecast methods.
 *
 *   npm run bench:forecast                       the 414 hourly series of M4 (some CPU minutes)
 *   npm run bench:forecast -- --every 6          every sixth of the hourly series
 *   npm run bench:forecast -- --method arima     this method only; may be given several times
 *   npm run bench:forecast -- --synthetic        series of other grains, drawn from known processes
 *   npm run bench:forecast -- --speed            one metric, 500 series, the delay of the event loop meanwhile, and processor time at 150 and 5,000 points
 *   npm run bench:forecast -- --peers            beside statsforecast, on the half of the series that chose nothing; needs Python
 *   npm run bench:forecast -- --peers --half choose      on the half that models were chosen on
 *   npm run bench:forecast -- --m4 FOLDER        where Hourly-train.csv and Hourly-test.csv are; default ../shared/m4
 */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { forecast } from '../../plugins/analytics/forecast/forecast.ts';
import {
  type AnalyticsResult,
  type AnalyticsTask,
  FORECAST_METHODS,
  makeForecasts,
  readTimeAxis,
} from '../../plugins/analytics/index.ts';
import { drawSeries, GRAINS, type TestSeries } from '../../plugins/analytics/testing/processes.ts';
import { holdOf } from '../../router/testing/loop-delay.ts';
import { progress } from '../../server/cli/progress.ts';
import { ThreadPool } from '../../server/workers/thread-pool.ts';
import { median, row } from '../print.ts';
import { compare } from './compare.ts';
import { type DataSet, readLongSeries } from './data-sets.ts';
import { HORIZON, mase, PERIOD, readHourly, seasonalNaive, smape } from './m4.ts';

type Method = keyof typeof FORECAST_METHODS;

const LEVEL = 0.95;
const SYNTHETIC_EACH = 20;
const SEED = 2024;

const { values: options } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    method: { type: 'string', multiple: true },
    synthetic: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    half: { type: 'string', default: 'report' },
    m4: { type: 'string', default: '../shared/m4' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(
    'npm run bench:forecast [-- --every N | --method NAME … | --synthetic | --speed | --peers [--half choose|report] | --m4 FOLDER]\nAccuracy of the forecast methods beside the seasonal naive forecast, or how long they take.',
  );
  process.exit(0);
}
const methods = Object.keys(FORECAST_METHODS).filter(
  (name): name is Method => name in FORECAST_METHODS && (options.method?.includes(name) ?? true),
);
const pool = new ThreadPool<AnalyticsTask, AnalyticsResult>({
  module: new URL('../../plugins/analytics/work/worker.ts', import.meta.url),
  size: availableParallelism(),
});

/** Passes over the series before the measured one: the third is the first whose code is compiled. */
const WARM_UP_PASSES = 2;

if (options.speed) {
  await speed();
  processorTimes();
} else if (options.synthetic) await synthetic();
else if (options.peers) await comparePeers();
else await hourly();
await pool.close();

async function comparePeers(): Promise<void> {
  await compare({
    m4: options.m4,
    half: options.half === 'choose' ? 'choose' : 'report',
    forecast: (method, train, { horizon, periods }) => {
      const result = forecast(train, { method, horizon, interval: LEVEL, periods });
      return 'steps' in result ? result.steps : [];
    },
  });
}

async function hourly(): Promise<void> {
  const every = Math.max(1, Number(options.every));
  const all = readHourly(options.m4);
  if (all === undefined) {
    console.error(`${options.m4} has no Hourly-train.csv and Hourly-test.csv.`);
    process.exitCode = 1;
    return;
  }
  const chosen = all.filter((_, i) => i % every === 0);
  console.log(`M4 hourly: ${chosen.length} series, ${HORIZON} points ahead.\n`);
  row('Method', 'sMAPE', 'MASE', `cover of ${LEVEL}`, 'CPU ms a series');
  row('---', '---:', '---:', '---:', '---:');
  const naive = chosen.map(({ train }) => seasonalNaive(train, PERIOD, HORIZON));
  row('seasonal naive', score(chosen, naive, smapeOf), score(chosen, naive, maseOf(PERIOD)), '', '');
  for (const method of methods) await measure(method, chosen, PERIOD, [24, 168], method);
}

async function synthetic(): Promise<void> {
  console.log(`${SYNTHETIC_EACH} series of each of seven processes, seed ${SEED}.\n`);
  row('Series', 'sMAPE', 'MASE', `cover of ${LEVEL}`, 'CPU ms a series');
  row('---', '---:', '---:', '---:', '---:');
  for (const grain of GRAINS) {
    const drawn = drawSeries(grain, SYNTHETIC_EACH, SEED);
    const naive = drawn.map(({ train }) => seasonalNaive(train, grain.period, grain.horizon));
    row(`${grain.name}: naive`, score(drawn, naive, smapeOf), score(drawn, naive, maseOf(grain.period)), '', '');
    for (const method of methods) {
      await measure(method, drawn, grain.period, grain.periods, `${grain.name}: ${method}`);
    }
  }
}

async function measure(
  method: Method,
  all: readonly TestSeries[],
  period: number,
  periods: readonly number[],
  title: string,
): Promise<void> {
  const bar = progress(title);
  const before = process.cpuUsage();
  let done = 0;
  const results = await Promise.all(
    all.map(async ({ train, test }) => {
      const result = await pool.run({
        kind: 'forecast',
        series: [train],
        options: { method, interval: LEVEL, periods },
        horizons: [test.length],
        gaps: [],
      });
      bar.at(++done, all.length, `${done} of ${all.length}`);
      const [first] = result.kind === 'forecast' ? result.results : [];
      if (first === undefined || 'reason' in first) throw new Error(`no forecast: ${first?.reason ?? ''}`);
      return first.steps;
    }),
  );
  bar.end();
  const cpu = process.cpuUsage(before);
  const forecasts = results.map((steps) => steps.map(({ value }) => value));
  const held = results.flatMap((steps, i) =>
    steps.map(({ lower, upper }, h) => {
      const actual = all[i]?.test[h] ?? Number.NaN;
      return actual >= lower && actual <= upper;
    }),
  );
  const cover = (100 * held.filter(Boolean).length) / held.length;
  const ms = (cpu.user + cpu.system) / 1_000 / all.length;
  row(
    title,
    score(all, forecasts, smapeOf),
    score(all, forecasts, maseOf(period)),
    `${cover.toFixed(1)} %`,
    ms.toFixed(0),
  );
}

/** Averages a measure over the series. */
function score(
  all: readonly TestSeries[],
  forecasts: readonly (readonly number[])[],
  measureOf: (series: TestSeries, forecast: readonly number[]) => number,
): string {
  const sum = all.reduce((total, series, i) => total + measureOf(series, forecasts[i] ?? []), 0);
  return (sum / all.length).toFixed(3);
}

function smapeOf({ test }: TestSeries, forecast: readonly number[]): number {
  return smape(test, forecast);
}

function maseOf(period: number) {
  return (series: TestSeries, forecast: readonly number[]) => mase(series, forecast, period);
}

/** Times the forecast of one metric of 120 months, then of 500, as a surface requests them. */
async function speed(): Promise<void> {
  const months = Array.from(
    { length: 120 },
    (_, i) => `${2014 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  );
  const monthly = GRAINS.find(({ name }) => name === 'monthly');
  const drawn = monthly === undefined ? [] : drawSeries(monthly, 100, SEED);
  const table = (count: number) => ({
    texts: months.flatMap((month) => Array.from({ length: count }, () => month)),
    rows: months.flatMap((_, t) =>
      Array.from({ length: count }, (_, series) => ({
        by: { series },
        values: [drawn[series % drawn.length]?.train[t] ?? null],
      })),
    ),
  });
  const [one, fiveHundred] = [table(1), table(500)];
  const idle = await holdOf(() => sleep(5_000));
  console.log(
    `${pool.size} threads, load ${loadavg()[0]?.toFixed(1)}; an idle loop is held for ${idle.heldMillis.toFixed(0)} ms (waits for a processor taken off).\n`,
  );
  row(
    'Method',
    '120 points, first',
    '120 points, later (median of 7)',
    '500 series of 120 points',
    'their CPU',
    'loop held at most',
  );
  row('---', '---:', '---:', '---:', '---:', '---:');
  for (const method of methods) {
    const time = async ({ texts, rows }: ReturnType<typeof table>) => {
      const begun = performance.now();
      const axis = await readTimeAxis(texts);
      if (axis === undefined) throw new Error('months are no time axis');
      await makeForecasts({ axis, rows, metrics: ['value'] }, { method, horizon: 12 }, { pool, signal: undefined });
      return performance.now() - begun;
    };
    const first = await time(one);
    const later: number[] = [];
    for (let i = 0; i < 7; i++) later.push(await time(one));
    const before = process.cpuUsage();
    let many = 0;
    const { heldMillis } = await holdOf(async () => {
      many = await time(fiveHundred);
    });
    const { user, system } = process.cpuUsage(before);
    row(
      method,
      `${first.toFixed(0)} ms`,
      `${median(later).toFixed(0)} ms`,
      `${(many / 1_000).toFixed(1)} s`,
      `${((user + system) / 1e6).toFixed(1)} s`,
      `${heldMillis.toFixed(0)} ms`,
    );
  }
}

/** Prints the median processor time of forecasts after a warm-up, of a series of 150 months and one of 5,000 days. */
function processorTimes(): void {
  const monthly = GRAINS.find(({ name }) => name === 'monthly');
  if (monthly === undefined) throw new Error('no grain of months');
  const long = readLongSeries('choose');
  const months: DataSet = { ...monthly, series: drawSeries({ ...monthly, length: 150 }, 4, SEED) };
  console.log();
  row('Method', '150 points, CPU (median)', '5,000 points, CPU (median)');
  row('---', '---:', '---:');
  for (const method of methods) {
    row(method, ...[months, long].map((set) => `${medianOfProcessorTimes(method, set).toFixed(0)} ms`));
  }
}

function medianOfProcessorTimes(method: Method, { series, horizon, periods }: DataSet): number {
  const passes = Array.from({ length: WARM_UP_PASSES + 1 }, () => series);
  const times = passes.flat().map(({ train }) => {
    const before = process.cpuUsage();
    // A copy, because the decompositions of a series are kept.
    forecast(train.slice(), { method, horizon, interval: LEVEL, periods });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return median(times.slice(-series.length));
}
