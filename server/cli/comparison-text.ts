import { describeChanges } from '../import-command/report.ts';
import type { DataComparison } from '../launcher-offline.ts';
import { printable } from '../log/printable.ts';

/** Describes what new files changed in the data of a model, in lines for people. */
export function comparisonText({ isPossible, reasons, findings, tables, models }: DataComparison): string {
  const lines = [
    isPossible ? 'The files fit the model.' : 'The files do not fit the model; the data is as it was before.',
    ...reasons.map((reason) => `  ${reason}`),
    ...findings,
    ...tables.flatMap(describeChanges),
    ...models.flatMap(({ name, totals, unmatched, breaks }) => [
      ...totals.map(({ label, before, after }) => `${name}: ${label} was ${total(before)}, and is ${total(after)}`),
      ...unmatched.map(
        ({ from, to, before, after }) =>
          `${name}: ${count(after)} rows of ${from} have no row in ${to}; before it was ${count(before)}`,
      ),
      ...breaks.map(({ title, path, message }) => `${name}: ${title} (${path}) is not answered any more: ${message}`),
    ]),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function total(value: number | null): string {
  return value === null ? 'empty' : value.toLocaleString('en', { maximumFractionDigits: 2 });
}
