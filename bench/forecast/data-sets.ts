/** The series that forecasts are compared on: M4, and known processes. One half serves to choose models, the other to report. */

import { normalQuantile } from '../../plugins/analytics/numeric/normal.ts';
import { randomGenerator } from '../../plugins/analytics/numeric/random.ts';
import { drawIntermittent } from '../../plugins/analytics/testing/intermittent-demand.ts';
import { drawSeries, GRAINS, type Grain, type TestSeries } from '../../plugins/analytics/testing/processes.ts';
import { readHourly } from './m4.ts';

export type Half = 'choose' | 'report';

/** Series of one grain; `period` and `periods` as in `Grain`. */
export interface DataSet extends Pick<Grain, 'name' | 'horizon' | 'period' | 'periods'> {
  readonly series: readonly TestSeries[];
}

interface Sample {
  readonly seed: number;
  /** Series of each kind of process. */
  readonly each: number;
  /** Selects every `every`-th series from `first` on, of a half of M4 by hour. */
  readonly hours: { readonly first: number; readonly every: number };
}

/** The reporting half was set before its figures were read. No earlier report has its hours of M4. */
const SAMPLES: Readonly<Record<Half, Sample>> = {
  choose: { seed: 2024, each: 12, hours: { first: 0, every: 12 } },
  report: { seed: 60_613, each: 50, hours: { first: 1, every: 4 } },
};
const GRAIN_NAMES = ['quarterly', 'monthly', 'weekly', 'daily'];
/** A short series of years. */
const YEARS: Grain = { name: 'yearly, 7 years', length: 7, horizon: 3, period: 1, periods: [] };
const LONG_EACH = 4;
const HOURS = 24;
const DAYS_AHEAD = 7;

/** Returns the series of one half; without M4 where its files are missing. */
export function readDataSets(folder: string, half: Half): readonly DataSet[] {
  const { seed, each, hours } = SAMPLES[half];
  const grains = [YEARS, ...GRAINS.filter(({ name }) => GRAIN_NAMES.includes(name))];
  const drawn = grains.map((grain): DataSet => ({ ...grain, series: drawSeries(grain, each, seed) }));
  const intermittent: DataSet = {
    name: 'intermittent',
    horizon: 12,
    period: 1,
    periods: [12],
    series: drawIntermittent(72, 12, 2 * each, seed),
  };
  const hourly = (readHourly(folder) ?? []).filter((_, i) => i % 2 === Number(half === 'report'));
  const m4: readonly DataSet[] =
    hourly.length === 0
      ? []
      : [
          { name: 'M4 by day', horizon: DAYS_AHEAD, period: 7, periods: [7], series: hourly.map(byDay) },
          {
            name: 'M4 by hour',
            horizon: 48,
            period: 24,
            periods: [24, 168],
            series: hourly.filter((_, i) => i % hours.every === hours.first),
          },
        ];
  return [...drawn, intermittent, ...m4, readLongSeries(half)];
}

/** Returns long series with two seasons. */
export function readLongSeries(half: Half): DataSet {
  const series = drawDays(5_000, 30, LONG_EACH, SAMPLES[half].seed);
  return { name: '5,000 days', horizon: 30, period: 7, periods: [7, 365], series };
}

/** Sums the hours of whole days. The last seven days are to be forecast. */
function byDay({ train }: TestSeries): TestSeries {
  const first = train.length % HOURS;
  const days = Float64Array.from({ length: Math.floor(train.length / HOURS) }, (_, day) =>
    train.subarray(first + day * HOURS, first + (day + 1) * HOURS).reduce((sum, value) => sum + value, 0),
  );
  return { train: days.slice(0, -DAYS_AHEAD), test: days.slice(-DAYS_AHEAD) };
}

/** Draws days with a season of the week and one of the year, on a level that walks, with errors that linger. */
function drawDays(length: number, horizon: number, count: number, seed: number): readonly TestSeries[] {
  const random = randomGenerator(seed);
  const normal = () => normalQuantile(random());
  return Array.from({ length: count }, () => {
    const week = Array.from({ length: 7 }, () => 12 * normal());
    const year = Array.from({ length: 3 }, () => 15 * normal());
    let [level, memory] = [200, 0];
    const values = Float64Array.from({ length: length + horizon }, (_, t) => {
      level += 0.3 * normal();
      memory = 0.6 * memory + 5 * normal();
      const waves = year.reduce((sum, size, k) => sum + size * Math.sin((2 * Math.PI * (k + 1) * t) / 365 + k), 0);
      return level + (week[t % 7] ?? 0) + waves + memory;
    });
    return { train: values.slice(0, length), test: values.slice(length) };
  });
}
