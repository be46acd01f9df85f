/** Prints accuracy, intervals and time of the methods beside those of statsforecast. */
import { FORECAST_METHODS, type ForecastStep } from '../../plugins/analytics/index.ts';
import { type DataSet, type Half, readDataSets } from './data-sets.ts';
import { averageMeasures, type Measures, measure } from './measures.ts';
import { preparePeers, runPeers } from './peers.ts';

type Method = keyof typeof FORECAST_METHODS;

export interface CompareOptions {
  readonly m4: string;
  readonly half: Half;
  /** Forecasts a series by a method, and reports nothing where there is no forecast. */
  readonly forecast: (method: Method, train: Float64Array, set: DataSet) => readonly ForecastStep[];
}

interface Result {
  readonly name: string;
  /** Measures every `every`-th series. */
  readonly measures: readonly Measures[];
  readonly every: number;
  readonly milliseconds: number;
  readonly failed: number;
}

const LEVEL = 0.95;
const METHODS = Object.keys(FORECAST_METHODS).filter((name): name is Method => name in FORECAST_METHODS);

/** Prints one table for each data set; without statsforecast, the reason and our methods alone. */
export async function compare({ m4, half, forecast }: CompareOptions): Promise<void> {
  const sets = readDataSets(m4, half);
  const skipped = preparePeers();
  if (skipped !== undefined) console.log(`statsforecast is skipped: ${skipped}.\n`);
  const printSet = (set: DataSet, peers: readonly Result[]) =>
    printTable(
      set,
      METHODS.map((method) => runMethod(method, set, forecast)),
      peers,
    );
  if (skipped !== undefined) {
    for (const set of sets) printSet(set, []);
    return;
  }
  // The models of a set come one after another.
  let peers: Result[] = [];
  let current = sets[0];
  for await (const { set, model, every, milliseconds, failed, forecasts } of runPeers(sets)) {
    const data = sets.find(({ name }) => name === set);
    if (data === undefined) continue;
    if (current !== undefined && data !== current) {
      printSet(current, peers);
      peers = [];
    }
    current = data;
    const measures = measureAll(data, forecasts, every);
    peers.push({ name: `statsforecast ${model}`, measures, every, milliseconds, failed });
  }
  if (current !== undefined) printSet(current, peers);
}

function runMethod(method: Method, set: DataSet, forecast: CompareOptions['forecast']): Result {
  const before = process.cpuUsage();
  const forecasts = set.series.map(({ train }) => forecast(method, train, set));
  const { user, system } = process.cpuUsage(before);
  return {
    name: method,
    measures: measureAll(set, forecasts),
    every: 1,
    milliseconds: (user + system) / 1_000 / set.series.length,
    failed: forecasts.filter((steps) => steps.length === 0).length,
  };
}

function measureAll(
  { series, period }: DataSet,
  forecasts: readonly (readonly ForecastStep[])[],
  every = 1,
): readonly Measures[] {
  return everyNth(series, every).map((each, i) => measure(each, forecasts[i] ?? [], period, LEVEL));
}

function everyNth<T>(items: readonly T[], every: number): readonly T[] {
  return items.filter((_, i) => i % every === 0);
}

function printTable({ name, series, horizon }: DataSet, ours: readonly Result[], peers: readonly Result[]): void {
  const lengths = series.map(({ train }) => train.length);
  const points = [...new Set([Math.min(...lengths), Math.max(...lengths)])].join(' to ');
  console.log(`\n**${name}**: ${series.length} series of ${points} points, ${horizon} ahead${ratios(ours, peers)}\n`);
  console.log(
    `| Method | MASE | RMSSE | cover of ${LEVEL} | MSIS | ms a series |\n| --- | ---: | ---: | ---: | ---: | ---: |`,
  );
  for (const { name: title, measures, every, milliseconds, failed } of [...ours, ...peers]) {
    const { mase, rmsse, cover, msis } = averageMeasures(measures);
    const numbers = [mase, rmsse, cover, msis].map((each) => each.toFixed(3));
    const time = milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
    const notes = [
      ...(every === 1 ? [] : [`on ${measures.length} of the series`]),
      ...(failed === 0 ? [] : [`${failed} failed`]),
    ];
    const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
    console.log(`| ${title}${note} | ${numbers.join(' | ')} | ${time} |`);
  }
}

/** Writes the ratio of our best method to the best model. A model on a share of the series is compared with ours on it. */
function ratios(ours: readonly Result[], peers: readonly Result[]): string {
  if (peers.length === 0) return '';
  const best = (of: keyof Measures, every: number) =>
    Math.min(...ours.map(({ measures }) => averageMeasures(everyNth(measures, every))[of]).filter(Number.isFinite));
  const ratio = (of: keyof Measures) =>
    Math.max(...peers.map(({ measures, every }) => best(of, every) / averageMeasures(measures)[of])).toFixed(3);
  return `; our best method to its best model: MASE ${ratio('mase')}, RMSSE ${ratio('rmsse')}, MSIS ${ratio('msis')}`;
}
