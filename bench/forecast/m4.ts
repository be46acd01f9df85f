/** The hourly series of the M4 competition, and its measures. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestSeries } from '../../plugins/analytics/testing/processes.ts';

export const HORIZON = 48;
export const PERIOD = 24;

/** Reads the series from `Hourly-train.csv` and `Hourly-test.csv` of a folder; `undefined` where these files are missing. */
export function readHourly(folder: string): readonly TestSeries[] | undefined {
  const [train, test] = ['Hourly-train.csv', 'Hourly-test.csv'].map((name) => join(folder, name));
  if (train === undefined || test === undefined || !existsSync(train) || !existsSync(test)) return undefined;
  const tests = readRows(test);
  return readRows(train).map((values, i) => ({ train: values, test: (tests[i] ?? values).slice(0, HORIZON) }));
}

function readRows(file: string): readonly Float64Array[] {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, ...cells] = line.split(',').map((cell) => cell.trim().replaceAll('"', ''));
    return Float64Array.from(cells.filter((cell) => cell !== '' && cell !== 'NA').map(Number));
  });
}

/** Averages 200·|y − f| / (|y| + |f|) over the points. */
export function smape(actual: Float64Array, forecast: readonly number[]): number {
  return average(actual, (value, h) => {
    const predicted = forecast[h] ?? Number.NaN;
    const size = Math.abs(value) + Math.abs(predicted);
    return size === 0 ? 0 : (200 * Math.abs(value - predicted)) / size;
  });
}

/**
 * Computes the mean absolute scaled error: the forecast's mean absolute error, divided by that of the value one period before in the known series.
 */
export function mase({ train, test }: TestSeries, forecast: readonly number[], period: number): number {
  const scale = average(train.slice(period), (value, i) => Math.abs(value - (train[i] ?? 0)));
  return average(test, (value, h) => Math.abs(value - (forecast[h] ?? Number.NaN))) / scale;
}

/** Repeats the values of the last period. */
export function seasonalNaive(train: Float64Array, period: number, horizon: number): readonly number[] {
  return Array.from({ length: horizon }, (_, h) => train[train.length - period + (h % period)] ?? 0);
}

function average(values: Float64Array, of: (value: number, index: number) => number): number {
  return values.reduce((sum, value, index) => sum + of(value, index), 0) / values.length;
}
