/** Prints accuracy, intervals and time of the methods beside those of statsforecast. */
import { FORECAST_METHODS, type ForecastStep } from '../../plugins/analytics/index.ts';
import { type DataSet, type Half, readDataSets } from './data-sets.ts';
import { averageMeasures, type Measures, measure } from './measures.ts';
import { preparePeers, runPeers } from './peers.ts';

type Method = keyof typeof FORECAST_METHODS;

export interface CompareOptions {
  readonly m4: string;
  readonly half: Half;
  /** Of M4, every `every`-th series. */
  readonly every: number;
  /** Forecasts a series by a method, and reports nothing where there is no forecast. */
  readonly forecast: (method: Method, train: Float64Array, set: DataSet) => readonly ForecastStep[];
}

interface Result {
  readonly name: string;
  readonly measures: Measures;
  readonly milliseconds: number;
  readonly failed: number;
}

const LEVEL = 0.95;
const METHODS = Object.keys(FORECAST_METHODS).filter((name): name is Method => name in FORECAST_METHODS);

/** Prints one table for each data set; without statsforecast, the reason and our methods alone. */
export async function compare({ m4, half, every, forecast }: CompareOptions): Promise<void> {
  const sets = readDataSets(m4, half, every);
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
  for await (const { set, model, milliseconds, failed, forecasts } of runPeers(sets)) {
    const data = sets.find(({ name }) => name === set);
    if (data === undefined) continue;
    if (current !== undefined && data !== current) {
      printSet(current, peers);
      peers = [];
    }
    current = data;
    peers.push({ name: `statsforecast ${model}`, measures: measureAll(data, forecasts), milliseconds, failed });
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
    milliseconds: (user + system) / 1_000 / set.series.length,
    failed: forecasts.filter((steps) => steps.length === 0).length,
  };
}

function measureAll({ series, period }: DataSet, forecasts: readonly (readonly ForecastStep[])[]): Measures {
  return averageMeasures(series.map((each, i) => measure(each, forecasts[i] ?? [], period, LEVEL)));
}

function printTable({ name, series, horizon }: DataSet, ours: readonly Result[], peers: readonly Result[]): void {
  const lengths = series.map(({ train }) => train.length);
  const points = [...new Set([Math.min(...lengths), Math.max(...lengths)])].join(' to ');
  console.log(`\n**${name}**: ${series.length} series of ${points} points, ${horizon} ahead${ratios(ours, peers)}\n`);
  console.log(
    `| Method | MASE | RMSSE | cover of ${LEVEL} | MSIS | ms a series |\n| --- | ---: | ---: | ---: | ---: | ---: |`,
  );
  for (const { name: title, measures, milliseconds, failed } of [...ours, ...peers]) {
    const { mase, rmsse, cover, msis } = measures;
    const numbers = [mase, rmsse, cover, msis].map((each) => each.toFixed(3));
    const time = milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
    const note = failed === 0 ? '' : ` (${failed} failed)`;
    console.log(`| ${title}${note} | ${numbers.join(' | ')} | ${time} |`);
  }
}

/** Writes the ratios of the best of each side. */
function ratios(ours: readonly Result[], peers: readonly Result[]): string {
  if (peers.length === 0) return '';
  const best = (results: readonly Result[], of: 'mase' | 'rmsse' | 'msis') =>
    Math.min(...results.map(({ measures }) => measures[of]).filter(Number.isFinite));
  const ratio = (of: 'mase' | 'rmsse' | 'msis') => (best(ours, of) / best(peers, of)).toFixed(3);
  return `; our best method to its best model: MASE ${ratio('mase')}, RMSSE ${ratio('rmsse')}, MSIS ${ratio('msis')}`;
}
