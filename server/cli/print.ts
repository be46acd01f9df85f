import { isRecord } from '../../router/record.ts';
import { printable } from '../log/printable.ts';

/** Prints rows as aligned columns, or as JSON on request. `cell` formats one value. */
export function printRows(
  rows: readonly Readonly<Record<string, unknown>>[],
  json: boolean,
  cell: (value: unknown) => string = listCell,
): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const [first] = rows;
  if (first === undefined) {
    process.stdout.write('none\n');
    return;
  }
  const names = Object.keys(first);
  const table = [names.map(printable), ...rows.map((row) => names.map((name) => printable(cell(row[name]))))];
  const widths = names.map((_, column) => longest(table, column));
  for (const line of table) {
    process.stdout.write(
      `${line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

function longest(table: readonly (readonly string[])[], column: number): number {
  return table.reduce((length, line) => Math.max(length, line[column]?.length ?? 0), 0);
}

/** Formats a cell of a list: `a,b`, and a record as `name=a,b`. A missing value is blank. */
function listCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(',');
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}=${listCell(each)}`)
    .join(' ');
}

const NULL = 'NULL';

/** Formats a value of an answer unambiguously: null is `NULL`, the empty text `""`, and a text that looks like them is quoted. */
export function answerCell(value: unknown): string {
  if (value === null || value === undefined) return NULL;
  const text = String(value);
  return text === '' || text === NULL || /^".*"$/s.test(text) ? JSON.stringify(text) : text;
}

/** Formats an instant for people and programs alike. */
export function instant(epochMillis: number | null | undefined): string | null {
  return epochMillis === null || epochMillis === undefined ? null : new Date(epochMillis).toISOString();
}
