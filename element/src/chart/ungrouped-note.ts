import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';

/**
 * Notes the share of the first metric that is in no group, where the settings ask for it; undefined where every row is in
 * one.
 */
export function ungroupedNote({ columns, rows }: Answer, { ungrouped }: ChartSettings, { number }: Formats) {
  const group = columns.findIndex(({ type }) => type === 'dimension');
  const metric = columns.findIndex(({ type }) => type === 'metric');
  const numbers = rows.map((row) => row[metric]?.number ?? 0);
  const value = numbers[rows.findIndex((row) => row[group]?.text === undefined && !row[group]?.suppressed)] ?? 0;
  if (!ungrouped || value <= 0 || numbers.some((each) => each < 0)) return undefined;
  const share = value / numbers.reduce((sum, each) => sum + each, 0);
  return `${number(share, { style: 'percent', maximumFractionDigits: 1 })} of ${columns[metric]?.label} has no ${columns[group]?.label}`;
}
