/** Prints the tables of the benchmarks. */

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

export function mib(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`;
}

/** Prints the head of a table. */
export function head(...cells: readonly string[]): void {
  console.log('');
  row(...cells);
  row(...cells.map(() => '---'));
}

export function row(...cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
