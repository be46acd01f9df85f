/** Prints rows as aligned columns, or as JSON where the caller asked for it. */
export function printRows(rows: readonly Readonly<Record<string, unknown>>[], json: boolean): void {
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
  const table = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  for (const line of table) {
    process.stdout.write(
      `${line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** An instant as people and programs both read it. */
export function instant(epochMillis: number | null | undefined): string | null {
  return epochMillis === null || epochMillis === undefined ? null : new Date(epochMillis).toISOString();
}
