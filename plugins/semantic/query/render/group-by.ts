/** Writes the GROUP BY of the first columns of a SELECT, on a line of its own; nothing without columns. */
export function groupBy(columns: number, indent = '  '): string {
  const numbers = Array.from({ length: columns }, (_, index) => index + 1);
  return columns === 0 ? '' : `\n${indent}GROUP BY ${numbers.join(', ')}`;
}
